import { expect, test } from 'vitest'
import { readFees } from '../../src/wire/account.ts'
import { readBook } from '../../src/wire/book.ts'
import { readFills, readOrder, readOrderOf, readOrderPage, readOrders } from '../../src/wire/order.ts'
import { readCancelAll, readNewOrder } from '../../src/wire/order-requests.ts'
import { readTickers } from '../../src/wire/ticker.ts'
import { digits, errorOf, goodValue, sample } from './samples.ts'

test('an order with its amounts as numbers', () => {
  expect(digits(goodValue(readOrder(sample('order-numbers'))))).toEqual({
    orderId: '9223372036854775807',
    clientOrderId: 'a1B2c3D4e5F6g7H8i9J0',
    symbol: 'BTC-USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'PART_FILLED',
    limitPrice: '64209.5',
    leavesQuantity: '0.03999999',
    cumQuantity: '0.01000001',
    averagePrice: '64209.123456789012345678901234567',
    lastQuantity: '0.01000001',
    lastPrice: '64209.5',
    text: null,
    timestampMs: 1_700_000_000_123,
  })
})

test('an order with amounts and ids as strings; a price of zero is no price', () => {
  expect(digits(goodValue(readOrder(sample('order-strings'))))).toEqual({
    orderId: '9007199254740993',
    clientOrderId: 'desk42',
    symbol: 'DOGE-BTC',
    side: 'SELL',
    type: 'STOPLIMIT',
    status: 'PENDING',
    limitPrice: '0.00054044',
    leavesQuantity: '0',
    cumQuantity: '0',
    averagePrice: null,
    lastQuantity: null,
    lastPrice: null,
    text: null,
    timestampMs: 1_700_000_000_123,
  })
})

test('an order with exponents, in its integers too', () => {
  expect(digits(goodValue(readOrder(sample('order-exponents'))))).toMatchObject({
    orderId: '12',
    limitPrice: null,
    leavesQuantity: '0',
    cumQuantity: '1500',
    averagePrice: '0.00054044',
    lastQuantity: '1500',
    lastPrice: '0.00054044',
    timestampMs: 1_700_000_000_123,
  })
})

test('a rejected order with nulls, missing fields, unknown fields, and a reason that tries to steer the terminal', () => {
  expect(digits(goodValue(readOrder(sample('order-rejected'))))).toEqual({
    orderId: null,
    clientOrderId: 'desk44',
    symbol: 'BTC-USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'REJECTED',
    limitPrice: null,
    leavesQuantity: '2',
    cumQuantity: null,
    averagePrice: null,
    lastQuantity: null,
    lastPrice: null,
    text: 'Insufficient [31mBalance! Try less',
    timestampMs: null,
  })
})

test('a page of orders with ids that a double cannot tell apart', () => {
  const page = goodValue(readOrderPage(sample('order-page')))
  expect(page.nextOrderId).toBe('9007199254740995')
  expect(page.orders.map((order) => order.orderId)).toEqual(['9007199254740994', '9007199254740995'])
  expect(digits(page.orders[1])).toMatchObject({ status: 'EXPIRED', leavesQuantity: '0.5', cumQuantity: '0.25' })
})

test('requests to place an order', () => {
  expect(digits(goodValue(readNewOrder(sample('new-order'))))).toEqual({
    clientOrderId: 'desk45',
    symbol: 'BTC-USD',
    side: 'BUY',
    type: 'LIMIT',
    orderQuantity: '0.05',
    limitPrice: '64209.5',
    stopPrice: null,
    timeInForce: 'GTD',
    expireDate: '20280229',
    minQuantity: null,
    postOnly: true,
  })
  expect(digits(goodValue(readNewOrder(sample('new-order-stop'))))).toEqual({
    clientOrderId: '9',
    symbol: 'ETH-USD',
    side: 'SELL',
    type: 'STOPLIMIT',
    orderQuantity: '10',
    limitPrice: '1999.995',
    stopPrice: '2000',
    timeInForce: null,
    expireDate: '20261231',
    minQuantity: '0.1',
    postOnly: false,
  })
})

test('requests to cancel all orders', () => {
  expect(goodValue(readCancelAll('{}'))).toEqual({ symbol: null })
  expect(goodValue(readCancelAll('{"symbol":"BTC-USD"}'))).toEqual({ symbol: 'BTC-USD' })
})

test('fills', () => {
  expect(digits(goodValue(readFills(sample('fills'))).entries)).toEqual([
    {
      orderId: '9007199254740993',
      tradeId: '9007199254740995',
      execId: '9223372036854775807',
      symbol: 'BTC-USD',
      side: 'SELL',
      price: '64209.5',
      quantity: '0.00000001',
      fee: '0.00000000128419',
      timestampMs: 1_700_000_000_456,
    },
    {
      orderId: '1',
      tradeId: '2',
      execId: '3',
      symbol: 'BTC-USD',
      side: 'BUY',
      price: '12345678901.12',
      quantity: '1234567.12345678',
      fee: '-0.5',
      timestampMs: 0,
    },
  ])
})

test('fees', () => {
  expect(digits(goodValue(readFees(sample('fees'))))).toEqual({
    makerRate: '0.001',
    takerRate: '0.0018',
    volumeUsd: '123456789012345678.9',
  })
})

test('a fee rate of the whole or more is none, nor a rebate that no venue pays: orders would seem to cost less', () => {
  const read = (makerRate: string, takerRate: string) =>
    readFees(JSON.stringify({ makerRate, takerRate, volumeInUSD: 0 }))
  for (const rate of ['-5', '-0.5', '-0.010001', '1'])
    expect([errorOf(read('0', rate)), errorOf(read(rate, '0'))]).toEqual(
      ['takerRate', 'makerRate'].map((name) => `field "${name}" must be -0.01 or more, and below 1`),
    )
  // A rebate is a rate below zero.
  expect(goodValue(read('-0.0001', '0.999')).makerRate.toFixed()).toBe('-0.0001')
  expect(goodValue(read('-0.01', '-0.0003')).takerRate.toFixed()).toBe('-0.0003')
})

test('one odd entry of a list costs one entry: it is kept raw, without control characters, and the rest counts', () => {
  const good = '{"clOrdId":"a","ordType":"LIMIT","ordStatus":"OPEN","side":"BUY","symbol":"X-Y"}'
  const odd = '{"exOrdId":64,"clOrdId":"b","ordType":"TRAIL\\u001b[2J","ordStatus":"OPEN","side":"BUY","symbol":"X-Y"}'
  const { entries, unreadable } = goodValue(readOrders(`[${good},${odd},7]`))
  expect(entries.map(({ clientOrderId }) => clientOrderId)).toEqual(['a'])
  expect(unreadable).toEqual([
    {
      reason: 'field "ordType" must be one of MARKET, LIMIT, STOP, STOPLIMIT',
      atMs: null,
      fields: { exOrdId: '64', clOrdId: 'b', ordType: 'TRAIL[2J', ordStatus: 'OPEN', side: 'BUY', symbol: 'X-Y' },
    },
    { reason: 'the message must be an object', atMs: null, fields: { entry: '7' } },
  ])
  const page = goodValue(readOrderPage(`{"nextOrderId":65,"orders":[${odd},${good}]}`))
  expect([page.orders.length, page.unreadable?.length]).toEqual([1, 1])
})

test('an order, a fill and a price belong to the symbol that is written there, to the last character', () => {
  const order = { clOrdId: 'a', ordType: 'LIMIT', ordStatus: 'OPEN', side: 'BUY', symbol: 'BTC-USD' }
  const unseen = 'has characters that cannot be seen'
  const reasonsOf = (...changes: object[]) =>
    goodValue(readOrders(JSON.stringify(changes.map((change) => ({ ...order, ...change }))))).unreadable.map(
      ({ reason }) => reason,
    )
  expect(reasonsOf({}, { symbol: 'BTC\u200b-USD' }, { clOrdId: 'a\u0000' }, { clOrdId: '\u2066a' })).toEqual([
    `field "symbol" ${unseen}`,
    `field "clOrdId" ${unseen}`,
    `field "clOrdId" ${unseen}`,
  ])
  const ticker = { symbol: 'BTC\u200b-USD', last_trade_price: 1 }
  expect(goodValue(readTickers(JSON.stringify([ticker]))).unreadable[0]?.reason).toBe(`field "symbol" ${unseen}`)
  expect(errorOf(readBook(JSON.stringify({ ...ticker, bids: [], asks: [] }), 'BTC-USD'))).toBe(
    `field "symbol" ${unseen}`,
  )
})

test('an object in which a field comes twice is no entry, and no text either', () => {
  const order = '"clOrdId":"a","ordType":"LIMIT","ordStatus":"OPEN","side":"BUY"'
  const twice = '{"a":1,"a":2}'
  const json = `[{${order},"symbol":"X-Y"},{${order},"symbol":"X-Y","side":"SELL"},{${order},"symbol":${twice}}]`
  const { entries, unreadable } = goodValue(readOrders(json))
  expect([entries.length, unreadable.map(({ reason }) => reason)]).toEqual([
    1,
    ['a field comes twice', 'field "symbol" must be a string'],
  ])
  expect(errorOf(readOrder(`{${order},"symbol":"X-Y","text":${twice}}`))).toBe('field "text" must be a string')
})

test('an order read by its id is that order or no answer', () => {
  const order = (id: string) =>
    `{${id}"clOrdId":"a","ordType":"LIMIT","ordStatus":"FILLED","side":"BUY","symbol":"X-Y"}`
  expect(goodValue(readOrderOf(order('"exOrdId":64,'), '64')).status).toBe('FILLED')
  expect(errorOf(readOrderOf(order('"exOrdId":999998,'), '64'))).toBe(
    'order 64 was asked for, and the answer is about 999998',
  )
  expect(errorOf(readOrderOf(order(''), '64'))).toBe('order 64 was asked for, and the answer does not say which it is')
})
