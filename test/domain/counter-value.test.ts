import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { commonestCounter, counterRate } from '../../src/domain/usd-value.ts'
import { instrumentFrom } from '../fakes/desk-state.ts'

const listed = (...symbols: string[]) =>
  new Map(
    symbols.map((symbol) => [
      symbol,
      instrumentFrom({ symbol, tick: '0.01', lot: '0.01', priceScale: 2, quantityScale: 2 }),
    ]),
  )
const priced = (prices: Readonly<Record<string, string | null>>) =>
  new Map(
    Object.entries(prices).map(([symbol, price]) => [
      symbol,
      { symbol, lastPrice: price === null ? null : new Decimal(price), price24h: null, volume24h: null },
    ]),
  )

test('values are in the currency that most symbols are priced in, in dollars where nothing speaks for another', () => {
  expect(commonestCounter(listed())).toBe('USD')
  expect(commonestCounter(listed('BTC-EUR', 'ETH-EUR', 'ETH-BTC'))).toBe('EUR')
  expect(commonestCounter(listed('BTC-EUR', 'BTC-USD'))).toBe('USD')
})

test('a rate is the last price of the direct symbol and of no other: unknown stays unknown', () => {
  const instruments = listed('BTC-USD', 'ETH-BTC', 'NEW-USD', 'USD-EUR')
  const tickers = priced({ 'BTC-USD': '64210.50', 'ETH-BTC': '0.05', 'NEW-USD': null, 'USD-EUR': '0.9' })
  const rate = (currency: string) => counterRate(currency, 'USD', instruments, tickers)?.toFixed() ?? null
  expect(rate('USD')).toBe('1')
  expect(rate('BTC')).toBe('64210.5')
  // Not over bitcoin, not by turning a price round, not before the first trade.
  expect(['ETH', 'EUR', 'NEW', 'ZZZ'].map(rate)).toEqual([null, null, null, null])
})
