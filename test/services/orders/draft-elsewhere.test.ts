import { expect, test } from 'vitest'
import { readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { draftSeenAt } from '../../../src/services/orders/draft-elsewhere.ts'
import type { OrderListClient } from '../../../src/services/orders/order-pages.ts'
import { endlessLists } from '../../fakes/endless-lists.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { anOrder } from '../../fakes/orders.ts'

/** What is said of draft `abc234` where the exchange lists these working orders, and these pages of the engine's. */
function seen(
  entries: readonly Order[],
  unreadable: readonly UnreadableEntry[] = [],
  fetchOrderPage: OrderListClient['fetchOrderPage'] = async () => ({ orders: [], nextOrderId: '0' }),
): Promise<string | null> {
  const client: OrderListClient = {
    fetchOrders: async ({ status, toMs }) =>
      status === undefined && toMs === undefined ? { entries, unreadable } : readableListing([]),
    fetchOrderPage,
  }
  const signal = new AbortController().signal
  const draftSeen = draftSeenAt(client, { skewMs: () => 0, signal, clock: new FakeClock() })
  return draftSeen({ draftId: 'abc234', createdAtMs: 1_000 })
}

const own = { orderId: '64', clientOrderId: 'draftabc234' }
const odd = (clOrdId: string | undefined): UnreadableEntry => ({
  reason: 'field "side" is missing',
  atMs: 1_000,
  fields: { exOrdId: '64', ...(clOrdId === undefined ? {} : { clOrdId }) },
})

test('a draft of which the exchange has nothing is one that may be sent', async () => {
  expect(await seen([])).toBeNull()
  expect(await seen([anOrder({ clientOrderId: 'draftabc235' })])).toBeNull()
  expect(await seen([anOrder({ ...own, status: 'REJECTED' })])).toBeNull()
})

test('a draft under whose id an order stands is told of with the order', async () => {
  const said = 'draft abc234 is order 64 at the exchange already, which the journal here does not have'
  expect(await seen([anOrder(own)])).toBe(said)
  expect(await seen([anOrder(own)], [odd(undefined)])).toBe(said)
})

test('an entry that cannot be read, and may be the draft, is not taken for its absence', async () => {
  const said =
    'an order listed is unreadable and may be draft abc234 (exOrdId 64); ' +
    'if it is not, discard the draft and enter the order in a ticket'
  expect(await seen([], [odd(undefined)])).toBe(said)
  expect(await seen([], [odd('draftabc234')])).toContain('may be draft abc234')
  expect(await seen([], [odd('draftabc235')])).toBeNull()
})

test('a list that goes round in circles is not taken for its absence', async () => {
  const same = async () => ({ orders: [anOrder({ orderId: '9', clientOrderId: 'other' })], nextOrderId: '9' })
  expect(await seen([], [], same)).toBe(
    'a list of orders is incomplete: draft abc234 may be in the missing part; ' +
      'if it is not, discard the draft and enter the order in a ticket',
  )
})

test('lists without an end are read for half a minute: nobody else can send or keep a draft meanwhile', async () => {
  const clock = new FakeClock()
  const signal = new AbortController().signal
  const draftSeen = draftSeenAt(endlessLists(clock), { skewMs: () => 0, signal, clock })
  const said: (string | null)[] = []
  void draftSeen({ draftId: 'abc234', createdAtMs: 1_000 }).then((text) => said.push(text))
  await clock.advance(29_999)
  expect(said).toEqual([])
  await clock.advance(1)
  expect(said).toEqual([
    'whether draft abc234 was sent before cannot be seen now: ' +
      'the lists of orders were not read to their end within 30 s',
  ])
})
