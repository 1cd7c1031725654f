import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { openFirm, ready } from '../../hub/harness.ts'
import { openShell } from '../harness.ts'
import { openAgent } from './aids.ts'

test('at a hub an agent has what its person has: a viewer reads, and drafts of withdrawals are the firm’s', async () => {
  const cluster = await PostgresCluster.start()
  onTestFinished(() => cluster.stop())
  const firm = await openFirm(cluster)
  await firm.quote()
  const hub = await firm.hub()
  const { token, at } = await firm.member('vera', 'viewer')
  await ready(at(hub))
  const environment = { PITDESK_EXCHANGE_BASE_URL: `${hub.url}/v3`, PITDESK_API_TOKEN: token.reveal() }
  const shell = openShell(environment, new FakeClock(systemClock.wallMs()))
  const agent = await openAgent(shell)
  for (const [name, input] of [
    ['book', { symbol: 'BTC-USD' }],
    ['balances', {}],
    ['orders', {}],
    ['order_drafts', {}],
    ['withdrawal_drafts', {}],
  ] as const) {
    const told = await agent.call(name, input)
    expect(told.isError, told.text).toBe(false)
    if (!name.endsWith('drafts')) expect(told.value.from).toBe('hub')
  }
  expect((await agent.call('status')).value.value).toMatchObject({ isHub: true })
  const withdrawal = await agent.call('draft_withdrawal', { currency: 'BTC', amount: '0.01', to: 'wl-1' })
  expect(withdrawal).toMatchObject({ isError: true, text: expect.stringContaining('behind a hub') })
  const order = { side: 'BUY', quantity: '0.01', symbol: 'BTC-USD', limitPrice: '59000' }
  const drafted = await agent.call('draft_order', order)
  expect(drafted.isError, drafted.text).toBe(false)
  expect([...agent.lines(), agent.log()].join('\n')).not.toContain(token.reveal())
})
