import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'

let processRegistry: Registry | null = null

/**
 * What is known of the process itself, collected once: what watches its memory cannot be ended, and a desk starts and
 * stops its inbox as often as it likes.
 */
function processMetrics(): Metric[] {
  if (processRegistry === null) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry, prefix: 'pitdesk_inbox_' })
  }
  const from = processRegistry
  return from.getMetricsAsArray().flatMap(({ name }) => from.getSingleMetric(name) ?? [])
}

/**
 * What the receiver counts; read by `/metrics`. Counted a batch at a time, since the library's counters cost more than
 * they tell.
 */
export function receiverMetrics(queueLength: () => number, registry: Registry = new Registry()) {
  const registers = [registry]
  for (const metric of processMetrics()) registry.registerMetric(metric)
  const bodies = new Counter({
    name: 'pitdesk_inbox_bodies_total',
    help: 'Bodies by what became of them: new, known, conflict, quarantined or failed.',
    labelNames: ['outcome'],
    registers,
  })
  const answers = new Counter({
    name: 'pitdesk_inbox_refused_total',
    help: 'Requests that were refused before anything was recorded, by status.',
    labelNames: ['status'],
    registers,
  })
  const cuts = new Counter({
    name: 'pitdesk_inbox_cut_connections_total',
    help: 'Connections that were cut before anything was read: stranger, allowed or proxy.',
    labelNames: ['peer'],
    registers,
  })
  const commitSeconds = new Histogram({
    name: 'pitdesk_inbox_commit_seconds',
    help: 'How long a commit took, or failed to be one; to the millisecond.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const commitSize = new Histogram({
    name: 'pitdesk_inbox_commit_bodies',
    help: 'How many bodies a commit held.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000],
    registers,
  })
  new Gauge({
    name: 'pitdesk_inbox_waiting',
    help: 'Bodies that were read and are not durable yet.',
    registers,
    collect() {
      this.set(queueLength())
    },
  })
  return { registry, bodies, answers, cuts, commitSeconds, commitSize }
}

export type ReceiverMetrics = ReturnType<typeof receiverMetrics>
