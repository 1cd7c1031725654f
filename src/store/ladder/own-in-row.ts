import { restsInBook, rowPrice } from '../../domain/market/ladder.ts'
import type { Decimal } from '../../domain/money.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { DeskState } from '../state.ts'
import { activeLadder, activeSymbol } from './ladders.ts'

/** Own working orders that the active ladder shows in the row of the cursor, or in that of another price. */
export function ordersAtCursor(state: DeskState, at: Decimal | null = state[activeLadder(state)].cursorPrice): Order[] {
  const symbol = activeSymbol(state)
  const instrument = state.instruments.value?.get(symbol)
  const { groupTicks } = state[activeLadder(state)]
  if (instrument === undefined || at === null) return []
  return (state.orders.value ?? []).filter((order) => {
    if (order.symbol !== symbol || !restsInBook(order)) return false
    const side = order.side === 'BUY' ? 'bid' : 'ask'
    return rowPrice(order.limitPrice, instrument, groupTicks, side).eq(rowPrice(at, instrument, groupTicks, side))
  })
}
