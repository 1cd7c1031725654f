import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { readBook } from '../../src/wire/book.ts'
import { readHubDraftRequest } from '../../src/wire/hub-drafts.ts'
import { readNewPlan } from '../../src/wire/hub-plans.ts'
import { type OrderPage, readFills, readOrder, readOrderPage, readOrders } from '../../src/wire/order.ts'
import { isCalendarDate, readCancelAll, readNewOrder } from '../../src/wire/order-requests.ts'
import { readTicker, readTickers } from '../../src/wire/ticker.ts'
import { readNewWithdrawal } from '../../src/wire/transfers.ts'
import { errorOf, goodValue } from './samples.ts'

const order = { clOrdId: 'a1', ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: 1 }
const withdrawal = { currency: 'BTC', beneficiary: 'b-1', amount: 1 }

test.each([
  [{ clOrdId: 7 }, 'field "clOrdId" must be a string'],
  [{ clOrdId: '' }, 'field "clOrdId" must be 1 to 20 letters and digits'],
  [{ clOrdId: 'a'.repeat(21) }, 'field "clOrdId" must be 1 to 20 letters and digits'],
  [{ clOrdId: 'a-b' }, 'field "clOrdId" must be 1 to 20 letters and digits'],
  [{ clOrdId: 'é' }, 'field "clOrdId" must be 1 to 20 letters and digits'],
  [{ clOrdId: 'a\n' }, 'field "clOrdId" must be 1 to 20 letters and digits'],
  [{ clOrdId: null }, 'field "clOrdId" is missing'],
  [{ ordType: 'limit' }, 'field "ordType" must be one of MARKET, LIMIT, STOP, STOPLIMIT'],
  [{ ordType: undefined }, 'field "ordType" is missing'],
  [{ symbol: 5 }, 'field "symbol" must be a string'],
  [{ symbol: 'BTC\0-USD' }, 'field "symbol" has characters that cannot be seen'],
  [{ side: 'HOLD' }, 'field "side" must be one of BUY, SELL'],
  [{ side: ['BUY'] }, 'field "side" must be one of BUY, SELL'],
  [{ orderQty: 'many' }, 'field "orderQty" must be a number'],
  [{ orderQty: '' }, 'field "orderQty" must be a number'],
  [{ orderQty: ' 1' }, 'field "orderQty" must be a number'],
  [{ orderQty: '0x10' }, 'field "orderQty" must be a number'],
  [{ orderQty: 'Infinity' }, 'field "orderQty" must be a number'],
  [{ orderQty: '1e999999999' }, 'field "orderQty" must be a number'],
  [{ orderQty: true }, 'field "orderQty" must be a number'],
  [{ orderQty: {} }, 'field "orderQty" must be a number'],
  [{ orderQty: null }, 'field "orderQty" is missing'],
  [{ price: [] }, 'field "price" must be a number'],
  [{ stopPx: 'x' }, 'field "stopPx" must be a number'],
  [{ timeInForce: 'DAY' }, 'field "timeInForce" must be one of GTC, IOC, FOK, GTD'],
  [{ expireDate: 20260229 }, 'field "expireDate" must be a date that exists, as YYYYMMDD'],
  [{ expireDate: 20261301 }, 'field "expireDate" must be a date that exists, as YYYYMMDD'],
  [{ expireDate: 2026123 }, 'field "expireDate" must be a date that exists, as YYYYMMDD'],
  [{ expireDate: 20261231.5 }, 'field "expireDate" must be a date that exists, as YYYYMMDD'],
  [{ execInst: 'IOC' }, 'field "execInst" must be one of ALO'],
])('an order with %j is refused: %s', (change, sentence) => {
  expect(errorOf(readNewOrder(JSON.stringify({ ...order, ...change })))).toBe(sentence)
})

test('an answer whose names are longer than any name is about nothing: they would be shown, kept and asked by', () => {
  const read = (change: object) =>
    readOrder(
      JSON.stringify({ clOrdId: 'a', symbol: 'X-Y', ordType: 'LIMIT', ordStatus: 'OPEN', side: 'BUY', ...change }),
    )
  for (const field of ['clOrdId', 'symbol']) {
    expect(errorOf(read({ [field]: 'x'.repeat(1_025) }))).toBe(`field "${field}" is longer than 1024 characters`)
    expect(read({ [field]: 'x'.repeat(1_024) }).ok).toBe(true)
  }
})

test.each([
  [{ amount: 'all' }, 'field "amount" must be a number'],
  [{ currency: 1 }, 'field "currency" must be a string'],
  [{ currency: 'B\u00adTC' }, 'field "currency" has characters that cannot be seen'],
  [{ beneficiary: 'b-\u200b1' }, 'field "beneficiary" has characters that cannot be seen'],
  [{ beneficiary: 'b-1\ud800' }, 'field "beneficiary" has characters that cannot be seen'],
  [{ beneficiary: 77 }, 'field "beneficiary" must be a string'],
  [{ beneficiary: 'b'.repeat(1_025) }, 'field "beneficiary" is longer than 1024 characters'],
  [{ beneficiary: null }, 'field "beneficiary" is missing'],
  [{ sendMax: 'true' }, 'field "sendMax" must be true or false'],
  [{ sendMax: 1 }, 'field "sendMax" must be true or false'],
])('a withdrawal with %j is refused: %s', (change, sentence) => {
  expect(errorOf(readNewWithdrawal(JSON.stringify({ ...withdrawal, ...change })))).toBe(sentence)
})

test('requests obey the bounds the server sets', () => {
  expect(errorOf(readNewOrder(JSON.stringify(order), { maxLength: 10, maxDepth: 4 }))).toBe(
    'the JSON is longer than 10 characters',
  )
  expect(errorOf(readCancelAll('{"symbol":[[[[[1]]]]]}', { maxLength: 99, maxDepth: 4 }))).toBe(
    'the JSON is nested deeper than 4 levels',
  )
  expect(errorOf(readCancelAll('{"symbol":5}'))).toBe('field "symbol" must be a string')
  expect(errorOf(readCancelAll('{"symbol":"\u200b"}'))).toBe('field "symbol" has characters that cannot be seen')
})

test('what a draft of the firm pays to, and what a plan trades, is named as it reads', () => {
  const bounds = { maxLength: 1_000, maxDepth: 8 }
  const draft = { currency: 'BTC', beneficiary: 'b-\u200b1', amount: '1' }
  expect(errorOf(readHubDraftRequest(JSON.stringify(draft), bounds))).toBe(
    'field "beneficiary" has characters that cannot be seen',
  )
  const plan = { askedAs: 'a'.repeat(16), terms: { kind: 'oco', symbol: 'BTC\u2066-USD' } }
  expect(errorOf(readNewPlan(JSON.stringify(plan), bounds))).toContain('cannot be seen')
})

test('an int64 stops at its own ends', () => {
  const withId = (id: string) =>
    readOrder(`{"exOrdId":${id},"clOrdId":"a","ordType":"LIMIT","ordStatus":"OPEN","side":"BUY","symbol":"X-Y"}`)
  expect(withId('9223372036854775807').ok).toBe(true)
  expect(withId('-9223372036854775808').ok).toBe(true)
  for (const id of ['9223372036854775808', '-9223372036854775809', '1.5', '"1.5"', '"abc"', '1e30', '{}', 'true']) {
    expect(errorOf(withId(id))).toBe('field "exOrdId" must be a whole number')
  }
})

test('a time past what a calendar can show is refused before it can break one', () => {
  const withTime = (timestamp: string) =>
    readOrder(`{"timestamp":${timestamp},"clOrdId":"a","ordType":"LIMIT","ordStatus":"OPEN","side":"BUY","symbol":"X"}`)
  expect(withTime('8640000000000000').ok).toBe(true)
  expect(errorOf(withTime('8640000000000001'))).toBe('field "timestamp" must be a time in milliseconds since 1970')
})

test.each([
  ['5.4044E-4', '0.00054044'],
  ['"5.4044E-4"', '0.00054044'],
  ['5.4044e-04', '0.00054044'],
  ['1E+3', '1000'],
  ['0.10', '0.1'],
  ['12345678901234567890.12345678901234567890', '12345678901234567890.1234567890123456789'],
])('an amount written %s is %s', (written, plain) => {
  const json = `{"clOrdId":"a","ordType":"LIMIT","ordStatus":"OPEN","side":"BUY","symbol":"X-Y","leavesQty":${written}}`
  expect(goodValue(readOrder(json)).leavesQuantity?.toFixed()).toBe(plain)
})

test('calendar dates', () => {
  for (const day of ['20240229', '20261231', '20000229', '00010101']) expect(isCalendarDate(day)).toBe(true)
  for (const day of ['20250229', '19000229', '20260431', '20260000', '', '2026-1-1', '202612310', ' 2026123']) {
    expect(isCalendarDate(day)).toBe(false)
  }
})

const fill = { exOrdId: 1, tradeId: 2, execId: 3, side: 'BUY', symbol: 'BTC-USD', fee: -1, timestamp: 1 }

test.each([
  [{ price: 100, qty: 0 }, 'field "qty" must be above 0'],
  [{ price: 100, qty: -1 }, 'field "qty" must be above 0'],
  [{ price: 0, qty: 1 }, 'field "price" must be above 0'],
  [{ price: '-100', qty: 1 }, 'field "price" must be above 0'],
  [{ price: '1e-70', qty: 1 }, 'field "price" must be a number'],
])('a fill with %j is none, and costs itself alone', (odd, sentence) => {
  const json = JSON.stringify([
    { ...fill, ...odd },
    { ...fill, price: 100, qty: 1, execId: 4 },
  ])
  const { entries, unreadable } = goodValue(readFills(json))
  expect(entries.map(({ execId }) => execId)).toEqual(['4'])
  expect(unreadable.map(({ reason }) => reason)).toEqual([sentence])
})

test.each(['price', 'lastShares', 'lastPx', 'leavesQty', 'cumQty', 'avgPx'])(
  'an order with a %s below zero is none, and costs itself alone',
  (name) => {
    const order = { exOrdId: 1, clOrdId: 'a', ordType: 'LIMIT', ordStatus: 'OPEN', side: 'BUY', symbol: 'BTC-USD' }
    const odd = { ...order, price: 5, leavesQty: 1, cumQty: 0, [name]: '-0.5' }
    const reason = `field "${name}" must be 0 or more`
    expect(errorOf(readOrder(JSON.stringify(odd)))).toBe(reason)
    const orders = [odd, { ...order, exOrdId: 2, price: 5, leavesQty: 1, cumQty: 0 }]
    for (const { entries, unreadable } of [
      goodValue(readOrders(JSON.stringify(orders))),
      pageOf(goodValue(readOrderPage(JSON.stringify({ nextOrderId: 2, orders })))),
    ]) {
      expect(entries.map(({ orderId }) => orderId)).toEqual(['2'])
      expect(unreadable).toMatchObject([{ reason, fields: { exOrdId: '1', [name]: '-0.5' } }])
    }
  },
)

const pageOf = ({ orders, unreadable }: OrderPage) => ({ entries: orders, unreadable })

test('a rejected order tells what was asked for, below zero too', () => {
  const order = { clOrdId: 'a', ordType: 'LIMIT', ordStatus: 'REJECTED', side: 'BUY', symbol: 'BTC-USD', cumQty: 0 }
  const read = readOrder(JSON.stringify({ ...order, price: -5, leavesQty: '-1' }))
  expect(goodValue(read)).toMatchObject({ status: 'REJECTED', limitPrice: new Decimal(-5) })
  expect(readOrder(JSON.stringify({ ...order, cumQty: -1 })).ok).toBe(false)
})

test('a level without a quantity, or at no price, is none', () => {
  const json = JSON.stringify({
    symbol: 'BTC-USD',
    bids: [
      { px: -3, qty: 1 },
      { px: 2, qty: 1 },
    ],
    asks: [{ px: 3, qty: 0 }],
  })
  const { bids, asks, unreadable } = goodValue(readBook(json, 'BTC-USD'))
  expect([bids.length, asks.length]).toEqual([1, 0])
  expect(unreadable?.map(({ reason }) => reason)).toEqual(['field "px" must be above 0', 'field "qty" must be above 0'])
})

test.each(['last_trade_price', 'price_24h', 'volume_24h'])('a ticker with a %s below zero is not believed', (name) => {
  const ticker = { symbol: 'BTC-USD', last_trade_price: 2, price_24h: 1, volume_24h: 0, [name]: -5 }
  expect(errorOf(readTicker(JSON.stringify(ticker), 'BTC-USD'))).toBe(`field "${name}" must be 0 or more`)
  const other = { ...ticker, symbol: 'ETH-USD', [name]: 3 }
  expect(goodValue(readTickers(JSON.stringify([ticker, other])))).toMatchObject({
    entries: [{ symbol: 'ETH-USD' }],
    unreadable: [{ reason: `field "${name}" must be 0 or more`, fields: { symbol: 'BTC-USD', [name]: '-5' } }],
  })
})

test('a symbol that has two tickers counts once, and with other figures not at all', () => {
  const ticker = { symbol: 'BTC-USD', last_trade_price: 2, price_24h: 1, volume_24h: 0 }
  const read = (...more: object[]) => goodValue(readTickers(JSON.stringify([ticker, ...more])))
  expect(read({ ...ticker, volume_24h: '0.0' })).toMatchObject({ entries: [{ symbol: 'BTC-USD' }], unreadable: [] })
  const reason = 'its "symbol" comes twice, with other figures'
  expect(read({ ...ticker, symbol: 'ETH-USD' }, { ...ticker, last_trade_price: 3 })).toMatchObject({
    entries: [{ symbol: 'ETH-USD' }],
    unreadable: ['2', '3'].map((price) => ({ reason, fields: { symbol: 'BTC-USD', last_trade_price: price } })),
  })
})

test.each([0, '0', '0.00', -0])('a last price of %j is none: nothing has traded', (price) => {
  const ticker = { symbol: 'BTC-USD', last_trade_price: price, price_24h: 0, volume_24h: 0 }
  expect(goodValue(readTicker(JSON.stringify(ticker), 'BTC-USD')).lastPrice).toBeNull()
  expect(goodValue(readTickers(JSON.stringify([ticker]))).entries).toMatchObject([{ lastPrice: null }])
})
