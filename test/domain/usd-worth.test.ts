import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apartFactor } from '../../src/domain/apart.ts'
import { usdSources } from '../../src/domain/orders/checks/value-checks.ts'
import { apartText, limitUsd, usdWorth } from '../../src/domain/usd-worth.ts'
import { amount } from '../fakes/amounts.ts'
import { aBalance } from '../fakes/balances.ts'

/** One currency with this last price and this rate; null for none. */
const sources = (last: string | null, rate: string | null, usd = '1') => ({
  tickers: new Map(
    last === null
      ? []
      : [['BTC-USD', { symbol: 'BTC-USD', lastPrice: amount(last), price24h: null, volume24h: null }] as const],
  ),
  balances: [aBalance('USD', '0', { rate: usd }), ...(rate === null ? [] : [aBalance('BTC', '1', { rate })])],
})

describe('what limits value a currency at', () => {
  test.each([
    ['63900', '64000', '64000'],
    ['64000', '63900', '64000'],
    ['64000', null, '64000'],
    [null, '63900', '63900'],
    ['64000', '0', '64000'],
    ['0', '63900', '63900'],
    ['-1', '63900', '63900'],
    // Exactly so far apart is still believed.
    ['30000', '60000', '60000'],
    ['60000', '30000', '60000'],
    ['29999', '60000', undefined],
    ['60000', '29999', undefined],
    // An exchange that tells one for every currency keeps no rates.
    ['60000', '1', '60000'],
    [null, '1', undefined],
    [null, null, undefined],
  ])('last price %s and rate %s make %s', (last, rate, worth) =>
    expect(limitUsd('BTC', sources(last, rate))?.toFixed()).toBe(worth),
  )

  const noTickers = [
    ['not loaded', { kind: 'missing' }],
    ['old', { kind: 'stale', ageMs: 60_000 }],
    ['without this one', { kind: 'fresh', value: new Map() }],
  ] as const
  test.each(noTickers)('with last prices %s a rate of one for each currency is no rate', (_, tickers) => {
    const { balances } = sources(null, '1')
    const worth = (currency: string, more = balances) => limitUsd(currency, usdSources(tickers, more))?.toFixed()
    expect(worth('BTC')).toBeUndefined()
    expect(worth('USD')).toBe('1')
    expect(worth('BTC', sources(null, '63900').balances)).toBe('63900')
    // Who keeps rates tells one of a coin that is worth a dollar, and it may have no symbol of its own.
    const coin = aBalance('USDC', '5')
    expect(worth('USDC', [...balances, coin])).toBeUndefined()
    expect(worth('USDC', [...sources(null, '63900').balances, coin])).toBe('1')
    expect(worth('USDC', [...sources(null, '0').balances, coin])).toBeUndefined()
  })

  test('a dollar is a dollar, whatever a symbol or a rate of it says', () =>
    expect(usdWorth('USD', sources(null, null, '5'))).toMatchObject({ kind: 'known', usd: amount('1') }))

  test('whoever sets one of the two cannot bring the value below half of the other', () => {
    const prices = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(
        prices,
        prices.map((rate) => rate + 1),
        (last, rate) => {
          const usd = limitUsd('BTC', sources(`${last}`, `${rate}`))
          const [low, high] = [Math.min(last, rate), Math.max(last, rate)]
          expect(usd?.toNumber()).toBe(high <= low * apartFactor ? high : undefined)
        },
      ),
    )
  })

  test('where the two cannot both be true, the sentence names both', () => {
    expect(apartText('BTC', sources('0.16', '63900.5'))).toBe(
      'the last price of BTC is 0.16 USD and its rate 63,900.5 USD, which cannot both be true',
    )
    expect(apartText('BTC', sources('63900', '63900'))).toBeNull()
    expect(apartText('BTC', sources(null, null))).toBeNull()
  })
})
