import { afterAll, beforeAll, expect, test } from 'vitest'
import { noonMs, type OpenExchange, openExchange } from './harness.ts'

let exchange: OpenExchange
beforeAll(async () => {
  exchange = await openExchange()
})
afterAll(() => exchange.sandbox.stop())

test('symbols are listed with their rules in whole numbers and scales', async () => {
  const { status, headers, json } = await exchange.get('/symbols/BTC-USD')
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('application/json')
  expect(json).toEqual({
    id: expect.any(Number),
    base_currency: 'BTC',
    counter_currency: 'USD',
    base_currency_scale: 8,
    counter_currency_scale: 2,
    min_price_increment: 50,
    min_price_increment_scale: 2,
    min_order_size: 1,
    min_order_size_scale: 4,
    max_order_size: 500,
    max_order_size_scale: 0,
    lot_size: 1,
    lot_size_scale: 4,
    status: 'open',
  })
})

test('the map of symbols holds the same as each symbol alone', async () => {
  const all = (await exchange.get('/symbols')).json as Record<string, unknown>
  expect(Object.keys(all).length).toBeGreaterThanOrEqual(8)
  for (const [symbol, rules] of Object.entries(all)) {
    expect((await exchange.get(`/symbols/${symbol}`)).json).toEqual(rules)
  }
})

test('a symbol without a limit says so with a maximum of 0', async () => {
  expect((await exchange.get('/symbols/XLM-USD')).json).toMatchObject({ max_order_size: 0 })
})

test('level 2 counts the orders of a price, level 3 shows each of them in time priority', async () => {
  const first = (await exchange.place({ price: 61000, orderQty: 0.01 })).json as { exOrdId: number }
  const second = (await exchange.place({ price: 61000, orderQty: 0.02 })).json as { exOrdId: number }
  const best = (await exchange.place({ price: 61000.5, orderQty: 0.03 }, 'counterparty')).json as { exOrdId: number }
  const ask = (await exchange.place({ price: 62000, orderQty: 0.04, side: 'SELL' })).json as { exOrdId: number }
  expect((await exchange.get('/l2/BTC-USD')).json).toEqual({
    symbol: 'BTC-USD',
    bids: [
      { px: 61000.5, qty: 0.03, num: 1 },
      { px: 61000, qty: 0.03, num: 2 },
    ],
    asks: [{ px: 62000, qty: 0.04, num: 1 }],
  })
  expect((await exchange.get('/l3/BTC-USD')).json).toEqual({
    symbol: 'BTC-USD',
    bids: [
      { px: 61000.5, qty: 0.03, num: best.exOrdId },
      { px: 61000, qty: 0.01, num: first.exOrdId },
      { px: 61000, qty: 0.02, num: second.exOrdId },
    ],
    asks: [{ px: 62000, qty: 0.04, num: ask.exOrdId }],
  })
})

test('an empty book has both its sides', async () => {
  expect((await exchange.get('/l2/SOL-USD')).json).toEqual({ symbol: 'SOL-USD', bids: [], asks: [] })
  expect((await exchange.get('/l3/SOL-USD')).json).toEqual({ symbol: 'SOL-USD', bids: [], asks: [] })
})

test('a ticker tells the last trade and the last 24 hours', async () => {
  await exchange.place({ symbol: 'ETH-USD', side: 'SELL', price: 3100, orderQty: 1 }, 'counterparty')
  await exchange.place({ symbol: 'ETH-USD', price: 3100, orderQty: 0.5 })
  const ticker = { symbol: 'ETH-USD', price_24h: 3100, volume_24h: 0.5, last_trade_price: 3100 }
  expect((await exchange.get('/tickers/ETH-USD')).json).toEqual(ticker)
  const all = (await exchange.get('/tickers')).json as Array<{ symbol: string }>
  expect(all.find(({ symbol }) => symbol === 'ETH-USD')).toEqual(ticker)
  expect(all.map(({ symbol }) => symbol)).toContain('SOL-USD')
})

test.each([
  '/l2/NO-PE',
  '/l3/NO-PE',
  '/tickers/NO-PE',
  '/symbols/NO-PE',
  '/symbols/btc-usd',
  '/l2/%00',
  '/symbols/__proto__',
])('a symbol that does not exist is a 404 with the reason: %s', async (path) => {
  const { status, json } = await exchange.get(path)
  expect(status).toBe(404)
  expect(json).toEqual({ error: expect.any(String) })
})

test('a halted symbol shows the auction that its book builds', async () => {
  const place = (side: string, price: number, orderQty: number) =>
    exchange.place({ symbol: 'LTC-USD', side, price, orderQty }, side === 'BUY' ? 'trader' : 'counterparty')
  expect((await exchange.get('/symbols/LTC-USD')).json).toMatchObject({ status: 'halt', auction_time: '1230' })
  expect((await place('BUY', 72, 10)).json).toMatchObject({ ordStatus: 'OPEN' })
  expect((await place('SELL', 71, 4)).json).toMatchObject({ ordStatus: 'OPEN', cumQty: 0 })
  expect((await place('SELL', 71.5, 3)).json).toMatchObject({ ordStatus: 'OPEN' })
  const halted = (await exchange.get('/symbols/LTC-USD')).json as Record<string, unknown>
  expect(halted).toMatchObject({ status: 'halt', auction_size: 7, imbalance: 3 })
  expect(halted.auction_price).toBeGreaterThanOrEqual(71.5)
  expect(halted.auction_price).toBeLessThanOrEqual(72)
  await exchange.admin('symbol/status', { symbol: 'LTC-USD', status: 'open' })
  const open = (await exchange.get('/symbols/LTC-USD')).json as Record<string, unknown>
  expect(open.status).toBe('open')
  expect(open.auction_price).toBeUndefined()
  const fills = (await exchange.get('/fills?symbol=LTC-USD')).json as Array<{ price: number; qty: number }>
  expect(fills.reduce((sum, { qty }) => sum + qty, 0)).toBe(7)
  expect(new Set(fills.map(({ price }) => price))).toEqual(new Set([halted.auction_price]))
})

test('every answer carries the date of the exchange', async () => {
  for (const path of ['/symbols', '/nowhere', '/orders/1']) {
    expect((await exchange.get(path)).headers.date).toBe(new Date(noonMs).toUTCString())
  }
})
