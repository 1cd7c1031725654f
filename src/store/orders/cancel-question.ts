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
 * What a person wants taken back: all working orders of a symbol (null: of every symbol), one by the exchange's id, or
 * exactly those whose ids are listed, in `words` such as "your 2 buys in ETH-USD".
 */
export type CancelTarget =
  | { kind: 'all'; symbol: string | null }
  | { kind: 'one'; orderId: string }
  | { kind: 'orders'; orderIds: readonly string[]; words: string }

/** True for a working order that the target takes back. */
export function isMeant(target: CancelTarget, { orderId, symbol }: Pick<Order, 'orderId' | 'symbol'>): boolean {
  if (target.kind === 'all') return target.symbol === null || symbol === target.symbol
  if (target.kind === 'one') return orderId === target.orderId
  return orderId !== null && target.orderIds.includes(orderId)
}

/** Asks whether it is to be taken back. */
export type ConfirmCancelOverlay = { kind: 'confirmCancel'; target: CancelTarget }

/** What of the working orders may be taken back at once, each by a key of the question. */
const cancelChoices = ['row', 'chosen', 'buys', 'sells', 'symbol', 'all', 'last'] as const
export type CancelChoice = (typeof cancelChoices)[number]

/** What the choices are made from. */
type Choosing = ViewSlice & LadderSlice & FeedsSlice & TablesSlice

type OrdersTarget = Extract<CancelTarget, { kind: 'orders' }>

/** Orders that are meant together: of a side or both, of a symbol or every one, all of them or only the newest. */
export type CancelSome = { side: Side | null; symbol: string | null; isLast: boolean } & Partial<OrderBounds>

/** `unpriced`: how many were left out by a bound because they have no limit price. */
type Meant = { orders: readonly Order[]; words: string; isOfMany: boolean; unpriced?: number }

/** The order that began to work last, by the exchange's clock; of those of one moment the one that is listed first. */
const lastOf = (orders: readonly Order[]): Order[] =>
  orders.toSorted((left, right) => (right.timestampMs ?? 0) - (left.timestampMs ?? 0)).slice(0, 1)

/** Whether an order is of those. A bound is of the limit price: the exchange does not tell where a stop triggers. */
function isWithin(order: Order, { isStops = false, above = null, below = null }: CancelSome): boolean {
  const { limitPrice: price } = order
  if (isStops && !(isStopType(order.type) && isPending(order))) return false
  if (above !== null && price?.gt(above) !== true) return false
  return below === null || price?.lt(below) === true
}

/** Those of a side and a symbol as the desk lists them now; the words name the scope they were taken from. */
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

/** The orders of a choice as the desk lists them now. Without a symbol named it is the one on screen. */
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
 * The orders of a choice by their ids, to be asked about; null where there is none. One whose id the exchange has not
 * told yet cannot be named in a cancel, and the words say so.
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

/** Why nothing can be asked about, where there may be something all the same; null: there is nothing. */
export function whyNoneNamed(state: Choosing, choices: readonly (CancelChoice | CancelSome)[]): string | null {
  if (state.orders.value === null) return 'Your orders are not loaded yet: wait.'
  return choices.some((choice) => ordersOf(state, choice).orders.length > 0)
    ? 'Its exchange id is not known yet: cancel all of its symbol removes it.'
    : null
}

export type CancelQuestionCommands = {
  /** Asks about the orders nearest to the keys: of the row or the list, else of the symbol, else all. */
  askCancelHere(): void
  /** Asks about these instead. */
  askCancelOf(choice: CancelChoice): void
  /** Puts the question whether to take these orders back. */
  askCancel(target: CancelTarget): void
  confirmCancel(): void
}

export type CancelPort = {
  /** Each by itself; of several it is said at the end how they went, in one notice. */
  cancelOrders(orderIds: readonly string[]): void
  /** Null: every symbol. */
  cancelAll(symbol: string | null): void
}

type Context = SliceContext<
  ModeSlice & Choosing & Covering,
  OverlayEvent<ConfirmCancelOverlay> | NotedEvent,
  CancelPort
>

/** What a choice found nothing of: other orders may work all the same. */
function noneText(choice: CancelChoice, symbol: string): string {
  if (choice === 'row') return 'No order of yours in the row: the cursor of the ladder is not at one.'
  if (choice === 'chosen') return 'No working order is selected in 2 Orders.'
  const name = choice === 'buys' ? 'buy' : choice === 'sells' ? 'sell' : 'order'
  return `You have no working ${name}${choice === 'all' ? '' : ` in ${symbol}`}.`
}

const nearest: readonly CancelChoice[] = ['row', 'chosen', 'symbol', 'all']

/** The question of what is to be taken back. What is asked about is what goes: orders that come later stay. */
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
      // Exactly those that were asked about: one that came since the question stays.
      else port.cancelOrders(target.kind === 'one' ? [target.orderId] : target.orderIds)
    },
  }
}
