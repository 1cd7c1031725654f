import { rowPrice } from '../../domain/ladder/ladder.ts'
import type { Decimal } from '../../domain/money.ts'
import { isPending, type Order, orderName, restsInBook } from '../../domain/orders/order.ts'
import { standsAt } from '../../domain/orders/order-move.ts'
import { noOwnDrafts, type OwnDrafts } from '../../domain/orders/own-draft.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeLadder, activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import type { ViewSlice } from '../view/view.ts'
import type { WritesSlice } from '../writes/writes.ts'

/** What identifies an order's row: the exchange's id once there is one. */
export const orderRowKey: (order: Order) => string = orderName

/** Own orders of a symbol that were sent and have no answer. */
export const unknownOrdersIn = (unsettled: WritesSlice['unsettled'], symbol: string): WritesSlice['unsettled'] =>
  unsettled.filter((write) => write.kind === 'order' && write.symbol === symbol)

/** The working order a row key stands for. */
export const workingOrder = (state: FeedsSlice, key: string): Order | undefined =>
  (state.orders.value ?? []).find((order) => orderRowKey(order) === key)

/** Own orders that rest in the symbol of the active ladder. */
export function restingOrders(state: ViewSlice & LadderSlice & FeedsSlice): Order[] {
  const symbol = activeSymbol(state)
  return (state.orders.value ?? []).filter((order) => order.symbol === symbol && restsInBook(order))
}

/** Why a key for the row of the cursor found no own order there. */
export function whyNoneInRow(state: ViewSlice & LadderSlice & FeedsSlice, keys: string): string {
  if (state[activeLadder(state)].cursorPrice !== null) return 'You have no working order in this row.'
  const symbol = activeSymbol(state)
  const count = (state.orders.value ?? []).filter((order) => order.symbol === symbol).length
  const orders = count === 0 ? 'no working order' : count === 1 ? '1 working order' : `${count} working orders`
  return `No cursor: ${keys} point at a row. You have ${orders} in ${symbol}.`
}

/** Own stops that are pending in a symbol at a trigger this desk knows. */
export const ownStopsIn = (
  { orders, ownDrafts }: FeedsSlice & Pick<WritesSlice, 'ownDrafts'>,
  symbol: string,
): Order[] =>
  (orders.value ?? []).filter(
    (order) => order.symbol === symbol && isPending(order) && standsAt(order, ownDrafts) !== null,
  )

/**
 * Own resting orders that the active ladder shows in the row of the cursor, or in that of another price; with `drafts`
 * the stops too that are pending there.
 */
export function ordersAtCursor(
  state: ViewSlice & LadderSlice & FeedsSlice,
  at: Decimal | null = state[activeLadder(state)].cursorPrice,
  drafts: OwnDrafts = noOwnDrafts,
): Order[] {
  const symbol = activeSymbol(state)
  const instrument = state.instruments.value?.get(symbol)
  const { groupTicks } = state[activeLadder(state)]
  if (instrument === undefined || at === null) return []
  return (state.orders.value ?? []).filter((order) => {
    const stands = order.symbol === symbol ? standsAt(order, drafts) : null
    if (stands === null) return false
    const side = order.side === 'BUY' ? 'bid' : 'ask'
    return rowPrice(stands.price, instrument, groupTicks, side).eq(rowPrice(at, instrument, groupTicks, side))
  })
}
