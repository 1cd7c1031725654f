import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { utcText } from '../../base/text/time-text.ts'
import type { NewsLevel } from '../../domain/desk/events.ts'
import type { HubDraft } from '../../domain/hub/draft.ts'
import { rawText } from '../../domain/listing.ts'
import { isWorking, type Order, type OrderDraft, orderName, orderNames, scopeText } from '../../domain/orders/order.ts'
import { orderMismatches } from '../../domain/orders/order-outcome.ts'
import {
  isTurnedDown,
  type Withdrawal,
  type WithdrawalRequest,
  withdrawalText,
} from '../../domain/transfers/transfer.ts'
import type { UnknownWriteQuestion, Verdict, WithdrawalEvidence } from '../../domain/unknown-write.ts'
import { mismatchText } from '../../domain/write-outcome.ts'
import type { JournalEntry, Settlement, WriteJournal } from '../../journal/entry.ts'
import type { FoundOrders } from '../orders/find-orders.ts'
import { isOfOneCall } from '../orders/of-one-call.ts'
import { isOf, type Sought } from '../orders/open-write.ts'
import { fetchAllWorking, leftOf, type OrderList, type OrderListClient } from '../orders/order-pages.ts'
import {
  earlierWithdrawals,
  matchWithdrawals,
  mayBeUnreadable,
  type TimeWindow,
} from '../transfers/match-withdrawals.ts'
import { type RefusedTimes, rivalsOf } from '../transfers/refused-withdrawals.ts'

/** The result of a look at the exchange for an open entry. */
export type Finding =
  | { kind: 'resolved'; settlement: Settlement; sentence: string; level: NewsLevel; order: Order | null }
  /** Not found, or not yet there. `ifSure` is the result once a second look, late enough, finds nothing either. */
  | { kind: 'absent'; ifSure: Finding }
  /** Not found, while a list where it may be fails. The question is put once that has lasted. */
  | { kind: 'hidden'; question: UnknownWriteQuestion }
  /** Not found, while several lists fail: that says nothing. */
  | { kind: 'unseen' }
  | { kind: 'asks'; question: UnknownWriteQuestion }

const byExchange = (how: Settlement['how'], id: string | null, evidence: string): Settlement => ({
  how,
  by: 'exchange',
  id,
  evidence,
})

/**
 * The result for an order found under the entry's client order id. `sent` are the terms it was sent with, null when
 * unknown. An order with other terms is not the sent one, and with `others` under the same id it is unclear which one
 * is: the user is asked. So they are about a rejected one while the lists hide an order: `hidden` says how, as
 * `whyHidden` does.
 */
export function foundOrder(
  order: Order,
  sent: (OrderDraft & { clientOrderId: string }) | null,
  others: readonly Order[] = [],
  hidden: string | null = null,
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
    if (hidden !== null)
      return rejectedBeside(`The exchange lists order ${name} (${clientOrderId}) as ${status}`, hidden)
    const sentence = `Found: order ${name} was rejected: ${order.text ?? 'no reason given'}. Nothing was placed.`
    const settlement = byExchange('rejected', orderId, evidence)
    // A refused duplicate looks the same: nothing was placed only when no other order turns up.
    return { kind: 'absent', ifSure: { kind: 'resolved', settlement, sentence, level: 'warn', order } }
  }
  const state = isWorking(order) ? 'is working' : `is ${status}`
  const sentence = `Found: order ${name} was placed and ${state}.`
  return { kind: 'resolved', settlement: byExchange('placed', orderId, evidence), sentence, level: 'good', order }
}

/** A rejected order may be a refused duplicate of one that the lists hide. */
function rejectedBeside(found: string, hidden: string): Finding {
  const evidence = `${found}, and ${hidden}: look at the exchange's web page whether it was placed.`
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['placed', 'notPlaced'] } } }
}

/**
 * The result for an order on no list of the exchange: only the user can say that it was not placed, unless its answer
 * was a refusal that no list could confirm then.
 */
export function absentOrder(
  clientOrderId: string,
  { unreadable, isWhole, isEngineUnseen }: Pick<FoundOrders, 'unreadable' | 'isWhole' | 'isEngineUnseen'>,
  outcome: JournalEntry['outcome'],
): Finding {
  const [odd] = unreadable
  if (outcome?.kind === 'unknown' && outcome.isRefusal === true && isWhole && odd === undefined) {
    const { reason } = outcome
    const settlement = byExchange('rejected', null, `the exchange refused it, and lists it nowhere, twice: ${reason}`)
    const sentence = `Order ${clientOrderId} was refused, and no list has it: ${reason}. Nothing was placed.`
    return { kind: 'absent', ifSure: { kind: 'resolved', settlement, sentence, level: 'warn', order: null } }
  }
  const unread = odd === undefined ? '' : ` An entry of these lists is unreadable and may be it: ${rawText(odd)}.`
  const cut = isWhole ? '' : ' A list is incomplete: it may be in the missing part.'
  const engine =
    isEngineUnseen === true
      ? '; the exchange answered each question, twice. This key may not read the list of the matching engine.'
      : ', nor in the list of the matching engine; the exchange answered each question, twice.'
  const evidence =
    `Order ${clientOrderId} is neither among the working orders nor the filled, canceled, expired and rejected ones` +
    `${engine}${cut}${unread}`
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['notPlaced'] } } }
}

/** The result for an order that no list has, or one as rejected, while another list answers with a failure only. */
export function hiddenOrder(clientOrderId: string, order: Order | undefined, { reason }: ExchangeError): Finding {
  const found =
    order === undefined
      ? `Order ${clientOrderId} is on none of the lists of orders that were answered`
      : `The exchange lists order ${orderName(order)} (${clientOrderId}) as ${order.status}`
  const evidence =
    `${found}, and one of these lists has failed for minutes (${reason}): it may be there. ` +
    "Look at the exchange's web page whether it was placed."
  return { kind: 'hidden', question: { evidence, verdicts: ['placed', 'notPlaced'] } }
}

/** The question about a cancel whose order neither its report nor the list of working orders tells of, for minutes. */
export const hiddenCancel = (orderId: string, { reason }: ExchangeError): UnknownWriteQuestion => ({
  evidence:
    `What the exchange is asked about order ${orderId} has failed for minutes (${reason}). ` +
    "Look at the exchange's web page whether it still works.",
  verdicts: ['canceled', 'notCanceled'],
})

/** The question about a cancel of all while the list of working orders fails, for minutes. */
export const hiddenCancelAll = (symbol: string | null, { reason }: ExchangeError): UnknownWriteQuestion => ({
  evidence:
    `The exchange's list of working orders has failed for minutes (${reason}). ` +
    `Look at the exchange's web page whether orders of ${scopeText(symbol)} still work.`,
  verdicts: ['canceled', 'notCanceled'],
})

/** The question about a withdrawal while the list of withdrawals fails, for minutes: the balance may tell. */
export const hiddenWithdrawal = (request: WithdrawalRequest, { reason }: ExchangeError): UnknownWriteQuestion => ({
  evidence:
    `The exchange's list of withdrawals has failed for minutes (${reason}): the one of ${withdrawalText(request)} ` +
    "may be there. Look at the exchange's web page whether it was sent.",
  verdicts: ['placed', 'notPlaced'],
  withdrawals: { request, matches: [], others: [] },
})

export type CancelClient = Pick<ExchangeClient, 'fetchOrder'> & OrderListClient

/**
 * The result for a cancel by the order's own status; when another order is reported under its id, or its report cannot
 * be had, by the list of working orders, which `listed` reads. Throws `ExchangeError`.
 */
export async function lookAtCancel(
  client: CancelClient,
  sought: Extract<Sought, { kind: 'cancel' }>,
  signal: AbortSignal,
  listed: () => Promise<OrderList> = () => fetchAllWorking(client, signal),
): Promise<Finding> {
  const { orderId } = sought
  const order = await orderOrNone(client, orderId, signal)
  if (order !== null && !(order instanceof ExchangeError) && isOf(sought, order))
    return isWorking(order) ? stillWorking(order, orderId) : endedOrder(order, orderId)
  // Its id leads to another order, or to none that can be read: the list may have it all the same.
  const { orders, unreadable, isWhole } = await listed().catch((error: unknown) => {
    // Both have failed by themselves: each report counts as a failure of its own, the list once for all cancels.
    throw order instanceof ExchangeError && error instanceof ExchangeError && isOfOneCall(error) ? order : error
  })
  const there = [...orders.values()].find((each) => isOf(sought, each))
  if (there !== undefined) return stillWorking(there, orderId)
  if (order instanceof ExchangeError) return unreadableOrder(orderId, order)
  if (order !== null) return reportedAsOther(sought, order)
  if (!isWhole || unreadable.length > 0) return knownToNobody(orderId)
  const evidence = `the exchange knows no order ${orderId} and lists none`
  const sentence = `The exchange knows no order ${orderId} and lists none: there is nothing to cancel.`
  const settlement = byExchange('notCanceled', orderId, evidence)
  return { kind: 'resolved', settlement, sentence, level: 'warn', order: null }
}

/** The list that could contradict cannot be read in full: only the user can say whether the order is there. */
function knownToNobody(orderId: string): Finding {
  const evidence =
    `The exchange knows no order ${orderId}, and its list of working orders cannot be read in full. ` +
    "Look at the exchange's web page whether it still works."
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['canceled', 'notCanceled'] } } }
}

/** Its report cannot be had, perhaps ever: only the user can see how it is, and nothing else waits for that. */
function unreadableOrder(orderId: string, { reason }: ExchangeError): Finding {
  const evidence =
    `The exchange's report of order ${orderId} cannot be read (${reason}), and no readable entry of its list of ` +
    "working orders is that order. Look at the exchange's web page whether it still works."
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['canceled', 'notCanceled'] } } }
}

/**
 * An order by its id; null where the exchange says that there is none, the error where its report alone cannot be had:
 * it is unreadable, or answered with a failure.
 */
async function orderOrNone(
  client: CancelClient,
  orderId: string,
  signal: AbortSignal,
): Promise<Order | ExchangeError | null> {
  try {
    return await client.fetchOrder(orderId, signal)
  } catch (error) {
    if (isNotFound(error)) return null
    if (error instanceof ExchangeError && isOfOneCall(error)) return error
    throw error
  }
}

/** The exchange confuses two orders: only the user can see which is which. */
function reportedAsOther(
  { orderId, ofClientOrderId = '?' }: Extract<Sought, { kind: 'cancel' }>,
  order: Order,
): Finding {
  const evidence =
    `The exchange reports order ${orderId} as ${order.clientOrderId}, which was sent as ${ofClientOrderId}. ` +
    "Look at it on the exchange's web page: how it ended is unknown."
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['canceled', 'notCanceled'] } } }
}

/** An ended order resolves its cancel, whether or not the cancel ended it. */
export function endedOrder(order: Order, orderId: string): Finding {
  const how = order.status === 'CANCELED' ? 'canceled' : 'notCanceled'
  const settlement = byExchange(how, orderId, `the exchange reports order ${orderId} as ${order.status}`)
  const sentence = `The cancel of ${orderId} is resolved: order is ${order.status}.`
  return { kind: 'resolved', settlement, sentence, level: 'good', order: null }
}

function stillWorking({ status }: Order, orderId: string): Finding {
  const settlement = byExchange('notCanceled', orderId, `the exchange reports order ${orderId} as ${status}, twice`)
  const sentence = `The cancel of ${orderId} did not take effect: order is ${status}. To remove it, cancel again.`
  return { kind: 'absent', ifSure: { kind: 'resolved', settlement, sentence, level: 'warn', order: null } }
}

/** Maximum order ids in a line. */
const idsMax = 5

/** The result for a cancel of all in `symbol`, or everywhere if null, by the list of working orders. */
export function lookAtCancelAll(list: OrderList, symbol: string | null): Finding {
  const { orders: left, unreadableCount: unread } = leftOf(list, symbol)
  const scope = scopeText(symbol)
  if (left.length === 0 && unread === 0 && list.isWhole) {
    const sentence = `Cancel all orders of ${scope}: none is working.`
    const settlement = byExchange('canceled', null, `the exchange lists no working order in ${scope}, twice`)
    // The list may be outdated: an empty one is believed only after a second look, like any absence.
    return { kind: 'absent', ifSure: { kind: 'resolved', settlement, sentence, level: 'good', order: null } }
  }
  const count = left.length + unread
  const which = left.length === 0 ? `${unread} unreadable` : orderNames(left, idsMax)
  const sentence = `Still working after the cancel of all in ${scope}: ${which}. To remove them, cancel again.`
  const settlement = byExchange('notCanceled', null, `the exchange lists ${count} working in ${scope}, twice`)
  return { kind: 'absent', ifSure: { kind: 'resolved', settlement, sentence, level: 'warn', order: null } }
}

export type WithdrawalsClient = Pick<ExchangeClient, 'fetchWithdrawals'>

type SoughtWithdrawal = { entry: JournalEntry; request: WithdrawalRequest; window: TimeWindow; times: RefusedTimes }

const inWords = ({ withdrawalId, amount, currency, state, timestampMs }: Withdrawal): string => {
  const time = timestampMs === null ? '' : ` of ${utcText(timestampMs)}`
  const what = `${amount.toFixed()} ${currency}, ${state ?? 'state not given'}${time}`
  return `${withdrawalId ?? 'one without an id'} (${what})`
}

/**
 * Looks for an entry's withdrawal on the exchange's list, except those known to belong to other entries. A single match
 * resolves it. With several, with one that may be an earlier refused withdrawal, or with none after a second look, the
 * user is asked. Throws `ExchangeError`.
 */
export async function lookAtWithdrawal(
  client: WithdrawalsClient,
  journal: WriteJournal,
  { entry, request, window, times }: SoughtWithdrawal,
  signal: AbortSignal,
): Promise<Finding> {
  const [listed, earlier] = await Promise.all([
    client.fetchWithdrawals({ fromMs: window.fromMs }, signal),
    earlierWithdrawals(journal, entry.id, window.fromMs),
  ])
  // Listed before it was sent: another one.
  const seen = entry.intent.kind === 'withdrawal' ? (entry.intent.seen ?? []) : []
  const matches = matchWithdrawals(listed.entries, request, window, new Set([...earlier.claimed, ...seen]))
  const others = othersOf(listed.entries, matches, request, window)
  const beside = { request, matches, others }
  const rivals = rivalsOf(request, matches, earlier, times)
  return rivals.length > 0 ? mayBeRefused(beside) : judge(beside, mayBeUnreadable(listed.unreadable, request, window))
}

/** The listed withdrawal may also be an equal one that was refused shortly before: the user is asked. */
function mayBeRefused(beside: WithdrawalEvidence): Finding {
  const list = beside.matches.map(inWords).join(', ')
  const evidence =
    `The exchange lists ${list} of ${withdrawalText(beside.request)}: this one, or the same one that was answered as ` +
    'rejected before.'
  return { kind: 'asks', question: { evidence, verdicts: ['placed', 'notPlaced'], withdrawals: beside } }
}

const othersMax = 5

/** Other withdrawals of the currency and time, as evidence for the user. */
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
  if (isTurnedDown(only.state) && hasUnreadable) {
    const evidence =
      `The exchange lists one such withdrawal, ${inWords(only)}, and one that is unreadable and may be it: ` +
      "look at it on the exchange's web page."
    // What was turned down is not what was placed: the unreadable one has no name to choose it by.
    const withdrawals = { request, matches: [], others: [only, ...beside.others] }
    const question = { evidence, verdicts: ['placed', 'notPlaced'], withdrawals } as const
    return { kind: 'absent', ifSure: { kind: 'asks', question } }
  }
  const resolved: Finding = {
    kind: 'resolved',
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
  // It may be another withdrawal with the same terms: nothing was sent only when no other one turns up.
  return isRejected ? { kind: 'absent', ifSure: resolved } : resolved
}

/**
 * The result for a draft by the hub that was to send it: it sends each at most once, and only the hub knows under which
 * id.
 */
export function lookAtHubDraft(draftId: string, draft: HubDraft | null): Finding {
  const asks = (evidence: string, verdicts: readonly Verdict[]): Finding => ({
    kind: 'asks',
    question: { evidence, verdicts },
  })
  if (draft === null) return asks(`The hub does not list draft ${draftId}.`, ['placed', 'notPlaced'])
  const { state } = draft
  const resolved = (how: Settlement['how'], id: string | null, evidence: string, level: NewsLevel): Finding => ({
    kind: 'resolved',
    settlement: byExchange(how, id, evidence),
    sentence: `Found: ${evidence}.`,
    level,
    order: null,
  })
  switch (state.kind) {
    case 'sent':
      return resolved(
        'placed',
        state.withdrawalId,
        `the hub sent draft ${draftId} as ${state.withdrawalId ?? '?'}`,
        'good',
      )
    case 'refused':
      return resolved('notPlaced', null, `the hub did not send draft ${draftId}: ${state.reason}`, 'warn')
    case 'dropped':
      return resolved('notPlaced', null, `draft ${draftId} was dropped at the hub and never sent`, 'warn')
    case 'draft':
      return {
        kind: 'absent',
        ifSure: asks(`The hub answered twice: draft ${draftId} is still a draft.`, ['notPlaced']),
      }
    case 'sending':
    case 'unknown': {
      // A hub mostly finds it within seconds: only where it has not for a while there is anything to tell a person.
      const evidence = `The hub is still looking for draft ${draftId}: if it finds nothing, a hub admin must decide.`
      return { kind: 'absent', ifSure: asks(evidence, []) }
    }
  }
}
