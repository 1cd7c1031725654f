import { Decimal } from '../../src/domain/money.ts'
import { type Order, type OrderDraft, unansweredOrder } from '../../src/domain/orders/order.ts'

/** A working limit buy. */
export function anOrder(change: Partial<Order> = {}): Order {
  return {
    ...unansweredOrder(aDraft(), 'a81fK2x09Qz1', 1_700_000_000_000),
    orderId: '9912041',
    status: 'OPEN',
    ...change,
  }
}

/** A limit buy that passes every check against a usual book. */
export function aDraft(change: Partial<OrderDraft> = {}): OrderDraft {
  return {
    symbol: 'BTC-USD',
    side: 'BUY',
    type: 'LIMIT',
    orderQuantity: new Decimal('0.05'),
    limitPrice: new Decimal('64209.50'),
    stopPrice: null,
    timeInForce: 'GTC',
    expireDate: null,
    minQuantity: null,
    postOnly: false,
    ...change,
  }
}
