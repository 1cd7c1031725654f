import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { PlanQuotes } from '../../../src/services/plans/plan-quotes.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const d = (text: string | number) => new Decimal(text)
const rules = { type: 'instruments', instruments: new Map([['BTC-USD', anInstrument()]]), atMs: 5 } as const
const bookOf = (symbol: string, bid: string, ask: string, atMs: number) =>
  ({ type: 'book', symbol, book: aBook([[bid, '1']], [[ask, '1']]), atMs }) as const
const lastOf = (symbol: string, price: number, atMs: number) => {
  const ticker = { symbol, lastPrice: d(price), price24h: null, volume24h: null }
  return { type: 'tickers', tickers: new Map([[symbol, ticker]]), atMs } as const
}

test('what has not come is not known, and why is said', () => {
  const quotes = new PlanQuotes()
  expect(quotes.instrument('BTC-USD')).toBeNull()
  expect(quotes.price('BTC-USD', 5)).toMatchObject({ kind: 'unknown', why: 'the rules of the symbol are not loaded' })
  quotes.observe(rules)
  expect(quotes.instrument('BTC-USD')).toEqual(anInstrument())
  expect(quotes.instrument('ETH-USD')).toBeNull()
  expect(quotes.price('BTC-USD', 5)).toEqual({ kind: 'unknown', why: 'no price has come yet', sinceMs: 0 })
  // Its list has come, and the symbol is not in it.
  quotes.observe(lastOf('ETH-USD', 9, 4))
  expect(quotes.price('ETH-USD', 5)).toEqual({
    ...{ kind: 'unknown', why: 'the exchange does not list ETH-USD now', sinceMs: 4 },
  })
  // One whose rules cannot be read is listed.
  quotes.observe({ ...rules, unread: new Set(['ETH-USD']) })
  expect(quotes.price('ETH-USD', 5)).toMatchObject({ why: 'the rules of the symbol are not loaded' })
})

test('the newest book and last price of a symbol count, whichever comes first, and no other symbol’s', () => {
  const quotes = new PlanQuotes()
  quotes.observe(rules)
  quotes.observe(bookOf('BTC-USD', '99', '101', 10))
  quotes.observe(bookOf('ETH-USD', '9', '11', 10))
  expect(quotes.price('BTC-USD', 10)).toEqual({ kind: 'known', price: d(100), last: null })
  quotes.observe(lastOf('BTC-USD', 98, 20))
  quotes.observe(lastOf('ETH-USD', 8, 20))
  expect(quotes.price('BTC-USD', 20)).toEqual({ kind: 'known', price: d(100), last: d(98) })
  quotes.observe(bookOf('BTC-USD', '101', '103', 30))
  expect(quotes.price('BTC-USD', 30)).toEqual({ kind: 'known', price: d(102), last: d(98) })
  expect(quotes.price('BTC-USD', 60_000)).toEqual({
    ...{ kind: 'unknown', why: 'book and last price are too old', sinceMs: 30 },
  })
})

test('a price is unknown since it was known, though books go on to come that have none, and not while nothing trades', () => {
  const quotes = new PlanQuotes()
  quotes.observe(rules)
  quotes.observe(bookOf('BTC-USD', '99', '101', 10))
  expect(quotes.price('BTC-USD', 40)).toMatchObject({ kind: 'known' })
  const noAsks = (atMs: number) =>
    quotes.observe({ type: 'book', symbol: 'BTC-USD', book: aBook([['99', '1']], []), atMs })
  for (const atMs of [1_000, 9_000, 15_000]) {
    noAsks(atMs)
    expect(quotes.price('BTC-USD', atMs)).toMatchObject({ kind: 'unknown', sinceMs: 40 })
  }
  const halted = new Map([['BTC-USD', anInstrument({ status: 'halt' })]])
  quotes.observe({ ...rules, instruments: halted })
  expect(quotes.price('BTC-USD', 20_000)).toMatchObject({ kind: 'unknown', sinceMs: 15_000 })
  quotes.observe(rules)
  noAsks(21_000)
  expect(quotes.price('BTC-USD', 21_000)).toMatchObject({ kind: 'unknown', sinceMs: 20_000 })
})
