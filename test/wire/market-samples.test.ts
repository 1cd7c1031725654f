import { expect, test } from 'vitest'
import { readBook, readOrderByOrderBook } from '../../src/wire/book.ts'
import { readSymbol, readSymbols } from '../../src/wire/symbol.ts'
import { readTicker, readTickerList, readTickers } from '../../src/wire/ticker.ts'
import { digits, errorOf, goodValue, sample } from './samples.ts'

test('a level 2 book, put best first when it came otherwise', () => {
  expect(digits(goodValue(readBook(sample('book-level2'), 'asked for')))).toEqual({
    symbol: 'BTC-USD',
    bids: [
      { price: '64209.5', quantity: '1.5', orderCount: 1 },
      { price: '64209', quantity: '0.00000001', orderCount: 2 },
      { price: '64200', quantity: '100000000000000000.00000001', orderCount: 0 },
    ],
    asks: [
      { price: '64210', quantity: '0.1', orderCount: 0 },
      { price: '64210.5', quantity: '0.00054044', orderCount: 17 },
    ],
  })
})

test('a level 3 book keeps the queue within a price, and takes the symbol that was asked for', () => {
  expect(digits(goodValue(readOrderByOrderBook(sample('book-level3'), 'BTC-USD')))).toEqual({
    symbol: 'BTC-USD',
    bids: [
      { price: '11', quantity: '3', orderId: '9223372036854775807' },
      { price: '10', quantity: '2', orderId: '9007199254740995' },
      { price: '10', quantity: '1', orderId: '9007199254740993' },
    ],
    asks: [],
  })
})

test('an empty object is an empty book; a number, a list or nothing is none', () => {
  expect(goodValue(readBook('{}', 'BTC-USD'))).toEqual({ symbol: 'BTC-USD', bids: [], asks: [] })
  for (const json of ['5', '[]', 'null', '"x"']) {
    expect(errorOf(readBook(json, 'BTC-USD'))).toBe('the message must be an object')
  }
  expect(errorOf(readBook('{"bids":5}', 'BTC-USD'))).toBe('field "bids" must be a list')
  expect(errorOf(readBook('{"bids":[7]}', 'BTC-USD'))).toBe('field "bids[0]" must be an object')
  expect(errorOf(readOrderByOrderBook('{"asks":[{"px":1,"qty":1}]}', 'X'))).toBe('field "asks[0].num" is missing')
})

test('tickers with parts missing before the first trade', () => {
  expect(digits(goodValue(readTickers(sample('tickers'))))).toEqual([
    { symbol: 'BTC-USD', lastPrice: '64209.5', price24h: '64000.25', volume24h: '1234.00000001' },
    { symbol: 'NEW-USD', lastPrice: null, price24h: null, volume24h: null },
    { symbol: 'OLD-USD', lastPrice: null, price24h: null, volume24h: '0' },
  ])
  expect(digits(goodValue(readTicker(sample('ticker'), 'SHIB-BTC')))).toEqual({
    symbol: 'SHIB-BTC',
    lastPrice: '0.00000012',
    price24h: '0.00000012',
    volume24h: null,
  })
  expect(goodValue(readTickerList(sample('ticker-list'))).map((ticker) => ticker.symbol)).toEqual(['BTC-USD'])
})

test('the map of symbols: sizes out of their scales, tolerant where a rule is missing', () => {
  const { instruments } = goodValue(readSymbols(sample('symbols')))
  expect([...instruments.keys()]).toEqual(['BTC-USD', 'SHIB-USD', 'OLD-USD'])
  expect(digits(instruments.get('BTC-USD'))).toEqual({
    symbol: 'BTC-USD',
    base: 'BTC',
    counter: 'USD',
    baseScale: 8,
    counterScale: 2,
    tickSize: '0.5',
    priceScale: 2,
    lotSize: '0.00000001',
    quantityScale: 8,
    minQuantity: '0.0001',
    maxQuantity: null,
    status: 'open',
    auction: { price: null, quantity: '0', time: null, imbalance: '0' },
  })
  expect(digits(instruments.get('SHIB-USD'))).toEqual({
    symbol: 'SHIB-USD',
    base: 'SHIB',
    counter: 'USD',
    baseScale: 0,
    counterScale: 8,
    tickSize: '0.00000001',
    priceScale: 8,
    lotSize: '100',
    quantityScale: 0,
    minQuantity: '1000',
    maxQuantity: '92233720368547758.07',
    status: 'halt',
    auction: { price: '0.000012345', quantity: '2500000', time: '0930', imbalance: '-1000' },
  })
  expect(digits(instruments.get('OLD-USD'))).toEqual({
    symbol: 'OLD-USD',
    base: 'OLD',
    counter: 'USD',
    baseScale: 4,
    counterScale: 3,
    tickSize: '0.001',
    priceScale: 3,
    lotSize: '0.0001',
    quantityScale: 4,
    minQuantity: '0',
    maxQuantity: null,
    status: 'close',
    auction: { price: null, quantity: null, time: null, imbalance: null },
  })
})

test('a symbol that cannot be read spoils no other and is told of', () => {
  expect(goodValue(readSymbols(sample('symbols'))).refused).toEqual([
    'symbol ODD-USD: field "status" must be one of open, close, suspend, halt, halt-freeze',
    'symbol NIL-USD: the message must be an object',
    'symbol BARE does not say its two currencies',
    'symbol TINY-USD: field "counter_currency_scale" is missing',
  ])
  expect(errorOf(readSymbols('[]'))).toBe('the message must be an object')
})

test('one symbol is named by who asked', () => {
  expect(digits(goodValue(readSymbol(sample('symbol'), 'ETH-BTC')))).toMatchObject({
    symbol: 'ETH-BTC',
    baseScale: 18,
    tickSize: '0.000001',
    lotSize: '0.0025',
    minQuantity: '0.001',
    maxQuantity: '5',
    status: 'halt-freeze',
  })
})
