import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpAnswer, noonMs, type OpenExchange, openExchange } from './harness.ts'

type OrderJson = { exOrdId: number; clOrdId: string; ordStatus: string; timestamp: number; [field: string]: unknown }
const order = (answer: HttpAnswer) => answer.json as OrderJson
const orders = (answer: HttpAnswer) => answer.json as OrderJson[]
const ids = (answer: HttpAnswer) => orders(answer).map(({ exOrdId }) => exOrdId)

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

test('a limit order rests, is shown by its id, and can be canceled once', async () => {
  const placed = await exchange.place({ clOrdId: 'abc1', price: '60000.50', orderQty: '0.0100' })
  expect(placed.status).toBe(200)
  expect(placed.json).toEqual({
    exOrdId: expect.any(Number),
    clOrdId: 'abc1',
    ordType: 'LIMIT',
    ordStatus: 'OPEN',
    side: 'BUY',
    price: 60000.5,
    symbol: 'BTC-USD',
    leavesQty: 0.01,
    cumQty: 0,
    timestamp: noonMs,
  })
  const { exOrdId } = order(placed)
  expect((await exchange.get(`/orders/${exOrdId}`)).json).toEqual(placed.json)

  const canceled = await exchange.call('trader', 'DELETE', `/orders/${exOrdId}`)
  expect([canceled.status, canceled.text]).toEqual([200, ''])
  expect((await exchange.get(`/orders/${exOrdId}`)).json).toMatchObject({ ordStatus: 'CANCELED', leavesQty: 0.01 })

  const again = await exchange.call('trader', 'DELETE', `/orders/${exOrdId}`)
  expect(again.status).toBe(409)
  expect(again.json).toEqual({ error: expect.any(String) })
})

test('a trade fills both sides, and fills, trades and balances agree', async () => {
  const resting = order(await exchange.place({ side: 'SELL', price: 64000, orderQty: 0.02 }, 'counterparty'))
  const taken = order(await exchange.place({ ordType: 'MARKET', price: undefined, orderQty: 0.01 }))
  expect(taken).toMatchObject({
    ordStatus: 'FILLED',
    cumQty: 0.01,
    avgPx: 64000,
    lastPx: 64000,
    lastShares: 0.01,
    leavesQty: 0,
  })
  expect((await exchange.get(`/orders/${resting.exOrdId}`, 'counterparty')).json).toMatchObject({
    ordStatus: 'PART_FILLED',
    leavesQty: 0.01,
    cumQty: 0.01,
  })
  const fill = {
    tradeId: expect.any(Number),
    execId: expect.any(Number),
    symbol: 'BTC-USD',
    price: 64000,
    qty: 0.01,
    timestamp: noonMs,
  }
  expect((await exchange.get('/fills')).json).toEqual([{ ...fill, exOrdId: taken.exOrdId, side: 'BUY', fee: 1.28 }])
  expect((await exchange.get('/fills', 'counterparty')).json).toEqual([
    { ...fill, exOrdId: resting.exOrdId, side: 'SELL', fee: 0.64 },
  ])
  expect(ids(await exchange.get('/trades'))).toEqual([taken.exOrdId])
  expect((await exchange.get('/accounts/primary/USD')).json).toMatchObject({ balance: 25000 - 640 - 1.28 })
  expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance: 0.51, available: 0.51 })
})

test('an open order holds what it may spend', async () => {
  await exchange.place({ price: 60000, orderQty: 0.1 })
  expect((await exchange.get('/accounts/primary/USD')).json).toMatchObject({ balance: 25000, available: 25000 - 6012 })
})

describe('business refusals are orders with the reason', () => {
  test.each([
    ['a price off the tick', { price: 60000.3 }],
    ['a quantity off the lot', { orderQty: 0.00015 }],
    ['a quantity below the minimum', { symbol: 'ETH-USD', price: 3000, orderQty: 0.001 }],
    ['a quantity above the maximum', { orderQty: 501 }],
    ['an unknown symbol', { symbol: 'NO-PE' }],
    ['a quantity of zero', { orderQty: 0 }],
  ])('%s', async (_, fields) => {
    const answer = await exchange.place(fields)
    expect(answer.status).toBe(200)
    const { orderQty } = { orderQty: 0.01, ...fields }
    expect(answer.json).toMatchObject({ ordStatus: 'REJECTED', leavesQty: orderQty, text: expect.stringMatching(/./) })
    expect((await exchange.get('/accounts/primary/USD')).json).toMatchObject({ available: 25000 })
  })

  test('more than the balance', async () => {
    expect((await exchange.place({ orderQty: 1 })).json).toMatchObject({
      ordStatus: 'REJECTED',
      text: 'Insufficient Balance',
      leavesQty: 1,
    })
  })

  test('a client order id that is live already', async () => {
    await exchange.place({ clOrdId: 'same' })
    expect((await exchange.place({ clOrdId: 'same' })).json).toMatchObject({ ordStatus: 'REJECTED' })
  })
})

describe('malformed requests are told which field is wrong', () => {
  test.each([
    ['clOrdId', { clOrdId: undefined }],
    ['clOrdId', { clOrdId: 'has space' }],
    ['clOrdId', { clOrdId: 'a'.repeat(21) }],
    ['clOrdId', { clOrdId: 12 }],
    ['ordType', { ordType: 'ICEBERG' }],
    ['symbol', { symbol: 7 }],
    ['symbol', { symbol: null }],
    ['side', { side: 'buy' }],
    ['orderQty', { orderQty: 'much' }],
    ['orderQty', { orderQty: undefined }],
    ['orderQty', { orderQty: { n: 1 } }],
    ['price', { price: undefined }],
    ['price', { price: true }],
    ['stopPx', { ordType: 'STOP', price: undefined }],
    ['stopPx', { ordType: 'STOPLIMIT' }],
    ['price', { ordType: 'STOPLIMIT', price: undefined, stopPx: 65000 }],
    ['timeInForce', { timeInForce: 'DAY' }],
    ['timeInForce', { ordType: 'MARKET', price: undefined, timeInForce: 'GTC' }],
    ['timeInForce', { ordType: 'STOP', stopPx: 65000, timeInForce: 'IOC' }],
    ['expireDate', { timeInForce: 'GTD' }],
    ['expireDate', { timeInForce: 'GTD', expireDate: 20260231 }],
    ['expireDate', { expireDate: 20261231 }],
    ['minQty', { minQty: 0.001 }],
    ['execInst', { execInst: 'ALO', timeInForce: 'IOC' }],
    ['execInst', { execInst: 'AON' }],
  ])('%s: %j', async (field, fields) => {
    const answer = await exchange.place(fields)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringContaining(field) })
  })

  test.each(['', '{', '[]', '"x"', '12', 'null', '{"clOrdId":"a"'])('body %j', async (body) => {
    const answer = await exchange.call('trader', 'POST', '/orders', body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.any(String) })
  })
})

test('orders of another account do not exist', async () => {
  const { exOrdId } = order(await exchange.place({}))
  for (const method of ['GET', 'DELETE']) {
    const answer = await exchange.call('counterparty', method, `/orders/${exOrdId}`)
    expect([answer.status, answer.text]).toEqual([404, ''])
  }
  expect(order(await exchange.get(`/orders/${exOrdId}`)).ordStatus).toBe('OPEN')
})

test.each([
  '/orders/999999',
  '/orders/0',
  '/orders/-1',
  '/orders/abc',
  '/orders/1.5',
  '/orders/9223372036854775807',
  '/orders/%00',
])('an order id that was never given out is a 404 without a body: %s', async (path) => {
  for (const method of ['GET', 'DELETE']) {
    const answer = await exchange.call('trader', method, path)
    expect([answer.status, answer.text]).toEqual([404, ''])
  }
})

describe('cancelling many', () => {
  const working = async () => ids(await exchange.get('/orders'))
  const btc = () => exchange.place({})
  const eth = () => exchange.place({ symbol: 'ETH-USD', price: 3000, orderQty: 0.1 })

  test('all of them', async () => {
    await btc()
    await eth()
    const answer = await exchange.call('trader', 'DELETE', '/orders')
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await working()).toEqual([])
  })

  test.each([
    ['in the query', '/orders?symbol=BTC-USD', undefined, {}],
    ['in a JSON body', '/orders', { symbol: 'BTC-USD' }, {}],
    ['in a body without a type', '/orders', '{"symbol":"BTC-USD"}', { 'content-type': '' }],
    ['in both', '/orders?symbol=BTC-USD', { symbol: 'BTC-USD' }, {}],
  ])('one symbol, named %s', async (_, path, body, headers) => {
    await btc()
    const kept = order(await eth()).exOrdId
    expect((await exchange.call('trader', 'DELETE', path, body, headers)).status).toBe(200)
    expect(await working()).toEqual([kept])
  })

  test.each([
    ['an empty object', '{}'],
    ['blanks', '  '],
    ['a null symbol', '{"symbol":null}'],
  ])('a body with nothing in it is nothing: %s', async (_, body) => {
    await btc()
    expect((await exchange.call('trader', 'DELETE', '/orders', body)).status).toBe(200)
    expect(await working()).toEqual([])
  })

  test.each([
    ['an unknown symbol in the query', '/orders?symbol=NO-PE', undefined],
    ['an empty symbol in the query', '/orders?symbol=', undefined],
    ['two symbols in the query', '/orders?symbol=BTC-USD&symbol=ETH-USD', undefined],
    ['an unknown symbol in the body', '/orders', { symbol: 'NO-PE' }],
    ['a symbol that is no text', '/orders', { symbol: 5 }],
    ['a body that is no JSON', '/orders', 'symbol=BTC-USD'],
    ['a query and a body that differ', '/orders?symbol=ETH-USD', { symbol: 'BTC-USD' }],
  ])('what cannot be understood cancels nothing: %s', async (_, path, body) => {
    const { exOrdId } = order(await btc())
    const answer = await exchange.call('trader', 'DELETE', path, body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringMatching(/symbol|JSON/) })
    expect(await working()).toEqual([exOrdId])
  })

  test('orders of others stay', async () => {
    const { exOrdId } = order(await exchange.place({}, 'counterparty'))
    await exchange.call('trader', 'DELETE', '/orders')
    expect(ids(await exchange.get('/orders', 'counterparty'))).toEqual([exOrdId])
  })

  test('a body on the cancel of one order is tolerated', async () => {
    for (const body of ['{}', 'whatever', '']) {
      const { exOrdId } = order(await btc())
      expect((await exchange.call('trader', 'DELETE', `/orders/${exOrdId}`, body)).status).toBe(200)
    }
  })
})
