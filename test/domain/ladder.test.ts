import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aggregate } from '../../src/domain/book.ts'
import { type LadderInput, ladderRows } from '../../src/domain/ladder.ts'
import { Decimal, zero } from '../../src/domain/money.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { anOrder } from '../fakes/orders.ts'

const book = aBook(
  [
    ['100.0', '1'],
    ['99.5', '2'],
    ['98.0', '4'],
  ],
  [
    ['101.0', '0.5'],
    ['102.0', '1.5'],
  ],
)

function input(change: Partial<LadderInput> = {}): LadderInput {
  return {
    book,
    instrument: anInstrument(),
    groupTicks: 1,
    centrePrice: new Decimal('100.5'),
    rowCount: 9,
    orders: [],
    lastPrice: new Decimal('101'),
    ownAveragePrice: null,
    ...change,
  }
}

const drawn = (rows: ReturnType<typeof ladderRows>) =>
  rows.map((row) =>
    [row.bidDepth, row.bidQuantity, row.price, row.askQuantity, row.askDepth]
      .map((value) => value?.toString() ?? '-')
      .join(' '),
  )

test('a row for every tick, also between bid and ask, with depth outward from the best price', () => {
  expect(drawn(ladderRows(input()))).toEqual([
    '- - 102.5 - 2',
    '- - 102 1.5 2',
    '- - 101.5 - 0.5',
    '- - 101 0.5 0.5',
    '- - 100.5 - -',
    '1 1 100 - -',
    '3 2 99.5 - -',
    '3 - 99 - -',
    '3 - 98.5 - -',
  ])
})

test('grouped rows sum exactly: bids into the row below, asks into the row above', () => {
  expect(drawn(ladderRows(input({ groupTicks: 4, rowCount: 4, centrePrice: new Decimal('100') })))).toEqual([
    '- - 104 - 2',
    '- - 102 2 2',
    '1 1 100 - -',
    '7 6 98 - -',
  ])
})

test('new data changes what stands in the rows and never the rows', () => {
  const before = ladderRows(input()).map((row) => row.price.toString())
  const moved = aBook([['250', '1']], [['251', '1']])
  expect(ladderRows(input({ book: moved })).map((row) => row.price.toString())).toEqual(before)
})

test('own orders and the last price stand in the row of their price', () => {
  const orders = [
    anOrder({ limitPrice: new Decimal('99.5'), leavesQuantity: new Decimal('0.02') }),
    anOrder({ orderId: '2', limitPrice: new Decimal('99.5'), leavesQuantity: new Decimal('0.03') }),
    anOrder({ orderId: '3', side: 'SELL', limitPrice: new Decimal('102'), status: 'PART_FILLED' }),
    anOrder({ orderId: '4', limitPrice: new Decimal('99.5'), status: 'CANCELED' }),
    anOrder({ orderId: '5', limitPrice: new Decimal('99.5'), symbol: 'ETH-USD' }),
  ]
  const rows = ladderRows(input({ orders }))
  expect(rows.filter((row) => row.ownBuyQuantity !== null).map((row) => `${row.price} ${row.ownBuyQuantity}`)).toEqual([
    '99.5 0.05',
  ])
  expect(rows.filter((row) => row.ownSellQuantity !== null).map((row) => `${row.price}`)).toEqual(['102'])
  expect(rows.filter((row) => row.isLast).map((row) => `${row.price}`)).toEqual(['101'])
})

test('prices at or below zero have no row', () => {
  const rows = ladderRows(input({ centrePrice: new Decimal('1'), book: null }))
  expect(rows.at(-1)?.price.toString()).toBe('0.5')
})

test('whatever the grouping, nothing of a book that fits the scale is lost or doubled', () => {
  const ticks = fc.integer({ min: 1, max: 60 })
  const side = fc.uniqueArray(fc.tuple(ticks, fc.integer({ min: 1, max: 9_999 })), {
    selector: ([tick]) => tick,
    maxLength: 20,
  })
  fc.assert(
    fc.property(side, fc.integer({ min: 1, max: 7 }), (bids, groupTicks) => {
      const levels = bids
        .toSorted(([left], [right]) => right - left)
        .map(([tick, lots]) => [`${tick / 2}`, `${lots / 10_000}`] as const)
      const grouped = ladderRows(
        input({ book: aBook(levels, []), groupTicks, rowCount: 200, centrePrice: new Decimal(30) }),
      )
      const shown = grouped.reduce((sum, row) => sum.plus(row.bidQuantity ?? 0), zero)
      // Bids below one whole group fall into the row of price zero, which is never drawn.
      const drawable = levels.filter(([price]) => new Decimal(price).gte(new Decimal('0.5').times(groupTicks)))
      expect(shown.toString()).toBe(drawable.reduce((sum, [, quantity]) => sum.plus(quantity), zero).toString())
    }),
  )
})

test('level 3 adds up to level 2', () => {
  const queue = [
    { price: new Decimal(2), quantity: new Decimal('0.1'), orderId: '1' },
    { price: new Decimal(2), quantity: new Decimal('0.2'), orderId: '3' },
    { price: new Decimal(1), quantity: new Decimal('5'), orderId: '2' },
  ]
  expect(aggregate(queue).map((level) => `${level.price} ${level.quantity} ${level.orderCount}`)).toEqual([
    '2 0.3 2',
    '1 5 1',
  ])
})
