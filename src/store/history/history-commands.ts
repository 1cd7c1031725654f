import type { CommandContext } from '../context.ts'
import { allFills } from './history.ts'

export type OrderHistoryCommands = {
  /** Somebody looks at the orders: the first page of history when there is none, newer ones when it is a while old. */
  lookAtOrderHistory(): void
  /** Asks for the page before the oldest one, unless one is on its way or nothing is older. */
  fetchOlderOrders(): void
}

/** History that was asked for longer ago is asked for again when somebody looks. */
const lookAgainAfterMs = 15_000

function ask({ store, port }: Pick<CommandContext, 'store' | 'port'>, page: 'older' | 'newer'): void {
  store.dispatch({ type: 'orderHistoryAsked' })
  port.fetchOrderHistory(page)
}

/** See the command of this name. */
export function lookAtOrderHistory(context: Pick<CommandContext, 'store' | 'port'>): void {
  const { call, atMs, reach } = context.store.getState().orderHistory
  if (call.kind === 'asking') return
  if (reach === 'none') ask(context, 'older')
  else if (atMs === null || context.port.now() - atMs > lookAgainAfterMs) ask(context, 'newer')
}

/** The history is fetched when a person looks for it and never by itself. */
export const createOrderHistoryCommands = (context: CommandContext): OrderHistoryCommands => ({
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
export function createFillHistoryCommands({ store, port }: CommandContext): FillHistoryCommands {
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
