import { Decimal } from '../../src/domain/money.ts'
import type { Order, OrderDraft } from '../../src/domain/orders/order.ts'

/** A working limit buy. */
export function anOrder(change: Partial<Order> = {}): Order {
  return {
    orderId: '9912041',
    clientOrderId: 'a81fK2x09Qz1',
    symbol: 'BTC-USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'OPEN',
    limitPrice: new Decimal('64209.50'),
    leavesQuantity: new Decimal('0.05'),
    cumQuantity: new Decimal(0),
    averagePrice: null,
    lastQuantity: null,
    lastPrice: null,
    text: null,
    timestampMs: 1_700_000_000_000,
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
