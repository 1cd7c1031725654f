import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Book } from '../../../src/domain/market/book.ts'
import { sweep } from '../../../src/domain/market/book.ts'
import { isOnLot } from '../../../src/domain/market/instrument.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { readSizeText, type Size, type SizingMarket, sizedQuantity } from '../../../src/domain/orders/sizing.ts'
import { aBalance } from '../../fakes/balances.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const decimal = (text: string) => new Decimal(text)
const level = (price: string, quantity: string) => ({
  price: decimal(price),
  quantity: decimal(quantity),
  orderCount: 1n,
})
const book: Book = {
  symbol: 'BTC-USD',
  bids: [level('64000', '1'), level('63999.5', '2')],
  asks: [level('64000.5', '0.01'), level('64010', '1')],
}
const market: SizingMarket = {
  instrument: anInstrument(),
  book,
  balances: [aBalance('BTC', '1.50005', { total: '2' }), aBalance('USD', '10000')],
  fees: { makerRate: decimal('0.001'), takerRate: decimal('0.002'), volumeUsd: decimal('0') },
}

const read = (text: string): string => {
  const size = readSizeText(text, { base: 'BTC', counter: 'USD' })
  if (!size.ok) return `! ${size.error}`
  const { value } = size
  if (value.kind === 'base') return `${value.quantity.toFixed()} BTC`
  if (value.kind === 'counter') return `${value.amount.toFixed()} USD`
  if (value.kind === 'share') return `${value.percent.toFixed()}%`
  return `risk ${value.amount.toFixed()} at ${value.stopPrice.toFixed()}`
}

describe('a size as it is typed', () => {
  test.each([
    ['0.05', '0.05 BTC'],
    ['.05', '0.05 BTC'],
    [' 0.05 btc ', '0.05 BTC'],
    ['0.05BTC', '0.05 BTC'],
    ['₿0.5', '0.5 BTC'],
    ['$1000', '1000 USD'],
    ['$1,000.50', '1000.5 USD'],
    ['$1,000', '1000 USD'],
    ['12,500 $', '12500 USD'],
    ['risk $1,000 stop 63000', 'risk 1000 at 63000'],
    ['1000 usd', '1000 USD'],
    ['1000$', '1000 USD'],
    ['$1k', '1000 USD'],
    ['1k usd', '1000 USD'],
    ['2.5K USD', '2500 USD'],
    ['$0.25m', '250000 USD'],
    ['usd 250', '250 USD'],
    ['25%', '25%'],
    ['25 %', '25%'],
    ['half', '50%'],
    ['ALL', '100%'],
    ['max', '100%'],
    ['risk $200 stop 63000', 'risk 200 at 63000'],
    ['risk 0.2k sl 63,000.50', 'risk 200 at 63000.5'],
    ['risk 200 usd stop 63k', 'risk 200 at 63000'],
  ])('%s is %s', (text, meant) => {
    expect(read(text)).toBe(meant)
  })

  test.each([
    ['', 'quantity is missing'],
    ['1k', '"1k" can be read in two ways: write 1000 BTC or 1000 USD'],
    ['1k btc', '"1k btc" can be read in two ways: write 1000 BTC or 1000 USD'],
    ['1,000', '"1,000" can be read in two ways: write 1000 or 1'],
    ['1,000 usd', '"1,000" can be read in two ways: write 1000 or 1'],
    ['₿1,000', '"1,000" can be read in two ways: write 1000 or 1'],
    ['risk 200 stop $1,234', '"1,234" can be read in two ways: write 1234 or 1.234'],
    ['$0,050', '"0,050" has a decimal comma: write 0.050'],
    ['$1,00', '"1,00" has a decimal comma: write 1.00'],
    ['-1', 'quantity must be above zero'],
    ['$0', 'quantity must be above zero'],
    ['5 eur', '5 eur is an amount of EUR, not a quantity: type the quantity in BTC or USD'],
    ['$5 btc', 'two currencies are named: leave one out'],
    ['101%', 'at most 100% of the available balance'],
    ['abc', 'quantity is not a number'],
    ['constructor', 'quantity is not a number'],
    ['1 2', 'quantity is not a number'],
    ['1kk', '1kk is an amount of KK, not a quantity: type the quantity in BTC or USD'],
    ['risk 200 eur stop 63000', 'what is risked is an amount of USD: risk 200 stop PRICE'],
    ['risk', 'quantity is not a number'],
  ])('%s is refused', (text, sentence) => {
    expect(read(text)).toBe(`! ${sentence}`)
  })

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const size = readSizeText(text, { base: 'BTC', counter: 'USD' })
        if (size.ok && size.value.kind === 'base') expect(size.value.quantity.gt(0)).toBe(true)
      }),
    )
  })
})

const sized = (size: Size, side: 'BUY' | 'SELL', price: string | null): string => {
  const quantity = sizedQuantity(size, { side, price: price === null ? null : decimal(price) }, market)
  return quantity.ok ? quantity.value.toFixed() : `! ${quantity.error.text}`
}

test('a share of the balance is no larger by a rebate, which is paid after the fill', () => {
  const rated = (takerRate: string): SizingMarket => {
    const rate = decimal(takerRate)
    return { ...market, fees: { makerRate: rate, takerRate: rate, volumeUsd: decimal('0') } }
  }
  const all: Size = { kind: 'share', percent: decimal('100') }
  for (const price of [decimal('64000'), null]) {
    const order = { side: 'BUY', price } as const
    expect(sizedQuantity(all, order, rated('-0.01'))).toEqual(sizedQuantity(all, order, rated('0')))
  }
})

describe('what a size comes to', () => {
  test.each<[string, Size, 'BUY' | 'SELL', string | null, string]>([
    ['money at a limit', { kind: 'counter', amount: decimal('1000') }, 'BUY', '64000', '0.0156'],
    ['money through the asks', { kind: 'counter', amount: decimal('1000') }, 'BUY', null, '0.0156'],
    ['money into the bids', { kind: 'counter', amount: decimal('64000') }, 'SELL', null, '1'],
    [
      'money less than a lot',
      { kind: 'counter', amount: decimal('5') },
      'BUY',
      '64000',
      '! that is less than one lot of 0.0001 BTC',
    ],
    [
      'more than the book',
      { kind: 'counter', amount: decimal('1000000') },
      'BUY',
      null,
      '! the book does not hold that much',
    ],
    ['a share of what is held', { kind: 'share', percent: decimal('50') }, 'SELL', '65000', '0.75'],
    ['a share of the money, with its fee', { kind: 'share', percent: decimal('100') }, 'BUY', '50000', '0.1996'],
    [
      'a risk below the entry',
      { kind: 'risk', amount: decimal('200'), stopPrice: decimal('63000') },
      'BUY',
      '64000',
      '0.2',
    ],
    [
      'a risk at the market',
      { kind: 'risk', amount: decimal('200'), stopPrice: decimal('63000') },
      'BUY',
      null,
      '0.1999',
    ],
    [
      'a stop on the wrong side',
      { kind: 'risk', amount: decimal('200'), stopPrice: decimal('65000') },
      'BUY',
      '64000',
      '! the stop price must be below the entry at 64,000.00',
    ],
    [
      'a stop on the wrong side of a sell',
      { kind: 'risk', amount: decimal('200'), stopPrice: decimal('63000') },
      'SELL',
      '64000',
      '! the stop price must be above the entry at 64,000.00',
    ],
  ])('%s', (_, size, side, price, meant) => {
    expect(sized(size, side, price)).toBe(meant)
  })

  test('without what it is reckoned with it says what is missing', () => {
    const none = { ...market, book: null, balances: null, fees: null }
    const share = sizedQuantity({ kind: 'share', percent: decimal('50') }, { side: 'BUY', price: null }, none)
    expect(share).toEqual({
      ok: false,
      error: { kind: 'notReckoned', text: 'a share needs balances and fees: wait' },
    })
    const money = sizedQuantity({ kind: 'counter', amount: decimal('50') }, { side: 'BUY', price: null }, none)
    expect(money).toEqual({ ok: false, error: { kind: 'notReckoned', text: 'no price yet: wait' } })
  })

  test('less than a lot is told apart from what cannot be computed', () => {
    const size: Size = { kind: 'counter', amount: decimal('5') }
    const dust = sizedQuantity(size, { side: 'BUY', price: decimal('64000') }, market)
    expect(!dust.ok && dust.error.kind).toBe('lessThanLot')
    const noBook = sizedQuantity(size, { side: 'BUY', price: null }, { ...market, book: null })
    expect(!noBook.ok && noBook.error.kind).toBe('notReckoned')
  })

  test('money never buys more than it is, and one lot more would', () => {
    const cents = fc.integer({ min: 1, max: 6_000_000 })
    const price = fc.option(fc.integer({ min: 1, max: 2_000_000 }), { nil: null })
    fc.assert(
      fc.property(cents, price, fc.constantFrom('BUY' as const, 'SELL' as const), (amountCents, halves, side) => {
        const amount = new Decimal(amountCents).div(100)
        const limit = halves === null ? null : new Decimal(halves).div(2)
        const quantity = sizedQuantity({ kind: 'counter', amount }, { side, price: limit }, market)
        if (!quantity.ok) return
        const cost = (lots: Decimal) => limit?.times(lots) ?? sweep(book, side, lots, null).notional
        expect(isOnLot(quantity.value, market.instrument)).toBe(true)
        expect(cost(quantity.value).lte(amount)).toBe(true)
        const more = quantity.value.plus(market.instrument.lotSize)
        if (limit !== null || sweep(book, side, more, null).quantity.eq(more)) expect(cost(more).gt(amount)).toBe(true)
      }),
    )
  })
})
