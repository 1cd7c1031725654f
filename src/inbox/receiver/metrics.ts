import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { plainText } from '../../base/text/plain-text.ts'
import { countRecorded, type Incoming, type Recorded } from '../store/event-store.ts'
import type { ReceiverSettings } from './settings.ts'

let processRegistry: Registry | null = null

/**
 * Metrics of the process, collected once: their collectors cannot be stopped, while a desk may start and stop its inbox
 * often. They wake the process a hundred times a second, so they start with the first request for metrics; a desk's
 * inbox usually gets none.
 */
function processMetrics(): Metric[] {
  if (processRegistry === null) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry, prefix: 'pitdesk_inbox_' })
  }
  const from = processRegistry
  return from.getMetricsAsArray().flatMap(({ name }) => from.getSingleMetric(name) ?? [])
}

/** The receiver's metrics for `/metrics`. Counted per batch, because the library's counters are expensive. */
export function receiverMetrics(queueLength: () => number, registry: Registry = new Registry()) {
  const registers = [registry]
  const bodies = new Counter({
    name: 'pitdesk_inbox_bodies_total',
    help: 'Bodies by outcome: new, known, conflict, quarantined or failed.',
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
    help: 'Bodies in one commit.',
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
  let hasProcess = false
  /** All metrics in the Prometheus format. */
  const text = (): Promise<string> => {
    if (!hasProcess) for (const metric of processMetrics()) registry.registerMetric(metric)
    hasProcess = true
    return registry.metrics()
  }
  return { text, contentType: registry.contentType, bodies, answers, cuts, commitSeconds, commitSize }
}

export type ReceiverMetrics = ReturnType<typeof receiverMetrics>

/** Maximum bodies of one commit that are logged individually. */
const maxTold = 3

/** Time that health checks report a failure of the store. */
const unwellMs = 10_000

/** Reports a commit: counts, and a log line for what someone must look at. */
export function commitReporter(settings: ReceiverSettings, metrics: ReceiverMetrics) {
  const { log, clock } = settings
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false
  const tell = (each: Incoming, outcome: Recorded | undefined) => {
    if (outcome === 'conflict' && each.kind === 'event')
      log(
        `ALARM different body for known event id ${plainText(each.eventId).slice(0, 100)} ` +
          `from ${each.source}; kept beside the first`,
      )
    if (outcome === 'quarantined' && each.kind === 'unreadable')
      log(`a body of ${each.body.byteLength} bytes from ${each.source} went to quarantine: ${each.reason}`)
  }
  /** All are in the store; logging each would be the slowest part of a flood. */
  const tellSome = (batch: readonly Incoming[], result: readonly Recorded[]) => {
    let told = 0
    for (const [index, each] of batch.entries()) {
      const outcome = result[index]
      if (outcome !== 'conflict' && outcome !== 'quarantined') continue
      told += 1
      if (told <= maxTold) tell(each, outcome)
    }
    if (told > maxTold) log(`and ${told - maxTold} more such bodies in the same commit`)
  }
  return {
    onCommit(batch: readonly Incoming[], result: readonly Recorded[] | Error, tookMs: number): void {
      metrics.commitSeconds.observe(tookMs / 1_000)
      if (result instanceof Error) {
        failedAtMs = clock.now()
        metrics.bodies.inc({ outcome: 'failed' }, batch.length)
        if (!isFailing) log(`events cannot be kept, and are refused meanwhile: ${result.message}`, 'bad')
        isFailing = true
        return
      }
      if (isFailing) log('events are kept again', 'good')
      isFailing = false
      const counts = countRecorded(result)
      for (const [outcome, count] of Object.entries(counts)) if (count > 0) metrics.bodies.inc({ outcome }, count)
      metrics.commitSize.observe(batch.length)
      if (counts.conflict + counts.quarantined > 0) tellSome(batch, result)
    },
    isWell: () => !isFailing || clock.now() - failedAtMs > unwellMs,
  }
}
