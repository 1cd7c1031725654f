import { type Clock, sleepToBeat } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import type { OrderElsewhere } from '../domain/unknown-write.ts'
import { type JournalEntry, JournalError, type WriteJournal } from '../journal/entry.ts'
import type { Reconciliation } from '../services/reconciliation/reconciliation.ts'
import type { DeskStore } from '../store/desk.ts'
import { followOwnDrafts } from './own-drafts.ts'

/** How often the files of other processes are looked at; those that have not grown are not read again. */
const lookMs = 3_000

type Parts = {
  store: Pick<DeskStore, 'dispatch' | 'getState'>
  journal: Pick<WriteJournal, 'openElsewhere' | 'retry'>
  reconciliation: Pick<Reconciliation, 'wake'>
  clock: Clock
  signal: AbortSignal
}

/**
 * Looks every few seconds, until the signal, whether other processes of the account have writes without an outcome. It
 * has reconciliation take over what is left behind: by itself that looks twice a minute. The store gets the orders
 * among them, for the checks of a ticket.
 *
 * It also tries a journal that takes no write: a ticket is blocked meanwhile, so that no write of a person would. Once
 * it works, reconciliation takes over at once what ended desks left, which could not be written down before.
 */
export async function followOpenElsewhere({ store, journal, reconciliation, clock, signal }: Parts): Promise<void> {
  let before = new Set<string>()
  while (!signal.aborted) {
    if (await journal.retry()) reconciliation.wake()
    const open = await readOpen(journal)
    // What is on its way just now mostly has its answer by the next look.
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

/** None from a journal that cannot be read: the header says so. */
async function readOpen(journal: Parts['journal']): Promise<readonly JournalEntry[]> {
  try {
    return await journal.openElsewhere()
  } catch (error) {
    if (error instanceof JournalError) return []
    throw error
  }
}

type Others = Parameters<typeof followOwnDrafts>[0] & Parameters<typeof followOpenElsewhere>[0]

/** What other processes of the account do beside this desk, as far as the journal tells. */
export function followOthers(parts: Others): void {
  followOwnDrafts(parts).catch(parts.onBug)
  followOpenElsewhere(parts).catch(parts.onBug)
}

/** Says what came of a look for writes of other processes; those that were taken over have been told of. */
export function tellFound(found: Result<number>, store: DeskStore, clock: Clock): void {
  const note = (level: 'info' | 'warn', text: string) =>
    store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  if (!found.ok) note('warn', `Writes of other processes not checked: ${found.error}.`)
  else if (found.value > 0) {
    const [writes, it] = found.value === 1 ? ['1 write', 'it is'] : [`${found.value} writes`, 'they are']
    note('warn', `${writes} unknown at another process: ${it} checked there, and here once it ends.`)
  } else if (store.getState().unsettled.length === 0)
    note('info', 'Nothing to resolve: no write in the journal has an unknown outcome.')
}
