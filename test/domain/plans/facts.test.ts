import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { isTargetNear, priceFreshMs, readPrice, trailedStop } from '../../../src/domain/plans/facts.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const d = (text: string | number) => new Decimal(text)
const book = aBook([['99', '1']], [['101', '1']])
const ticker = (price: number | null) => ({
  ...{ symbol: 'BTC-USD', lastPrice: price === null ? null : d(price), price24h: null, volume24h: null },
})
const now = 1_000_000
const quotes = (change: Partial<Parameters<typeof readPrice>[0]> = {}) => ({
  ...{ instrument: anInstrument(), book: { book, atMs: now }, ticker: { ticker: ticker(98), atMs: now } },
  ...change,
})

test('the price is the middle of the book, the last trade where that is not to be had, each for ten seconds', () => {
  const of = (change: Parameters<typeof quotes>[0]) => readPrice(quotes(change), now)
  expect(of({})).toEqual({ kind: 'known', price: d(100), last: d(98) })
  expect(of({ ticker: null })).toEqual({ kind: 'known', price: d(100), last: null })
  expect(of({ book: null })).toEqual({ kind: 'known', price: d(98), last: d(98) })
  const old = now - priceFreshMs - 1
  expect(of({ book: { book, atMs: old } })).toEqual({ kind: 'known', price: d(98), last: d(98) })
  expect(of({ book: { book, atMs: old + 1 } })).toMatchObject({ price: d(100) })
  expect(of({ ticker: { ticker: ticker(98), atMs: old } })).toEqual({ kind: 'known', price: d(100), last: null })
  expect(of({ ticker: { ticker: ticker(98), atMs: old + 1 } })).toMatchObject({ last: d(98) })
  // A book whose sides cross, or that has one side, says nothing of where the market is.
  const crossed = aBook([['102', '1']], [['101', '1']])
  expect(of({ book: { book: crossed, atMs: now } })).toMatchObject({ price: d(98) })
  expect(of({ book: { book: aBook([['99', '1']], []), atMs: now } })).toMatchObject({ price: d(98) })
})

test('where nobody knows the price it is said why, and since when', () => {
  const of = (change: Parameters<typeof quotes>[0]) => readPrice(quotes(change), now)
  expect(of({ instrument: null })).toEqual({
    ...{ kind: 'unknown', why: 'the rules of the symbol are not loaded', sinceMs: now },
  })
  expect(of({ instrument: anInstrument({ status: 'close' }) })).toMatchObject({ why: 'BTC-USD is closed' })
  expect(of({ instrument: anInstrument({ status: 'halt' }) })).toMatchObject({ why: 'BTC-USD is halted' })
  expect(of({ book: null, ticker: null })).toEqual({ kind: 'unknown', why: 'no price has come yet', sinceMs: 0 })
  expect(of({ book: { book, atMs: 5 }, ticker: { ticker: ticker(98), atMs: 7 } })).toEqual({
    ...{ kind: 'unknown', why: 'book and last price are too old', sinceMs: 7 },
  })
  expect(of({ book: null, ticker: { ticker: ticker(null), atMs: now } })).toEqual({
    ...{ kind: 'unknown', why: 'it has no last price, and no bid and ask to go by', sinceMs: now },
  })
})

test('the target is near at its distance, and stays until the price is at the wider one, on either side', () => {
  const terms = { targetPrice: d(105), nearBy: d(1), backBy: d(2) }
  const sell = (price: number, isAtTarget: boolean) => isTargetNear(terms, 'SELL', d(price), isAtTarget)
  expect([sell(103.9, false), sell(104, false), sell(106, false)]).toEqual([false, true, true])
  expect([sell(103, true), sell(103.1, true), sell(106, true)]).toEqual([false, true, true])
  const buy = (price: number, isAtTarget: boolean) => isTargetNear(terms, 'BUY', d(price), isAtTarget)
  expect([buy(106.1, false), buy(106, false), buy(104, false)]).toEqual([false, true, true])
  expect([buy(107, true), buy(106.9, true)]).toEqual([false, true])
})

test('a trailing stop stands behind the worse of last trade and middle, on the tick, and never goes back', () => {
  const terms = { trailBy: d(3), stepBy: d(1) }
  const instrument = anInstrument()
  const at = (side: 'BUY' | 'SELL', price: number, last: number | null, before: number | null) =>
    trailedStop(
      terms,
      side,
      { price: d(price), last: last === null ? null : d(last) },
      before === null ? null : d(before),
      instrument,
    ).toNumber()
  expect([at('SELL', 100.3, null, null), at('SELL', 100.3, 99.2, null), at('SELL', 99.2, 100.3, null)]).toEqual([
    ...[97, 96, 96],
  ])
  expect([at('BUY', 100.3, null, null), at('BUY', 100.3, 101.2, null), at('BUY', 101.2, 100.3, null)]).toEqual([
    ...[103.5, 104.5, 104.5],
  ])
  expect([at('SELL', 101, 101, 97), at('SELL', 100.5, 101, 97), at('SELL', 90, 90, 97)]).toEqual([98, 97, 97])
  expect([at('BUY', 99, 99, 103), at('BUY', 99.5, 99, 103), at('BUY', 110, 110, 103)]).toEqual([102, 103, 103])
  // Without a last trade the middle alone, which one far order moves, would set it off.
  expect([at('SELL', 140, null, 97), at('BUY', 60, null, 103)]).toEqual([97, 103])
})
