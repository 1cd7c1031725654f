import { restsInBook } from '../../domain/market/ladder.ts'
import { type Order, orderName, type Side } from '../../domain/orders/order.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { cancelGuard, type ModeSlice } from '../mode.ts'
import { ordersAtCursor, workingOrder } from '../orders/order-selectors.ts'
import type { OverlayEvent, SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import type { ViewSlice } from '../view/view.ts'
import type { CancelTarget, ConfirmCancelOverlay } from './palette.ts'

/** What of the working orders may be taken back at once, each by a key of the question. */
export const cancelChoices = ['row', 'chosen', 'buys', 'sells', 'symbol', 'all', 'last'] as const
export type CancelChoice = (typeof cancelChoices)[number]

/** What the choices are made from. */
type Choosing = ViewSlice & LadderSlice & FeedsSlice & TablesSlice

type OrdersTarget = Extract<CancelTarget, { kind: 'orders' }>

const counted = (orders: readonly Order[], one: string, many: string): string =>
  orders.length === 1 ? `your ${one} ${orders.map(orderName).join('')}` : `all ${orders.length} ${many}`

/** The order that began to work last, by the exchange's clock; of those of one moment the one that is listed first. */
export const lastOf = (orders: readonly Order[]): Order[] =>
  orders.toSorted((left, right) => (right.timestampMs ?? 0) - (left.timestampMs ?? 0)).slice(0, 1)

/** The orders of a choice as the desk lists them now. */
function ordersOf(state: Choosing, choice: CancelChoice): { orders: readonly Order[]; words: string } {
  const working = state.orders.value ?? []
  const symbol = activeSymbol(state)
  const ofSymbol = working.filter((order) => order.symbol === symbol)
  const ofSide = (side: Side) => ofSymbol.filter((order) => order.side === side)
  switch (choice) {
    case 'row': {
      const orders =
        state.focus === 'ladder' || state.focus === 'ladder2' ? ordersAtCursor(state).filter(restsInBook) : []
      return { orders, words: counted(orders, 'order', `orders of the row in ${symbol}`) }
    }
    case 'chosen': {
      const chosen =
        state.focus === 'orders' ? workingOrder(state, state.tables.views.orders.selectedKey ?? '') : undefined
      const orders = chosen === undefined ? [] : [chosen]
      return { orders, words: counted(orders, 'selected order', '') }
    }
    case 'buys':
      return { orders: ofSide('BUY'), words: counted(ofSide('BUY'), 'buy', `buys in ${symbol}`) }
    case 'sells':
      return { orders: ofSide('SELL'), words: counted(ofSide('SELL'), 'sell', `sells in ${symbol}`) }
    case 'symbol':
      return { orders: ofSymbol, words: counted(ofSymbol, 'order', `orders in ${symbol}`) }
    case 'all':
      return { orders: working, words: counted(working, 'order', 'orders, every symbol') }
    case 'last':
      return { orders: lastOf(working), words: counted(lastOf(working), 'last order', '') }
  }
}

/** Whether the list has every order: none of it is unreadable, and it was read to its end. */
export function isListWhole({ unreadable }: FeedsSlice): boolean {
  const { entries = [], isWhole = true } = unreadable.orders ?? {}
  return isWhole && entries.length === 0
}

/**
 * The orders of a choice by their ids, to be asked about; null where there is none. One whose id the exchange has not
 * told yet cannot be named in a cancel, and the words say so.
 */
export function cancelTargetOf(state: Choosing, choice: CancelChoice): OrdersTarget | null {
  const { orders, words } = ordersOf(state, choice)
  const named = orders.flatMap(({ orderId }) => orderId ?? [])
  if (named.length === 0) return null
  const unnamed = orders.length - named.length
  const isOfMany = choice !== 'chosen' && choice !== 'last'
  const besides = [
    ...(unnamed === 0 ? [] : [`${unnamed} without an id yet`]),
    ...(isOfMany && !isListWhole(state) ? ['the list is not whole'] : []),
  ]
  const text = besides.length === 0 ? words : `${words}, but ${besides.join(' and ')}`
  return { kind: 'orders', orderIds: [...new Set(named)], words: text }
}

/** Why nothing can be asked about, where there may be something all the same; null: there is nothing. */
function whyNoneNamed(state: Choosing, choices: readonly CancelChoice[]): string | null {
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
}

type Context = SliceContext<ModeSlice & Choosing, OverlayEvent<ConfirmCancelOverlay> | NotedEvent>

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
    askCancelOf: (choice) => ask([choice], 'None of these is working.'),
  }
}
