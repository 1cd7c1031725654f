import type { Clock } from '../clock.ts'
import type { OrderDraft } from '../domain/order.ts'
import type { OwnDrafts } from '../domain/own-draft.ts'
import type { JournalEntry, WriteJournal } from '../journal/entry.ts'
import type { DeskStore } from '../store/store.ts'

/** Older orders are looked for nowhere: a year and a day. */
const historyMs = 366 * 86_400_000

/** The orders among journal entries as they were sent; of a move, what was left to place. */
export function draftsOf(entries: readonly JournalEntry[]): OwnDrafts {
  const drafts = new Map<string, OrderDraft>()
  for (const { intent, steps } of entries) {
    if (intent.kind === 'order') drafts.set(intent.clientOrderId, intent.draft)
    if (intent.kind !== 'move') continue
    for (const step of steps)
      if (step.step === 'place') drafts.set(intent.clientOrderId, { ...intent.draft, orderQuantity: step.quantity })
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

type Parts = { store: DeskStore; journal: Pick<WriteJournal, 'history'>; clock: Clock; signal: AbortSignal }

/**
 * Reads once what earlier desks sent, as soon as the working orders are there, so that none of theirs is left out. A journal that
 * cannot be read is told of: what the exchange does not report is then not known.
 */
export async function readOwnDrafts({ store, journal, clock, signal }: Parts): Promise<void> {
  await firstOrders(store, signal)
  if (signal.aborted) return
  try {
    const drafts = draftsOf(await journal.history(clock.now() - historyMs))
    if (drafts.size > 0 && !signal.aborted) store.dispatch({ type: 'ownDraftsRead', drafts })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const text = `What was sent before this start cannot be read from the journal: ${reason}.`
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
  }
}
