import { expect, test } from 'vitest'
import type { Result } from '../../src/base/result.ts'
import type { Instrument } from '../../src/domain/market/instrument.ts'
import { readBook, readOrderByOrderBook } from '../../src/wire/book.ts'
import { KnownEntries } from '../../src/wire/listing.ts'
import { readSymbol, readSymbols } from '../../src/wire/symbol.ts'
import { readTicker, readTickers } from '../../src/wire/ticker.ts'
import { digits, errorOf, goodValue, sample } from './samples.ts'

test('a level 2 book, put best first when it came otherwise', () => {
  expect(digits(goodValue(readBook(sample('book-level2'), 'BTC-USD')))).toEqual({
    symbol: 'BTC-USD',
    bids: [
      { price: '64209.5', quantity: '1.5', orderCount: 1n },
      { price: '64209', quantity: '0.00000001', orderCount: 2n },
      { price: '64200', quantity: '100000000000000000.00000001', orderCount: null },
    ],
    asks: [
      { price: '64210', quantity: '0.1', orderCount: null },
      { price: '64210.5', quantity: '0.00054044', orderCount: 17n },
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

test('a book has at least one side; a number, a list or nothing is none', () => {
  expect(errorOf(readBook('{}', 'BTC-USD'))).toBe('fields "bids" and "asks" are missing')
  expect(goodValue(readBook('{"bids":[]}', 'BTC-USD'))).toEqual({ symbol: 'BTC-USD', bids: [], asks: [] })
  for (const json of ['5', '[]', 'null', '"x"']) {
    expect(errorOf(readBook(json, 'BTC-USD'))).toBe('the message must be an object')
  }
  expect(errorOf(readBook('{"bids":5}', 'BTC-USD'))).toBe('field "bids" must be a list')
})

test('an entry that cannot be read costs only itself, and an order of a queue without its id keeps its place', () => {
  const book = goodValue(readBook('{"bids":[7,{"px":2,"qty":1}],"asks":[{"px":3}]}', 'BTC-USD'))
  expect(digits(book.bids)).toEqual([{ price: '2', quantity: '1', orderCount: null }])
  expect(book.unreadable).toEqual([
    { reason: 'the message must be an object', atMs: null, fields: { entry: '7' } },
    { reason: 'field "qty" is missing', atMs: null, fields: { px: '3' } },
  ])
  const queue = goodValue(readOrderByOrderBook('{"asks":[{"px":1,"qty":1}]}', 'X'))
  expect(digits(queue.asks)).toEqual([{ price: '1', quantity: '1', orderId: null }])
})

test('what is about another symbol is no answer, and rules whose scale is missing are none', () => {
  expect(errorOf(readBook('{"symbol":"ETH-USD","bids":[]}', 'BTC-USD'))).toBe(
    'symbol BTC-USD was asked for, and the answer is about ETH-USD',
  )
  expect(errorOf(readTicker('{"symbol":"ETH-USD","last_trade_price":1}', 'BTC-USD'))).toContain('about ETH-USD')
  expect(errorOf(readTicker('{}', 'BTC-USD'))).toBe('every field of a ticker is missing')
  const rules = '"base_currency_scale":8,"counter_currency_scale":2,"status":"open"'
  expect(errorOf(readSymbol(`{"base_currency":"ETH","counter_currency":"USD",${rules}}`, 'BTC-USD'))).toBe(
    'symbol BTC-USD: its currencies are those of ETH-USD',
  )
  // What such a symbol trades is another thing, whatever currencies it names: no holding is in it.
  for (const named of ['', '"base_currency":"BTC","counter_currency":"USD",'])
    expect(errorOf(readSymbol(`{${named}${rules}}`, 'BTC-USD-PERP'))).toBe(
      'symbol BTC-USD-PERP: its currencies are those of BTC-USD',
    )
  expect(errorOf(readSymbol(`{${rules},"min_price_increment":50}`, 'BTC-USD'))).toBe(
    'symbol BTC-USD: field "min_price_increment_scale" is missing',
  )
  expect(errorOf(readSymbols('{}'))).toBe('no symbol is listed')
})

test('tickers with parts missing before the first trade', () => {
  expect(digits(goodValue(readTickers(sample('tickers'))).entries)).toEqual([
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
})

test('the map of symbols: sizes out of their scales, tolerant where a rule is missing', () => {
  const { instruments } = goodValue(readSymbols(sample('symbols')))
  expect([...instruments.keys()]).toEqual(['BTC-USD', 'SHIB-USD', 'OLD-USD'])
  expect(digits(instruments.get('BTC-USD'))).toEqual({
    symbol: 'BTC-USD',
    id: 1n,
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
    id: 9007199254740993n,
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
  expect([...goodValue(readSymbols(sample('symbols'))).unread.values()]).toEqual([
    'symbol ODD-USD: field "status" must be one of open, close, suspend, halt, halt-freeze',
    'symbol NIL-USD: the message must be an object',
    'symbol BARE does not say its two currencies',
    'symbol TINY-USD: field "counter_currency_scale" is missing',
  ])
  expect(errorOf(readSymbols('[]'))).toBe('the message must be an object')
})

test('an error in place of the symbols is no list of them, whatever its status was', () => {
  const said = 'symbol error: the message must be an object'
  for (const known of [undefined, new KnownEntries<Result<Instrument>>()])
    expect(errorOf(readSymbols('{"error": "try again later"}', known))).toBe(said)
  expect(errorOf(readSymbols('{"error": {"code": 7}}'))).toBe('symbol error: field "status" is missing')
  expect(errorOf(readSymbols('{}'))).toBe('no symbol is listed')
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
