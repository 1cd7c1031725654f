import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf, rowKeysOf } from '../../domain/desk/session.ts'
import { formatPrice } from '../../domain/market/instrument.ts'
import { restsInBook } from '../../domain/market/ladder.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { block, blockOf, type Check, isBlocked, unconfirmed, warn } from '../../domain/orders/checks/check.ts'
import { type CheckContext, preTradeChecks } from '../../domain/orders/checks/pre-trade.ts'
import { isWorking, type Order, type OrderDraft, orderName } from '../../domain/orders/order.ts'
import {
  contextWithout,
  movedDrafts,
  moveQuantities,
  type OrderTerms,
  orderTerms,
} from '../../domain/orders/order-move.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import type { LadderSlice } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { modeSentence } from '../mode.ts'
import { orderKey, ordersAtCursor, workingOrder } from '../orders/order-selectors.ts'
import type { RefreshPort, SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import { type Checked, checkContext } from '../ticket/check-context.ts'
import { reviewArmedAfterMs, type TicketSlice } from '../ticket/ticket.ts'
import type { ViewSlice } from '../view/view.ts'
import type { MoveEvent, MovePort, MoveSlice } from './move.ts'

/** What its commands work with. */
type Context = SliceContext<
  Checked & ViewSlice & LadderSlice & TicketSlice & MoveSlice & TablesSlice,
  MoveEvent | NotedEvent,
  MovePort & RefreshPort
>

/** A move as it would go out now: the order as it stands, what would be placed of it, and what the checks say. */
export type MoveReading = {
  /** As the exchange reported it last; null when it works no longer. */
  order: Order | null
  /** The order in whole, of which the service leaves out what has filled by then. */
  whole: OrderDraft
  /** What is open of it now. */
  rest: OrderDraft
  terms: OrderTerms
  checks: Check[]
}

/** The order that is moved, as the lists show it now. */
const liveOrder = (state: Pick<FeedsSlice, 'orders'>, { orderId }: Order): Order | null =>
  state.orders.value?.find((order) => order.orderId === orderId && isWorking(order)) ?? null

/** What the checks may rest on for an order that takes the place of another one; null: of none. */
export function contextInstead(state: Checked, symbol: string, insteadOf: string | null, nowMs: number): CheckContext {
  const context = checkContext(state, symbol, nowMs)
  const order = insteadOf === null ? undefined : state.orders.value?.find(({ orderId }) => orderId === insteadOf)
  return order === undefined ? context : contextWithout(context, order)
}

/** Why an order whose quantity nothing tells cannot be moved, as a clause. */
const unknownQuantity = (order: Order): string =>
  `open quantity of order ${orderName(order)} unknown: cancel it and place a new one instead`

/** Judges a move by the checks of every new order, as if the old one were canceled already. */
export function readMove(state: Checked, picked: Order, price: Decimal, nowMs: number = state.nowMs): MoveReading {
  const order = liveOrder(state, picked)
  const terms = orderTerms(picked, state.ownDrafts)
  const quantities = moveQuantities(order ?? picked, terms)
  const drafts = movedDrafts(order ?? picked, price, terms, quantities ?? { open: zero, whole: zero })
  if (order === null) {
    const ended = block('fields', `order ${orderName(picked)} is no longer working: nothing to move`)
    return { order, ...drafts, terms, checks: [ended] }
  }
  if (quantities === null) return { order, ...drafts, terms, checks: [block('fields', unknownQuantity(order))] }
  const context = contextInstead(state, order.symbol, order.orderId, nowMs)
  // The size is what it was: nobody has just typed it.
  const checks = preTradeChecks(drafts.rest, context).filter(({ rule }) => rule !== 'unusual')
  if (!terms.isKnown) checks.push(warn('fields', 'its time in force is not reported: the new one is GTC'))
  const instrument = state.instruments.value?.get(order.symbol)
  if (order.limitPrice?.eq(price) === true && instrument !== undefined) {
    const text = `it rests at ${formatPrice(price, instrument)} already: choose another price`
    return { order, ...drafts, terms, checks: [block('fields', text), ...checks] }
  }
  return { order, ...drafts, terms, checks }
}

export type MoveCommands = {
  /** Picks up the own order in the cursor's row; of several the first one, and with each further call the next. */
  moveAtCursor(): void
  /** Picks up the order chosen in the list. */
  moveSelectedOrder(): void
  /** Positive is up the screen, to higher prices. */
  stepMove(rows: number): void
  /** Choose → review when nothing blocks. */
  reviewMove(): void
  confirmMoveLimits(): void
  /**
   * Review → sent, once the review has been on screen for `reviewArmedAfterMs` and no soft limit is left to confirm.
   */
  sendMove(): void
  /** Review → choose, choose → let go: the order stays where it is. */
  backFromMove(): void
}

/**
 * Moving an own order to another price. There is no amend: the old one is canceled, and once that is certain what it
 * has not filled is placed anew.
 */
export function createMoveCommands({ store, port }: Context): MoveCommands {
  const say = sayer({ store, port }, { isOfField: true })
  const pickUp = (order: Order) => {
    const { mode, ticket, move, symbol } = store.getState()
    if (!mayPlace(mode)) return say(modeSentence(store.getState()))
    if (ticket !== null || move?.stage === 'sending') return say('Wait: the last order has no answer yet.')
    if (order.orderId === null) return say(`Order ${order.clientOrderId}: exchange id unknown. It cannot be moved.`)
    if (!restsInBook(order)) return say('Cannot move: only an order resting at a price can be.')
    if (moveQuantities(order, orderTerms(order, store.getState().ownDrafts)) === null)
      return say(`Not moved: ${unknownQuantity(order)}.`)
    store.dispatch({ type: 'moveOpened', order, price: order.limitPrice, atMs: port.now() })
    if (store.getState().symbol !== symbol) port.refresh()
  }
  return {
    moveAtCursor() {
      const state = store.getState()
      const { move } = state
      const held = move?.stage === 'choose' ? orderKey(move.order) : null
      // The cursor of a move stands on its target: the next order is one of the row that the move began in.
      const orders = ordersAtCursor(state, move?.stage === 'choose' ? move.order.limitPrice : undefined)
      const next = orders[(orders.findIndex((order) => orderKey(order) === held) + 1) % Math.max(1, orders.length)]
      if (next === undefined) return say('You have no resting order in this row.')
      pickUp(next)
    },
    moveSelectedOrder() {
      const state = store.getState()
      const order = workingOrder(state, state.tables.views.orders.selectedKey ?? '')
      if (order === undefined) return say(`No working order is selected: ${rowKeysOf(state.reboundKeys)} select one.`)
      pickUp(order)
    },
    stepMove: (rows) => store.dispatch({ type: 'movePriceStepped', rows, atMs: port.now() }),
    reviewMove() {
      const { move } = store.getState()
      if (move?.stage !== 'choose') return
      const atMs = port.now()
      const blocking = blockOf(readMove(store.getState(), move.order, move.price, atMs).checks)
      if (blocking !== undefined) return say(`Blocked: ${blocking.text}.`)
      store.dispatch({ type: 'moveReviewed', atMs })
    },
    confirmMoveLimits() {
      const { move } = store.getState()
      if (move?.stage !== 'review') return
      const { checks } = readMove(store.getState(), move.order, move.price, port.now())
      const rules = unconfirmed(checks, []).map(({ rule }) => rule)
      if (rules.length === 0) return say('Enter sends: no soft limit to confirm.')
      store.dispatch({ type: 'moveConfirmed', rules })
    },
    sendMove() {
      const state = store.getState()
      const { move } = state
      const atMs = port.now()
      // Shorter than a person's reaction: this Enter is the repeat of the one that opened the review.
      if (move?.stage !== 'review' || atMs - move.reviewedAtMs < reviewArmedAfterMs) return
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      const { order, whole, rest, checks } = readMove(state, move.order, move.price, atMs)
      if (order === null || order.orderId === null || isBlocked(checks)) {
        const reason = blockOf(checks)?.text ?? 'the order changed'
        store.dispatch({ type: 'moveBackToChoose' })
        return say(`Not sent: ${reason}. The order stays as it is.`)
      }
      const asked = unconfirmed(checks, move.confirmed)[0]
      if (asked !== undefined)
        return say(`Not sent: type ${keyOf(state.reboundKeys, 'confirmMoveLimits')}, then Enter. ${asked.text}.`)
      store.dispatch({ type: 'moveSending' })
      port.moveOrder({ orderId: order.orderId, whole, rest })
    },
    backFromMove() {
      const { move } = store.getState()
      if (move?.stage === 'choose') store.dispatch({ type: 'moveClosed' })
      if (move?.stage === 'review') store.dispatch({ type: 'moveBackToChoose' })
    },
  }
}
