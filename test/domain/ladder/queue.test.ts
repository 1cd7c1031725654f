import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ladderRows, scalePrices } from '../../../src/domain/ladder/ladder.ts'
import { ladderQueues } from '../../../src/domain/ladder/queue.ts'
import type { QueueOrder } from '../../../src/domain/market/book.ts'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { aggregate } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const rest = (price: string, quantity: string, orderId: string): QueueOrder => ({
  price: new Decimal(price),
  quantity: new Decimal(quantity),
  orderId,
})
const scale = { instrument: anInstrument(), groupTicks: 1, centerPrice: new Decimal('100'), rowCount: 5 }
const step = new Decimal('0.5')

test('each order stands in the row of its price, in its queue, and own places are told', () => {
  const bids = [
    rest('100', '1', '11'),
    rest('100', '0.2', '12'),
    rest('100', '0.5', '15'),
    rest('99.5', '2', '9'),
    rest('90', '1', '3'),
    rest('90', '4', '4'),
  ]
  const book = { symbol: 'BTC-USD', bids, asks: [rest('100.5', '0.1', '20')] }
  const { bids: rows, asks, places } = ladderQueues(book, scalePrices(scale), step, new Set(['15', '9', '4', '20']))
  const ids = (queues: typeof rows) =>
    queues.map((queue) => queue.map((each) => each.orderId + (each.isOwn ? '*' : '')).join(' '))
  expect(ids(rows)).toEqual(['', '', '11 12 15*', '9*', ''])
  expect(ids(asks)).toEqual(['', '20*', '', '', ''])
  expect([...places].map(([id, { place, count, ahead }]) => `${id}: ${place} of ${count}, ${ahead} ahead`)).toEqual([
    '15: 3 of 3, 1.2 ahead',
    '9: 1 of 1, 0 ahead',
    '4: 2 of 2, 1 ahead',
    '20: 1 of 1, 0 ahead',
  ])
})

const orders = (direction: 1 | -1) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9_999 })), { maxLength: 60 })
    .map((each) =>
      each
        .toSorted(([left], [right]) => direction * (left - right))
        .map(([tick, lots], index) => rest(`${tick / 2}`, new Decimal(lots).div(10_000).toString(), `${index + 1}`)),
    )

test('the queues of a row add up to its quantity at every grouping, and places to what is there', () => {
  fc.assert(
    fc.property(
      orders(-1),
      orders(1),
      fc.constantFrom(1, 2, 5),
      fc.integer({ min: 1, max: 80 }),
      (bids, asks, groupTicks, center) => {
        const place = { ...scale, groupTicks, centerPrice: new Decimal(center).div(4), rowCount: 12 }
        const book = { symbol: 'BTC-USD', bids: aggregate(bids), asks: aggregate(asks) }
        const marks = { orders: [], lastPrice: null, ownAveragePrice: null, auctionPrice: null }
        const rows = ladderRows({ ...place, ...marks, book })
        const all = new Set(bids.map(({ orderId }) => orderId ?? ''))
        const queues = ladderQueues(
          { symbol: 'BTC-USD', bids, asks: [] },
          scalePrices(place),
          step.times(groupTicks),
          all,
        )
        const others = ladderQueues(
          { symbol: 'BTC-USD', bids: [], asks },
          scalePrices(place),
          step.times(groupTicks),
          all,
        )
        const total = (queue: { quantity: Decimal }[] | undefined) =>
          (queue ?? []).reduce((sum, { quantity }) => sum.plus(quantity), zero).toString()
        rows.forEach((row, index) => {
          expect(total(queues.bids[index])).toBe(`${row.bidQuantity ?? 0}`)
          expect(total(others.asks[index])).toBe(`${row.askQuantity ?? 0}`)
        })
        expect(queues.places.size).toBe(bids.length)
        for (const { orderId, quantity, price } of bids) {
          const { ahead, place: at, count } = queues.places.get(orderId ?? '') ?? { ahead: zero, place: 0, count: 0 }
          const level = bids.filter((other) => other.price.eq(price))
          expect([count, level[at - 1]?.orderId]).toEqual([level.length, orderId])
          const behind = level.slice(at).reduce((sum, other) => sum.plus(other.quantity), zero)
          expect(ahead.plus(quantity).plus(behind).toString()).toBe(total(level))
        }
      },
    ),
  )
})
