import { isPending, isStopType, type Order, orderName, restsInBook } from '../../domain/orders/order.ts'
import { boundsText, kindName } from '../../domain/orders/sentence.ts'
import type { OrderBounds } from '../../domain/orders/sentence-clauses.ts'
import type { Side } from '../../domain/side.ts'
import { type FeedsSlice, isOrderListWhole } from '../feeds/feeds.ts'
import { activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { cancelGuard, type ModeSlice } from '../mode.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import { isAtLadder } from '../view/pane-before.ts'
import type { ViewSlice } from '../view/view.ts'
import { ordersAtCursor, workingOrder } from './order-selectors.ts'

/**
 * The orders to cancel: all working orders of a symbol (null: of every symbol), one by the exchange's id, or exactly
 * those listed, in `words` such as "your 2 buys in ETH-USD".
 */
export type CancelTarget =
  | { kind: 'all'; symbol: string | null }
  | { kind: 'one'; orderId: string }
  | { kind: 'orders'; orderIds: readonly string[]; words: string }

/** True for a working order that the target includes. */
export function isMeant(target: CancelTarget, { orderId, symbol }: Pick<Order, 'orderId' | 'symbol'>): boolean {
  if (target.kind === 'all') return target.symbol === null || symbol === target.symbol
  if (target.kind === 'one') return orderId === target.orderId
  return orderId !== null && target.orderIds.includes(orderId)
}

/** Asks whether to cancel it. */
export type ConfirmCancelOverlay = { kind: 'confirmCancel'; target: CancelTarget }

/** The groups of working orders that can be canceled at once, each by a key of the question. */
const cancelChoices = ['row', 'chosen', 'buys', 'sells', 'symbol', 'all', 'last'] as const
export type CancelChoice = (typeof cancelChoices)[number]

/** The state for the choices. */
type Choosing = ViewSlice & LadderSlice & FeedsSlice & TablesSlice

type OrdersTarget = Extract<CancelTarget, { kind: 'orders' }>

/** A group of orders: of a side or both, of a symbol or every one, all of them or only the newest. */
export type CancelSome = { side: Side | null; symbol: string | null; isLast: boolean } & Partial<OrderBounds>

/** `unpriced`: the number left out by a bound because they have no limit price. */
type Meant = { orders: readonly Order[]; words: string; isOfMany: boolean; unpriced?: number }

/** The newest working order by the exchange's clock; of several at one moment the first listed. */
const lastOf = (orders: readonly Order[]): Order[] =>
  orders.toSorted((left, right) => (right.timestampMs ?? 0) - (left.timestampMs ?? 0)).slice(0, 1)

/** True for an order of the group. A bound is on the limit price: the exchange does not report a stop's trigger. */
function isWithin(order: Order, { isStops = false, above = null, below = null }: CancelSome): boolean {
  const { limitPrice: price } = order
  if (isStops && !(isStopType(order.type) && isPending(order))) return false
  if (above !== null && price?.gt(above) !== true) return false
  return below === null || price?.lt(below) === true
}

/** A group of the presently listed orders; the words name its scope. */
function someOrders(state: Choosing, some: CancelSome): Meant {
  const { side, symbol, isLast, isStops = false, above = null, below = null } = some
  const working = state.orders.value ?? []
  const ofSide = working.filter(
    (order) => (symbol === null || order.symbol === symbol) && (side === null || order.side === side),
  )
  const found = ofSide.filter((order) => isWithin(order, some))
  const isBound = above !== null || below !== null
  const orders = isLast ? lastOf(found) : found
  const name = kindName(side, isStops)
  const bounds = boundsText({ above, below })
  const where = `${bounds}${symbol === null ? '' : ` of ${symbol}`}`
  const one = `your ${isLast ? 'last' : 'only'} ${name}${where}, ${orders.map(orderName).join('')}`
  return {
    orders,
    words:
      orders.length === 1
        ? one
        : `all ${orders.length} ${name}s${symbol === null ? `${bounds} of every symbol` : where}`,
    isOfMany: !isLast,
    unpriced: isBound ? ofSide.filter(({ limitPrice }) => limitPrice === null).length : 0,
  }
}

/** The presently listed orders of a choice, by default in the symbol on screen. */
function ordersOf(state: Choosing, choice: CancelChoice | CancelSome): Meant {
  if (typeof choice !== 'string') return someOrders(state, choice)
  const symbol = activeSymbol(state)
  const some = (change: Partial<CancelSome>) => someOrders(state, { side: null, symbol, isLast: false, ...change })
  switch (choice) {
    case 'row': {
      const orders = isAtLadder(state) ? ordersAtCursor(state).filter(restsInBook) : []
      const one = `your order ${orders.map(orderName).join('')} of the row`
      const words = orders.length === 1 ? one : `all ${orders.length} orders of the row in ${symbol}`
      return { orders, words, isOfMany: true }
    }
    case 'chosen': {
      const chosen =
        state.focus === 'orders' ? workingOrder(state, state.tables.views.orders.selectedKey ?? '') : undefined
      const orders = chosen === undefined ? [] : [chosen]
      return { orders, words: `your selected order ${orders.map(orderName).join('')}`, isOfMany: false }
    }
    case 'buys':
      return some({ side: 'BUY' })
    case 'sells':
      return some({ side: 'SELL' })
    case 'symbol':
      return some({})
    case 'all':
      return some({ symbol: null })
    case 'last':
      return some({ isLast: true })
  }
}

/**
 * The orders of a choice by their ids, for the question; null for none. One whose exchange id is not known yet cannot
 * be canceled by id, and the words say so.
 */
export function cancelTargetOf(state: Choosing, choice: CancelChoice | CancelSome): OrdersTarget | null {
  const { orders, words, isOfMany, unpriced = 0 } = ordersOf(state, choice)
  const named = orders.flatMap(({ orderId }) => orderId ?? [])
  if (named.length === 0) return null
  const unnamed = orders.length - named.length
  const besides = [
    ...(unpriced === 0 ? [] : [`${unpriced} without a limit price left out`]),
    ...(unnamed === 0 ? [] : [`${unnamed} without an id yet`]),
    ...(isOfMany && !isOrderListWhole(state) ? ['the list is not whole'] : []),
  ]
  const text = besides.length === 0 ? words : `${words}, but ${besides.join(' and ')}`
  return { kind: 'orders', orderIds: [...new Set(named)], words: text }
}

/** Why the question cannot be asked although there may be orders; null when there are none. */
export function whyNoneNamed(state: Choosing, choices: readonly (CancelChoice | CancelSome)[]): string | null {
  if (state.orders.value === null) return 'Your orders are not loaded yet: wait.'
  return choices.some((choice) => ordersOf(state, choice).orders.length > 0)
    ? 'Its exchange id is not known yet: cancel all of its symbol removes it.'
    : null
}

export type CancelQuestionCommands = {
  /** Asks about the orders nearest to the focus: of the row or the list, else of the symbol, else all. */
  askCancelHere(): void
  /** Asks about these instead. */
  askCancelOf(choice: CancelChoice): void
  /** Asks whether to cancel these orders. */
  askCancel(target: CancelTarget): void
  confirmCancel(): void
}

export type CancelPort = {
  /** Each by itself; several are reported at the end in one notice. */
  cancelOrders(orderIds: readonly string[]): void
  /** Null: every symbol. */
  cancelAll(symbol: string | null): void
}

type Context = SliceContext<
  ModeSlice & Choosing & Covering,
  OverlayEvent<ConfirmCancelOverlay> | NotedEvent,
  CancelPort
>

/** The notice for an empty choice: other orders may still work. */
function noneText(choice: CancelChoice, symbol: string): string {
  if (choice === 'row') return 'No order of yours in the row: the cursor of the ladder is not at one.'
  if (choice === 'chosen') return 'No working order is selected in 2 Orders.'
  const name = choice === 'buys' ? 'buy' : choice === 'sells' ? 'sell' : 'order'
  return `You have no working ${name}${choice === 'all' ? '' : ` in ${symbol}`}.`
}

const nearest: readonly CancelChoice[] = ['row', 'chosen', 'symbol', 'all']

/** The question about a cancel. It covers exactly the orders asked about: later ones stay. */
export function createCancelQuestionCommands({ store, port }: Context): CancelQuestionCommands {
  const say = sayer({ store, port })
  const mayTakeBack = cancelGuard({ store, port })
  const ask = (choices: readonly CancelChoice[], otherwise: string) => {
    if (!mayTakeBack()) return
    const state = store.getState()
    const target = choices.map((choice) => cancelTargetOf(state, choice)).find((each) => each !== null)
    if (target === undefined) return say(whyNoneNamed(state, choices) ?? otherwise)
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'confirmCancel', target } })
  }
  return {
    askCancelHere: () => ask(nearest, 'No working order to cancel.'),
    askCancelOf: (choice) => ask([choice], noneText(choice, activeSymbol(store.getState()))),
    askCancel(target) {
      if (mayTakeBack()) store.dispatch({ type: 'overlayOpened', overlay: { kind: 'confirmCancel', target } })
    },
    confirmCancel() {
      const { overlay } = store.getState()
      if (!isOverlay<ConfirmCancelOverlay>(overlay, 'confirmCancel') || !mayTakeBack()) return
      store.dispatch({ type: 'overlayClosed' })
      const { target } = overlay
      if (target.kind === 'all') port.cancelAll(target.symbol)
      // Exactly those asked about: one that came since stays.
      else port.cancelOrders(target.kind === 'one' ? [target.orderId] : target.orderIds)
    },
  }
}
