import { dayMs } from '../../base/time-text.ts'
import type { JournalEntry, WriteJournal } from '../../journal/entry.ts'
import { findOrders, ordersSinceMs } from '../orders/find-orders.ts'
import { fetchAllWorking, type OrderListClient } from '../orders/order-pages.ts'
import { type TimeWindow, withdrawalWindow } from '../transfers/match-withdrawals.ts'
import {
  absentOrder,
  type CancelClient,
  type Finding,
  foundOrder,
  lookAtCancel,
  lookAtCancelAll,
  lookAtWithdrawal,
  type WithdrawalsClient,
} from './findings.ts'
import { type Sought, sentIn, soughtBy } from './open-write.ts'

export type LookClient = OrderListClient & CancelClient & WithdrawalsClient

export type Look = {
  journal: WriteJournal
  /** How far the exchange's clock is ahead of ours; null while that is not known. */
  skewMs: number | null
  quietMs: number
  /** The time of the wall clock, which entries are dated by. */
  nowMs: number
  signal: AbortSignal
  /** Told of each entry as soon as something can be said of it. */
  onFinding: (entry: JournalEntry, finding: Finding) => Promise<void>
}

/**
 * How far back a write is looked for whose entry bears a time that has not come yet: the clock was wrong then, nobody
 * knows by how much.
 */
const wrongClockLookBackMs = 7 * dayMs

/** From when on a write may have been sent, by our clock, and until when. */
const sentWithin = (atMs: number, { nowMs, quietMs }: Look): TimeWindow =>
  atMs > nowMs + quietMs ? { fromMs: nowMs - wrongClockLookBackMs, toMs: nowMs } : { fromMs: atMs, toMs: atMs }

type Pair<K extends Sought['kind']> = { entry: JournalEntry; sought: Extract<Sought, { kind: K }> }

/**
 * Looks once at everything that is sought, with as few questions as possible: the lists are asked for once for all
 * orders. Throws `ExchangeError` at the first call that fails; what was found until then has been told.
 */
export async function lookAtAll(client: LookClient, entries: readonly JournalEntry[], look: Look): Promise<void> {
  const { signal, onFinding } = look
  const pairs = entries.map((entry) => ({ entry, sought: soughtBy(entry) }))
  const cancels = pairs.filter((pair): pair is Pair<'cancel'> => pair.sought.kind === 'cancel')
  const cancelAlls = pairs.filter((pair): pair is Pair<'cancelAll'> => pair.sought.kind === 'cancelAll')
  const withdrawals = pairs.filter((pair): pair is Pair<'withdrawal'> => pair.sought.kind === 'withdrawal')
  await lookAtOrders(
    client,
    pairs.filter((pair): pair is Pair<'order'> => pair.sought.kind === 'order'),
    look,
  )
  for (const { entry, sought } of cancels) {
    await onFinding(entry, await lookAtCancel(client, sought.orderId, signal))
  }
  if (cancelAlls.length > 0) {
    const working = await fetchAllWorking(client, signal)
    for (const { entry, sought } of cancelAlls) await onFinding(entry, lookAtCancelAll(working, sought.symbol))
  }
  // One after the other: what settles one is no match for the next.
  for (const { entry, sought } of withdrawals) {
    const { fromMs, toMs } = sentWithin(entry.atMs, look)
    const window = { fromMs: withdrawalWindow(fromMs, look).fromMs, toMs: withdrawalWindow(toMs, look).toMs }
    const question = { entry, request: sought.request, window }
    await onFinding(entry, await lookAtWithdrawal(client, look.journal, question, signal))
  }
}

async function lookAtOrders(client: LookClient, pairs: readonly Pair<'order'>[], look: Look): Promise<void> {
  if (pairs.length === 0) return
  const ids = new Set(pairs.map(({ sought }) => sought.clientOrderId))
  const oldestMs = Math.min(...pairs.map(({ entry }) => sentWithin(entry.atMs, look).fromMs))
  const found = await findOrders(client, ids, ordersSinceMs(oldestMs, look.skewMs), look.signal)
  for (const { entry, sought } of pairs) {
    const order = found.orders.get(sought.clientOrderId)
    const finding = order === undefined ? absentOrder(sought.clientOrderId, found) : foundOrder(order, sentIn(entry))
    await look.onFinding(entry, finding)
  }
}
