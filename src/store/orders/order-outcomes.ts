import { capital, someNamed, withoutCapital } from '../../base/text/plain-text.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { amountsOf } from '../../domain/market/amounts.ts'
import { zero } from '../../domain/money.ts'
import { describeCanceled, describeEnd } from '../../domain/orders/describe.ts'
import {
  isPending,
  isWorking,
  listKey,
  type Order,
  orderName,
  orderNames,
  scopeText,
  unansweredOrder,
} from '../../domain/orders/order.ts'
import {
  type CancelAllOutcome,
  type CancelEnd,
  type OrderOutcome,
  refusedButThereSentence,
  tallyText,
  unknownOrderSentence,
} from '../../domain/orders/order-outcome.ts'
import { cancelAllKey, cancelKey, type UnknownWrite } from '../../domain/unknown-write.ts'
import { arrived } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { latestReport, withEnded } from '../feeds/reduce-feeds.ts'
import { logged, type Noting, noted } from '../log.ts'
import type { ModeSlice } from '../mode.ts'
import type { TablesSlice } from '../tables/tables.ts'
import type { TicketSlice } from '../ticket/ticket.ts'
import { isFollowed, onTheirWay, passedByOf } from '../writes/passed-orders.ts'
import { type WritesSlice, withoutUnknownWrite, withUnanswered } from '../writes/writes.ts'
import { orderRowKey } from './order-selectors.ts'

/** The state that an order's outcome changes. */
type OrderNeeds = ModeSlice & FeedsSlice & WritesSlice & TicketSlice & TablesSlice & Noting

/** A refused order as a row of the ended ones: its requested terms, and the reason. */
const rejectedOrder = (
  { draft }: Extract<WriteEvent, { type: 'orderOutcome' }>,
  { clientOrderId, reason }: Extract<OrderOutcome, { kind: 'rejected' }>,
  atMs: number,
): Order => ({ ...unansweredOrder(draft, clientOrderId, atMs), status: 'REJECTED', text: reason })

type OutcomeEvent = Extract<WriteEvent, { type: 'orderOutcome' }>

/** The notice of an accepted order; for a move, its change. */
function acceptedSentence({ instruments }: FeedsSlice, order: Order, { draft, movedFrom }: OutcomeEvent): string {
  const name = orderName(order)
  const what = isPending(order) ? 'is a pending stop' : 'is working'
  const { price, quantity } = amountsOf(draft.symbol, instruments.value)
  if (movedFrom === undefined) return `Order ${name} ${what}.`
  const { open, stopPrice: stopFrom = null } = movedFrom
  const [from, to] = stopFrom === null ? [movedFrom.limitPrice, draft.limitPrice] : [stopFrom, draft.stopPrice]
  if (from === null || to === null) return `Order ${name} ${what}.`
  const isStop = stopFrom === null ? '' : 'stop '
  const isResized = open !== null && !open.eq(draft.orderQuantity)
  const sizes = isResized ? `quantity ${quantity(open)} → ${quantity(draft.orderQuantity)}` : ''
  const prices = `Moved ${isStop}${price(from)} → ${price(to)}`
  const change =
    from.eq(to) && isResized
      ? `${capital(sizes)} at ${isStop}${price(from)}`
      : `${prices}${isResized ? `, ${sizes}` : ''}`
  return `${change}: order ${name} ${what}.`
}

/** True for a post-only order that traded at once: the exchange ignored the condition. */
const isPostOnlyFilled = ({ draft }: OutcomeEvent, { cumQuantity }: Order): boolean =>
  draft.postOnly && cumQuantity?.gt(0) === true

type Accepted = Extract<OrderOutcome, { kind: 'accepted' }>

/** An accepted order joins the working ones at once; one that has already ended joins the ended ones. */
function withAccepted<S extends ModeSlice & FeedsSlice & WritesSlice & Noting>(
  state: S,
  event: OutcomeEvent,
  accepted: Accepted,
): S {
  const { atMs } = event
  const { order: answer, refusal } = accepted
  const order = latestReport(state, answer)
  const listed = withTakenOrder(state, order, atMs)
  // The notice says what the order is now; that its answer said otherwise is for whoever looks into it.
  const taken = refusal === undefined ? listed : logged(listed, 'warn', refusedButThereSentence(order, refusal), atMs)
  const name = orderName(order)
  if (isPostOnlyFilled(event, answer)) {
    const filled = amountsOf(order.symbol, state.instruments.value).quantity(answer.cumQuantity ?? zero)
    const text = `Order ${name} was post-only but filled ${filled} at once as a taker; it is ${order.status}.`
    return noted(taken, 'bad', text, atMs)
  }
  const passedBy = passedByOf(state, order.clientOrderId)
  if (isWorking(order) && passedBy !== null) {
    const todo = isFollowed(state, order.clientOrderId) ? '' : ' To remove it, cancel again.'
    return noted(taken, 'bad', `May be working: order ${name} was answered after ${passedBy}.${todo}`, atMs)
  }
  const text = isWorking(order) ? acceptedSentence(state, order, event) : describeEnd(order, state.instruments.value)
  return tellerOf(event.movedFrom ?? {})(taken, 'good', text, atMs)
}

function withTakenOrder<S extends FeedsSlice>(state: S, order: Order, atMs: number): S {
  if (!isWorking(order)) return withEnded(state, order)
  const others = (state.orders.value ?? []).filter((other) => listKey(other) !== listKey(order))
  const orders = { ...state.orders, value: [order, ...others] }
  if (state.orders.atMs !== null) return { ...state, orders }
  // The list has not loaded yet: this one order is not all of it.
  const gaps = { entries: [], isWhole: false, toldKeys: [] }
  return { ...state, orders: arrived(orders.value, atMs), unreadable: { ...state.unreadable, orders: gaps } }
}

export function withOrderOutcome<S extends OrderNeeds>(
  state: S,
  event: Extract<WriteEvent, { type: 'orderOutcome' }>,
): S {
  const { outcome, draft, atMs } = event
  const ticket = isTicketWaiting(state, event) ? null : state.ticket
  switch (outcome.kind) {
    case 'accepted':
      return withAccepted(
        withoutUnknownWrite(withCursorAfter({ ...state, ticket }, event, outcome.order), outcome.order.clientOrderId),
        event,
        outcome,
      )
    case 'rejected':
      return noted(
        withEnded(
          withoutUnknownWrite({ ...state, ticket: ticketAfterNo(state, event) }, outcome.clientOrderId),
          rejectedOrder(event, outcome, atMs + state.ahead.exchangeMs),
        ),
        'bad',
        `Order rejected: ${outcome.reason}. Nothing was placed.`,
        atMs,
      )
    case 'unknown': {
      const sentence = unknownOrderSentence(outcome)
      // Its age must count from when it may be live.
      const sent = state.sentOrders.find(({ clientOrderId }) => clientOrderId === outcome.clientOrderId)
      const sentAtMs = sent?.atMs ?? atMs
      const order = unansweredOrder(draft, outcome.clientOrderId, sentAtMs + state.ahead.exchangeMs)
      const entry: UnknownWrite = {
        key: outcome.clientOrderId,
        kind: 'order',
        symbol: draft.symbol,
        sentence,
        atMs: sentAtMs,
        order,
        question: null,
      }
      return noted(withUnanswered({ ...state, ticket }, entry), 'bad', sentence, atMs)
    }
  }
}

/** Whose order it is that was answered, or not sent. */
type Whose = { isOfPlan?: true; isMove?: true; movedFrom?: OutcomeEvent['movedFrom'] }

/** True when the open ticket waits for this order: it does not for one of a plan or of a move, sent beside it. */
const isTicketWaiting = ({ ticket }: TicketSlice, { isOfPlan, isMove, movedFrom }: Whose): boolean =>
  ticket?.stage === 'sending' && isOfPlan !== true && isMove !== true && movedFrom === undefined

/** A refused order's ticket stays open with its text, ready to be corrected. */
export function ticketAfterNo(state: TicketSlice, event: Whose): TicketSlice['ticket'] {
  return state.ticket !== null && isTicketWaiting(state, event) ? { ...state.ticket, stage: 'edit' } : state.ticket
}

/** The list of orders with the cursor on another line. */
function withOrderChosen<S extends TablesSlice>(state: S, selectedKey: string): S {
  const { tables } = state
  const views = { ...tables.views, orders: { ...tables.views.orders, selectedKey } }
  return { ...state, tables: { ...tables, views } }
}

/** The cursor follows an order that was moved from the list. */
function withCursorAfter<S extends TablesSlice>(state: S, event: OutcomeEvent, order: Order): S {
  const isOn = event.movedFrom !== undefined && state.tables.views.orders.selectedKey === event.movedFrom.orderId
  return isOn ? withOrderChosen(state, orderRowKey(order)) : state
}

/** The state that a cancel's outcome changes. */
type CancelNeeds = FeedsSlice & WritesSlice & TablesSlice & Noting

/** The state that a write without an outcome changes, and a cancel-all. */
export type UnknownNeeds = ModeSlice & WritesSlice & Noting

/** Reports a write; one of several only in the log. */
export const tellerOf = ({ isOneOfMany = false }: { isOneOfMany?: boolean }): typeof noted =>
  isOneOfMany ? logged : noted

/** The result of several cancels in one notice: their number, and the ids of orders not canceled. */
export function withCancelsEnded<S extends FeedsSlice & Noting>(
  state: S,
  { ends, atMs }: Extract<WriteEvent, { type: 'cancelsEnded' }>,
): S {
  const named = (kind: CancelEnd['outcome']['kind'], head: string, nameOf: (end: CancelEnd) => string) => {
    const names = ends.filter(({ outcome }) => outcome.kind === kind).map(nameOf)
    return names.length === 0 ? [] : [`${head}: ${names.join(', ')}.`]
  }
  const withReason = ({ orderId, outcome }: CancelEnd) =>
    'reason' in outcome ? `${orderId} (${outcome.reason})` : orderId
  const bad = [
    ...named('unknown', 'May still be working, checking', ({ orderId }) => orderId),
    ...named('notSent', 'Not sent', withReason),
  ]
  const odd = [
    ...named('refused', 'Refused', withReason),
    ...named('ended', 'Ended before', ({ orderId, outcome }) =>
      'order' in outcome ? `${orderId} (${outcome.order.status})` : orderId,
    ),
  ]
  const gone = ends.filter(({ outcome }) => outcome.kind === 'canceled').length
  const head = gone === ends.length ? `Canceled all ${gone} orders.` : `Canceled ${gone} of ${ends.length} orders.`
  const filled = ends.flatMap(({ orderId, outcome }) =>
    outcome.kind === 'canceled' && outcome.order.cumQuantity?.isZero() === false ? [orderId] : [],
  )
  const parts = filled.length === 0 ? [] : [`Filled in part: ${filled.join(', ')}.`]
  const level = bad.length > 0 ? 'bad' : odd.length > 0 ? 'warn' : 'good'
  // Orders that may still work come first, because the line is cut on the right.
  return noted(state, level, [...bad, head, ...odd, ...parts].join(' '), atMs)
}

export function withCancelOutcome<S extends CancelNeeds>(
  state: S,
  event: Extract<WriteEvent, { type: 'cancelOutcome' }>,
): S {
  const { outcome, isMove = false, atMs } = event
  const key = cancelKey(outcome.orderId)
  const settled = withoutUnknownWrite(state, key)
  const tell = tellerOf(event)
  switch (outcome.kind) {
    case 'canceled': {
      const ended = withEnded(settled, outcome.order)
      const text = describeCanceled(outcome.order, outcome.isOwn, state.instruments.value)
      // For a move only its new price is news.
      return isMove ? logged(ended, 'info', text, atMs) : tell(ended, 'good', text, atMs)
    }
    case 'ended': {
      const text = `Not canceled: ${withoutCapital(describeEnd(outcome.order, state.instruments.value))}`
      return tell(withEnded(settled, outcome.order), 'warn', text, atMs)
    }
    case 'refused':
      return tell(
        settled,
        'warn',
        `Cancel of ${outcome.orderId} refused: ${outcome.reason}. See 2 Orders for its state.`,
        atMs,
      )
    case 'unknown': {
      const why =
        outcome.cause === 'noAnswer'
          ? `no answer for the cancel of ${outcome.orderId}`
          : `cancel of ${outcome.orderId} not confirmed (${outcome.reason})`
      const sentence = `May still be working: ${why}. Checking.`
      return tell(withUnanswered(state, unknownCancel('cancel', key, null, sentence, atMs)), 'bad', sentence, atMs)
    }
  }
}

const unknownCancel = (
  kind: 'cancel' | 'cancelAll',
  key: string,
  symbol: string | null,
  sentence: string,
  atMs: number,
): UnknownWrite => ({ key, kind, symbol, sentence, atMs, order: null, question: null })

const idsShown = 6

/** The orders left by a cancel-all, by their ids. */
const leftText = (left: readonly Order[]): string =>
  left.length === 0 ? 'an unreadable order' : orderNames(left, idsShown)

function refusedSentence(scope: string, { left, reason }: { left: unknown; reason: string }): string {
  if (left === null) return `May still be working: cancel of all orders of ${scope} refused: ${reason}.`
  return `Orders of ${scope} stay working, cancel refused: ${reason}.`
}

export function withCancelAllOutcome<S extends UnknownNeeds & FeedsSlice>(
  state: S,
  event: Extract<WriteEvent, { type: 'cancelAllOutcome' }>,
): S {
  // Reported together; orders that filled or ended otherwise are news of their own.
  const seen = endedBy(event.outcome).filter(
    ({ status, cumQuantity }) => status === 'CANCELED' && cumQuantity?.isZero() === true,
  )
  return withCancelAllTold(
    seen.reduce((before, order) => withEnded(before, order), state),
    event,
  )
}

const endedBy = (outcome: CancelAllOutcome): readonly Order[] => ('ended' in outcome ? (outcome.ended ?? []) : [])

/** Orders that were on their way at a cancel of all and are not known to have ended, by name. */
function lateOrders(state: WritesSlice & FeedsSlice, outcome: CancelAllOutcome): string[] {
  // A refused double has the same client order id as the order itself.
  const ended = [...endedBy(outcome), ...state.endedOrders].filter(({ status }) => status !== 'REJECTED')
  const gone = new Set(ended.map(({ clientOrderId }) => clientOrderId))
  return onTheirWay(state, outcome.symbol)
    .filter((clientOrderId) => !gone.has(clientOrderId))
    .map((clientOrderId) => `order ${clientOrderId}`)
}

function withCancelAllTold<S extends UnknownNeeds & FeedsSlice>(
  state: S,
  { outcome, atMs }: Extract<WriteEvent, { type: 'cancelAllOutcome' }>,
): S {
  const scope = scopeText(outcome.symbol)
  const key = cancelAllKey(outcome.symbol)
  // A halted desk canceled its orders because of the halt.
  const head = state.mode.kind === 'HALTED' ? 'Halted: ' : ''
  const begin = (sentence: string) => (head === '' ? sentence : head + withoutCapital(sentence))
  // Orders that may still work come first, whatever the reason.
  const checking = head === '' ? 'Checking.' : 'Halted. Checking.'
  switch (outcome.kind) {
    case 'canceled': {
      const tally = tallyText(outcome.tally)
      const ofSymbol = outcome.symbol === null ? '' : ` of ${outcome.symbol}`
      const text = tally === '' ? `no order${ofSymbol} is working.` : `${tally}.`
      const told = head === '' ? `Cancel all orders of ${scope}: ${text}` : head + text
      const late = lateOrders(state, outcome)
      const settled = withoutUnknownWrite(state, key)
      if (late.length === 0) return noted(settled, 'good', told, atMs)
      return noted(settled, 'bad', `May still arrive: ${someNamed(late, idsShown)}. ${told}`, atMs)
    }
    case 'left': {
      const tally = tallyText(outcome.tally)
      const left = leftText(outcome.left)
      const after = `after the cancel of all orders of ${scope}${tally === '' ? '' : ` (${tally})`}`
      const sentence = `Still working: ${left}, ${after}. ${checking}`
      return noted(
        withUnanswered(state, unknownCancel('cancelAll', key, outcome.symbol, sentence, atMs)),
        'bad',
        sentence,
        atMs,
      )
    }
    case 'refused':
      return noted(
        withoutUnknownWrite(state, key),
        'bad',
        outcome.left === null ? refusedSentence(scope, outcome) : begin(refusedSentence(scope, outcome)),
        atMs,
      )
    case 'unknown': {
      const why =
        outcome.cause === 'noAnswer'
          ? `no answer for the cancel of all orders of ${scope}`
          : `cancel of all orders of ${scope} not confirmed (${outcome.reason})`
      const sentence = `May still be working: ${why}. ${checking}`
      return noted(
        withUnanswered(state, unknownCancel('cancelAll', key, outcome.symbol, sentence, atMs)),
        'bad',
        sentence,
        atMs,
      )
    }
  }
}
