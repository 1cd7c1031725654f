import { amountsOf } from '../../domain/balance.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { zero } from '../../domain/money.ts'
import { isPending, isWorking, listKey, type Order, unansweredOrder } from '../../domain/orders/order.ts'
import { type OrderOutcome, unknownOrderSentence } from '../../domain/orders/order-outcome.ts'
import type { Unsettled } from '../../domain/orders/unknown-write.ts'
import { arrived } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { withEnded } from '../feeds/reduce-feeds.ts'
import { type Noting, noted } from '../log.ts'
import type { TablesSlice } from '../tables/tables.ts'
import type { TicketSlice } from '../ticket/ticket.ts'
import { describeEnd } from './describe.ts'
import { orderKey } from './order-selectors.ts'
import { type WritesSlice, withoutUnsettled, withUnanswered } from './writes.ts'

/** What the outcome of an order touches. */
type OrderNeeds = FeedsSlice & WritesSlice & TicketSlice & TablesSlice & Noting

/** A refused order as a row of the ended ones: what was asked for, and why it was refused. */
const rejectedOrder = (
  { draft }: Extract<WriteEvent, { type: 'orderOutcome' }>,
  { clientOrderId, reason }: Extract<OrderOutcome, { kind: 'rejected' }>,
  atMs: number,
): Order => ({ ...unansweredOrder(draft, clientOrderId, atMs), status: 'REJECTED', text: reason })

type OutcomeEvent = Extract<WriteEvent, { type: 'orderOutcome' }>

/** What is said of an order that the exchange took; of a move where it went, for that is what was asked for. */
function acceptedSentence({ instruments }: FeedsSlice, order: Order, { draft, movedFrom }: OutcomeEvent): string {
  const name = order.orderId ?? order.clientOrderId
  const what = isPending(order) ? 'waits for its trigger' : 'is working'
  const { price } = amountsOf(draft.symbol, instruments.value)
  const from = movedFrom?.limitPrice ?? null
  if (movedFrom === undefined || from === null || draft.limitPrice === null) return `Order ${name} ${what}.`
  return `Moved ${price(from)} → ${price(draft.limitPrice)}: order ${name} ${what}.`
}

/** A post-only order that traded at once: the exchange took it without its condition. */
const isPostOnlyFilled = ({ draft }: OutcomeEvent, { cumQuantity }: Order): boolean =>
  draft.postOnly && cumQuantity?.gt(0) === true

/** An accepted order joins the working ones at once; one that has already ended joins the ended ones. */
function withAccepted<S extends FeedsSlice & Noting>(state: S, event: OutcomeEvent, order: Order): S {
  const { atMs } = event
  const taken = withTakenOrder(state, order, atMs)
  const name = order.orderId ?? order.clientOrderId
  if (isPostOnlyFilled(event, order)) {
    const filled = amountsOf(order.symbol, state.instruments.value).quantity(order.cumQuantity ?? zero)
    const text = `Order ${name} was post-only but filled ${filled} at once as a taker; it is ${order.status}.`
    return noted(taken, 'bad', text, atMs)
  }
  const text = isWorking(order) ? acceptedSentence(state, order, event) : describeEnd(order, state.instruments.value)
  return noted(taken, 'good', text, atMs)
}

function withTakenOrder<S extends FeedsSlice>(state: S, order: Order, atMs: number): S {
  if (!isWorking(order)) return withEnded(state, order)
  const others = (state.orders.value ?? []).filter((other) => listKey(other) !== listKey(order))
  const orders = { ...state.orders, value: [order, ...others] }
  return { ...state, orders: state.orders.atMs === null ? arrived(orders.value, atMs) : orders }
}

export function withOrderOutcome<S extends OrderNeeds>(
  state: S,
  event: Extract<WriteEvent, { type: 'orderOutcome' }>,
): S {
  const { outcome, draft, atMs } = event
  const ticket = state.ticket?.stage === 'sending' ? null : state.ticket
  switch (outcome.kind) {
    case 'accepted':
      return withAccepted(
        withoutUnsettled(withCursorAfter({ ...state, ticket }, event, outcome.order), outcome.order.clientOrderId),
        event,
        outcome.order,
      )
    case 'rejected':
      return noted(
        withEnded(
          withoutUnsettled({ ...state, ticket: backToEdit(state) }, outcome.clientOrderId),
          rejectedOrder(event, outcome, atMs + state.ahead.exchangeMs),
        ),
        'bad',
        `Order rejected: ${outcome.reason}. Nothing was placed.`,
        atMs,
      )
    case 'unknown': {
      const sentence = unknownOrderSentence(outcome)
      const order = unansweredOrder(draft, outcome.clientOrderId, atMs + state.ahead.exchangeMs)
      const entry: Unsettled = {
        key: outcome.clientOrderId,
        kind: 'order',
        symbol: draft.symbol,
        sentence,
        atMs,
        order,
        question: null,
      }
      return noted(withUnanswered({ ...state, ticket }, entry), 'bad', sentence, atMs)
    }
  }
}

/** A refused order's ticket stays open with what was typed, ready to be put right. */
export function backToEdit(state: TicketSlice): TicketSlice['ticket'] {
  return state.ticket?.stage === 'sending' ? { ...state.ticket, stage: 'edit' } : state.ticket
}

/** The list of orders with the cursor on another line. */
export function withOrderChosen<S extends TablesSlice>(state: S, selectedKey: string): S {
  const { tables } = state
  const views = { ...tables.views, orders: { ...tables.views.orders, selectedKey } }
  return { ...state, tables: { ...tables, views } }
}

/** The cursor follows an order that was moved from the list to where it is now. */
function withCursorAfter<S extends TablesSlice>(state: S, event: OutcomeEvent, order: Order): S {
  const isOn = event.movedFrom !== undefined && state.tables.views.orders.selectedKey === event.movedFrom.orderId
  return isOn ? withOrderChosen(state, orderKey(order)) : state
}
