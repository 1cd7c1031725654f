import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { fillLine, inLedgerOrder, type Line, momentsOf, transferLines } from '../../../src/domain/positions/lines.ts'
import { type Books, positionsOf } from '../../../src/domain/positions/lots.ts'
import { nothingRecorded, ownPrices } from '../../../src/domain/positions/own-prices.ts'
import { type CostMethod, costMethods } from '../../../src/domain/positions/position.ts'
import { realizedIn } from '../../../src/domain/positions/realized.ts'
import { RunningBooks } from '../../../src/domain/positions/running-books.ts'
import { looseWorlds, oddWorld, type World, wholeWorlds, worldRules } from './worlds.ts'

const always = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }

function linesIn({ history, statedCosts }: World): Line[] {
  return inLedgerOrder([...transferLines(history), ...history.fills.map(fillLine)], statedCosts)
}

/** The lines of each moment together. */
function moments(lines: readonly Line[]): Line[][] {
  const groups = new Map<number, Line[]>()
  for (const line of lines) groups.set(line.atMs ?? 0, [...(groups.get(line.atMs ?? 0) ?? []), line])
  return [...groups.values()]
}

const runningOn = (world: World, method: CostMethod, sessionStartMs = 0): RunningBooks =>
  new RunningBooks({
    method,
    rules: () => worldRules,
    recorded: { ...nothingRecorded, ended: world.usdAt },
    sessionStartMs,
    daysFromMs: 0,
  })

const said = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Map ? [...each].sort() : each)))

function expectSame(running: RunningBooks, books: Books, world: World, sessionStartMs = 0) {
  const standing = running.standing(0)
  expect(said(standing.positions)).toEqual(said(books.positions))
  expect(said(standing.bySymbol)).toEqual(said(books.bySymbol))
  expect(said(standing.stated)).toEqual(said(books.stated))
  const { matches, fees } = books
  expect(said(standing.all)).toEqual(said(realizedIn(matches, fees, always)))
  expect(said(standing.today)).toEqual(said(realizedIn(matches, fees, { ...always, toMs: 86_399_999 })))
  expect(said(standing.session)).toEqual(said(realizedIn(matches, fees, { ...always, fromMs: sessionStartMs })))
  expect(running.missing(world.history)).toEqual(books.missing)
}

const booksOf = ({ history, statedCosts, usdAt }: World, method: CostMethod): Books => {
  const own = ownPrices(history.fills, worldRules, { ...nothingRecorded, ended: usdAt }).ofTrade
  return positionsOf({ history, rules: worldRules, statedCosts, usdAt: own, method })
}

test.each([
  ['of which all is known', wholeWorlds],
  ['of which much is unknown', looseWorlds],
])('running books of worlds %s come to what all lines together come to, by every method', (_, worlds) => {
  fc.assert(
    fc.property(worlds, (world) => {
      for (const method of costMethods) {
        const running = runningOn(world, method, 100_000)
        for (const lines of moments(linesIn(world))) running.enter(lines)
        expectSame(running, booksOf(world, method), world, 100_000)
      }
    }),
    { numRuns: 150 },
  )
})

test('a copy goes on by itself, and what is entered afterwards changes nothing of it', () => {
  fc.assert(
    fc.property(looseWorlds, fc.nat(60), (world, cut) => {
      for (const method of costMethods) {
        const groups = moments(linesIn(world))
        const running = runningOn(world, method)
        for (const lines of groups.slice(0, cut)) running.enter(lines)
        const copy = running.copy()
        for (const lines of groups.slice(cut)) running.enter(lines)
        const before = said(copy.standing(0))
        for (const lines of groups.slice(cut)) copy.enter(lines)
        expectSame(copy, booksOf(world, method), world)
        expect(said(running.standing(0))).toEqual(said(copy.standing(0)))
        if (groups.length <= cut) expect(before).toEqual(said(copy.standing(0)))
      }
    }),
    { numRuns: 100 },
  )
})

test('amounts of more and more decimals lose no digit', () => {
  const running = new RunningBooks({
    ...{ method: 'fifo', rules: () => worldRules, recorded: nothingRecorded, sessionStartMs: 0, daysFromMs: 0 },
  })
  const fills = ['0.5', '0.123456789012345678', '0.00000000000000000000000001'].map((quantity, at) => ({
    ...{ execId: `${at + 1}`, orderId: '1', tradeId: '1', symbol: 'BTC-USD', side: 'BUY' as const },
    ...{ price: new Decimal('3.3'), quantity: new Decimal(quantity), fee: new Decimal(0), timestampMs: at + 1 },
  }))
  for (const fill of fills) running.enter([fillLine(fill)])
  const [bitcoin] = running.standing(0).positions
  expect([bitcoin?.quantity.toFixed(), bitcoin?.costUsd.toFixed()]).toEqual([
    '0.62345678901234567800000001',
    '2.057407403740740737400000033',
  ])
})

test('a cost that is stated with more decimals than books without dollars had room for is kept to the last', () => {
  const tiny = '1e-40'
  const running = runningOn({ ...oddWorld(), usdAt: () => null }, 'fifo')
  const deposit = { depositId: 'd', address: '', txHash: null, state: 'COMPLETED' as const, timestampMs: 1 }
  const deposits = [{ ...deposit, currency: 'BTC', amount: new Decimal(2) }]
  running.enter(transferLines({ deposits, withdrawals: [] }))
  const stated = { currency: 'BTC', quantity: new Decimal(1), usdEach: new Decimal(tiny), atMs: 2 }
  running.enter(inLedgerOrder([], [stated]))
  expect(running.positions().map(({ costUsd }) => costUsd.toString())).toEqual([new Decimal(tiny).toString()])
})

test.each(costMethods)(
  '%s: odd entries come to the same in running books, and what they leave unknown is said',
  (method) => {
    const world = oddWorld()
    const running = runningOn(world, method)
    for (const lines of moments(linesIn(world))) running.enter(lines)
    const books = booksOf(world, method)
    expectSame(running, books, world)
    expect(running.fillCount).toBe(6)
    expect(running.lotCount).toBe(books.lots.filter(({ openedId }) => openedId !== 'average').length)
    expect(books.missing).toEqual([
      'The fee of withdrawal (no id) is not reported.',
      'Transfers without a time, which count as the oldest: 2.',
      'Fills of NAMELESS left out: its two currencies are unknown.',
      '0.5 ETH went out that no line brought in: the history is not whole, their cost unknown.',
      '0.02 USD went out that no line brought in: the history is not whole, their cost unknown.',
    ])
  },
)

test('books that end before some lines have them in what is booked alone, and in running books too', () => {
  const world = oddWorld()
  const running = runningOn(world, 'fifo')
  for (const lines of moments(linesIn(world)))
    if ((lines[0]?.atMs ?? 0) <= 5) running.enter(lines)
    else running.enterLater(lines)
  const own = ownPrices(world.history.fills, worldRules, { ...nothingRecorded, ended: world.usdAt }).ofTrade
  const books = positionsOf({ ...world, rules: worldRules, usdAt: own, method: 'fifo', untilMs: 5 })
  const { booked, positions } = running.standing(0)
  const texts = (map: ReadonlyMap<string, Decimal>) => [...map].map(([name, each]) => `${name} ${each.toFixed()}`)
  expect(texts(booked)).toEqual(texts(books.booked))
  expect(texts(booked)).toEqual(texts(booksOf(world, 'fifo').booked))
  expect(said(positions)).toEqual(said(books.positions))
})

test('thousands of lots that are used up are thrown away, and the next one goes on where they ended', () => {
  const running = runningOn({ ...oddWorld(), usdAt: () => null }, 'fifo')
  const fill = (at: number, side: 'BUY' | 'SELL', quantity: number, price: number) => ({
    ...{ execId: `${at}`, orderId: '1', tradeId: '1', symbol: 'BTC-USD', side, timestampMs: at },
    ...{ price: new Decimal(price), quantity: new Decimal(quantity), fee: new Decimal(0) },
  })
  for (let at = 1; at <= 3_000; at += 1) running.enter([fillLine(fill(at, 'BUY', 1, at))])
  const costOf = () =>
    running
      .positions()
      .find(({ currency }) => currency === 'BTC')
      ?.costUsd.toFixed()
  // What came in after the first `sold` ones, at 1, 2, 3 …
  const costAfter = (sold: number) => `${(3_000 * 3_001 - sold * (sold + 1)) / 2}`
  let sold = 0
  for (const quantity of [1_100, 300, 300, 1, 1_000, 299]) {
    sold += quantity
    running.enter([fillLine(fill(3_000 + sold, 'SELL', quantity, 1))])
    expect(costOf()).toBe(costAfter(sold))
  }
})

test('books know the moment that was entered last; what has no time is of the first', () => {
  const running = runningOn({ ...oddWorld(), usdAt: () => null }, 'fifo')
  running.enter([])
  expect(running.atMs).toBe(Number.NEGATIVE_INFINITY)
  const moments = momentsOf(linesIn({ ...oddWorld(), statedCosts: [] }))
  const times: number[] = []
  for (const lines of moments) {
    running.enter(lines)
    times.push(running.atMs)
  }
  running.enter([])
  expect([...times, running.atMs]).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 12, 12])
})

test('books that left out fills of a symbol are out of date once its currencies are known, and so is a copy', () => {
  const rules = new Map(worldRules)
  const running = new RunningBooks({
    ...{ method: 'fifo', rules: () => rules, recorded: nothingRecorded, sessionStartMs: 0, daysFromMs: 0 },
  })
  const [fill] = oddWorld().history.fills
  if (fill === undefined) throw new Error('no fill')
  running.enter([fillLine(fill)])
  expect(running.isOutdated).toBe(false)
  for (const [at, symbol] of ['NAMELESS', 'OTHER'].entries())
    running.enter([fillLine({ ...fill, symbol, timestampMs: 20 + at })])
  const copy = running.copy()
  expect([running.isOutdated, copy.isOutdated]).toEqual([false, false])
  const transfers = { deposits: [], withdrawals: [] }
  expect(copy.missing(transfers)).toEqual(running.missing(transfers))
  expect(copy.missing(transfers)).toContain('Fills of OTHER left out: its two currencies are unknown.')
  rules.set('NAMELESS', { base: 'BTC', counter: 'USD' })
  expect([running.isOutdated, copy.isOutdated]).toEqual([true, true])
})

test('sums of days begin with the one that is asked for, and the oldest of many are forgotten', () => {
  const dayMs = 86_400_000
  const daysFromMs = 10 * dayMs
  const running = new RunningBooks({
    ...{ method: 'fifo', rules: () => worldRules, recorded: nothingRecorded, sessionStartMs: 0, daysFromMs },
  })
  const [fill] = oddWorld().history.fills
  if (fill === undefined) throw new Error('no fill')
  const feesOf = (day: number) => running.standing(day * dayMs).today.total.knownFeeCount
  const days = [9, 10, 10, 11, 12, 13, 14]
  for (const [at, day] of days.entries()) {
    running.enter([fillLine({ ...fill, execId: `${at}`, timestampMs: day * dayMs + at })])
    expect(feesOf(9)).toBe(0)
  }
  expect(running.standing(0).all.total.knownFeeCount).toBe(7)
  expect([10, 11, 12, 13, 14].map(feesOf)).toEqual([0, 0, 1, 1, 1])
})

test('what comes in, and what a cost is stated for, is kept to its last digit', () => {
  const running = runningOn({ ...oddWorld(), usdAt: () => null }, 'fifo')
  const deposit = { depositId: 'd', address: '', txHash: null, state: 'COMPLETED' as const, timestampMs: 1 }
  const tiny = new Decimal('1.0000000000000000000000000000000001')
  running.enter(transferLines({ deposits: [{ ...deposit, currency: 'BTC', amount: tiny }], withdrawals: [] }))
  expect(running.positions()[0]?.quantity.toFixed()).toBe(tiny.toFixed())
  const finer = new Decimal('0.00000000000000000000000000000000000000000001')
  running.enter(inLedgerOrder([], [{ currency: 'BTC', quantity: finer, usdEach: new Decimal(2), atMs: 2 }]))
  expect(running.standing(0).stated.map(({ counted }) => counted.toFixed())).toEqual([finer.toFixed()])
})
