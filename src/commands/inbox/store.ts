import { nextTurn } from '../../base/clock.ts'
import type { CommandTools } from '../../base/process/command-io.ts'
import { errorText } from '../../base/text/error-text.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { readInboxSettings } from '../../config/settings.ts'
import { openInboxStore, storeAddress } from '../../desk/gateway/inbox.ts'
import type { StoreTools } from '../../desk/gateway/store-address.ts'
import type { EventStore, StoreUse } from '../../inbox/store/event-store.ts'
import type { ForwardStanding } from '../../inbox/store/forward-store.ts'
import { type Arguments, shown } from '../cli/arguments.ts'
import { type Ending, failed, failure } from '../cli/exit-codes.ts'

/** The error of a store that failed during use. */
class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
}

/**
 * The store with its rejections turned into failures that a command can report: a damaged file, a lost server. Signals
 * are heard between two calls: a file is read without waiting for anything, a million events in one turn.
 */
function tellingOf(store: EventStore): EventStore {
  const told =
    <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      await nextTurn()
      try {
        return await call(...given)
      } catch (error) {
        throw new StoreFailure(errorText(error))
      }
    }
  return {
    record: told((batch) => store.record(batch)),
    events: told((query) => store.events(query)),
    event: told((eventId) => store.event(eventId)),
    conflictsOf: told((eventId) => store.conflictsOf(eventId)),
    quarantine: told((query) => store.quarantine(query)),
    release: told((sequence, event, atMs) => store.release(sequence, event, atMs)),
    forgetBefore: told((receivedAtMs) => store.forgetBefore(receivedAtMs)),
    counts: told(() => store.counts()),
    identity: told(() => store.identity()),
    takeLease: told((wish) => store.takeLease(wish)),
    renewLease: told((...lease) => store.renewLease(...lease)),
    releaseLease: told((target, fence) => store.releaseLease(target, fence)),
    movePlace: told((target, fence, change) => store.movePlace(target, fence, change)),
    waitingEvents: told((target, query) => store.waitingEvents(target, query)),
    attemptsOf: told((sequence) => store.attemptsOf(sequence)),
    deadLetters: told((query) => store.deadLetters(query)),
    sendAgain: told((target, sequences) => store.sendAgain(target, sequences)),
    forgetTarget: told((target, fence) => store.forgetTarget(target, fence)),
    standings: told(() => store.standings()),
    countAfter: told((sequence) => store.countAfter(sequence)),
    unreadCount: told(() => store.unreadCount()),
    listen: (listener) => store.listen(listener),
    close: () => store.close(),
  }
}

/** Runs with the store of a command, and closes it afterwards. */
export async function withStore(
  given: Arguments,
  { use, ...context }: StoreTools & { use: Exclude<StoreUse, 'receive'> },
  run: (store: EventStore) => Promise<Ending>,
): Promise<Ending> {
  const settings = readInboxSettings(context.io.environment)
  if (!settings.ok) return failed(settings.error)
  const address = await storeAddress(given.value('store'), settings.value, context)
  if (!address.ok) return failure(address.error.kind, address.error.sentence)
  const opened = await openInboxStore(address.value, context, { isApart: false, use })
  if (!opened.ok) return failed(opened.error)
  try {
    return await run(tellingOf(opened.value))
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    return failed(plainText(`the inbox failed: ${address.value.redact(error.message)}`))
  } finally {
    await opened.value.close()
  }
}

/** Whoever waits for its turn at a file looks every 100 ms at the latest, and gives up after `busyMs` of the store. */
const turnMs = 150

/**
 * Rests between two of many writes, so that others can write: a file queues nobody, and an inbox that finds it locked
 * again and again refuses events. Not less after a signal: what goes on then holds up others as before.
 */
export const giveWay = ({ clock }: Pick<CommandTools, 'clock'>): Promise<void> => clock.sleep(turnMs)

/** Why a named target does not exist. */
export function noTarget(name: string, standings: readonly ForwardStanding[]): string {
  const known = standings.map(({ target }) => shown(target)).join(', ')
  return `no target ${shown(name)}: there is ${known === '' ? 'none' : known}`
}
