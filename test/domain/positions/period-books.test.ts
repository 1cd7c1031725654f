import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { fillLine, inLedgerOrder, momentsOf, transferLines } from '../../../src/domain/positions/lines.ts'
import { positionsOf } from '../../../src/domain/positions/lots.ts'
import { nothingRecorded, ownPrices } from '../../../src/domain/positions/own-prices.ts'
import { isStatedLater, PeriodBooks } from '../../../src/domain/positions/period-books.ts'
import { pnlOf, wholeBooksOf } from '../../../src/domain/positions/pnl.ts'
import { lotRows, pnlFields } from '../../../src/domain/positions/pnl-fields.ts'
import { costMethods } from '../../../src/domain/positions/position.ts'
import { nothingHeld, standpointOf } from '../../../src/domain/positions/standpoint.ts'
import { looseWorlds, oddWorld, type World, wholeWorlds, worldRules } from './worlds.ts'

type Asked = { world: World; method: (typeof costMethods)[number]; period: { fromMs: number; toMs: number } }
const look = { markedAt: 'last' as const, fills: { count: 0, recordedCount: 0 }, faults: [] }
const said = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** All lines at once, and once more for what was held before the period. */
function byWholeBooks({ world, method, period }: Asked) {
  const { history, statedCosts, usdAt } = world
  const prices = ownPrices(history.fills, worldRules, { ...nothingRecorded, ended: usdAt })
  const input = { history, rules: worldRules, statedCosts, usdAt: prices.ofTrade, method }
  const books = positionsOf({ ...input, untilMs: period.toMs })
  const beforeMs = period.fromMs - 1
  const then = (currency: string) => prices.ofHolding(currency, beforeMs)
  const start = beforeMs < 0 ? nothingHeld : standpointOf(positionsOf({ ...input, untilMs: beforeMs }).positions, then)
  const markOf = (currency: string) => prices.ofHolding(currency, period.toMs)
  const { missing } = books
  const pnl = pnlOf(period, wholeBooksOf(books, period), { ...look, start, markOf, missing })
  return { fields: pnlFields(pnl, null), rows: [...lotRows(books, period)], booked: [...books.booked].sort() }
}

function inOneGo({ world, method, period }: Asked) {
  const { history, statedCosts, usdAt } = world
  const recorded = { ...nothingRecorded, ended: usdAt }
  const books = new PeriodBooks({ period, method, rules: worldRules, recorded, hasLots: true })
  const lines = inLedgerOrder([...transferLines(history), ...history.fills.map(fillLine)], statedCosts)
  for (const moment of momentsOf(lines)) books.enter(moment)
  const { start } = books
  const markOf = (currency: string) => books.worthOf(currency)
  const taken = books.taken()
  const pnl = pnlOf(period, taken, { ...look, start, markOf, missing: books.missing(history) })
  const lots = { ...books.takeLists(), lots: books.openLots() }
  return { fields: pnlFields(pnl, null), rows: [...lotRows(lots, period)], booked: [...taken.booked].sort() }
}

const moments = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200_000 }))

test.each([
  ['of which all is known', wholeWorlds],
  ['of which much is unknown', looseWorlds],
])('books of a period of worlds %s, in one go, tell what whole books tell, to the last digit', (_, worlds) => {
  let compared = 0
  fc.assert(
    fc.property(worlds, moments, moments, fc.constantFrom(...costMethods), (world, one, other, method) => {
      const period = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      if (isStatedLater(world.statedCosts, period)) return
      compared += 1
      expect(said(inOneGo({ world, method, period }))).toEqual(said(byWholeBooks({ world, method, period })))
    }),
    { numRuns: 300 },
  )
  expect(compared).toBeGreaterThan(100)
})

test('books of a period of odd entries tell what whole books tell, wherever it begins and ends', () => {
  const world = oddWorld()
  for (const [fromMs, toMs] of [
    [0, 0],
    [0, 5],
    [1, 5],
    [5, 8],
    [6, 20],
    [0, 20],
  ] as const)
    for (const method of costMethods) {
      const asked: Asked = { world, method, period: { fromMs, toMs } }
      expect(said(inOneGo(asked))).toEqual(said(byWholeBooks(asked)))
    }
})

test('entries of the period that are later than a moment are counted', () => {
  fc.assert(
    fc.property(wholeWorlds, moments, moments, moments, (world, one, other, aheadOfMs) => {
      const period = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const books = new PeriodBooks({
        ...{ period, method: 'fifo', rules: worldRules, recorded: nothingRecorded, hasLots: false, aheadOfMs },
      })
      const lines = inLedgerOrder([...transferLines(world.history), ...world.history.fills.map(fillLine)], [])
      for (const moment of momentsOf(lines)) books.enter(moment)
      const times = lines.map(({ atMs }) => atMs ?? 0)
      const isAhead = (atMs: number) => atMs >= period.fromMs && atMs <= period.toMs && atMs > aheadOfMs
      expect(books.aheadCount).toBe(times.filter(isAhead).length)
      expect(books.fillCount).toBe(world.history.fills.length)
    }),
    { numRuns: 50 },
  )
})

test('what is listed keeps its digits when later lines have more decimals than the books had room for', () => {
  const terms = [
    ['BUY', '0.5', '3'],
    ['SELL', '0.123456789', '3.3'],
    ['SELL', '0.00000000000000000000000001', '0.3333333333333333333'],
    ['SELL', '0.1', '4'],
  ] as const
  const fills = terms.map(([side, quantity, price], at) => ({
    ...{ execId: `${at + 1}`, orderId: '1', tradeId: '1', symbol: 'BTC-USD', side, timestampMs: at + 1 },
    ...{ price: new Decimal(price), quantity: new Decimal(quantity), fee: new Decimal('0.01') },
  }))
  const deposit = { depositId: 'd', address: '', txHash: null, state: 'COMPLETED' as const, timestampMs: 0 }
  const deposits = [
    { ...deposit, currency: 'USD', amount: new Decimal(9) },
    { ...deposit, depositId: 'e', currency: 'BTC', amount: new Decimal('0.2') },
  ]
  const costs = [{ currency: 'BTC', quantity: new Decimal('0.2'), usdEach: new Decimal('2.5'), atMs: 2 }]
  for (const statedCosts of [[], costs])
    for (const method of costMethods) {
      const world = { history: { fills, deposits, withdrawals: [] }, statedCosts, usdAt: () => null }
      const asked: Asked = { world, method, period: { fromMs: 0, toMs: 9 } }
      expect(said(inOneGo(asked))).toEqual(said(byWholeBooks(asked)))
    }
})

test('a cost is stated later where that is in the period, unless it begins with all there is, or after it', () => {
  const of = (atMs: number, fromMs: number) =>
    isStatedLater([{ currency: 'BTC', quantity: new Decimal(1), usdEach: new Decimal(1), atMs }], { fromMs, toMs: 9 })
  expect([4, 5, 7, 9, 10].map((atMs) => of(atMs, 5))).toEqual([false, true, true, true, true])
  expect([0, 5, 9, 10].map((atMs) => of(atMs, 0))).toEqual([false, false, false, true])
})

test('of a period matches, fees and transfers are kept, or transfers alone; nothing of what was before', () => {
  const { history } = oddWorld()
  const booksOf = (fromMs: number, hasLots: boolean) => {
    const period = { fromMs, toMs: 20 }
    const books = new PeriodBooks({
      ...{ period, method: 'fifo', rules: worldRules, recorded: nothingRecorded, hasLots, aheadOfMs: 0 },
    })
    const lines = inLedgerOrder([...transferLines(history), ...history.fills.map(fillLine)], [])
    for (const moment of momentsOf(lines)) books.enter(moment)
    return books
  }
  const countsIn = (fromMs: number, hasLots: boolean) => {
    const { matches, fees, transfers } = booksOf(fromMs, hasLots).takeLists()
    return [matches.length > 0, fees.map(({ id }) => id).join(), transfers.map(({ id }) => id).join()]
  }
  expect(countsIn(0, true)).toEqual([true, 'w1,1,2,4,5', 'd1,w1,d2,d3,,w3'])
  expect(countsIn(8, true)).toEqual([true, '5', ',w3'])
  expect(countsIn(8, false)).toEqual([false, '', ',w3'])
  // What came in its first moment is ahead too.
  expect(booksOf(8, false).aheadCount).toBe(4)
  // Nothing came after its beginning, and so of nothing.
  expect(booksOf(15, true).taken().realized.total.knownFeeCount).toBe(0)
})
