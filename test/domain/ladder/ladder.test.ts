import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LadderInput, ladderRows } from '../../../src/domain/ladder/ladder.ts'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { anOrder } from '../../fakes/orders.ts'

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
    centerPrice: new Decimal('100.5'),
    rowCount: 9,
    orders: [],
    lastPrice: new Decimal('101'),
    ownAveragePrice: null,
    auctionPrice: null,
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
  expect(drawn(ladderRows(input({ groupTicks: 4, rowCount: 4, centerPrice: new Decimal('100') })))).toEqual([
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
  const own = rows.flatMap(({ price, ownBuy }) =>
    ownBuy === null ? [] : `${price} ${ownBuy.quantity} x${ownBuy.count}`,
  )
  expect(own).toEqual(['99.5 0.05 x2'])
  expect(rows.filter((row) => row.ownSell !== null).map((row) => `${row.price}`)).toEqual(['102'])
  expect(rows.filter((row) => row.isLast).map((row) => `${row.price}`)).toEqual(['101'])
})

test('prices at or below zero have no row', () => {
  const rows = ladderRows(input({ centerPrice: new Decimal('1'), book: null }))
  expect(rows.at(-1)?.price.toString()).toBe('0.5')
})

test('own average price and auction price are marked in the row they fall into, also between two ticks', () => {
  const rows = ladderRows(input({ ownAveragePrice: new Decimal('99.7301'), auctionPrice: new Decimal('101.5') }))
  expect(rows.filter((row) => row.isOwnAverage).map((row) => `${row.price}`)).toEqual(['99.5'])
  expect(rows.filter((row) => row.isAuction).map((row) => `${row.price}`)).toEqual(['101.5'])
})

const ticks = fc.integer({ min: 1, max: 80 })
const side = fc.uniqueArray(fc.tuple(ticks, fc.integer({ min: 1, max: 99_999_999 })), {
  selector: ([tick]) => tick,
  maxLength: 40,
})
type Side = readonly (readonly [tick: number, units: number])[]
const pairs = (levels: Side, direction: 1 | -1) =>
  levels
    .toSorted(([left], [right]) => direction * (left - right))
    .map(([tick, units]) => [`${tick / 2}`, new Decimal(units).div(100_000_000).toString()] as const)
const sumOf = (values: readonly (Decimal | string | null)[]) =>
  values.reduce((sum: Decimal, value) => sum.plus(value ?? 0), zero)

/** Any book, crossed ones of auctions too, on any scale and grouping. */
const anyInput = fc
  .record({
    bids: side,
    asks: side,
    groupTicks: fc.constantFrom(1, 2, 5, 7, 10),
    center: fc.integer({ min: 1, max: 160 }),
    rowCount: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ bids, asks, groupTicks, center, rowCount }) => ({
    bids: pairs(bids, -1),
    asks: pairs(asks, 1),
    step: new Decimal('0.5').times(groupTicks),
    input: input({
      book: aBook(pairs(bids, -1), pairs(asks, 1)),
      groupTicks,
      centerPrice: new Decimal(center).div(4),
      rowCount,
    }),
  }))

test('whatever the grouping, each row holds exactly the levels that belong to it, and its depth all up to it', () => {
  fc.assert(
    fc.property(anyInput, ({ bids, asks, step, input: each }) => {
      for (const row of ladderRows(each)) {
        const { price } = row
        const quantities = (levels: typeof bids, is: (level: Decimal) => boolean) =>
          sumOf(levels.filter(([level]) => is(new Decimal(level))).map(([, quantity]) => quantity)).toString()
        const inBid = quantities(bids, (level) => level.gte(price) && level.lt(price.plus(step)))
        const inAsk = quantities(asks, (level) => level.lte(price) && level.gt(price.minus(step)))
        expect([`${row.bidQuantity ?? 0}`, `${row.askQuantity ?? 0}`]).toEqual([inBid, inAsk])
        expect(`${row.bidDepth ?? 0}`).toBe(quantities(bids, (level) => level.gte(price)))
        expect(`${row.askDepth ?? 0}`).toBe(quantities(asks, (level) => level.lte(price)))
      }
    }),
  )
})

test('rows are contiguous, one step apart, on the grid, above zero, and depend on no data', () => {
  fc.assert(
    fc.property(anyInput, anyInput, ({ step, input: each }, other) => {
      const rows = ladderRows(each)
      rows.forEach(({ price }, index) => {
        expect(price.gt(0) && price.mod(step).isZero()).toBe(true)
        if (index > 0) expect(`${rows[index - 1]?.price.minus(price)}`).toBe(step.toString())
      })
      const moved = ladderRows({
        ...each,
        book: other.input.book,
        lastPrice: other.input.centerPrice,
        orders: [anOrder()],
      })
      expect(moved.map(({ price }) => `${price}`)).toEqual(rows.map(({ price }) => `${price}`))
    }),
  )
})
