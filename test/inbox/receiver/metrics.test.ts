import { expect, test } from 'vitest'
import { receiverMetrics } from '../../../src/inbox/receiver/metrics.ts'

test('a receiver that is started again in the same process counts anew, and watches the process no second time', async () => {
  const [first, second] = [receiverMetrics(() => 1), receiverMetrics(() => 2)]
  first.bodies.inc({ outcome: 'new' }, 5)
  expect(await first.text()).toContain('outcome="new"')
  const text = await second.text()
  expect(text).not.toContain('outcome="new"')
  expect(text).toContain('pitdesk_inbox_waiting 2')
  expect(text).toContain('pitdesk_inbox_nodejs_eventloop_lag_p99_seconds')
  // A second watcher would have a second set of metrics by these names, which the registry refuses.
  expect(await second.text()).toContain('pitdesk_inbox_nodejs_gc_duration_seconds')
})
