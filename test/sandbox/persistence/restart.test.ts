import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PortTaken } from '../../../src/base/net/listen.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { countingBytes, httpCall, noonMs } from '../http/harness.ts'
import { crashImage, newFolder } from './scene.ts'

type Options = { market?: 'on' | 'off'; data?: string; seed?: number }

/** The sandbox on a data folder, at a time of its own, with ways to call it. */
async function open(data: string, clock = new FakeClock(noonMs), options: Options = {}) {
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, seed: 1, market: 'off', data, ...options },
    { clock, randomBytes: countingBytes(), log: () => {} },
  )
  const { accounts } = sandbox
  const call = async (method: string, path: string, body?: unknown, person = 'trader') => {
    const token = accounts.find(({ name }) => name === person)?.token ?? ''
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return httpCall(sandbox.exchangeUrl, { method, path: `/v3${path}`, headers: { 'X-API-Token': token }, ...sent })
  }
  const get = async (path: string, person?: string) => (await call('GET', path, undefined, person)).json
  const admin = async (command: string, values: unknown = {}) => {
    const headers = { authorization: `Bearer ${sandbox.adminToken}` }
    return httpCall(sandbox.adminUrl, { method: 'POST', path: `/${command}`, headers, body: JSON.stringify(values) })
  }
  return { sandbox, clock, call, get, admin }
}

const limit = { ordType: 'LIMIT', symbol: 'BTC-USD', price: 60_000, orderQty: 0.01 }
const everything = [
  '/accounts',
  '/orders',
  '/orders?status=FILLED',
  '/orders?status=CANCELED',
  '/orders?status=REJECTED',
]
const lists = [
  ...everything,
  '/fills',
  '/trades',
  '/internal/orders',
  '/deposits',
  '/whitelist',
  '/withdrawals',
  '/fees',
  '/symbols',
  '/tickers',
  '/l3/BTC-USD',
]

test('after a restart or a crash everything is as it was, and the same tokens open it', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await first.call('POST', '/orders', { ...limit, clOrdId: 'a', side: 'BUY' })
  await first.call('POST', '/orders', { ...limit, clOrdId: 'b', side: 'SELL', orderQty: 0.004 }, 'counterparty')
  await first.call('POST', '/orders', {
    ...limit,
    clOrdId: 'c',
    side: 'SELL',
    price: 70_000,
    ordType: 'STOPLIMIT',
    stopPx: 50_000,
  })
  await first.call('POST', '/orders', { ...limit, clOrdId: 'd', side: 'BUY', price: 60_000.01 })
  const { exOrdId } = (await first.call('POST', '/orders', { ...limit, clOrdId: 'e', side: 'BUY' })).json as {
    exOrdId: number
  }
  await first.call('DELETE', `/orders/${exOrdId}`)
  const [entry] = (await first.get('/whitelist/BTC')) as Array<{ whitelistId: string }>
  await first.call('POST', '/withdrawals', { currency: 'BTC', amount: 0.1, beneficiary: entry?.whitelistId })
  await first.admin('deposit/start', { account: 'trader', currency: 'BTC', amount: '1' })
  const seen = (of: typeof first) =>
    Promise.all(['trader', 'counterparty'].map((person) => Promise.all(lists.map((path) => of.get(path, person)))))
  const before = await seen(first)
  const image = crashImage(folder)
  await first.sandbox.stop()

  for (const data of [folder, image]) {
    const again = await open(data)
    const { adminToken, partnerKey, accounts } = first.sandbox
    expect(again.sandbox).toMatchObject({ adminToken, partnerKey, accounts })
    expect(await seen(again)).toEqual(before)
    await again.sandbox.stop()
  }
  expect(JSON.stringify(before)).toContain('PART_FILLED')
})

test('with the market on, it goes on where it was: prices, orders in the queue, transfers under way', async () => {
  const folder = newFolder()
  const first = await open(folder, new FakeClock(noonMs), { market: 'on' })
  await first.clock.advance(30_000)
  await first.call('POST', '/orders', { ...limit, clOrdId: 'far', side: 'BUY', price: 20_000 })
  const { depositId } = (await first.admin('deposit/start', { account: 'trader', currency: 'BTC', amount: '1' }))
    .json as { depositId: string }
  const prices = (await first.get('/tickers')) as Array<{
    symbol: string
    last_trade_price: number
    volume_24h: number
  }>
  const image = crashImage(folder)
  await first.sandbox.stop()

  const later = await open(image, new FakeClock(noonMs + 3_600_000), { market: 'on' })
  expect(await later.get('/orders')).toMatchObject([{ clOrdId: 'far', ordStatus: 'OPEN' }])
  for (const { symbol, last_trade_price, volume_24h } of prices) {
    const book = (await later.get(`/l2/${symbol}`)) as { bids: Array<{ px: number }>; asks: Array<{ px: number }> }
    // In an auction what has gathered since; else a whole ladder.
    const least = symbol === 'LTC-USD' ? 2 : 20
    expect(book.bids.length, symbol).toBeGreaterThan(least)
    expect(book.asks.length, symbol).toBeGreaterThan(least)
    const now = (await later.get(`/tickers/${symbol}`)) as { last_trade_price: number; volume_24h: number }
    expect(Math.abs(now.last_trade_price / last_trade_price - 1), symbol).toBeLessThan(0.01)
    expect(now.volume_24h, symbol).toBeGreaterThan(volume_24h * 0.5)
  }
  expect(await later.get('/symbols/LTC-USD')).toMatchObject({ status: 'halt', auction_time: '1330' })
  await later.clock.advance(120_000)
  expect(await later.get(`/deposits/${depositId}`)).toMatchObject({ state: 'COMPLETED' })
  await later.clock.advance(29 * 60_000)
  expect(await later.get('/symbols/LTC-USD')).toMatchObject({ status: 'open' })
  // Its hands found their own orders again: nothing is left that they do not know.
  const rejected = (await later.get('/orders?status=REJECTED')) as unknown[]
  expect(rejected).toEqual([])
  await later.sandbox.stop()
})

test('time never goes back: what was put forward stays so', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await first.admin('clock/advance', { ms: 86_400_000 })
  const { timestamp } = (await first.call('POST', '/orders', { ...limit, clOrdId: 'a', side: 'BUY' })).json as {
    timestamp: number
  }
  await first.sandbox.stop()
  const again = await open(folder)
  await again.clock.advance(5_000)
  const next = (await again.call('POST', '/orders', { ...limit, clOrdId: 'b', side: 'BUY' })).json as {
    timestamp: number
  }
  expect(next.timestamp).toBe(timestamp + 5_000)
  await again.sandbox.stop()
})

test('reset begins anew: nothing of the past is left, the keys are the same, and that too lasts', async () => {
  const folder = newFolder()
  const first = await open(folder, new FakeClock(noonMs), { market: 'on' })
  const opening = await first.get('/accounts')
  await first.call('POST', '/orders', { ...limit, clOrdId: 'a', side: 'BUY', ordType: 'MARKET', price: undefined })
  expect(await first.get('/fills')).not.toEqual([])
  const sleepers = first.clock.sleeperCount
  const answers = await Promise.all([first.admin('reset'), first.admin('reset')])
  expect(answers.map(({ status, json }) => [status, json])).toEqual([
    [200, { reset: true }],
    [200, { reset: true }],
  ])
  expect(first.clock.sleeperCount).toBe(sleepers)
  const balances = (accounts: unknown) =>
    (accounts as { primary: Array<{ currency: string; balance: number; available: number }> }).primary.map(
      ({ currency, balance, available }) => [currency, balance, available],
    )
  expect(balances(await first.get('/accounts'))).toEqual(balances(opening))
  for (const path of ['/orders', '/fills', '/trades', '/orders?status=FILLED'])
    expect(await first.get(path)).toEqual([])
  const book = await first.get('/l3/BTC-USD')
  await first.clock.advance(3_000)
  expect(await first.get('/l3/BTC-USD')).not.toEqual(book)
  const placed = await first.call('POST', '/orders', { ...limit, clOrdId: 'a', side: 'BUY', price: 20_000 })
  expect(placed.json).toMatchObject({ ordStatus: 'OPEN' })
  await first.sandbox.stop()
  const again = await open(folder)
  expect(again.sandbox.accounts).toEqual(first.sandbox.accounts)
  expect(await again.get('/orders')).toEqual([placed.json])
  expect(await again.get('/fills')).toEqual([])
  await again.sandbox.stop()
})

test('a world made with the market off wakes with it on, and the other way round', async () => {
  const folder = newFolder()
  const quiet = await open(folder)
  expect(await quiet.get('/l2/ETH-USD')).toMatchObject({ bids: [], asks: [] })
  await quiet.sandbox.stop()
  const living = await open(folder, new FakeClock(noonMs + 60_000), { market: 'on' })
  const book = (await living.get('/l2/ETH-USD')) as { bids: unknown[] }
  expect(book.bids.length).toBeGreaterThan(10)
  const still = await living.get('/l3/ETH-USD')
  await living.sandbox.stop()
  const asleep = await open(folder, new FakeClock(noonMs + 120_000))
  expect(await asleep.get('/l3/ETH-USD')).toEqual(still)
  await asleep.sandbox.stop()
})

test('without a folder the data is temporary: it is gone in the end, and when the start fails', async () => {
  // Others make theirs in the machine's own meanwhile.
  vi.stubEnv('TMPDIR', newFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const made: string[] = []
  const tools = {
    clock: new FakeClock(noonMs),
    // Its tokens are made once its data has a place.
    randomBytes: (count: number) => {
      made.push(...readdirSync(tmpdir()))
      return randomBytes(count)
    },
    log: () => {},
  }
  const start = (port: number) => startSandbox({ port: 0, gatewayPort: 0, adminPort: port, market: 'off' }, tools)
  const sandbox = await start(0)
  expect(readdirSync(tmpdir())).toEqual([expect.stringMatching(/^pitdesk-sandbox-/)])
  made.length = 0
  await expect(start(Number(new URL(sandbox.adminUrl).port))).rejects.toThrow(PortTaken)
  // The second one had a folder too by the time it found its port taken.
  expect(new Set(made).size).toBe(2)
  expect(readdirSync(tmpdir())).toHaveLength(1)
  await sandbox.stop()
  expect(readdirSync(tmpdir())).toEqual([])
})

test('a second one on the same folder is told so; when the first has ended, it may', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await expect(open(folder)).rejects.toThrow(`The data folder ${folder} is in use by another practice exchange.`)
  await first.sandbox.stop()
  await (await open(folder)).sandbox.stop()
})
