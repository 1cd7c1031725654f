import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpCall, noonMs, type OpenExchange, openExchange } from '../http/harness.ts'

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

const refused = { error: expect.stringMatching(/./) }

describe('the door', () => {
  const knock = (headers: Record<string, string>, path = '/clock/advance', method = 'POST') =>
    httpCall(exchange.sandbox.adminUrl, { method, path, headers, body: '{"ms":1}' })

  test('only the admin token opens it, on every path', async () => {
    const tokens = [
      '',
      'Bearer',
      'Bearer nobody',
      `Basic ${exchange.sandbox.adminToken}`,
      `Bearer ${exchange.token('trader')}`,
    ]
    for (const authorization of tokens) {
      for (const path of ['/clock/advance', '/nowhere', '/%zz']) {
        const answer = await knock({ authorization }, path)
        expect(answer.status).toBe(401)
        expect(answer.json).toEqual(refused)
      }
    }
    expect((await knock({})).status).toBe(401)
    expect((await knock({ authorization: `Bearer ${exchange.sandbox.adminToken}` })).status).toBe(200)
  })

  test('the admin token is no key of the exchange', async () => {
    const headers = { 'X-API-Token': exchange.sandbox.adminToken }
    expect((await httpCall(exchange.sandbox.exchangeUrl, { path: '/v3/symbols', headers })).status).toBe(401)
  })

  test('a verb that does not exist is a 404, another method a 405', async () => {
    const authorization = `Bearer ${exchange.sandbox.adminToken}`
    expect((await knock({ authorization }, '/symbol/delist')).status).toBe(404)
    expect((await knock({ authorization }, '/clock/advance', 'GET')).status).toBe(405)
  })
})

test('an account is added, gets a key, and the key works once it is verified', async () => {
  expect((await exchange.admin('account/add', { name: 'alice', twoFactor: true })).json).toEqual({
    name: 'alice',
    twoFactor: true,
  })
  const added = (await exchange.admin('key/add', { account: 'alice' })).json as { keyId: number; token: string }
  expect(added).toEqual({ keyId: expect.any(Number), token: expect.stringMatching(/^[\w-]{32}$/), state: 'unverified' })
  const ask = () =>
    httpCall(exchange.sandbox.exchangeUrl, { path: '/v3/orders', headers: { 'X-API-Token': added.token } })
  expect((await ask()).status).toBe(401)
  expect((await exchange.admin('key/verify', { keyId: added.keyId })).json).toEqual({
    keyId: added.keyId,
    state: 'verified',
  })
  expect(await ask()).toMatchObject({ status: 200, json: [] })
  await exchange.admin('key/revoke', { keyId: added.keyId })
  expect((await ask()).status).toBe(401)
  expect((await exchange.admin('account/show', { account: 'alice' })).json).toMatchObject({
    name: 'alice',
    twoFactor: true,
    keys: [{ keyId: added.keyId, state: 'revoked' }],
  })
})

test('an account is shown with its balances and whitelist, and without any token', async () => {
  const answer = await exchange.admin('account/show', { account: 'trader' })
  const shown = answer.json as { balances: unknown[]; whitelist: unknown[] }
  expect(shown.balances).toContainEqual({ currency: 'USD', balance: '25000', available: '25000' })
  expect(shown.whitelist.length).toBeGreaterThan(3)
  expect(answer.text).not.toContain(exchange.token('trader'))
})

test('two-factor authentication is switched off and on', async () => {
  await exchange.admin('2fa/off', { account: 'trader' })
  expect((await exchange.admin('account/show', { account: 'trader' })).json).toMatchObject({ twoFactor: false })
  await exchange.admin('2fa/on', { account: 'trader' })
  expect((await exchange.admin('account/show', { account: 'trader' })).json).toMatchObject({ twoFactor: true })
})

test('a whitelist entry comes and goes', async () => {
  const entry = { account: 'trader', currency: 'LTC', name: 'new wallet' }
  const { whitelistId } = (await exchange.admin('whitelist/add', entry)).json as { whitelistId: string }
  expect((await exchange.get('/whitelist/LTC')).json).toEqual([{ whitelistId, currency: 'LTC', name: 'new wallet' }])
  expect((await exchange.admin('whitelist/rm', { account: 'trader', whitelistId })).status).toBe(200)
  expect((await exchange.get('/whitelist/LTC')).json).toEqual([])
  expect((await exchange.admin('whitelist/rm', { account: 'trader', whitelistId })).status).toBe(404)
})

test('a deposit is started, and rejected', async () => {
  const { depositId } = (await exchange.admin('deposit/start', { account: 'trader', currency: 'BTC', amount: '1' }))
    .json as {
    depositId: string
  }
  expect((await exchange.admin('deposit/reject', { depositId })).json).toEqual({ depositId, state: 'REJECTED' })
  expect((await exchange.get(`/deposits/${depositId}`)).json).toMatchObject({ state: 'REJECTED', amount: 1 })
  expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance: 0.5 })
})

test.each([
  ['complete', 'COMPLETED', 0.3998, 0.3998],
  ['fail', 'FAILED', 0.5, 0.5],
  ['refund', 'REFUNDED', 0.5, 0.5],
  ['reject', 'REJECTED', 0.5, 0.5],
])('withdrawal %s: %s', async (verb, state, balance, available) => {
  const [entry] = (await exchange.get('/whitelist/BTC')).json as Array<{ whitelistId: string }>
  const body = { amount: 0.1, currency: 'BTC', beneficiary: entry?.whitelistId }
  const { withdrawalId } = (await exchange.call('trader', 'POST', '/withdrawals', body)).json as {
    withdrawalId: string
  }
  expect((await exchange.admin(`withdrawal/${verb}`, { withdrawalId })).json).toEqual({ withdrawalId, state })
  expect((await exchange.get(`/withdrawals/${withdrawalId}`)).json).toMatchObject({ state })
  expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance, available })
})

test('a symbol is halted and opened, and its auction is announced', async () => {
  await exchange.admin('symbol/status', { symbol: 'BTC-USD', status: 'suspend' })
  expect((await exchange.get('/symbols/BTC-USD')).json).toMatchObject({ status: 'suspend' })
  expect((await exchange.place({})).json).toMatchObject({ ordStatus: 'REJECTED' })
  await exchange.admin('symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await exchange.admin('symbol/auction', { symbol: 'BTC-USD', time: '1430' })
  expect((await exchange.get('/symbols/BTC-USD')).json).toMatchObject({ status: 'halt', auction_time: '1430' })
  await exchange.admin('symbol/auction', { symbol: 'BTC-USD', time: null })
  expect((await exchange.get('/symbols/BTC-USD')).json).not.toHaveProperty('auction_time')
})

test('a symbol is added and trades', async () => {
  const spec = {
    symbol: 'SOL-BTC',
    base: 'SOL',
    counter: 'BTC',
    minPriceIncrement: 1,
    minPriceIncrementScale: 6,
    lotSize: 1,
    lotSizeScale: 1,
    minOrderSize: 1,
    minOrderSizeScale: 1,
  }
  expect((await exchange.admin('symbol/add', spec)).json).toEqual({
    symbol: 'SOL-BTC',
    id: expect.any(Number),
    status: 'open',
  })
  expect((await exchange.get('/symbols/SOL-BTC')).json).toMatchObject({
    min_price_increment: 1,
    min_price_increment_scale: 6,
  })
  const order = { symbol: 'SOL-BTC', price: 0.0022, orderQty: 1 }
  expect((await exchange.place(order)).json).toMatchObject({ ordStatus: 'OPEN' })
})

test('the clock is put forward: orders expire, and the date moves on', async () => {
  const order = { timeInForce: 'GTD', expireDate: 20260310 }
  const { exOrdId } = (await exchange.place(order)).json as { exOrdId: number }
  const answer = await exchange.admin('clock/advance', { ms: 12 * 3_600_000 })
  expect(answer.json).toEqual({ nowMs: noonMs + 12 * 3_600_000 })
  const shown = await exchange.get(`/orders/${exOrdId}`)
  expect(shown.json).toMatchObject({ ordStatus: 'EXPIRED', leavesQty: 0.01 })
  expect(shown.headers.date).toBe(new Date(noonMs + 12 * 3_600_000).toUTCString())
  expect((await exchange.get('/accounts/primary/USD')).json).toMatchObject({ available: 25000 })
})

describe('a bad argument is a 400 that names it', () => {
  test.each([
    ['account/add', 'name', {}],
    ['account/add', 'twoFactor', { name: 'x', twoFactor: 'yes' }],
    ['key/verify', 'keyId', { keyId: 1.5 }],
    ['key/verify', 'keyId', { keyId: 'first' }],
    ['deposit/start', 'amount', { account: 'trader', currency: 'BTC', amount: 'much' }],
    ['deposit/start', 'amount', { account: 'trader', currency: 'BTC', amount: -1 }],
    ['withdrawal/fail', 'withdrawalId', {}],
    ['symbol/status', 'status', { symbol: 'BTC-USD', status: 'shut' }],
    ['symbol/auction', 'time', { symbol: 'LTC-USD', time: '2561' }],
    [
      'symbol/add',
      'lotSize',
      { symbol: 'A-B', base: 'A', counter: 'B', minPriceIncrement: 1, minPriceIncrementScale: 2 },
    ],
    ['clock/advance', 'ms', { ms: -1 }],
    ['clock/advance', 'ms', {}],
    ['fault/latency', 'ms', {}],
    ['fault/status', 'status', { status: 200 }],
    ['fault/drop', 'when', { when: 'during' }],
    ['fault/drop', 'rate', { rate: 1.5 }],
    ['fault/stall', 'path', { path: 'orders please' }],
    ['fault/malformed', 'form', { form: 'odd' }],
    ['fault/off', 'kind', { kind: 'all' }],
  ])('%s: %s', async (command, field, values) => {
    const answer = await exchange.admin(command, values)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringContaining(field) })
  })

  test('what is no JSON object', async () => {
    for (const body of ['[]', '{', '"x"']) {
      const answer = await httpCall(exchange.sandbox.adminUrl, {
        method: 'POST',
        path: '/clock/advance',
        headers: { authorization: `Bearer ${exchange.sandbox.adminToken}` },
        body,
      })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(refused)
    }
  })

  test.each([
    ['account/show', { account: 'nobody' }],
    ['2fa/on', { account: 'nobody' }],
    ['deposit/confirm', { depositId: 'none' }],
    ['withdrawal/complete', { withdrawalId: 'none' }],
    ['symbol/status', { symbol: 'NO-PE', status: 'open' }],
    ['key/verify', { keyId: 9999 }],
  ])('what does not exist is a 404: %s', async (command, values) => {
    const answer = await exchange.admin(command, values)
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual(refused)
  })
})
