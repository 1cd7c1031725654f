import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { PortTaken } from '../../src/base/net/listen.ts'
import { UnusableData } from '../../src/sandbox/persistence/unusable-data.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'
import { countingBytes, httpCall, noonMs, openExchange } from './http/harness.ts'
import { newFolder } from './persistence/scene.ts'

const anyPorts = { port: 0, gatewayPort: 0, adminPort: 0 }
const tools = () => ({ clock: new FakeClock(noonMs), randomBytes: countingBytes(), log: () => {} })

test('with the market on, books, figures and an auction are there from the first request, and time moves them', async () => {
  const clock = new FakeClock(noonMs)
  const sandbox = await startSandbox({ ...anyPorts, seed: 4, market: 'on' }, { ...tools(), clock })
  const token = sandbox.accounts.find(({ name }) => name === 'trader')?.token ?? ''
  const get = async (path: string) =>
    (await httpCall(sandbox.exchangeUrl, { path: `/v3${path}`, headers: { 'X-API-Token': token } })).json
  const symbols = (await get('/symbols')) as Record<
    string,
    { status: string; auction_price?: number; auction_time?: string }
  >
  expect(
    Object.values(symbols)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(['halt', ...Array(8).fill('open')])
  for (const [symbol, { status }] of Object.entries(symbols)) {
    const book = (await get(`/l2/${symbol}`)) as { bids: Array<{ px: number }>; asks: Array<{ px: number }> }
    expect(book.bids.length, symbol).toBeGreaterThan(10)
    expect(book.asks.length, symbol).toBeGreaterThan(10)
    if (status === 'open')
      expect(book.asks[0]?.px, symbol).toBeGreaterThan(book.bids[0]?.px ?? Number.POSITIVE_INFINITY)
    expect(await get(`/tickers/${symbol}`), symbol).toEqual({
      symbol,
      price_24h: expect.any(Number),
      volume_24h: expect.any(Number),
      last_trade_price: expect.any(Number),
    })
  }
  const halted = symbols['LTC-USD']
  expect(halted).toMatchObject({ status: 'halt', auction_price: expect.any(Number), auction_time: '1230' })
  const before = await get('/l3/BTC-USD')
  await clock.advance(5_000)
  expect(await get('/l3/BTC-USD')).not.toEqual(before)
  // The account has a past of nothing but its opening deposits.
  expect(await get('/orders')).toEqual([])
  expect(await get('/fills')).toEqual([])
  await sandbox.stop()
})

test('who is told where it listens before its market lives may ask at once, and is answered by one that does', async () => {
  const data = newFolder()
  const living = { ...anyPorts, seed: 4, market: 'on', data } as const
  const first = await startSandbox(living, tools())
  const token = first.accounts.find(({ name }) => name === 'trader')?.token ?? ''
  await first.stop()
  const clock = new FakeClock(noonMs + 60_000)
  const asked: ReturnType<typeof httpCall>[] = []
  const told: object[] = []
  const onListening = (services: { exchangeUrl: string }) => {
    told.push({ ...services, sleeperCount: clock.sleeperCount })
    asked.push(httpCall(services.exchangeUrl, { path: '/v3/l2/BTC-USD', headers: { 'X-API-Token': token } }))
  }
  const { webhooks, stop, ...services } = await startSandbox(living, { ...tools(), clock, onListening })
  expect(told).toEqual([{ ...services, sleeperCount: expect.any(Number) }])
  expect(clock.sleeperCount).toBeGreaterThan(Object(told[0]).sleeperCount)
  const [answer] = await Promise.all(asked)
  expect(answer?.status).toBe(200)
  const { bids } = Object(answer?.json) as { bids: unknown[] }
  expect(bids.length).toBeGreaterThan(10)
  await stop()
})

test('should the disk fail once it listens, it rejects, and nothing listens any more', async () => {
  let url = ''
  const onListening = ({ exchangeUrl }: { exchangeUrl: string }) => {
    url = exchangeUrl
    throw new UnusableData('The disk is gone.', undefined)
  }
  await expect(startSandbox({ ...anyPorts, market: 'on' }, { ...tools(), onListening })).rejects.toThrow('disk is gone')
  await expect(httpCall(url, { path: '/v3/symbols' })).rejects.toThrow(/ECONNREFUSED/)
})

test('a living world confirms deposits, completes withdrawals, and holds the auction it announced', async () => {
  const exchange = await openExchange({ market: 'on' })
  const deposit = { account: 'trader', currency: 'BTC', amount: '1' }
  const { depositId } = (await exchange.admin('deposit/start', deposit)).json as { depositId: string }
  const [entry] = (await exchange.get('/whitelist/BTC')).json as Array<{ whitelistId: string }>
  const request = { amount: 0.1, currency: 'BTC', beneficiary: entry?.whitelistId }
  const { withdrawalId } = (await exchange.call('trader', 'POST', '/withdrawals', request)).json as {
    withdrawalId: string
  }
  const rejected = (await exchange.admin('deposit/start', deposit)).json as { depositId: string }
  await exchange.admin('deposit/reject', rejected)
  await exchange.clock.advance(240_000)
  expect((await exchange.get(`/deposits/${depositId}`)).json).toMatchObject({ state: 'COMPLETED' })
  expect((await exchange.get(`/deposits/${rejected.depositId}`)).json).toMatchObject({ state: 'REJECTED' })
  expect((await exchange.get(`/withdrawals/${withdrawalId}`)).json).toMatchObject({ state: 'COMPLETED' })
  await exchange.clock.advance(1_500_000)
  expect((await exchange.get('/symbols/LTC-USD')).json).toMatchObject({ status: 'halt' })
  await exchange.clock.advance(120_000)
  expect((await exchange.get('/symbols/LTC-USD')).json).toMatchObject({ status: 'open' })
  await exchange.sandbox.stop()
})

test('an auction takes place though the clock jumps over its minute, and none is held before its time', async () => {
  const exchange = await openExchange({ market: 'on' })
  const status = async (symbol: string) => (await exchange.get(`/symbols/${symbol}`)).json
  // It is noon: this minute is over until tomorrow, and the world's own auction is at half past twelve.
  await exchange.admin('symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await exchange.admin('symbol/auction', { symbol: 'BTC-USD', time: '1159' })
  await exchange.admin('clock/advance', { ms: 40 * 60_000 })
  await settle()
  expect(await status('LTC-USD')).toMatchObject({ status: 'open' })
  expect(await status('LTC-USD')).not.toHaveProperty('auction_time')
  expect(await status('BTC-USD')).toMatchObject({ status: 'halt', auction_time: '1159' })
  await exchange.admin('clock/advance', { ms: 24 * 3_600_000 })
  await settle()
  expect(await status('BTC-USD')).toMatchObject({ status: 'open' })
  await exchange.sandbox.stop()
})

test('with the market off nothing happens by itself', async () => {
  const exchange = await openExchange()
  const deposit = { account: 'trader', currency: 'BTC', amount: '1' }
  const { depositId } = (await exchange.admin('deposit/start', deposit)).json as { depositId: string }
  await exchange.clock.advance(3_600_000)
  expect((await exchange.get(`/deposits/${depositId}`)).json).toMatchObject({ state: 'UNCONFIRMED' })
  expect((await exchange.get('/l2/BTC-USD')).json).toEqual({ symbol: 'BTC-USD', bids: [], asks: [] })
  await exchange.sandbox.stop()
})

test('an order that is good till a date ends at the end of its day though nobody asks', async () => {
  const exchange = await openExchange()
  await exchange.place({ timeInForce: 'GTD', expireDate: 20260310 })
  await exchange.clock.advance(12 * 3_600_000 - 1_000)
  expect((await exchange.get('/orders')).json).toHaveLength(1)
  await exchange.clock.advance(1_000)
  expect((await exchange.get('/orders')).json).toHaveLength(0)
  await exchange.sandbox.stop()
})

test('tokens are never the same, and are as random as what they are made from', async () => {
  const sandboxes = await Promise.all(
    [1, 2].map(() => startSandbox({ ...anyPorts, seed: 1, market: 'off' }, { ...tools(), randomBytes })),
  )
  const tokens = sandboxes.flatMap(({ accounts, adminToken, partnerKey }) => [
    ...accounts.map(({ token }) => token),
    adminToken,
    partnerKey,
  ])
  expect(tokens).toHaveLength(12)
  expect(new Set(tokens).size).toBe(12)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(24)
  await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))
})

test('the gateway knows its partner', async () => {
  const { sandbox } = await openExchange()
  const path = '/partner-gateway/partner-api/v1/currencies'
  const ask = (headers: Record<string, string>) => httpCall(sandbox.gatewayUrl, { path, headers })
  expect((await ask({})).status).toBe(401)
  expect((await ask({ 'X-Public-API-Key': 'nobody' })).status).toBe(401)
  expect((await ask({ 'X-Public-API-Key': sandbox.partnerKey })).status).toBe(200)
  await sandbox.stop()
})

test('a port that is taken is told, and nothing is left behind', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const starting = startSandbox({ port: 0, gatewayPort: 0, adminPort: port, market: 'off' }, tools())
  await expect(starting).rejects.toThrow(PortTaken)
  await expect(starting).rejects.toThrow(String(port))
  await new Promise((resolve) => other.close(resolve))
})

test('stopping ends every connection and every loop', async () => {
  const exchange = await openExchange({ market: 'on' })
  expect(exchange.clock.sleeperCount).toBeGreaterThan(0)
  await exchange.sandbox.stop()
  expect(exchange.clock.sleeperCount).toBe(0)
  await expect(exchange.get('/symbols')).rejects.toThrow(/ECONNREFUSED/)
})
