import type { Result } from '../../base/result.ts'
import { type Fill, mergedFills, newestFillFirst } from '../../domain/orders/fills.ts'
import { compareIds, type Order, orderHistoryMax, orderName } from '../../domain/orders/order.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import type { SliceContext } from '../slice.ts'

/** How far back a list goes: not read yet, some pages, to its first entry, or to the maximum. */
type Reach = 'none' | 'some' | 'all' | 'most'
/** The call for a page: of older ones unless given. */
type PageCall =
  | { kind: 'resting' }
  | { kind: 'asking'; page?: 'newer' }
  | { kind: 'failed'; sentence: string; page?: 'newer' }

/** Ended orders as listed by the exchange, read page by page when the user looks for them. */
export type OrderHistory = {
  /** Newest first, each once. */
  orders: readonly Order[]
  reach: Reach
  call: PageCall
  /** When the newest ones were last requested; null before. */
  atMs: number | null
}

/**
 * A page. `isLast`: there are no older ones; one of newer ones does not change the reach. `failure`: what of it could
 * not be read and why, as a clause.
 */
type OrderHistoryPage = { orders: readonly Order[]; isLast: boolean; failure?: string }

export type OrderHistoryEvent =
  | { type: 'orderHistoryAsked'; page: 'older' | 'newer' }
  | ({ type: 'orderHistory'; page: 'older' | 'newer'; atMs: number } & OrderHistoryPage)
  | { type: 'orderHistoryFailed'; page: 'older' | 'newer'; sentence: string }

export const emptyOrderHistory: OrderHistory = { orders: [], reach: 'none', call: { kind: 'resting' }, atMs: null }

/** The event for the answer to a page. */
export function historyAnswered(
  page: 'older' | 'newer',
  answer: Result<OrderHistoryPage>,
  atMs: number,
): OrderHistoryEvent {
  return answer.ok
    ? { type: 'orderHistory', page, ...answer.value, atMs }
    : { type: 'orderHistoryFailed', page, sentence: answer.error }
}

/** Sorts by exchange time, newest first, and by descending id within one time. */
export const newestFirst = (left: Order, right: Order): number =>
  (right.timestampMs ?? 0) - (left.timestampMs ?? 0) || compareIds(orderName(right), orderName(left))

/** Merges two lists, newest first, each order once; a known report stays. */
function merged(known: readonly Order[], more: readonly Order[]): readonly Order[] {
  const ids = new Set(known.map(orderName))
  const fresh = more.filter((order) => !ids.has(orderName(order)))
  return fresh.length === 0 ? known : [...known, ...fresh].toSorted(newestFirst)
}

const ofPage = (page: 'older' | 'newer'): { page?: 'newer' } => (page === 'newer' ? { page } : {})

const resting = { kind: 'resting' } as const
const failedCall = (page: 'older' | 'newer', sentence: string): PageCall => ({
  ...{ kind: 'failed', sentence },
  ...ofPage(page),
})

/** The history after an event. */
export function reduceOrderHistory(history: OrderHistory, event: OrderHistoryEvent): OrderHistory {
  switch (event.type) {
    case 'orderHistoryAsked':
      return { ...history, call: { kind: 'asking', ...ofPage(event.page) } }
    case 'orderHistoryFailed':
      return { ...history, call: failedCall(event.page, event.sentence) }
    case 'orderHistory': {
      const orders = merged(history.orders, event.orders)
      const isFull = orders.length >= orderHistoryMax
      const reach = isFull ? 'most' : event.page === 'newer' ? history.reach : event.isLast ? 'all' : 'some'
      const isFirst = history.atMs === null || event.page === 'newer'
      const atMs = isFirst ? event.atMs : history.atMs
      const call = event.failure === undefined ? resting : failedCall(event.page, event.failure)
      return { orders: orders.slice(0, orderHistoryMax), reach, call, atMs }
    }
  }
}

/** Fills older than the polled ones, read page by page when the user scrolls to them. */
export type FillHistory = {
  /** Newest first, each once. */
  fills: readonly Fill[]
  reach: Reach
  call: PageCall
}

export type FillHistoryEvent =
  | { type: 'fillHistoryAsked' }
  /** `isLast`: there are no older ones. */
  | { type: 'fillHistory'; fills: readonly Fill[]; isLast: boolean }
  | { type: 'fillHistoryFailed'; sentence: string }

/** The event for the answer to a page. */
export const fillHistoryAnswered = (answer: Result<{ fills: readonly Fill[]; isLast: boolean }>): FillHistoryEvent =>
  answer.ok ? { type: 'fillHistory', ...answer.value } : { type: 'fillHistoryFailed', sentence: answer.error }

/** Maximum kept, more than anyone scrolls through; `pitdesk fills --all` has older ones. */
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
      const reach = fills.length >= fillHistoryMax ? 'most' : event.isLast ? 'all' : 'some'
      return { fills, reach, call: { kind: 'resting' } }
    }
  }
}

/**
 * The history after a poll: polled fills that the list has no room for any more go on between it and the older ones
 * that the user has scrolled to. Without those there is no gap: what is older than the list is asked for.
 */
export function withDroppedFills(
  history: FillHistory,
  listed: readonly Fill[] | null,
  polled: Iterable<Fill>,
): FillHistory {
  const oldest = listed?.at(-1)
  if (oldest === undefined || (history.reach === 'none' && history.call.kind !== 'asking')) return history
  const merged = mergedFills(
    history.fills,
    [...polled].filter((fill) => newestFillFirst(fill, oldest) > 0),
  )
  if (merged === history.fills) return history
  const reach = merged.length > fillHistoryMax ? 'most' : history.reach
  return { ...history, fills: merged.slice(0, fillHistoryMax), reach }
}

export type HistorySlice = {
  orderHistory: OrderHistory
  /** Fills older than those in `fills`, as far as the user scrolled. */
  fillHistory: FillHistory
}

export const emptyHistory: HistorySlice = { orderHistory: emptyOrderHistory, fillHistory: emptyFillHistory }

/** The parts that its commands use. */
type Context = SliceContext<FeedsSlice & HistorySlice, OrderHistoryEvent | FillHistoryEvent, HistoryPort>

export type OrderHistoryCommands = {
  /** Requests the page before the oldest one, unless one is in progress or there are no older ones. */
  fetchOlderOrders(): void
}

/** Age at which the newest orders are requested again when the user looks. */
const lookAgainAfterMs = 15_000

function ask({ store, port }: Context, page: 'older' | 'newer'): void {
  store.dispatch({ type: 'orderHistoryAsked', page })
  port.fetchOrderHistory(page)
}

/** Call when the user looks at the orders: requests the first page when there is none, and newer ones after a while. */
export function lookAtOrderHistory(context: Context): void {
  const { call, atMs, reach } = context.store.getState().orderHistory
  if (call.kind === 'asking') return
  if (reach === 'none') ask(context, 'older')
  else if (atMs === null || context.port.now() - atMs > lookAgainAfterMs) ask(context, 'newer')
}

/** Commands of the order history, which is read only when the user looks for it. */
export const createOrderHistoryCommands = (context: Context): OrderHistoryCommands => ({
  fetchOlderOrders() {
    const { call, reach } = context.store.getState().orderHistory
    if (call.kind !== 'asking' && (reach === 'none' || reach === 'some')) ask(context, 'older')
  },
})

export type FillHistoryCommands = {
  /** Requests the fills before the oldest known one, unless a page is in progress or there are no older ones. */
  fetchOlderFills(): void
}

/** Commands of older fills, which are read only when the user scrolls to them. */
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
  /** Requests a page of ended orders; it arrives as an event. */
  fetchOrderHistory(page: 'older' | 'newer'): void
  /** Requests the fills before this one; they arrive as an event. */
  fetchFillHistory(oldest: Fill): void
}
