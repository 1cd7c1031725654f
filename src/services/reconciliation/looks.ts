import { ExchangeError } from '../../api/errors.ts'
import { dayMs } from '../../base/text/time-text.ts'
import type { HubDraft } from '../../domain/hub/draft.ts'
import type { UnknownWriteQuestion } from '../../domain/unknown-write.ts'
import type { JournalEntry, WriteJournal } from '../../journal/entry.ts'
import { findOrdersDespite, ordersSinceMs, whyHidden } from '../orders/find-orders.ts'
import { isOfOneCall, isSilence } from '../orders/of-one-call.ts'
import { type Sought, sentIn, soughtBy } from '../orders/open-write.ts'
import { fetchAllWorking, type OrderList, type OrderListClient } from '../orders/order-pages.ts'
import { type TimeWindow, withdrawalWindow } from '../transfers/match-withdrawals.ts'
import {
  absentOrder,
  type CancelClient,
  type Finding,
  foundOrder,
  hiddenCancel,
  hiddenCancelAll,
  hiddenOrder,
  hiddenWithdrawal,
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

/** So many calls of a round may fail by themselves: an exchange that refuses each is not asked on and on. */
const failuresMax = 10
/**
 * The same of calls without an answer, each of which takes its time, and of those that are answered with a wish for
 * fewer: the list of working orders is asked for twice.
 */
const repeatsMax = 2

/** True for an answer that asks for fewer calls: a list may have a limit of its own. */
const isLimited = ({ kind, status }: ExchangeError): boolean => kind === 'rateLimited' && status !== null

/**
 * Runs a look, and keeps its error in `odd` where that may be of its call alone: an answer that nobody can read, a list
 * that fails or takes too long. It may never be better, and nothing else waits for that. Any other failure is thrown,
 * since further calls would meet it too, and so is the one too many of a round. Resolves to the error, null for none.
 */
async function failureOf(look: () => Promise<unknown>, odd: ExchangeError[]): Promise<ExchangeError | null> {
  try {
    await look()
    return null
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    // A read that several looks need fails once.
    if (odd.includes(error)) return error
    const isOfFew = (is: (each: ExchangeError) => boolean) => is(error) && odd.filter(is).length < repeatsMax
    const isItsOwn = isOfOneCall(error) || isOfFew(isSilence) || isOfFew(isLimited)
    const isMany = error.kind !== 'protocol' && odd.filter(({ kind }) => kind !== 'protocol').length >= failuresMax
    if (!isItsOwn || isMany) throw error
    odd.push(error)
    return error
  }
}

/** Runs a look as `failureOf` does, for who need not know of its error. */
export async function despiteOdd(look: () => Promise<unknown>, odd: ExchangeError[]): Promise<void> {
  await failureOf(look, odd)
}

/**
 * Looks once for all sought entries, with few calls: the lists are read once for all orders. Returns the errors of
 * calls that failed by themselves. Throws `ExchangeError` at the first failure that further calls would meet too;
 * results until then have been reported.
 */
export async function lookAtAll(
  client: LookClient,
  entries: readonly JournalEntry[],
  look: Look,
): Promise<readonly ExchangeError[]> {
  const { signal, onFinding } = look
  const pairs = entries.map((entry) => ({ entry, sought: soughtBy(entry) }))
  const cancels = pairs.filter((pair): pair is Pair<'cancel'> => pair.sought.kind === 'cancel')
  const cancelAlls = pairs.filter((pair): pair is Pair<'cancelAll'> => pair.sought.kind === 'cancelAll')
  const withdrawals = pairs.filter((pair): pair is Pair<'withdrawal'> => pair.sought.kind === 'withdrawal')
  const orders = pairs.filter((pair): pair is Pair<'order'> => pair.sought.kind === 'order')
  const odd: ExchangeError[] = []
  await lookAtOrders(client, orders, look, odd)
  // Many cancels may need the list of working orders: it is read once a round.
  let read: Promise<OrderList> | null = null
  const listed = () => {
    read ??= fetchAllWorking(client, signal)
    return read
  }
  let answers: Promise<boolean> | null = null
  /** Whether the exchange answers at all, by a list in which nothing is looked for: asked once a round. */
  const isUp = () => {
    answers ??= failureOf(() => client.fetchOrders({ status: 'FILLED', limit: 1 }, signal), odd).then(
      (failure) => failure === null,
    )
    return answers
  }
  /** Looks for an entry where nothing else tells of it: a failure there may last for ever. */
  const lookFor = async (entry: JournalEntry, lookAtIt: () => Promise<Finding>, question: HiddenQuestion) => {
    let finding: Finding = { kind: 'unseen' }
    const failure = await failureOf(async () => {
      finding = await lookAtIt()
    }, odd)
    if (failure !== null && (await isUp())) finding = { kind: 'hidden', question: question(failure) }
    await onFinding(entry, finding)
  }
  for (const { entry, sought } of cancels) {
    const lookAtIt = () => lookAtCancel(client, sought, signal, listed)
    await lookFor(entry, lookAtIt, (failure) => hiddenCancel(sought.orderId, failure))
  }
  for (const { entry, sought } of cancelAlls) {
    const lookAtIt = async () => lookAtCancelAll(await listed(), sought.symbol)
    await lookFor(entry, lookAtIt, (failure) => hiddenCancelAll(sought.symbol, failure))
  }
  // One after another: a withdrawal that resolves one entry is no match for the next.
  for (const pair of withdrawals) {
    const { entry, sought } = pair
    const draftId = entry.intent.kind === 'withdrawal' ? entry.intent.draftId : null
    const { hubDraft } = look
    if (hubDraft === undefined || draftId === null)
      await lookFor(
        entry,
        () => lookAtOne(client, pair, look),
        (failure) => hiddenWithdrawal(sought.request, failure),
      )
    // Only the hub can tell, and while it does not nobody is asked.
    else await despiteOdd(async () => onFinding(entry, lookAtHubDraft(draftId, await hubDraft(draftId, signal))), odd)
  }
  return odd
}

/** What is put before a person where a place to look has failed for minutes. */
type HiddenQuestion = (failure: ExchangeError) => UnknownWriteQuestion

function lookAtOne(client: LookClient, { entry, sought }: Pair<'withdrawal'>, look: Look): Promise<Finding> {
  const { fromMs, toMs } = sentWithin(entry.atMs, look)
  const window = { fromMs: withdrawalWindow(fromMs, look).fromMs, toMs: withdrawalWindow(toMs, look).toMs }
  return lookAtWithdrawal(client, look.journal, { entry, request: sought.request, window, times: look }, look.signal)
}

async function lookAtOrders(
  client: LookClient,
  pairs: readonly Pair<'order'>[],
  look: Look,
  odd: ExchangeError[],
): Promise<void> {
  if (pairs.length === 0) return
  const ids = new Set(pairs.map(({ sought }) => sought.clientOrderId))
  const oldestMs = Math.min(...pairs.map(({ entry }) => sentWithin(entry.atMs, look).fromMs))
  const found = await findOrdersDespite(client, {
    ids,
    sinceMs: ordersSinceMs(oldestMs, look.skewMs),
    signal: look.signal,
    among: 'all',
    despite: (read) => despiteOdd(read, odd),
  })
  // Where a list failed, what was not found may be on that one.
  const [failure, ...failures] = odd
  for (const { entry, sought } of pairs) {
    const { clientOrderId } = sought
    const order = found.orders.get(clientOrderId)
    const others = found.others.get(clientOrderId)
    const isStanding = order !== undefined && order.status !== 'REJECTED'
    if (failure !== undefined && !isStanding) {
      const isHidden = failures.length === 0
      await look.onFinding(entry, isHidden ? hiddenOrder(clientOrderId, order, failure) : { kind: 'unseen' })
    } else if (order === undefined) await look.onFinding(entry, absentOrder(clientOrderId, found, entry.outcome))
    else await look.onFinding(entry, foundOrder(order, sentIn(entry), others, whyHidden(found)))
  }
}
