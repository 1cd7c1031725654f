import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { forwardMetrics } from '../../../src/inbox/forward/metrics.ts'
import type { ForwardStanding } from '../../../src/inbox/store/forward-store.ts'

const standing = (target: string): ForwardStanding => ({
  ...{ target, holder: 'host:7', fence: 3, isHeld: true, upTo: 9, waiting: 2, oldestReceivedAtMs: 4_000 },
  ...{ stuckOrders: 1, dead: 5 },
})

test('the gauges are those of the store when they are asked for, of the targets that are set; unknown is not 0', async () => {
  const registry = new Registry()
  const known = { standings: [standing('ledger'), standing('gone')], unread: 6, isFailing: false }
  const store = {
    standings: async () => known.standings,
    async unreadCount() {
      if (known.isFailing) throw new Error('the disk is gone')
      return known.unread
    },
  }
  const { onAttempt } = forwardMetrics(registry, store, { targets: ['ledger'], wallMs: () => 10_000 })
  onAttempt('ledger', { kind: 'taken', status: 200, answer: '', durationMs: 1 }, 2)
  onAttempt('ledger', { kind: 'refused', reason: 'x', status: null, answer: '', durationMs: 1 }, 2)
  onAttempt('ledger', { kind: 'refused', reason: 'x', status: 500, answer: '', durationMs: 1 }, 2)
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#') && line !== '')
  expect(await lines()).toEqual([
    'pitdesk_inbox_forward_attempts_total{target="ledger",outcome="taken"} 1',
    'pitdesk_inbox_forward_attempts_total{target="ledger",outcome="unanswered"} 1',
    'pitdesk_inbox_forward_attempts_total{target="ledger",outcome="refused"} 1',
    'pitdesk_inbox_forward_waiting{target="ledger"} 2',
    'pitdesk_inbox_forward_oldest_seconds{target="ledger"} 6',
    'pitdesk_inbox_forward_stuck_orders{target="ledger"} 1',
    'pitdesk_inbox_forward_dead{target="ledger"} 5',
    'pitdesk_inbox_forward_lease_number{target="ledger"} 3',
    'pitdesk_inbox_forward_holder{target="ledger",holder="host:7"} 1',
    'pitdesk_inbox_quarantine 6',
  ])
  // Another host has it by now: the one before is not told of beside it.
  known.standings = [{ ...standing('ledger'), holder: 'other:8' }]
  expect((await lines()).filter((line) => line.includes('holder'))).toEqual([
    'pitdesk_inbox_forward_holder{target="ledger",holder="other:8"} 1',
  ])
  known.isFailing = true
  expect((await lines()).filter((line) => !/attempts|waiting/.test(line))).toEqual([])
})

/** A registry over a store that says this of the target, and how often the store was asked. */
function scraped(of: Partial<ForwardStanding>) {
  const registry = new Registry()
  const asked = { count: 0 }
  const store = {
    async standings() {
      asked.count += 1
      return [{ ...standing('ledger'), ...of }]
    },
    unreadCount: async () => 6,
  }
  forwardMetrics(registry, store, { targets: ['ledger'], wallMs: () => 10_000 })
  const lines = async () => (await registry.metrics()).split('\n')
  return { asked, lines }
}

test('nothing that waits is no age, and neither is a time to come; a host that holds no lease is not said to', async () => {
  const oldest = 'pitdesk_inbox_forward_oldest_seconds{target="ledger"} 0'
  expect(await scraped({ oldestReceivedAtMs: null }).lines()).toContain(oldest)
  expect(await scraped({ oldestReceivedAtMs: 99_000 }).lines()).toContain(oldest)
  expect(await scraped({ isHeld: false }).lines()).toContain(
    'pitdesk_inbox_forward_holder{target="ledger",holder="host:7"} 0',
  )
})

test('the store is asked once for all gauges of one question, and again for the next', async () => {
  const { asked, lines } = scraped({})
  await lines()
  expect(asked.count).toBe(1)
  await lines()
  expect(asked.count).toBe(2)
})

test('each metric says what it counts', async () => {
  const lines = await scraped({}).lines()
  expect(lines.filter((line) => line.startsWith('# HELP'))).toEqual(
    [
      'forward_attempts_total Attempts of this process to forward an event, by target and outcome: taken, refused or ' +
        'unanswered.',
      'forward_waiting Events that this process has read and not forwarded yet.',
      'forward_oldest_seconds Age of the oldest event that is not forwarded; 0 without any.',
      'forward_stuck_orders Orders whose next event was tried and not accepted.',
      'forward_dead Events that were given up.',
      'forward_lease_number How often the right to forward was given: a jump is a change of hosts.',
      'forward_holder 1 for the host and process that forwards now; 0: it was the last, and none does.',
      'quarantine Bodies in quarantine that no replay has taken up.',
    ].map((line) => `# HELP pitdesk_inbox_${line}`),
  )
})
