import { ExchangeError } from '../../api/errors.ts'
import { dayMs } from '../../base/time-text.ts'
import type { HubDraft } from '../../domain/hub/draft.ts'
import type { JournalEntry, WriteJournal } from '../../journal/entry.ts'
import { findOrders, ordersSinceMs } from '../orders/find-orders.ts'
import { type Sought, sentIn, soughtBy } from '../orders/open-write.ts'
import { fetchAllWorking, type OrderListClient } from '../orders/order-pages.ts'
import { type TimeWindow, withdrawalWindow } from '../transfers/match-withdrawals.ts'
import {
  absentOrder,
  type CancelClient,
  type Finding,
  foundOrder,
  lookAtCancel,
  lookAtCancelAll,
  lookAtHubDraft,
  lookAtWithdrawal,
  type WithdrawalsClient,
} from './findings.ts'

export type LookClient = OrderListClient & CancelClient & WithdrawalsClient

/** The present draft at the hub that was to send it; null when it lists none with that id. */
export type HubDraftReader = (draftId: string, signal: AbortSignal) => Promise<HubDraft | null>

export type Look = {
  journal: WriteJournal
  /** How far the exchange's clock is ahead of ours, in ms; null when unknown. */
  skewMs: number | null
  quietMs: number
  /** Wall clock time, which dates entries. */
  nowMs: number
  signal: AbortSignal
  hubDraft?: HubDraftReader | undefined
  /** Called with each entry's result as soon as there is one. */
  onFinding: (entry: JournalEntry, finding: Finding) => Promise<void>
}

/**
 * How far back to look for a write whose entry is dated in the future: the clock was wrong then, by an unknown amount.
 */
const wrongClockLookBackMs = 7 * dayMs

/** The time window in which a write may have been sent, by our clock. */
const sentWithin = (atMs: number, { nowMs, quietMs }: Look): TimeWindow =>
  atMs > nowMs + quietMs ? { fromMs: nowMs - wrongClockLookBackMs, toMs: nowMs } : { fromMs: atMs, toMs: atMs }

type Pair<K extends Sought['kind']> = { entry: JournalEntry; sought: Extract<Sought, { kind: K }> }

/**
 * Runs a look, and keeps its error in `odd` where an answer came that cannot be read: it may never be readable, and
 * nothing else waits for that. Any other failure is thrown, since further calls would meet it too.
 */
export async function despiteOdd(look: () => Promise<void>, odd: ExchangeError[]): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (!(error instanceof ExchangeError) || error.kind !== 'protocol') throw error
    odd.push(error)
  }
}

/**
 * Looks once for all sought entries, with few calls: the lists are read once for all orders. Throws `ExchangeError` at
 * the first failing call, or in the end where an answer could not be read; results until then have been reported.
 */
export async function lookAtAll(client: LookClient, entries: readonly JournalEntry[], look: Look): Promise<void> {
  const { signal, onFinding } = look
  const pairs = entries.map((entry) => ({ entry, sought: soughtBy(entry) }))
  const cancels = pairs.filter((pair): pair is Pair<'cancel'> => pair.sought.kind === 'cancel')
  const cancelAlls = pairs.filter((pair): pair is Pair<'cancelAll'> => pair.sought.kind === 'cancelAll')
  const withdrawals = pairs.filter((pair): pair is Pair<'withdrawal'> => pair.sought.kind === 'withdrawal')
  const orders = pairs.filter((pair): pair is Pair<'order'> => pair.sought.kind === 'order')
  const odd: ExchangeError[] = []
  await despiteOdd(() => lookAtOrders(client, orders, look), odd)
  for (const { entry, sought } of cancels)
    await despiteOdd(async () => onFinding(entry, await lookAtCancel(client, sought, signal)), odd)
  await despiteOdd(async () => {
    if (cancelAlls.length === 0) return
    const working = await fetchAllWorking(client, signal)
    for (const { entry, sought } of cancelAlls) await onFinding(entry, lookAtCancelAll(working, sought.symbol))
  }, odd)
  // One after another: a withdrawal that resolves one entry is no match for the next.
  for (const pair of withdrawals) await despiteOdd(() => lookAtOne(client, pair, look), odd)
  const [first] = odd
  if (first !== undefined) throw first
}

async function lookAtOne(client: LookClient, { entry, sought }: Pair<'withdrawal'>, look: Look): Promise<void> {
  const { fromMs, toMs } = sentWithin(entry.atMs, look)
  const window = { fromMs: withdrawalWindow(fromMs, look).fromMs, toMs: withdrawalWindow(toMs, look).toMs }
  const question = { entry, request: sought.request, window, times: look }
  const draftId = entry.intent.kind === 'withdrawal' ? entry.intent.draftId : null
  const finding =
    look.hubDraft === undefined || draftId === null
      ? await lookAtWithdrawal(client, look.journal, question, look.signal)
      : lookAtHubDraft(draftId, await look.hubDraft(draftId, look.signal))
  await look.onFinding(entry, finding)
}

async function lookAtOrders(client: LookClient, pairs: readonly Pair<'order'>[], look: Look): Promise<void> {
  if (pairs.length === 0) return
  const ids = new Set(pairs.map(({ sought }) => sought.clientOrderId))
  const oldestMs = Math.min(...pairs.map(({ entry }) => sentWithin(entry.atMs, look).fromMs))
  const found = await findOrders(client, ids, ordersSinceMs(oldestMs, look.skewMs), look.signal)
  for (const { entry, sought } of pairs) {
    const { clientOrderId } = sought
    const order = found.orders.get(clientOrderId)
    const others = found.others.get(clientOrderId)
    const finding =
      order === undefined ? absentOrder(clientOrderId, found, entry.outcome) : foundOrder(order, sentIn(entry), others)
    await look.onFinding(entry, finding)
  }
}
