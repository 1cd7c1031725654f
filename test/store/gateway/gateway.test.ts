import { expect, test } from 'vitest'
import { inboxOrder } from '../../../src/domain/gateway/inbox-order.ts'
import { noOrderSums } from '../../../src/domain/gateway/order.ts'
import { initialGateway, noGateway, reduceGateway } from '../../../src/store/gateway/gateway.ts'
import { aGatewayEvent, received } from '../../fakes/gateway.ts'

const orderAt = (sequence: number) => {
  const order = inboxOrder([received(sequence, aGatewayEvent(1_700_000_000_000))])
  if (order === null) throw new Error('no order')
  return order
}

test('what was seen in another store, or before it was put back, is not seen in this one', () => {
  const start = initialGateway({ ...noGateway, isKnown: true, seenSequence: 50 })
  const rest = { isCut: false, sums: noOrderSums, sumsSinceMs: null, quarantine: [], atMs: 1 }
  const counts = { events: 1, copies: 0, conflicts: 0, quarantined: 0 }
  const readUpTo = (...sequences: number[]) =>
    reduceGateway(start, { type: 'inboxRead', ...rest, counts, orders: sequences.map(orderAt) }).inbox
  expect(readUpTo(50, 7)).toMatchObject({ seenSequence: 50, unreadCount: 0 })
  expect(readUpTo(51, 7)).toMatchObject({ seenSequence: 50, unreadCount: 1 })
  expect(readUpTo(8, 7)).toMatchObject({ seenSequence: 0, unreadCount: 2 })
  // Of a store that is still empty the first order to come is new.
  expect(readUpTo()).toMatchObject({ seenSequence: 0, unreadCount: 0 })
})
