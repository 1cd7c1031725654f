import { expect, test } from 'vitest'
import { walkOrders, walkSteps } from '../../../src/commands/inbox/events.ts'
import { idsFrom } from '../../../src/commands/inbox/show.ts'
import type { InboxOrder } from '../../../src/domain/gateway/inbox-order.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { memoryEvents } from '../../fakes/memory-events.ts'

const orderCount = 600

/** A store of orders with three events each, the third ones in the order of the orders; counts the rows it gives. */
function aStore() {
  const memory = memoryEvents()
  for (const step of [1, 2, 3])
    for (let number = 0; number < orderCount; number += 1) memory.add(`e${number}-${step}`, `o${number}`)
  const read = { rowCount: 0, queryCount: 0 }
  const store: Pick<EventStore, 'events'> = {
    async events(query) {
      const rows = await memory.events(query)
      read.rowCount += rows.length
      read.queryCount += 1
      return rows
    },
  }
  return { store: store as EventStore, read }
}

const tools = () => ({ signal: new AbortController().signal, leftOut: () => expect.fail('all can be read') })

test('the first orders of a large inbox are read from its end, and no other is', async () => {
  const { store, read } = aStore()
  const first: InboxOrder[] = []
  for await (const order of walkOrders(store, {}, tools())) if (first.push(order) === 100) break
  expect(first.map(({ orderId }) => orderId)).toEqual(Array.from({ length: 100 }, (_, at) => `o${orderCount - 1 - at}`))
  expect(first.every(({ history }) => history.length === 3)).toBe(true)
  // A page of events, and the three of each order on it.
  expect(read.rowCount).toBe(250 + 250 * 3)
})

test('all orders of an inbox come once each, each event is read twice, and those of a page with few queries', async () => {
  const { store, read } = aStore()
  const ids: string[] = []
  for await (const { orderId } of walkOrders(store, {}, tools())) ids.push(orderId)
  expect(ids).toHaveLength(orderCount)
  expect(new Set(ids).size).toBe(orderCount)
  expect(read.rowCount).toBe(orderCount * 3 * 2)
  // Of eight pages three have orders that were not met before: three or four pages of events each.
  expect(read.queryCount).toBeLessThanOrEqual(8 + 3 * 4)
})

test('all events of an inbox come the newest first, and the orders of a page are read with few queries', async () => {
  const { store, read } = aStore()
  const sequences: number[] = []
  for await (const { sequence } of walkSteps(store, {}, tools())) sequences.push(sequence)
  expect(sequences).toEqual(Array.from({ length: orderCount * 3 }, (_, at) => orderCount * 3 - at))
  // For each page of 250 events at most four of those of its orders.
  expect(read.queryCount).toBeLessThanOrEqual(8 * 5)
})

test('the start of an id that none of the newest events has is not said to be nowhere in a larger inbox', async () => {
  const memory = memoryEvents()
  const sought = { events: memory.events, event: () => Promise.resolve(null) }
  memory.add('event-old', 'order-old')
  for (let number = 0; number < 10; number += 1) memory.add(`e${number}`, `o${number}`)
  expect(await idsFrom(sought, 'order-o')).toEqual({ ids: ['order-old'], where: 'in the inbox' })
  for (let number = 10; number < 20_000; number += 1) memory.add(`e${number}`, `o${number}`)
  expect(await idsFrom(sought, 'order-o')).toEqual({
    ids: [],
    where: 'among the 20000 newest events of the inbox (type all of an older id)',
  })
  expect(await idsFrom(sought, 'order-old')).toEqual({ ids: ['order-old'], where: 'in the inbox' })
})
