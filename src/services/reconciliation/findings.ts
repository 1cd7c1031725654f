import { isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { utcText } from '../../base/time-text.ts'
import type { NewsLevel } from '../../domain/desk/events.ts'
import type { HubDraft } from '../../domain/hub/draft.ts'
import { rawText } from '../../domain/listing.ts'
import { isWorking, type Order, type OrderDraft, orderName, orderNames, scopeText } from '../../domain/orders/order.ts'
import { orderMismatches } from '../../domain/orders/order-outcome.ts'
import { type Withdrawal, type WithdrawalRequest, withdrawalText } from '../../domain/transfers/transfer.ts'
import type { UnknownWriteQuestion, Verdict, WithdrawalEvidence } from '../../domain/unknown-write.ts'
import { mismatchText } from '../../domain/write-outcome.ts'
import type { JournalEntry, Settlement, WriteJournal } from '../../journal/entry.ts'
import type { FoundOrders } from '../orders/find-orders.ts'
import { isOf, type Sought } from '../orders/open-write.ts'
import { fetchAllWorking, leftOf, type OrderList, type OrderListClient } from '../orders/order-pages.ts'
import {
  earlierWithdrawals,
  matchWithdrawals,
  mayBeUnreadable,
  type TimeWindow,
} from '../transfers/match-withdrawals.ts'
import { type RefusedTimes, rivalsOf, travelMaxMs } from '../transfers/refused-withdrawals.ts'

/** What a look at the exchange says of an open entry. */
export type Finding =
  | { kind: 'settled'; settlement: Settlement; sentence: string; level: NewsLevel; order: Order | null }
  /** It is not there, or not there yet. `ifSure` is what a second such look, late enough, makes of it. */
  | { kind: 'absent'; ifSure: Finding }
  | { kind: 'asks'; question: UnknownWriteQuestion }

const byExchange = (how: Settlement['how'], id: string | null, evidence: string): Settlement => ({
  how,
  by: 'exchange',
  id,
  evidence,
})

/**
 * An order that was found under the client order id of the entry. `sent` are the terms it left with, null where they
 * are not known: one of other terms is not what was sent, and a person is asked. So they are where `others` bear the
 * same id.
 */
export function foundOrder(
  order: Order,
  sent: (OrderDraft & { clientOrderId: string }) | null,
  others: readonly Order[] = [],
): Finding {
  const { orderId, clientOrderId, status } = order
  const name = orderName(order)
  if (others.length > 0) {
    const all = [order, ...others].map((each) => `${orderName(each)} (${each.status})`).join(', ')
    const evidence =
      `The exchange lists ${others.length + 1} orders under ${clientOrderId}: ${all}. It was sent once and has ` +
      'arrived more than once: cancel or close what is too much.'
    return { kind: 'asks', question: { evidence, verdicts: ['placed'] } }
  }
  const mismatches = sent === null ? [] : orderMismatches(sent, order)
  if (mismatches.length > 0) {
    const evidence =
      `The exchange lists order ${name} under ${clientOrderId} with other terms: ${mismatchText(mismatches)}. ` +
      "Look at it on the exchange's web page."
    return { kind: 'asks', question: { evidence, verdicts: ['placed', 'notPlaced'] } }
  }
  const evidence = `the exchange lists order ${name} (${clientOrderId}) as ${status}`
  if (status === 'REJECTED') {
    const sentence = `Found: order ${name} was rejected: ${order.text ?? 'no reason given'}. Nothing was placed.`
    const settlement = byExchange('rejected', orderId, evidence)
    // The copy of an order that was refused as a duplicate looks the same: only when nothing else turns up was nothing
    // placed.
    return { kind: 'absent', ifSure: { kind: 'settled', settlement, sentence, level: 'warn', order } }
  }
  const state = isWorking(order) ? 'is working' : `is ${status}`
  const sentence = `Found: order ${name} was placed and ${state}.`
  return { kind: 'settled', settlement: byExchange('placed', orderId, evidence), sentence, level: 'good', order }
}

/** No list of the exchange has the order: that it was not placed is for a person to say. */
export function absentOrder(
  clientOrderId: string,
  { unreadable, isWhole }: Pick<FoundOrders, 'unreadable' | 'isWhole'>,
): Finding {
  const [odd] = unreadable
  const unread = odd === undefined ? '' : ` An entry of these lists is unreadable and may be it: ${rawText(odd)}.`
  const cut = isWhole ? '' : ' A list is incomplete: it may be in the missing part.'
  const evidence =
    `Order ${clientOrderId} is neither among the working orders nor the filled, canceled, expired and rejected ones, ` +
    `nor in the list of the matching engine; the exchange answered each question, twice.${cut}${unread}`
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['notPlaced'] } } }
}

export type CancelClient = Pick<ExchangeClient, 'fetchOrder'> & OrderListClient

/**
 * What the order's own status says of a cancel; where another order is reported under its id, that it is listed as
 * working does. Throws `ExchangeError` when the exchange does not answer.
 */
export async function lookAtCancel(
  client: CancelClient,
  sought: Extract<Sought, { kind: 'cancel' }>,
  signal: AbortSignal,
): Promise<Finding> {
  const { orderId } = sought
  let order: Order
  try {
    order = await client.fetchOrder(orderId, signal)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const evidence = `the exchange knows no order ${orderId}`
    const sentence = `The exchange knows no order ${orderId}: there is nothing to cancel.`
    const settlement = byExchange('notCanceled', orderId, evidence)
    return { kind: 'settled', settlement, sentence, level: 'warn', order: null }
  }
  if (isOf(sought, order)) return isWorking(order) ? stillWorking(order, orderId) : endedOrder(order, orderId)
  const { orders } = await fetchAllWorking(client, signal)
  const listed = [...orders.values()].find((each) => isOf(sought, each))
  return listed === undefined ? reportedAsOther(sought, order) : stillWorking(listed, orderId)
}

/** Only a person can see there what the exchange mixes up. */
function reportedAsOther(
  { orderId, ofClientOrderId = '?' }: Extract<Sought, { kind: 'cancel' }>,
  order: Order,
): Finding {
  const evidence =
    `The exchange reports order ${orderId} as ${order.clientOrderId}, which was sent as ${ofClientOrderId}. ` +
    "Look at it on the exchange's web page: how it ended is unknown."
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['canceled', 'notCanceled'] } } }
}

/** An order that has ended settles a cancel of it, whether it was the cancel that ended it or not. */
export function endedOrder(order: Order, orderId: string): Finding {
  const how = order.status === 'CANCELED' ? 'canceled' : 'notCanceled'
  const settlement = byExchange(how, orderId, `the exchange reports order ${orderId} as ${order.status}`)
  const sentence = `The cancel of ${orderId} is resolved: order is ${order.status}.`
  return { kind: 'settled', settlement, sentence, level: 'good', order: null }
}

function stillWorking({ status }: Order, orderId: string): Finding {
  const settlement = byExchange('notCanceled', orderId, `the exchange reports order ${orderId} as ${status}, twice`)
  const sentence = `The cancel of ${orderId} did not take effect: order is ${status}. To remove it, cancel again.`
  return { kind: 'absent', ifSure: { kind: 'settled', settlement, sentence, level: 'warn', order: null } }
}

/** Ids of orders that a line has room for. */
const idsMax = 5

/** What the list of working orders says of a cancel of all in `symbol`, or everywhere. */
export function lookAtCancelAll(list: OrderList, symbol: string | null): Finding {
  const { orders: left, unreadableCount: unread } = leftOf(list, symbol)
  const scope = scopeText(symbol)
  if (left.length === 0 && unread === 0 && list.isWhole) {
    const sentence = `Cancel all orders of ${scope}: none is working.`
    const settlement = byExchange('canceled', null, `the exchange lists no working order in ${scope}, twice`)
    // A list may lag behind: that nothing is in it is believed as late as that something is not.
    return { kind: 'absent', ifSure: { kind: 'settled', settlement, sentence, level: 'good', order: null } }
  }
  const count = left.length + unread
  const which = left.length === 0 ? `${unread} unreadable` : orderNames(left, idsMax)
  const sentence = `Still working after cancel all ${scope}: ${which}. To remove them, cancel again.`
  const settlement = byExchange('notCanceled', null, `the exchange lists ${count} working in ${scope}, twice`)
  return { kind: 'absent', ifSure: { kind: 'settled', settlement, sentence, level: 'warn', order: null } }
}

export type WithdrawalsClient = Pick<ExchangeClient, 'fetchWithdrawals'>

type SoughtWithdrawal = { entry: JournalEntry; request: WithdrawalRequest; window: TimeWindow; times?: RefusedTimes }

const inWords = ({ withdrawalId, amount, currency, state, timestampMs }: Withdrawal): string => {
  const time = timestampMs === null ? '' : ` of ${utcText(timestampMs)}`
  const what = `${amount.toFixed()} ${currency}, ${state ?? 'state not given'}${time}`
  return `${withdrawalId ?? 'one without an id'} (${what})`
}

/**
 * Looks for the withdrawal of an entry among those of the exchange. Ids that other entries of the journal have are not
 * taken for it. One match settles; several, one that may be the same withdrawal refused before, or none after a second
 * look, are put before a person. Throws `ExchangeError`.
 */
export async function lookAtWithdrawal(
  client: WithdrawalsClient,
  journal: WriteJournal,
  { entry, request, window, times = { skewMs: null, quietMs: travelMaxMs } }: SoughtWithdrawal,
  signal: AbortSignal,
): Promise<Finding> {
  const [listed, earlier] = await Promise.all([
    client.fetchWithdrawals({ fromMs: window.fromMs }, signal),
    earlierWithdrawals(journal, entry.id, window.fromMs),
  ])
  // What was listed before it left is another one.
  const seen = entry.intent.kind === 'withdrawal' ? (entry.intent.seen ?? []) : []
  const matches = matchWithdrawals(listed.entries, request, window, new Set([...earlier.claimed, ...seen]))
  const others = othersOf(listed.entries, matches, request, window)
  const beside = { request, matches, others }
  const rivals = rivalsOf(request, matches, earlier, times)
  return rivals.length > 0 ? mayBeRefused(beside) : judge(beside, mayBeUnreadable(listed.unreadable, request, window))
}

/** Which withdrawal it was cannot be told: the same one was refused a short while before, and may be what is listed. */
function mayBeRefused(beside: WithdrawalEvidence): Finding {
  const list = beside.matches.map(inWords).join(', ')
  const evidence =
    `The exchange lists ${list} of ${withdrawalText(beside.request)}: this one, or the same one that was answered as ` +
    'rejected before.'
  return { kind: 'asks', question: { evidence, verdicts: ['placed', 'notPlaced'], withdrawals: beside } }
}

const othersMax = 5

/**
 * Withdrawals of the currency in the time of this one that it is not: a person may see more in them than the desk does.
 */
function othersOf(
  withdrawals: readonly Withdrawal[],
  matches: readonly Withdrawal[],
  { currency }: WithdrawalRequest,
  { fromMs, toMs }: TimeWindow,
): Withdrawal[] {
  const inTime = ({ timestampMs }: Withdrawal) => timestampMs !== null && timestampMs >= fromMs && timestampMs <= toMs
  return withdrawals
    .filter((each) => each.currency === currency && inTime(each) && !matches.includes(each))
    .slice(0, othersMax)
}

function judge(beside: WithdrawalEvidence, hasUnreadable: boolean): Finding {
  const { request, matches } = beside
  const [only] = matches
  const what = withdrawalText(request)
  if (only === undefined) {
    const unread = hasUnreadable ? " It lists one that is unreadable: look at it on the exchange's web page." : ''
    const evidence =
      `The exchange answered twice, and lists no withdrawal of ${what} in the time when this one was ` +
      `sent.${unread}`
    return {
      kind: 'absent',
      ifSure: { kind: 'asks', question: { evidence, verdicts: ['notPlaced'], withdrawals: beside } },
    }
  }
  if (matches.length > 1) {
    const list = matches.map(inWords).join(', ')
    const evidence = `The exchange lists ${matches.length} withdrawals that may be this one of ${what}: ${list}.`
    return { kind: 'asks', question: { evidence, verdicts: ['placed', 'notPlaced'], withdrawals: beside } }
  }
  const isRejected = only.state === 'REJECTED'
  const settled: Finding = {
    kind: 'settled',
    settlement: {
      how: isRejected ? 'rejected' : 'placed',
      by: 'exchange',
      id: only.withdrawalId,
      evidence: `the exchange lists one such withdrawal: ${inWords(only)}`,
    },
    sentence: `Found: withdrawal ${inWords(only)} to ${only.beneficiary}.`,
    level: isRejected ? 'warn' : 'good',
    order: null,
  }
  // It may be another one of the same terms: only when nothing else turns up did nothing leave.
  return isRejected ? { kind: 'absent', ifSure: settled } : settled
}

/** What the hub says of a draft that it was asked to send: it sends each at most once, and it alone knows as what. */
export function lookAtHubDraft(draftId: string, draft: HubDraft | null): Finding {
  const asks = (evidence: string, verdicts: readonly Verdict[]): Finding => ({
    kind: 'asks',
    question: { evidence, verdicts },
  })
  if (draft === null) return asks(`The hub does not list draft ${draftId}.`, ['placed', 'notPlaced'])
  const { state } = draft
  const settled = (how: Settlement['how'], id: string | null, evidence: string, level: NewsLevel): Finding => ({
    kind: 'settled',
    settlement: byExchange(how, id, evidence),
    sentence: `Found: ${evidence}.`,
    level,
    order: null,
  })
  switch (state.kind) {
    case 'sent':
      return settled(
        'placed',
        state.withdrawalId,
        `the hub sent draft ${draftId} as ${state.withdrawalId ?? '?'}`,
        'good',
      )
    case 'refused':
      return settled('notPlaced', null, `the hub did not send draft ${draftId}: ${state.reason}`, 'warn')
    case 'dropped':
      return settled('notPlaced', null, `draft ${draftId} was dropped at the hub and never sent`, 'warn')
    case 'draft':
      return {
        kind: 'absent',
        ifSure: asks(`The hub answered twice: draft ${draftId} is still a draft.`, ['notPlaced']),
      }
    case 'sending':
    case 'unknown':
      return asks(`The hub is still looking for draft ${draftId}: if it finds nothing, a hub admin must decide.`, [])
  }
}
