import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { readBaseAddress } from '../../../src/api/base-address.ts'
import { createTransport } from '../../../src/api/call.ts'
import { createExchangeClient, exchangeKeyHeader } from '../../../src/api/exchange-client.ts'
import { Secret } from '../../../src/base/secret.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { createTransfers } from '../../../src/services/polling/transfers.ts'
import { atRest } from '../../fakes/at-rest.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)

/** The pollers on a practice exchange whose market stands still and whose clock only the test moves. */
async function scene() {
  const clock = new FakeClock(startMs)
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 },
    { clock, randomBytes, log: () => {} },
  )
  const base = readBaseAddress(sandbox.exchangeUrl)
  if (!base.ok) throw new Error(base.error)
  const key = new Secret(sandbox.accounts.find(({ name }) => name === 'trader')?.token ?? '')
  const rate = { perSecond: 1_000, burst: 1_000 }
  const transport = createTransport({
    base: base.value,
    key,
    keyHeader: exchangeKeyHeader,
    rate,
    clock,
    random: () => 0.5,
    mayWrite: () => true,
  })
  const client = createExchangeClient(transport)
  const stopping = new AbortController()
  const events: FeedEvent[] = []
  const asked: number[] = []
  const shown = new Set<string>(['withdrawals', 'deposits', 'whitelist'])
  const transfers = createTransfers(
    client,
    {
      clock,
      random: () => 0.5,
      signal: stopping.signal,
      emit: (event) => events.push(event),
      need: (name) => (shown.has(name) ? 'visible' : 'hidden'),
    },
    async (news) => {
      asked.push(news.length)
      return new Set(news.flatMap(({ withdrawalId }) => withdrawalId ?? []))
    },
  )
  const loops = Object.values(transfers.pollers).map((poller) => poller.run())
  onTestFinished(async () => {
    stopping.abort()
    await Promise.all(loops)
    await transport.close()
    await sandbox.stop()
  })
  const beat = async () => {
    await atRest()
    await clock.advance(50)
    await atRest()
  }
  const list = () => events.findLast((event) => event.type === 'withdrawals')?.withdrawals ?? []
  const deposits = () => events.findLast((event) => event.type === 'deposits')?.deposits ?? []
  return {
    client,
    clock,
    events,
    asked,
    shown,
    transfers,
    list,
    deposits,
    stateOf: (id: string | null) => list().find(({ withdrawalId }) => withdrawalId === id)?.state ?? null,
    async until(isThere: () => boolean) {
      for (let beats = 0; beats < 2_000; beats += 1) {
        if (isThere()) return
        await beat()
      }
      throw new Error(`never, last events: ${JSON.stringify(events.slice(-3))}`)
    },
    async passes(ms: number) {
      for (let beats = 0; beats < ms / 50; beats += 1) await beat()
    },
    async admin(path: string, body: object) {
      const headers = { Authorization: `Bearer ${sandbox.adminToken}`, 'Content-Type': 'application/json' }
      const answer = await request(`${sandbox.adminUrl}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`)
      return (await answer.body.json()) as Record<string, unknown>
    },
    async withdraw(amount: string) {
      const entry = (await client.fetchWhitelist()).entries.find(({ currency }) => currency === 'BTC')
      const beneficiary = entry?.whitelistId ?? ''
      return await client.createWithdrawal({ currency: 'BTC', beneficiary, amount: new Decimal(amount) })
    },
  }
}

test.each([
  ['complete', 'COMPLETED'],
  ['fail', 'FAILED'],
  ['refund', 'REFUNDED'],
  ['reject', 'REJECTED'],
] as const)('a withdrawal is followed from PENDING to its end: %s makes it %s', async (verb, end) => {
  const desk = await scene()
  await desk.until(() => desk.events.some(({ type }) => type === 'withdrawals'))
  const { withdrawalId } = await desk.withdraw('0.1')
  await desk.until(() => desk.stateOf(withdrawalId) === 'PENDING')
  await desk.admin(`/withdrawal/${verb}`, { withdrawalId })
  await desk.until(() => desk.stateOf(withdrawalId) === end)
})

test('whose a withdrawal is the journal is asked once, when it is new on the list', async () => {
  const desk = await scene()
  await desk.until(() => desk.events.some(({ type }) => type === 'withdrawals'))
  expect(desk.asked).toEqual([])
  const { withdrawalId } = await desk.withdraw('0.1')
  await desk.until(() => desk.stateOf(withdrawalId) === 'PENDING')
  const event = desk.events.findLast((each) => each.type === 'withdrawals')
  expect([...(event?.sentIds ?? [])]).toEqual([withdrawalId])
  const { length } = desk.events
  await desk.until(() => desk.events.slice(length).some(({ type }) => type === 'withdrawals'))
  expect(desk.asked).toEqual([1])
})

test('deposits and the whitelist come as they change', async () => {
  const desk = await scene()
  await desk.until(() => desk.events.some(({ type }) => type === 'deposits'))
  const { depositId } = await desk.admin('/deposit/start', { account: 'trader', currency: 'BTC', amount: '0.5' })
  await desk.until(() => desk.deposits().some((each) => each.state === 'UNCONFIRMED'))
  await desk.admin('/deposit/confirm', { depositId })
  await desk.until(() => desk.deposits().some((each) => each.depositId === depositId && each.state === 'COMPLETED'))
  const names = () => desk.events.findLast((event) => event.type === 'whitelist')?.whitelist.map(({ name }) => name)
  expect(names()).not.toContain('new one')
  await desk.admin('/whitelist/add', { account: 'trader', currency: 'BTC', name: 'new one' })
  await desk.until(() => names()?.includes('new one') === true)
})
