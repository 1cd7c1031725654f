import type { FeedsSlice } from '../feeds/feeds.ts'
import type { SliceContext } from '../slice.ts'
import { allFills, type FillHistoryEvent, type HistorySlice, type OrderHistoryEvent } from './history.ts'

/** What its commands work with. */
type Context = SliceContext<FeedsSlice & HistorySlice, OrderHistoryEvent | FillHistoryEvent, HistoryPort>

export type OrderHistoryCommands = {
  /** Somebody looks at the orders: the first page of history when there is none, newer ones when it is a while old. */
  lookAtOrderHistory(): void
  /** Asks for the page before the oldest one, unless one is on its way or nothing is older. */
  fetchOlderOrders(): void
}

/** History that was asked for longer ago is asked for again when somebody looks. */
const lookAgainAfterMs = 15_000

function ask({ store, port }: Context, page: 'older' | 'newer'): void {
  store.dispatch({ type: 'orderHistoryAsked' })
  port.fetchOrderHistory(page)
}

/** See the command of this name. */
export function lookAtOrderHistory(context: Context): void {
  const { call, atMs, reach } = context.store.getState().orderHistory
  if (call.kind === 'asking') return
  if (reach === 'none') ask(context, 'older')
  else if (atMs === null || context.port.now() - atMs > lookAgainAfterMs) ask(context, 'newer')
}

/** The history is fetched when a person looks for it and never by itself. */
export const createOrderHistoryCommands = (context: Context): OrderHistoryCommands => ({
  lookAtOrderHistory: () => lookAtOrderHistory(context),
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
      const oldest = allFills(fills.value, fillHistory.fills).at(-1)
      if (oldest === undefined) return
      store.dispatch({ type: 'fillHistoryAsked' })
      port.fetchFillHistory(oldest.execId)
    },
  }
}

export type HistoryPort = {
  /** Asks for a page of ended orders; it arrives as an event. */
  fetchOrderHistory(page: 'older' | 'newer'): void
  /** Asks for a page of fills from this execution backwards; it arrives as an event. */
  fetchFillHistory(execId: string): void
}
