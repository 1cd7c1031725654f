import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { fillLine, inLedgerOrder, type Line, transferLines } from '../../../src/domain/positions/lines.ts'
import { type Books, positionsOf } from '../../../src/domain/positions/lots.ts'
import { usdAtFromFills } from '../../../src/domain/positions/own-prices.ts'
import { type CostMethod, costMethods } from '../../../src/domain/positions/position.ts'
import { realizedIn } from '../../../src/domain/positions/realized.ts'
import { RunningBooks } from '../../../src/domain/positions/running-books.ts'
import { looseWorlds, type World, wholeWorlds, worldRules } from './worlds.ts'

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
  new RunningBooks({ method, rules: () => worldRules, recorded: world.usdAt, sessionStartMs, daysFromMs: 0 })

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
  const own = usdAtFromFills(history.fills, worldRules, usdAt)
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
    ...{ method: 'fifo', rules: () => worldRules, recorded: () => null, sessionStartMs: 0, daysFromMs: 0 },
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
