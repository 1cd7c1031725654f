import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { CheckContext } from '../../../src/domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { firmStops, orderUsd } from '../../../src/hub/writes/firm-checks.ts'
import { amount, usualFees } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { lastTrades, noLimits, quietDay } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'

const book = aBook([['59900', '1']], [['60100', '1']])
const bounds = { soft: new Decimal(100), hard: new Decimal(1_000) }

const context = (change: Partial<CheckContext> = {}): CheckContext => ({
  instrument: { kind: 'fresh', value: anInstrument() },
  book: { kind: 'fresh', value: book },
  balances: { kind: 'fresh', value: [aBalance('USD', '5000000')] },
  fees: { kind: 'fresh', value: usualFees },
  ...quietDay({ limits: { ...noLimits, orderNotionalUsd: bounds } }),
  ...change,
})

const buy = (quantity: string, change: Partial<OrderDraft> = {}) =>
  aDraft({ side: 'BUY', limitPrice: amount('60000'), orderQuantity: amount(quantity), ...change })
const stops = (draft: OrderDraft, change: Partial<CheckContext> = {}, of = book) =>
  firmStops(draft, of, context(change)).map(({ rule, level }) => `${level} ${rule}`)

test("a firm's hard limits stop an order, its soft ones ask nobody at a hub; without rules or balances none goes", () => {
  expect(stops(buy('0.01'))).toEqual([])
  expect(stops(buy('0.02'))).toEqual(['block orderValue'])
  expect(stops(buy('0.01'), { instrument: { kind: 'missing' } })).toEqual(['block freshness'])
  expect(stops(buy('0.01'), { balances: { kind: 'missing' } })).toEqual(['block freshness'])
  // Its trigger is reached: a market order that nobody is there for.
  const stop = buy('0.01', { type: 'STOP', limitPrice: null, stopPrice: amount('60000') })
  const tickers = lastTrades({ 'BTC-USD': '60100' })
  expect(stops(stop, { tickers }, aBook([['59900', '1']], []))).toContain('block market')
})

test('an order has the value of its price in USD, a market order that of the book; a book below zero values nothing', () => {
  const market = buy('2', { type: 'MARKET', limitPrice: null, timeInForce: null })
  const prices = (tickers: CheckContext['tickers'], rate = '1') => ({
    ...{ instruments: new Map(), tickers: tickers.kind === 'fresh' ? tickers.value : new Map() },
    balances: [aBalance('USD', '1'), aBalance('EUR', '1', { rate })],
  })
  const { tickers } = context()
  const usd = (draft: OrderDraft, of = book) => orderUsd(draft, of, { tickers, prices: prices(tickers) })?.toFixed()
  expect(usd(buy('0.01'))).toBe('600')
  // What the book does not show counts at its last price.
  expect(usd(market)).toBe('120200')
  expect(usd(market, aBook([], []))).toBeUndefined()
  expect(usd(market, aBook([], [['-5', '3']]))).toBeUndefined()
  const inEuros = buy('0.01', { symbol: 'BTC-EUR' })
  const known = lastTrades({ 'EUR-USD': '1.2' })
  expect(orderUsd(inEuros, book, { tickers: known, prices: prices(known, '1.1') })?.toFixed()).toBe('720')
  expect(orderUsd(inEuros, book, { tickers, prices: { ...prices(tickers), balances: [] } })).toBeNull()
})
