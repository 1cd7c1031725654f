import { type Clock, sleepToBeat } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { limitsFor } from '../../domain/limits.ts'
import type { SentOrder } from '../../domain/orders/exposure.ts'
import type { OrderElsewhere } from '../../domain/unknown-write.ts'
import { type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { sentBeside } from '../../services/orders/sent-beside.ts'
import type { Reconciliation } from '../../services/reconciliation/reconciliation.ts'
import type { DeskStore } from '../../store/desk.ts'
import type { DeskOptions } from '../desk-options.ts'
import { followOwnDrafts } from './own-drafts.ts'

/** Interval in ms of looks at other processes' files; files that have not grown are not read again. */
const lookMs = 3_000

type Parts = {
  store: Pick<DeskStore, 'dispatch' | 'getState'>
  journal: Pick<WriteJournal, 'openElsewhere' | 'retry'>
  reconciliation: Pick<Reconciliation, 'wake'>
  clock: Clock
  signal: AbortSignal
}

/**
 * Looks every few seconds, until the signal, for writes without an outcome by other processes of the account. It wakes
 * reconciliation, which by itself looks twice a minute, to take over those of ended processes. The store gets the
 * orders among them, for the checks of a ticket.
 *
 * It also retries a journal that takes no write: a ticket is blocked meanwhile, so no write of the user would retry it.
 * Once it works, reconciliation at once takes over the writes of ended desks, which could not be recorded before.
 */
export async function followOpenElsewhere({ store, journal, reconciliation, clock, signal }: Parts): Promise<void> {
  let before = new Set<string>()
  while (!signal.aborted) {
    if (await journal.retry()) reconciliation.wake()
    const open = await readOpen(journal)
    // A write in flight mostly has its answer by the next look.
    const unanswered = open.filter(({ id, outcome }) => outcome?.kind === 'unknown' || before.has(id))
    if (unanswered.length > 0) reconciliation.wake()
    const orders = unanswered.flatMap(orderOf)
    const { openElsewhere: shown } = store.getState()
    if (orders.length > 0 || shown.length > 0) store.dispatch({ type: 'openElsewhere', orders })
    before = new Set(open.map(({ id }) => id))
    await sleepToBeat(clock, lookMs, signal)
  }
}

const orderOf = ({ intent }: JournalEntry): OrderElsewhere[] =>
  intent.kind === 'order' || intent.kind === 'move'
    ? [{ clientOrderId: intent.clientOrderId, draft: intent.draft }]
    : []

/** None from an unreadable journal, which the header reports. */
async function readOpen(journal: Parts['journal']): Promise<readonly JournalEntry[]> {
  try {
    return await journal.openElsewhere()
  } catch (error) {
    if (error instanceof JournalError) return []
    throw error
  }
}

type Others = Parameters<typeof followOwnDrafts>[0] & Parameters<typeof followOpenElsewhere>[0]

/** Follows the writes of other processes of the account, as far as the journal shows them. */
export function followOthers(parts: Others): void {
  followOwnDrafts(parts).catch(parts.onBug)
  followOpenElsewhere(parts).catch(parts.onBug)
}

/** Reports the result of a look for writes of other processes; those taken over were already reported. */
export function tellFound(found: Result<number>, store: DeskStore, clock: Clock): void {
  const note = (level: 'info' | 'warn', text: string) =>
    store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  if (!found.ok) note('warn', `Writes of other processes not checked: ${found.error}.`)
  else if (found.value > 0) {
    const [writes, it] = found.value === 1 ? ['1 write', 'it is'] : [`${found.value} writes`, 'they are']
    note('warn', `${writes} unknown at another process: ${it} checked there, and here once it ends.`)
  } else if (store.getState().unknownWrites.length === 0)
    note('info', 'Nothing to resolve: no write in the journal has an unknown outcome.')
}

/** What other processes of the account have sent, for the checks of an order by the desk's state: see `sentBeside`. */
export type BesideOf = (symbol: string) => Promise<readonly SentOrder[]>

/** None for the desk of a hub, through which every order of its account goes. */
export function besideOf(
  { journal, clock, isLeading }: Pick<DeskOptions, 'journal' | 'clock' | 'isLeading'>,
  store: Pick<DeskStore, 'getState'>,
): BesideOf | undefined {
  if (isLeading !== undefined) return undefined
  return async (symbol) => {
    const { orders, sentOrders, limits } = store.getState()
    const own = new Set(sentOrders.map(({ clientOrderId }) => clientOrderId))
    const listedAgoMs = clock.now() - (orders.atMs ?? clock.now())
    return await sentBeside(journal, limitsFor(limits, symbol).duplicateWithinMs, { own, listedAgoMs, clock })
  }
}
