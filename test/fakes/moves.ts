import { Decimal } from '../../src/domain/money.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { startLadders } from '../../src/store/ladder/ladder.ts'
import type { MoveForm } from '../../src/store/move/move.ts'

/** An order picked up to go to a price, of which nothing is typed. */
export const aMoveForm = (order: Order, price: Decimal, change: Partial<MoveForm> = {}): MoveForm => ({
  order,
  from: order.limitPrice ?? price,
  open: order.leavesQuantity ?? new Decimal(0),
  price,
  limit: null,
  others: [],
  scope: 'one',
  field: 'price',
  priceText: null,
  quantityText: null,
  ladderBefore: { name: 'ladder', symbol: order.symbol, ladder: startLadders(order.symbol, 0).ladder },
  ...change,
})
