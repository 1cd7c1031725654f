import type { Result } from '../../base/result.ts'
import { type Fill, mergedFills } from '../../domain/orders/fills.ts'
import { compareIds, type Order, orderName } from '../../domain/orders/order.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import type { SliceContext } from '../slice.ts'

/** How far back a list goes: nowhere yet, some pages, to the first entry there is, or as far as is kept. */
type Reach = 'none' | 'some' | 'all' | 'most'
/** The call for a page of it. */
type PageCall = { kind: 'resting' } | { kind: 'asking' } | { kind: 'failed'; sentence: string }

/** Ended orders as the exchange lists them, fetched page by page when somebody looks for them. */
export type OrderHistory = {
  /** Newest first, each once. */
  orders: readonly Order[]
  reach: Reach
  call: PageCall
  /** When the newest ones were last asked for. */
  atMs: number | null
}

export type OrderHistoryEvent =
  | { type: 'orderHistoryAsked' }
  /** `isLast`: nothing is older. A page of newer ones says nothing about how far back the list goes. */
  | { type: 'orderHistory'; page: 'older' | 'newer'; orders: readonly Order[]; isLast: boolean; atMs: number }
  | { type: 'orderHistoryFailed'; sentence: string }

/** More than anyone scrolls through; what is older is a matter for `pitdesk orders --all`. */
export const orderHistoryMax = 5_000

export const emptyOrderHistory: OrderHistory = { orders: [], reach: 'none', call: { kind: 'resting' }, atMs: null }

/** What came of asking for a page, as an event. */
export function historyAnswered(
  page: 'older' | 'newer',
  answer: Result<{ orders: readonly Order[]; isLast: boolean }>,
  atMs: number,
): OrderHistoryEvent {
  return answer.ok
    ? { type: 'orderHistory', page, ...answer.value, atMs }
    : { type: 'orderHistoryFailed', sentence: answer.error }
}

/** By the time the exchange gives, the later id first where that is the same. */
export const newestFirst = (left: Order, right: Order): number =>
  (right.timestampMs ?? 0) - (left.timestampMs ?? 0) || compareIds(orderName(right), orderName(left))

/** Both lists as one, newest first, each order once; the report that was there first stays. */
function merged(known: readonly Order[], more: readonly Order[]): readonly Order[] {
  const ids = new Set(known.map(orderName))
  const fresh = more.filter((order) => !ids.has(orderName(order)))
  return fresh.length === 0 ? known : [...known, ...fresh].toSorted(newestFirst)
}

/** The history after an event. */
export function reduceOrderHistory(history: OrderHistory, event: OrderHistoryEvent): OrderHistory {
  switch (event.type) {
    case 'orderHistoryAsked':
      return { ...history, call: { kind: 'asking' } }
    case 'orderHistoryFailed':
      return { ...history, call: { kind: 'failed', sentence: event.sentence } }
    case 'orderHistory': {
      const orders = merged(history.orders, event.orders)
      const isFull = orders.length >= orderHistoryMax
      const reach = isFull ? 'most' : event.page === 'newer' ? history.reach : event.isLast ? 'all' : 'some'
      const isFirst = history.atMs === null || event.page === 'newer'
      const atMs = isFirst ? event.atMs : history.atMs
      return { orders: orders.slice(0, orderHistoryMax), reach, call: { kind: 'resting' }, atMs }
    }
  }
}

/** Fills from before those that polls bring, fetched page by page when somebody scrolls to them. */
export type FillHistory = {
  /** Newest first, each once. */
  fills: readonly Fill[]
  reach: Reach
  call: PageCall
}

export type FillHistoryEvent =
  | { type: 'fillHistoryAsked' }
  /** `isLast`: nothing is older. */
  | { type: 'fillHistory'; fills: readonly Fill[]; isLast: boolean }
  | { type: 'fillHistoryFailed'; sentence: string }

/** What became of a page that was asked for, as an event. */
export const fillHistoryAnswered = (answer: Result<{ fills: readonly Fill[]; isLast: boolean }>): FillHistoryEvent =>
  answer.ok ? { type: 'fillHistory', ...answer.value } : { type: 'fillHistoryFailed', sentence: answer.error }

/** More than anyone scrolls through; what is older is a matter for `pitdesk fills --all`. */
export const fillHistoryMax = 5_000

export const emptyFillHistory: FillHistory = { fills: [], reach: 'none', call: { kind: 'resting' } }

/** The history after an event. */
export function reduceFillHistory(history: FillHistory, event: FillHistoryEvent): FillHistory {
  switch (event.type) {
    case 'fillHistoryAsked':
      return { ...history, call: { kind: 'asking' } }
    case 'fillHistoryFailed':
      return { ...history, call: { kind: 'failed', sentence: event.sentence } }
    case 'fillHistory': {
      const fills = mergedFills(history.fills, event.fills).slice(0, fillHistoryMax)
      const reach = event.isLast ? 'all' : fills.length >= fillHistoryMax ? 'most' : 'some'
      return { fills, reach, call: { kind: 'resting' } }
    }
  }
}

export type HistorySlice = {
  orderHistory: OrderHistory
  /** Fills from before those in `fills`, as far as somebody scrolled. */
  fillHistory: FillHistory
}

export const emptyHistory: HistorySlice = { orderHistory: emptyOrderHistory, fillHistory: emptyFillHistory }

/** What its commands work with. */
type Context = SliceContext<FeedsSlice & HistorySlice, OrderHistoryEvent | FillHistoryEvent, HistoryPort>

export type OrderHistoryCommands = {
  /** Asks for the page before the oldest one, unless one is on its way or nothing is older. */
  fetchOlderOrders(): void
}

/** History that was asked for longer ago is asked for again when somebody looks. */
const lookAgainAfterMs = 15_000

function ask({ store, port }: Context, page: 'older' | 'newer'): void {
  store.dispatch({ type: 'orderHistoryAsked' })
  port.fetchOrderHistory(page)
}

/** Somebody looks at the orders: the first page of history when there is none, newer ones when it is a while old. */
export function lookAtOrderHistory(context: Context): void {
  const { call, atMs, reach } = context.store.getState().orderHistory
  if (call.kind === 'asking') return
  if (reach === 'none') ask(context, 'older')
  else if (atMs === null || context.port.now() - atMs > lookAgainAfterMs) ask(context, 'newer')
}

/** The history is fetched when a person looks for it and never by itself. */
export const createOrderHistoryCommands = (context: Context): OrderHistoryCommands => ({
  fetchOlderOrders() {
    const { call, reach } = context.store.getState().orderHistory
    if (call.kind !== 'asking' && (reach === 'none' || reach === 'some')) ask(context, 'older')
  },
})

export type FillHistoryCommands = {
  /** Asks for the fills before the oldest one known, unless a page is on its way or nothing is older. */
  fetchOlderFills(): void
}

/** Older fills are fetched when a person scrolls to them and never by themselves. */
export function createFillHistoryCommands({ store, port }: Context): FillHistoryCommands {
  return {
    fetchOlderFills() {
      const { fillHistory, fills } = store.getState()
      const { call, reach } = fillHistory
      if (fills.value === null || call.kind === 'asking' || reach === 'all' || reach === 'most') return
      const oldest = mergedFills(fills.value, fillHistory.fills).at(-1)
      if (oldest === undefined) return
      store.dispatch({ type: 'fillHistoryAsked' })
      port.fetchFillHistory(oldest)
    },
  }
}

export type HistoryPort = {
  /** Asks for a page of ended orders; it arrives as an event. */
  fetchOrderHistory(page: 'older' | 'newer'): void
  /** Asks for the fills before this one; they arrive as an event. */
  fetchFillHistory(oldest: Fill): void
}
