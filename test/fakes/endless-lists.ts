import { ExchangeError } from '../../src/api/errors.ts'
import type { Clock } from '../../src/base/clock.ts'
import { readableListing } from '../../src/domain/listing.ts'
import type { OrderListClient } from '../../src/services/orders/order-pages.ts'
import { anOrder } from './orders.ts'

/** Lists of orders that have one more page each time, a second of the clock for each, until who asks calls it off. */
export function endlessLists(clock: Pick<Clock, 'sleep'>): OrderListClient {
  let count = 0
  const page = async (signal?: AbortSignal) => {
    await clock.sleep(1_000, signal)
    if (signal?.aborted === true)
      throw new ExchangeError({
        ...{ kind: 'connectivity', fault: 'canceled', method: 'GET', path: '/orders' },
        ...{ reason: 'the call was canceled', outcome: null },
      })
    count += 1
    return anOrder({ orderId: `${count}`, clientOrderId: `other${count}`, timestampMs: 1_000_000 - count })
  }
  return {
    fetchOrders: async (_query, signal) => readableListing([await page(signal)]),
    fetchOrderPage: async (_query, signal) => ({ orders: [await page(signal)], nextOrderId: `${count}` }),
  }
}
