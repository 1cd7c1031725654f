import { rowPrice } from '../../domain/ladder/ladder.ts'
import type { Decimal } from '../../domain/money.ts'
import { isPending, type Order, orderName, restsInBook } from '../../domain/orders/order.ts'
import { standsAt } from '../../domain/orders/order-move.ts'
import { noOwnDrafts, type OwnDrafts } from '../../domain/orders/own-draft.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeLadder, activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import type { ViewSlice } from '../view/view.ts'
import type { WritesSlice } from '../writes/writes.ts'

/** The key of an order's row: the exchange's id once there is one. */
export const orderRowKey: (order: Order) => string = orderName

/** Own orders of a symbol whose outcome is unknown. */
export const unknownOrdersIn = (
  unknownWrites: WritesSlice['unknownWrites'],
  symbol: string,
): WritesSlice['unknownWrites'] => unknownWrites.filter((write) => write.kind === 'order' && write.symbol === symbol)

/** The working order of a row key. */
export const workingOrder = (state: FeedsSlice, key: string): Order | undefined =>
  (state.orders.value ?? []).find((order) => orderRowKey(order) === key)

/** Own resting orders in the active ladder's symbol. */
export function restingOrders(state: ViewSlice & LadderSlice & FeedsSlice): Order[] {
  const symbol = activeSymbol(state)
  return (state.orders.value ?? []).filter((order) => order.symbol === symbol && restsInBook(order))
}

/** Why a key found no own order in the cursor's row. */
export function whyNoneInRow(state: ViewSlice & LadderSlice & FeedsSlice, keys: string): string {
  if (state[activeLadder(state)].cursorPrice !== null) return 'You have no working order in this row.'
  const symbol = activeSymbol(state)
  const count = (state.orders.value ?? []).filter((order) => order.symbol === symbol).length
  const orders = count === 0 ? 'no working order' : count === 1 ? '1 working order' : `${count} working orders`
  return `No cursor: ${keys} point at a row. You have ${orders} in ${symbol}.`
}

/** Own pending stops of a symbol, whose triggers this desk knows. */
export const ownStopsIn = (
  { orders, ownDrafts }: FeedsSlice & Pick<WritesSlice, 'ownDrafts'>,
  symbol: string,
): Order[] =>
  (orders.value ?? []).filter(
    (order) => order.symbol === symbol && isPending(order) && standsAt(order, ownDrafts) !== null,
  )

/**
 * Own resting orders in the active ladder's row at the cursor, or at another price; with `drafts` also the stops
 * pending there.
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
