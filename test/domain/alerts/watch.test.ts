import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateAlerts } from '../../../src/domain/alerts/news.ts'
import {
  allStanding,
  isBeyond,
  nextWatchState,
  quoteOfBook,
  rearmAfterMs,
  symbolsOfBooks,
  type Watch,
} from '../../../src/domain/alerts/watch.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { aBook } from '../../fakes/books.ts'
import { aQuote, aWatch } from './fixtures.ts'

/** The moments at which a watch fires on a row of prices, one a second, and the watch after them. */
function run(watch: Watch, prices: readonly (string | Decimal)[], startMs = 0): { firedAt: number[]; watch: Watch } {
  const firedAt: number[] = []
  let watches: readonly Watch[] = [watch]
  for (const [index, price] of prices.entries()) {
    const facts = [{ kind: 'quote', quote: aQuote(price, watch.price) }] as const
    const step = evaluateAlerts({ watches, standing: allStanding }, facts, startMs + index * 1_000, null)
    watches = step.watches
    if (step.fired.length > 0) firedAt.push(index)
  }
  return { firedAt, watch: watches[0] ?? watch }
}

test('a crossing fires once, at the price that is past the level, and not at the level itself', () => {
  expect(run(aWatch(), ['69999', '70000', '70000.5', '70001', '69000', '70002']).firedAt).toEqual([2])
  expect(run(aWatch({ comparison: '<' }), ['70001', '70000', '69999.5', '70001', '69000']).firedAt).toEqual([2])
})

test('one for a price that reaches its level fires at the level itself, and says that the price is there', () => {
  const reached = aWatch({ orAt: true })
  expect(run(reached, ['69999', '70000', '69000', '70002']).firedAt).toEqual([1])
  expect(run({ ...reached, comparison: '<' }, ['70001', '70000.01', '70000']).firedAt).toEqual([2])
  expect(run(reached, ['70000', '70000', '69999', '70000']).firedAt).toEqual([3])
  const facts = [{ kind: 'quote', quote: aQuote('70000') }] as const
  const { fired } = evaluateAlerts(
    { watches: [{ ...reached, state: { kind: 'near' } }], standing: allStanding },
    facts,
    7,
    null,
  )
  expect(fired.map(({ text, bareText }) => [text, bareText])).toEqual([
    ['BTC-USD last 70,000.00 is at 70,000.00 (alert 3).', 'BTC-USD last is at its level (alert 3).'],
  ])
})

test('armed while the price is beyond already, it waits until the price has come back', () => {
  expect(run(aWatch(), ['70500', '70600']).firedAt).toEqual([])
  expect(run(aWatch(), ['70500', '70600', '69000', '70100']).firedAt).toEqual([3])
  expect(run(aWatch({ isAtOnce: true }), ['70500', '70600']).firedAt).toEqual([0])
})

test('one that repeats arms itself when the price is back, and rests a minute after it fired', () => {
  const watch = aWatch({ repeats: true })
  expect(run(watch, ['69000', '70100', '69000', '70100', '69000', '70100']).firedAt).toEqual([1])
  const rested = run(watch, ['69000', '70100']).watch
  expect(run(rested, ['69000', '70100'], 1_000 + rearmAfterMs).firedAt).toEqual([1])
  expect(run(rested, ['70100', '70200'], 1_000 + rearmAfterMs).firedAt).toEqual([])
})

test('the news says which price went where', () => {
  const watches = [aWatch({ state: { kind: 'near' } })]
  const facts = [{ kind: 'quote', quote: aQuote('70010') }] as const
  expect(evaluateAlerts({ watches, standing: allStanding }, facts, 7, null).fired).toEqual([
    {
      kind: 'watch',
      level: 'warn',
      text: 'BTC-USD last 70,010.00 is above 70,000.00 (alert 3).',
      bareText: 'BTC-USD last is above its level (alert 3).',
    },
  ])
})

const cents = fc.integer({ min: 6_900_000, max: 7_100_000 }).map((count) => new Decimal(count).div(100))
const prices = fc.array(cents, { maxLength: 40 })
const comparison = fc.constantFrom('>', '<')

test('property: it fires at most once, and exactly when a price on its side is later followed by one beyond', () => {
  fc.assert(
    fc.property(prices, comparison, (row, sign) => {
      const watch = aWatch({ comparison: sign })
      const firstNear = row.findIndex((price) => !isBeyond(watch, price))
      const crossing = firstNear === -1 ? -1 : row.findIndex((price, at) => at > firstNear && isBeyond(watch, price))
      expect(run(watch, row).firedAt).toEqual(crossing === -1 ? [] : [crossing])
    }),
  )
})

test('property: nothing fires while every price is on the same side', () => {
  fc.assert(
    fc.property(prices, comparison, fc.boolean(), (row, sign, repeats) => {
      const watch = aWatch({ comparison: sign, repeats })
      const beyond = row.filter((price) => isBeyond(watch, price))
      const near = row.filter((price) => !isBeyond(watch, price))
      expect(run(watch, beyond).firedAt).toEqual([])
      expect(run(watch, near).firedAt).toEqual([])
    }),
  )
})

test('property: a restart between any two prices changes nothing about what fires', () => {
  fc.assert(
    fc.property(prices, prices, comparison, fc.boolean(), (before, after, sign, repeats) => {
      const watch = aWatch({ comparison: sign, repeats })
      const whole = run(watch, [...before, ...after])
      const first = run(watch, before)
      const second = run(first.watch, after, before.length * 1_000)
      expect([...first.firedAt, ...second.firedAt.map((at) => at + before.length)]).toEqual(whole.firedAt)
    }),
  )
})

test('property: a repeating one fires by crossings only, a minute apart at least', () => {
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 300 }), comparison, (row, sign) => {
      const watch = aWatch({ comparison: sign, repeats: true })
      const { firedAt } = run(watch, row)
      for (const [index, at] of firedAt.entries()) {
        expect(isBeyond(watch, row[at] ?? new Decimal(0))).toBe(true)
        const since = row.slice(firedAt[index - 1] ?? 0, at)
        expect(since.some((price) => !isBeyond(watch, price))).toBe(true)
        if (index > 0) expect(at - (firedAt[index - 1] ?? 0)).toBeGreaterThan(rearmAfterMs / 1_000)
      }
    }),
  )
})

test('a price of another kind, or of another symbol, is nothing to a watch', () => {
  const watches = [aWatch({ state: { kind: 'near' } })]
  for (const quote of [aQuote('80000', 'bid'), aQuote('80000', 'last', 'ETH-USD')]) {
    const step = evaluateAlerts({ watches, standing: allStanding }, [{ kind: 'quote', quote }], 0, null)
    expect(step.fired).toEqual([])
    expect(step.watches).toBe(watches)
  }
})

test('a book gives bid, ask, mid and spread, and leaves out what an empty side cannot give', () => {
  const both = quoteOfBook(aBook([['64210.00', '1']], [['64211.00', '1']]))
  expect(Object.entries(both.prices).map(([name, price]) => `${name} ${price}`)).toEqual([
    'bid 64210',
    'ask 64211',
    'mid 64210.5',
    'spread 1',
  ])
  expect(Object.keys(quoteOfBook(aBook([['64210.00', '1']], [])).prices)).toEqual(['bid'])
})

test('the books that are needed are those of watches that can still fire', () => {
  const fired = { kind: 'fired', atMs: 0, price: new Decimal(1) } as const
  const watches = [
    aWatch({ symbol: 'A-USD', price: 'bid' }),
    aWatch({ symbol: 'A-USD', price: 'spread' }),
    aWatch({ symbol: 'B-USD', price: 'last' }),
    aWatch({ symbol: 'C-USD', price: 'mid', state: fired }),
    aWatch({ symbol: 'D-USD', price: 'mid', state: fired, repeats: true }),
  ]
  expect(symbolsOfBooks(watches)).toEqual(['A-USD', 'D-USD'])
})

test('a state that does not change is the same object', () => {
  const watch = aWatch({ state: { kind: 'near' } })
  expect(nextWatchState(watch, new Decimal('69000'), 5)).toBe(watch.state)
})
