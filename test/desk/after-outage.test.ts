import { request } from 'undici'
import { expect, test } from 'vitest'
import { failingSince } from '../../src/store/feeds/feed-news.ts'
import { type CountedDesk, startCountedDesk } from './counted-desk.ts'

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

test('one feed that goes on failing is not asked for more often because others are answered', async () => {
  const counted = await startCountedDesk('off')
  await counted.looksAt('trade', 120, 40)
  await counted.passes(5_000)
  await administer(counted, '/fault/status', { status: 503, path: '/trades*' })
  await counted.passes(60_000)
  const calls = await counted.passes(60_000)
  expect(calls.filter(({ path }) => path.includes('/trades')).length).toBeLessThan(8)
})
