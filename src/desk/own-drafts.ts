import type { Clock } from '../base/clock.ts'
import { errorText } from '../base/error-text.ts'
import { dayMs } from '../base/time-text.ts'
import type { OrderDraft } from '../domain/orders/order.ts'
import type { OwnDrafts } from '../domain/orders/own-draft.ts'
import { type JournalEntry, placedQuantity, type WriteJournal } from '../journal/entry.ts'
import type { DeskStore } from '../store/desk.ts'

/**
 * How far back is read, for as long as that is not enough: what a busy desk sent within a year is too much to be read
 * at a start.
 */
const spansMs = [dayMs, 7 * dayMs, 30 * dayMs, 366 * dayMs]
const enough = 200

/** The orders among journal entries as they were sent; of a move, what was left to place. */
export function draftsOf(entries: readonly JournalEntry[]): OwnDrafts {
  const drafts = new Map<string, OrderDraft>()
  for (const { intent, steps } of entries) {
    if (intent.kind === 'order') drafts.set(intent.clientOrderId, intent.draft)
    if (intent.kind !== 'move') continue
    const placed = placedQuantity(steps)
    if (placed !== null) drafts.set(intent.clientOrderId, { ...intent.draft, orderQuantity: placed })
  }
  return drafts
}

const firstOrders = (store: DeskStore, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const isThere = () => signal.aborted || store.getState().orders.value !== null
    if (isThere()) return resolve()
    const end = () => {
      leave()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const leave = store.subscribe(() => {
      if (isThere()) end()
    })
    signal.addEventListener('abort', end)
  })

type Journal = Pick<WriteJournal, 'history' | 'findAll'>
type Parts = { store: DeskStore; journal: Journal; clock: Clock; signal: AbortSignal }

/**
 * The orders of `recent`, and what was asked for with the working ones that are not among them: they are looked up in
 * the whole journal. `working` are client order ids. Rejects with `JournalError` when the journal cannot be read.
 */
export async function withWorkingDrafts(
  journal: Pick<WriteJournal, 'findAll'>,
  recent: OwnDrafts,
  working: readonly string[],
): Promise<OwnDrafts> {
  const older = working.filter((id) => !recent.has(id))
  if (older.length === 0) return recent
  const { entries } = await journal.findAll(older.map((id) => ({ kind: 'order', id })))
  return new Map([...draftsOf(entries), ...recent])
}

/** What was sent lately, and every order that still works, however old. */
async function readDrafts(journal: Journal, nowMs: number, working: readonly string[]): Promise<OwnDrafts> {
  let recent: OwnDrafts = new Map()
  for (const spanMs of spansMs) {
    if (recent.size < enough) recent = draftsOf(await journal.history(Math.max(0, nowMs - spanMs)))
  }
  return await withWorkingDrafts(journal, recent, working)
}

/**
 * Reads once what earlier desks sent, as soon as the working orders are there, so that none of theirs is left out. A
 * journal that cannot be read is reported: what the exchange does not report is then not known.
 */
export async function readOwnDrafts({ store, journal, clock, signal }: Parts): Promise<void> {
  await firstOrders(store, signal)
  if (signal.aborted) return
  try {
    const working = (store.getState().orders.value ?? []).map(({ clientOrderId }) => clientOrderId)
    const drafts = await readDrafts(journal, clock.wallMs(), working)
    if (drafts.size > 0 && !signal.aborted) store.dispatch({ type: 'ownDraftsRead', drafts })
  } catch (error) {
    const reason = errorText(error)
    const text = `Orders sent before this start cannot be read from the journal: ${reason}.`
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
  }
}
