import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Side } from '../../../src/domain/side.ts'
import { anyPriceTicks } from '../../../src/sandbox/engine/price-levels.ts'
import { PlainOrder, queues, recordingBook } from './plain-order.ts'

describe.each(['BUY', 'SELL'] as const)('a taker that is a %s', (side) => {
  const makerSide: Side = side === 'BUY' ? 'SELL' : 'BUY'
  /** Prices at 100 and worse for the taker, the same way round for both sides. */
  const away = (steps: number) => (side === 'BUY' ? 100 + steps : 100 - steps)

  test('meets the best price first, and at a price the oldest order', () => {
    const { book, trades } = recordingBook()
    book.rest(new PlainOrder(1, makerSide, 5), away(1))
    book.rest(new PlainOrder(2, makerSide, 5), away(0))
    book.rest(new PlainOrder(3, makerSide, 5), away(0))
    const taker = new PlainOrder(4, side, 12)
    expect(book.match(taker, anyPriceTicks[side], 12)).toBe('filled')
    expect(trades).toEqual([
      { taker: 4, maker: 2, ticks: away(0), lots: 5 },
      { taker: 4, maker: 3, ticks: away(0), lots: 5 },
      { taker: 4, maker: 1, ticks: away(1), lots: 2 },
    ])
    expect(queues(book.own(makerSide).best)).toEqual([[away(1), [[1, 3]]]])
  })

  test('an order filled in part keeps its place in the queue', () => {
    const { book, trades } = recordingBook()
    book.rest(new PlainOrder(1, makerSide, 5), 100)
    book.rest(new PlainOrder(2, makerSide, 5), 100)
    book.match(new PlainOrder(3, side, 2), 100, 2)
    book.match(new PlainOrder(4, side, 4), 100, 4)
    expect(trades.map(({ maker, lots }) => [maker, lots])).toEqual([
      [1, 2],
      [1, 3],
      [2, 1],
    ])
  })

  test('stops at its limit, trades at the price of the order it meets, and takes no more than asked', () => {
    const { book, trades } = recordingBook()
    book.rest(new PlainOrder(1, makerSide, 5), away(0))
    book.rest(new PlainOrder(2, makerSide, 5), away(3))
    const taker = new PlainOrder(3, side, 9)
    expect(book.match(taker, away(2), 9)).toBe('dry')
    expect(trades).toEqual([{ taker: 3, maker: 1, ticks: away(0), lots: 5 }])
    expect(taker.openLots).toBe(4)
    expect(book.match(taker, away(3), 1)).toBe('filled')
    expect(taker.openLots).toBe(3)
  })

  test('stops before the first order of its own owner, after it filled what was ahead of it', () => {
    const { book, trades } = recordingBook()
    book.rest(new PlainOrder(1, makerSide, 2, 7), 100)
    book.rest(new PlainOrder(2, makerSide, 2, 8), 100)
    book.rest(new PlainOrder(3, makerSide, 2, 9), 100)
    const taker = new PlainOrder(4, side, 6, 8)
    expect(book.match(taker, 100, 6)).toBe('selfMatch')
    expect(trades.map(({ maker }) => maker)).toEqual([1])
    expect(queues(book.own(makerSide).best)).toEqual([
      [
        100,
        [
          [2, 2],
          [3, 2],
        ],
      ],
    ])
  })

  test('tells beforehand how much would fill, and why no more', () => {
    const { book } = recordingBook()
    book.rest(new PlainOrder(1, makerSide, 2, 7), away(0))
    book.rest(new PlainOrder(2, makerSide, 3, 8), away(1))
    book.rest(new PlainOrder(3, makerSide, 4, 9), away(2))
    const taker = { side, owner: 1 }
    expect(book.fillable(taker, away(1), 4)).toEqual({ lots: 4, end: 'filled' })
    expect(book.fillable(taker, away(1), 6)).toEqual({ lots: 5, end: 'dry' })
    expect(book.fillable({ side, owner: 9 }, away(5), 9)).toEqual({ lots: 5, end: 'selfMatch' })
    expect(book.fillable({ side, owner: 9 }, away(5), 5)).toEqual({ lots: 5, end: 'filled' })
    expect([5, 6].map((lots) => book.holds(side, away(1), lots))).toEqual([true, false])
    expect([9, 10].map((lots) => book.holds(side, away(5), lots))).toEqual([true, false])
    expect(book.holds(makerSide, 100, 0)).toBe(true)
    expect(book.fillable(taker, away(5), 9, (_, lots) => Math.min(lots, 3))).toEqual({ lots: 8, end: 'unpaid' })
  })

  test('an order taken out is met no more', () => {
    const { book, trades } = recordingBook()
    const gone = new PlainOrder(2, makerSide, 5)
    book.rest(new PlainOrder(1, makerSide, 5), 100)
    book.rest(gone, 100)
    book.rest(new PlainOrder(3, makerSide, 5), 100)
    book.remove(gone)
    book.match(new PlainOrder(4, side, 15), 100, 15)
    expect(trades.map(({ maker }) => maker)).toEqual([1, 3])
    expect(book.crosses(side, 100)).toBe(false)
  })
})

type Placed = { side: Side; ticks: number; lots: number; owner: number }
const placed: fc.Arbitrary<Placed> = fc.record({
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  ticks: fc.integer({ min: 1, max: 15 }),
  lots: fc.integer({ min: 1, max: 20 }),
  owner: fc.integer({ min: 1, max: 4 }),
})

/** The rules by the plainest means: look through all resting orders for the one to meet next. */
function referenceTrades(orders: readonly Placed[]): number[][] {
  const resting: (Placed & { id: number })[] = []
  const trades: number[][] = []
  for (const [id, order] of orders.entries()) {
    const taker = { ...order, id }
    let isOwn = false
    while (taker.lots > 0 && !isOwn) {
      const isBuy = taker.side === 'BUY'
      const [maker] = resting
        .filter(({ side, ticks }) => side !== taker.side && (isBuy ? ticks <= taker.ticks : ticks >= taker.ticks))
        .sort((left, right) => (left.ticks - right.ticks) * (isBuy ? 1 : -1) || left.id - right.id)
      if (maker === undefined) break
      isOwn = maker.owner === taker.owner
      if (isOwn) break
      const lots = Math.min(taker.lots, maker.lots)
      trades.push([id, maker.id, maker.ticks, lots])
      taker.lots -= lots
      maker.lots -= lots
      if (maker.lots === 0) resting.splice(resting.indexOf(maker), 1)
    }
    if (taker.lots > 0 && !isOwn) resting.push(taker)
  }
  return trades
}

test('trades exactly as a book that looks through every order would, and as it said before', () => {
  fc.assert(
    fc.property(fc.array(placed, { maxLength: 80 }), (orders) => {
      const { book, trades } = recordingBook()
      for (const [id, { side, ticks, lots, owner }] of orders.entries()) {
        const order = new PlainOrder(id, side, lots, owner)
        const expected = book.fillable(order, ticks, lots)
        const end = book.match(order, ticks, lots)
        expect({ lots: lots - order.openLots, end }).toEqual(expected)
        if (end === 'dry') book.rest(order, ticks)
        expect((book.bids.best?.ticks ?? 0) < (book.asks.best?.ticks ?? Number.MAX_SAFE_INTEGER)).toBe(true)
      }
      expect(trades.map(({ taker, maker, ticks, lots }) => [taker, maker, ticks, lots])).toEqual(
        referenceTrades(orders),
      )
    }),
    { numRuns: 300 },
  )
})
