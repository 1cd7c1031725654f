import { expect, test } from 'vitest'
import { receiverMetrics } from '../../../src/inbox/receiver/metrics.ts'

test('a receiver that is started again in the same process counts anew, and watches the process no second time', async () => {
  const [first, second] = [receiverMetrics(() => 1), receiverMetrics(() => 2)]
  first.bodies.inc({ outcome: 'new' }, 5)
  expect(await first.registry.metrics()).toContain('outcome="new"')
  expect(await second.registry.metrics()).not.toContain('outcome="new"')
  expect(await second.registry.metrics()).toContain('pitdesk_inbox_waiting 2')
  const ofProcess = 'pitdesk_inbox_nodejs_gc_duration_seconds'
  expect(second.registry.getSingleMetric(ofProcess)).toBeDefined()
  expect(second.registry.getSingleMetric(ofProcess)).toBe(first.registry.getSingleMetric(ofProcess))
})
