import { expect, test } from 'vitest'
import { withEnded } from '../../../src/store/feeds/reduce-feeds.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

test('an end is looked for in the list up to its order alone, and one of another order leaves the list as it is', () => {
  let looks = 0
  const orders = Array.from({ length: 1_000 }, (_, at) => ({
    ...anOrder({ clientOrderId: `c${at}`, status: 'OPEN' }),
    get orderId() {
      looks += 1
      return String(at)
    },
  }))
  const { store } = aDesk()
  store.dispatch({ type: 'orders', orders, atMs: startMs + 1_000 })
  const before = store.getState()
  looks = 0
  const after = withEnded(before, anOrder({ orderId: '20', clientOrderId: 'c20', status: 'CANCELED' }))
  expect(looks).toBeLessThanOrEqual(21)
  expect(after.orders.value).toEqual(orders.toSpliced(20, 1))
  expect(after.endedOrders[0]?.clientOrderId).toBe('c20')
  const other = withEnded(before, anOrder({ orderId: '5000', clientOrderId: 'other', status: 'CANCELED' }))
  expect(other.orders.value).toBe(before.orders.value)
})
