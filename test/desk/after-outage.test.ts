import { request } from 'undici'
import { expect, test } from 'vitest'
import { ageMs } from '../../src/store/feeds/feed.ts'
import { failingSince } from '../../src/store/feeds/feed-news.ts'
import { type CountedDesk, endpointOf, startCountedDesk } from './counted-desk.ts'

async function administer({ sandbox }: CountedDesk, path: string, body: object): Promise<void> {
  const headers = { Authorization: `Bearer ${sandbox.adminToken}`, 'Content-Type': 'application/json' }
  const answer = await request(`${sandbox.adminUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.statusCode).toBe(200)
  await answer.body.dump()
}

test('after an outage the first feed that is answered has the others asked for at once', async () => {
  const counted = await startCountedDesk('off')
  const { desk, clock, looksAt, passes, until } = counted
  await looksAt('trade', 120, 40)
  await passes(5_000)
  await administer(counted, '/fault/status', { status: 503 })
  await passes(60_000)
  const state = () => desk.store.getState()
  const { orders, fills, tickers, balances, fees } = state()
  for (const feed of [orders, fills, tickers, balances]) expect(feed.failure).not.toBeNull()
  await administer(counted, '/fault/off', {})
  await until(() => [state().orders, state().fills, state().tickers].some((feed) => feed.failure === null))
  const answeredAtMs = clock.now()
  await until(() => failingSince(state()) === null)
  // Their own next tries lie up to five seconds apart.
  expect(clock.now() - answeredAtMs).toBeLessThan(1_000)
  expect(fees.atMs).not.toBeNull()
})

test('after an outage what nobody sees is asked for at once too, and grows no older than what is on screen', async () => {
  const counted = await startCountedDesk('off')
  const { desk, clock, looksAt, passes, until } = counted
  await looksAt('trade', 120, 40)
  await passes(5_000)
  await administer(counted, '/fault/status', { status: 503 })
  await passes(66_000)
  const state = () => desk.store.getState()
  const transfers = () => [state().withdrawals, state().deposits]
  for (const feed of transfers()) expect(feed.failure).not.toBeNull()
  await administer(counted, '/fault/off', {})
  await until(() => [state().orders, state().fills, state().tickers].some((feed) => feed.failure === null))
  const answeredAtMs = clock.now()
  await until(() => transfers().every((feed) => feed.failure === null))
  expect(clock.now() - answeredAtMs).toBeLessThan(1_000)
})

test('a feed that nobody sees is asked again within seconds after it failed alone', async () => {
  const counted = await startCountedDesk('off')
  const { desk, clock, looksAt, passes, until } = counted
  await looksAt('trade', 120, 40)
  await passes(5_000)
  await administer(counted, '/fault/status', { status: 503, path: '/withdrawals*' })
  const out = () => desk.store.getState().withdrawals
  await until(() => out().failure !== null)
  await administer(counted, '/fault/off', {})
  const offAtMs = clock.now()
  await until(() => out().failure === null)
  // On screen it is asked for every two seconds: the first retry comes after twice that, and a fifth.
  expect(clock.now() - offAtMs).toBeLessThan(5_500)
})

test('a desk that stood still has everything asked for at once when it goes on, also what nobody sees', async () => {
  const counted = await startCountedDesk('off')
  const { clock, looksAt, passes } = counted
  await looksAt('trade', 120, 40)
  await passes(23_000)
  clock.standStill(10_000)
  const calls = await passes(1_500)
  const asked = new Set(calls.map(endpointOf))
  for (const endpoint of ['withdrawals', 'deposits', 'whitelist', 'fees', 'symbols', 'accounts', 'l2', 'tickers'])
    expect(asked).toContain(endpoint)
})

test('what is of the market is asked for once more as soon as its answers count after a standstill, and looks stale no longer', async () => {
  const counted = await startCountedDesk('off', { pollMs: { tickers: 12_000 } })
  const { clock, desk, looksAt, passes } = counted
  await looksAt('ladders', 80, 24)
  await passes(25_000)
  clock.standStill(3_600_000)
  await passes(3_000)
  const { tickers, nowMs } = desk.store.getState()
  expect(ageMs(tickers, nowMs)).toBeLessThan(3_000)
})

test('one feed that goes on failing is not asked for more often because others are answered', async () => {
  const counted = await startCountedDesk('off')
  await counted.looksAt('trade', 120, 40)
  await counted.passes(5_000)
  await administer(counted, '/fault/status', { status: 503, path: '/trades*' })
  await counted.passes(60_000)
  const calls = await counted.passes(60_000)
  expect(calls.filter(({ path }) => path.includes('/trades')).length).toBeLessThan(8)
})
