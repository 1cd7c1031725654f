import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Auction, indicativeAuction, selfMatchesAt } from '../../../src/sandbox/engine/auction.ts'
import { PlainOrder, queues, recordingBook } from './plain-order.ts'

type Line = [side: 'BUY' | 'SELL', ticks: number, lots: number, owner?: number]

function halted(lines: readonly Line[]) {
  const recording = recordingBook()
  for (const [index, [side, ticks, lots, owner]] of lines.entries())
    recording.book.rest(new PlainOrder(index + 1, side, lots, owner), ticks)
  return recording
}
const auctionOf = (lines: readonly Line[], referenceTicks: number | null = null) =>
  indicativeAuction(halted(lines).book, referenceTicks)

test('a book that does not cross has no auction price', () => {
  expect(auctionOf([])).toBeNull()
  expect(auctionOf([['BUY', 100, 5]])).toBeNull()
  expect(
    auctionOf([
      ['BUY', 100, 5],
      ['SELL', 101, 5],
    ]),
  ).toBeNull()
})

test('the price that trades the most wins', () => {
  const lines: Line[] = [
    ['BUY', 105, 10],
    ['BUY', 103, 10],
    ['SELL', 100, 5],
    ['SELL', 103, 20],
  ]
  expect(auctionOf(lines)).toEqual({ ticks: 103, lots: 20, imbalanceLots: -5 })
})

test('of prices that trade the same, the one that leaves the least over wins', () => {
  // At 101 to 104 ten trade; the bid at 100 counts only there and the ask at 105 only there.
  const lines: Line[] = [
    ['BUY', 105, 10],
    ['BUY', 100, 4],
    ['SELL', 100, 10],
    ['SELL', 105, 3],
  ]
  expect(auctionOf(lines, 100)).toEqual({ ticks: 101, lots: 10, imbalanceLots: 0 })
  expect(auctionOf(lines, 999)).toEqual({ ticks: 104, lots: 10, imbalanceLots: 0 })
})

test('of prices that leave the same over, the one nearest the last trade wins, between the orders too', () => {
  const lines: Line[] = [
    ['BUY', 110, 10],
    ['SELL', 100, 10],
  ]
  expect(auctionOf(lines, 103)?.ticks).toBe(103)
  expect(auctionOf(lines, 90)?.ticks).toBe(100)
  expect(auctionOf(lines, 200)?.ticks).toBe(110)
  expect(auctionOf(lines, null)?.ticks).toBe(105)
})

test('the imbalance is positive when buyers are left over, negative when sellers are', () => {
  expect(
    auctionOf([
      ['BUY', 100, 12],
      ['SELL', 100, 5],
    ]),
  ).toEqual({ ticks: 100, lots: 5, imbalanceLots: 7 })
  expect(
    auctionOf([
      ['BUY', 100, 5],
      ['SELL', 100, 12],
    ]),
  ).toEqual({ ticks: 100, lots: 5, imbalanceLots: -7 })
})

test('the uncrossing trades at one price, the best price and the oldest order first', () => {
  const { book, trades } = halted([
    ['BUY', 101, 4],
    ['BUY', 103, 4],
    ['BUY', 103, 4],
    ['SELL', 101, 3],
    ['SELL', 100, 3],
    ['SELL', 101, 3],
  ])
  const auction = indicativeAuction(book, null)
  expect(auction).toEqual({ ticks: 101, lots: 9, imbalanceLots: 3 })
  book.uncross(101)
  expect(trades).toEqual([
    { taker: 5, maker: 2, ticks: 101, lots: 3 },
    { taker: 4, maker: 2, ticks: 101, lots: 1 },
    { taker: 4, maker: 3, ticks: 101, lots: 2 },
    { taker: 6, maker: 3, ticks: 101, lots: 2 },
    { taker: 6, maker: 1, ticks: 101, lots: 1 },
  ])
  expect(queues(book.bids.best)).toEqual([[101, [[1, 3]]]])
  expect(queues(book.asks.best)).toEqual([])
})

test('finds the newer of two orders of one owner that would meet', () => {
  const { book } = halted([
    ['BUY', 105, 5, 1],
    ['SELL', 100, 5, 2],
    ['SELL', 101, 5, 1],
    ['BUY', 104, 5, 3],
  ])
  expect(selfMatchesAt(book, 101)).toEqual([])
  const { book: own } = halted([
    ['BUY', 105, 5, 1],
    ['SELL', 100, 3, 1],
    ['SELL', 101, 5, 2],
  ])
  expect(selfMatchesAt(own, 101).map(({ id }) => id)).toEqual([2])
})

const line: fc.Arbitrary<Line> = fc.tuple(
  fc.constantFrom<'BUY' | 'SELL'>('BUY', 'SELL'),
  fc.integer({ min: 1, max: 14 }),
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 5 }),
)

/** Tries every price. */
function bruteForce(lines: readonly Line[], nearTicks: number): Auction | null {
  const sum = (side: string, isIn: (ticks: number) => boolean) =>
    lines.reduce((lots, [lineSide, ticks, size]) => lots + (lineSide === side && isIn(ticks) ? size : 0), 0)
  const all = Array.from({ length: 14 }, (_, index): Auction => {
    const bidLots = sum('BUY', (ticks) => ticks >= index + 1)
    const askLots = sum('SELL', (ticks) => ticks <= index + 1)
    return { ticks: index + 1, lots: Math.min(bidLots, askLots), imbalanceLots: bidLots - askLots }
  })
  const [best] = all.sort(
    (left, right) =>
      right.lots - left.lots ||
      Math.abs(left.imbalanceLots) - Math.abs(right.imbalanceLots) ||
      Math.abs(left.ticks - nearTicks) - Math.abs(right.ticks - nearTicks) ||
      left.ticks - right.ticks,
  )
  return best === undefined || best.lots === 0 ? null : best
}

test('agrees with trying every price, and leaves nothing crossed', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), fc.integer({ min: 1, max: 14 }), (lines, nearTicks) => {
      const auction = auctionOf(lines, nearTicks)
      expect(auction).toEqual(bruteForce(lines, nearTicks))
      const anonymous = lines.map(([side, ticks, lots]): Line => [side, ticks, lots])
      const { book, trades } = halted(anonymous)
      if (auction === null) return
      book.uncross(auction.ticks)
      expect(trades.reduce((sum, { lots }) => sum + lots, 0)).toBe(auction.lots)
      expect(new Set(trades.map(({ ticks }) => ticks))).toEqual(new Set([auction.ticks]))
      expect((book.bids.best?.ticks ?? 0) < (book.asks.best?.ticks ?? 99)).toBe(true)
    }),
    { numRuns: 500 },
  )
})
