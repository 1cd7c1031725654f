import type { CommandContext } from '../command-context.ts'

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
