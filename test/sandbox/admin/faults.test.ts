import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settle } from '../../fakes/fake-clock.ts'
import { httpCall, type OpenExchange, openExchange } from '../http/harness.ts'

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

const orderCount = async () => ((await exchange.get('/internal/orders')).json as { orders: unknown[] }).orders.length

/** A fault of everything but the calls that look at what became of it. */
const onOrders = { path: 'POST /orders' }

test('faults are listed as they are added, and cleared by kind or all', async () => {
  await exchange.admin('fault/drop', { rate: 0.5, path: '/orders*' })
  const two = await exchange.admin('fault/latency', { ms: 5 })
  expect(two.json).toEqual({
    faults: [
      { kind: 'drop', moment: 'before', rate: '0.5', path: '/orders*' },
      { kind: 'latency', delayMs: 5, rate: '1', path: '*' },
    ],
  })
  expect((await exchange.admin('fault/off', { kind: 'drop' })).json).toMatchObject({ faults: [{ kind: 'latency' }] })
  expect((await exchange.admin('fault/off')).json).toEqual({ faults: [] })
})

describe('a dropped connection', () => {
  test('before: nothing was placed', async () => {
    await exchange.admin('fault/drop', { when: 'before', ...onOrders })
    await expect(exchange.place({})).rejects.toThrow(/hang up|ECONNRESET/)
    expect(await orderCount()).toBe(0)
  })

  test('after: the order lives, and nobody was told', async () => {
    await exchange.admin('fault/drop', { when: 'after', ...onOrders })
    await expect(exchange.place({})).rejects.toThrow(/hang up|ECONNRESET/)
    expect(await orderCount()).toBe(1)
  })
})

test('a status instead of an answer, before or after the order took effect', async () => {
  await exchange.admin('fault/status', onOrders)
  expect((await exchange.place({})).status).toBe(503)
  expect(await orderCount()).toBe(0)
  await exchange.admin('fault/off')
  await exchange.admin('fault/status', { status: 500, when: 'after', ...onOrders })
  expect((await exchange.place({})).status).toBe(500)
  expect(await orderCount()).toBe(1)
})

test('malformed answers: garbled, or cut off half-way', async () => {
  const whole = await exchange.get('/symbols')
  await exchange.admin('fault/malformed', { path: '/symbols' })
  const garbled = await exchange.get('/symbols')
  expect([garbled.status, garbled.json]).toEqual([200, undefined])
  await exchange.admin('fault/off')
  await exchange.admin('fault/malformed', { form: 'truncated', path: '/symbols' })
  const cut = await exchange.get('/symbols')
  expect([cut.status, cut.json]).toEqual([200, undefined])
  expect(whole.text.startsWith(cut.text)).toBe(true)
})

test('latency: the answer comes when its time has passed', async () => {
  await exchange.admin('fault/latency', { ms: 700, path: '/fees' })
  let isAnswered = false
  const sleepers = exchange.clock.sleeperCount
  const answer = exchange.get('/fees').then((answered) => {
    isAnswered = true
    return answered
  })
  while (exchange.clock.sleeperCount === sleepers) await settle()
  await exchange.clock.advance(699)
  expect(isAnswered).toBe(false)
  await exchange.clock.advance(1)
  expect((await answer).status).toBe(200)
})

test('a client that hangs up in the meantime has sent its order all the same', async () => {
  await exchange.admin('fault/latency', { ms: 60_000, ...onOrders })
  const sleepers = exchange.clock.sleeperCount
  const hangUp = new AbortController()
  const placed = httpCall(exchange.sandbox.exchangeUrl, {
    method: 'POST',
    path: '/v3/orders',
    headers: { 'X-API-Token': exchange.token('trader') },
    body: JSON.stringify(exchange.newOrder({})),
    signal: hangUp.signal,
  }).catch(() => 'hung up')
  while (exchange.clock.sleeperCount === sleepers) await settle()
  hangUp.abort()
  expect(await placed).toBe('hung up')
  while ((await orderCount()) === 0) await settle()
  expect(exchange.clock.sleeperCount).toBe(sleepers)
})

test('a stall never answers, and does not keep the exchange from stopping', async () => {
  await exchange.admin('fault/stall', { when: 'after', ...onOrders })
  const stalled = exchange.place({}).then(
    () => 'answered',
    () => 'cut off',
  )
  while ((await orderCount()) === 0) await settle()
  await exchange.sandbox.stop()
  expect(await stalled).toBe('cut off')
})

test('a rate hits that share of the requests', async () => {
  await exchange.admin('fault/status', { rate: 0.3, path: '/fees' })
  let hits = 0
  for (let turn = 0; turn < 200; turn += 1) if ((await exchange.get('/fees')).status === 503) hits += 1
  expect(hits).toBeGreaterThan(35)
  expect(hits).toBeLessThan(85)
})

test.each([
  ['/orders', 'GET', '/orders', true],
  ['/orders', 'GET', '/orders/1', false],
  ['/orders*', 'GET', '/orders/1', true],
  ['DELETE /orders/*', 'DELETE', '/orders/1', true],
  ['DELETE /orders/*', 'GET', '/orders/1', false],
  ['*', 'GET', '/symbols', true],
  ['/l?/BTC-USD', 'GET', '/l2/BTC-USD', false],
  ['/l*/BTC-*', 'GET', '/l2/BTC-USD', true],
  ['/fees', 'GET', '/fees?x=1', true],
  ['POST /v3/orders', 'POST', '/orders', true],
  ['/v3/symbols*', 'GET', '/symbols', true],
])('pattern %s, request %s %s: %s', async (path, method, target, isHit) => {
  await exchange.admin('fault/status', { status: 418, path })
  expect((await exchange.call('trader', method, target)).status === 418).toBe(isHit)
})

test('the administrator is never hit, and the key still comes first', async () => {
  await exchange.admin('fault/status', { status: 500 })
  expect((await exchange.get('/symbols', 'unverified')).status).toBe(401)
  expect((await exchange.admin('fault/off')).status).toBe(200)
})
