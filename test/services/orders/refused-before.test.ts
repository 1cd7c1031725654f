import { expect, test } from 'vitest'
import { type Listing, readableListing } from '../../../src/domain/listing.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { refusedButThere } from '../../../src/services/orders/refused-before.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { anOrder } from '../../fakes/orders.ts'

/** Why an order like these two, refused at 400 s and at 900 s, does not go out to an exchange that lists this. */
async function whyNot(working: Listing<Order>, ids = ['late', 'early']) {
  const asked: (number | undefined)[] = []
  const client = {
    fetchOrders({ status, fromMs }: { status?: string; fromMs?: number }) {
      if (status !== undefined) asked.push(fromMs)
      return Promise.resolve(status === undefined ? working : readableListing([]))
    },
    fetchOrderPage: () => Promise.resolve({ nextOrderId: '0', orders: [] }),
  }
  const refused = ids.map((clientOrderId) => ({ clientOrderId, atMs: clientOrderId === 'early' ? 400_000 : 900_000 }))
  const reason = await refusedButThere(client, refused, { clock: new FakeClock(1_000_000), skewMs: () => -5_000 })
  return { reason, asked }
}

test('an order like one that was refused goes where none of them is listed, looked for from the oldest of them on', async () => {
  const since = 400_000 - 5_000 - 120_000
  expect(await whyNot(readableListing([]))).toEqual({ reason: null, asked: [since, since, since] })
  expect(await whyNot(readableListing([anOrder({ clientOrderId: 'early' })]), [])).toEqual({ reason: null, asked: [] })
})

test('it does not go where one of them is there, or may be behind what cannot be read', async () => {
  const { reason } = await whyNot(readableListing([anOrder({ clientOrderId: 'early', orderId: '7', status: 'OPEN' })]))
  expect(reason).toBe('order early, answered as rejected, is OPEN as 7: change this one, or wait 10 minutes')
  const odd = { reason: 'no side', atMs: null, fields: { clOrdId: 'late' } }
  expect((await whyNot({ entries: [], unreadable: [odd] })).reason).toBe(
    'whether the same order, answered as rejected before, is there cannot be seen: ' +
      'an order listed is unreadable and may be it (clOrdId late)',
  )
})
