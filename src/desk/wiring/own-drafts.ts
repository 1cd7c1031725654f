import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/text/error-text.ts'
import { dayMs } from '../../base/text/time-text.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { OwnDrafts } from '../../domain/orders/own-draft.ts'
import { type JournalEntry, JournalError, placedQuantity, type WriteJournal } from '../../journal/entry.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'

/**
 * How far back to read, each longer span only while the one before had too few: a busy desk's year is too much to read
 * at a start.
 */
const spansMs = [dayMs, 7 * dayMs, 30 * dayMs, 366 * dayMs]
const enough = 200

/** The orders among journal entries as they were sent; for a move, with the quantity left to place. */
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
 * `recent` orders, and those sent for working orders not among them, looked up in the whole journal. `working` are
 * client order ids. Rejects with `JournalError` when the journal cannot be read.
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

/** Recently sent orders, and every working one, however old. */
async function readDrafts(journal: Journal, nowMs: number, working: readonly string[]): Promise<OwnDrafts> {
  let recent: OwnDrafts = new Map()
  for (const spanMs of spansMs) {
    if (recent.size < enough) recent = draftsOf(await journal.history(Math.max(0, nowMs - spanMs)))
  }
  return await withWorkingDrafts(journal, recent, working)
}

/**
 * Reads once the orders sent by earlier desks, as soon as the working orders are loaded, so that none of those is
 * missed. An unreadable journal is reported: terms that the exchange does not report are then unknown.
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

/**
 * Reads the orders sent by earlier desks, then those of other processes of the account (a watch, a command, a second
 * desk) until the signal. Resolves once the earlier ones are read. An unexpected error goes to `onBug`.
 */
export async function followOwnDrafts(parts: Parts & { onBug: (error: unknown) => void }): Promise<void> {
  await readOwnDrafts(parts)
  const { store, signal, onBug } = parts
  if (signal.aborted) return
  const lookUps = new LookUps(parts)
  const look = () => void lookUps.look().catch(onBug)
  const leave = store.subscribe(({ orders, nowMs }, before) => {
    if (orders.value !== before.orders.value || nowMs !== before.nowMs) look()
  })
  signal.addEventListener('abort', leave)
  look()
}

/**
 * Pauses before each look for an order, in ms: the list of working orders may come before the line in the journal. No
 * further looks, because an order placed on another machine is never found here.
 */
const looksAfterMs = [0, 3_000, 15_000] as const
/** Pause in ms between two reads of the journal: ids that come meanwhile are looked up together. */
const betweenLooksMs = 2_000
const afterFailureMs = 5_000

/** Looks up working orders that this desk neither sent nor read at its start. */
class LookUps {
  readonly #parts: Parts
  /** Unknown working orders by client order id: the number of looks so far, and when the next one is due. */
  #unknown: ReadonlyMap<string, { looks: number; dueMs: number }> = new Map()
  #seen: Pick<DeskState, 'orders' | 'ownDrafts'> | null = null
  #isReading = false
  #restsUntilMs = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Looks up due orders, one read at a time; costs no call when none is due. */
  async look(): Promise<void> {
    const { signal, clock } = this.#parts
    this.#takeList()
    const nowMs = clock.now()
    if (this.#unknown.size === 0 || this.#isReading || signal.aborted || nowMs < this.#restsUntilMs) return
    const due = [...this.#unknown].filter(([, { dueMs }]) => dueMs <= nowMs).map(([id]) => id)
    if (due.length === 0) return
    this.#isReading = true
    try {
      await this.#read(due)
    } finally {
      this.#isReading = false
    }
  }

  /** Updates the unknown orders of the list, keeping their counts of looks. */
  #takeList(): void {
    const { orders, ownDrafts } = this.#parts.store.getState()
    if (this.#seen?.orders.value === orders.value && this.#seen.ownDrafts === ownDrafts) return
    this.#seen = { orders, ownDrafts }
    const unknown = (orders.value ?? []).filter(({ clientOrderId }) => !ownDrafts.has(clientOrderId))
    this.#unknown = new Map(
      unknown.map(({ clientOrderId: id }) => [id, this.#unknown.get(id) ?? { looks: 0, dueMs: 0 }]),
    )
  }

  async #read(ids: readonly string[]): Promise<void> {
    const { store, journal, clock, signal } = this.#parts
    try {
      const { entries } = await journal.findAll(ids.map((id) => ({ kind: 'order', id })))
      this.#restsUntilMs = clock.now() + betweenLooksMs
      this.#countLook(ids)
      const drafts = draftsOf(entries)
      if (drafts.size > 0 && !signal.aborted) store.dispatch({ type: 'ownDraftsRead', drafts })
    } catch (error) {
      // The header reports an unreadable journal.
      if (!(error instanceof JournalError)) throw error
      this.#restsUntilMs = clock.now() + afterFailureMs
    }
  }

  #countLook(ids: readonly string[]): void {
    const nowMs = this.#parts.clock.now()
    const looked = new Set(ids)
    this.#unknown = new Map(
      [...this.#unknown].map(([id, { looks, dueMs }]) => {
        if (!looked.has(id)) return [id, { looks, dueMs }]
        const pauseMs = looksAfterMs[looks + 1] ?? Number.POSITIVE_INFINITY
        return [id, { looks: looks + 1, dueMs: nowMs + pauseMs }]
      }),
    )
  }
}
