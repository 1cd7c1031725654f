import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { plainText } from '../../base/plain-text.ts'
import { countRecorded, type Incoming, type Recorded } from '../store/event-store.ts'
import type { ReceiverSettings } from './settings.ts'

let processRegistry: Registry | null = null

/**
 * What is known of the process itself, collected once: what watches it cannot be ended, and a desk starts and stops its
 * inbox as often as it likes. It wakes the process a hundred times a second, so nothing is collected until somebody
 * asks for the first time: a desk on a screen has an inbox whose metrics nobody reads.
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
  /** Everything in the Prometheus form. */
  const text = (): Promise<string> => {
    if (!hasProcess) for (const metric of processMetrics()) registry.registerMetric(metric)
    hasProcess = true
    return registry.metrics()
  }
  return { text, contentType: registry.contentType, bodies, answers, cuts, commitSeconds, commitSize }
}

export type ReceiverMetrics = ReturnType<typeof receiverMetrics>

/** Bodies of one commit that get a line of their own in the log. */
const mostTold = 3

/** A failure of the store is told to health checks for this long after it. */
const unwellMs = 10_000

/** Tells what a commit brought: counts, and a line of the log for what somebody has to look at. */
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
  /** All of them are in the store; the log must not become the slowest part of a flood. */
  const tellSome = (batch: readonly Incoming[], result: readonly Recorded[]) => {
    let told = 0
    for (const [index, each] of batch.entries()) {
      const outcome = result[index]
      if (outcome !== 'conflict' && outcome !== 'quarantined') continue
      told += 1
      if (told <= mostTold) tell(each, outcome)
    }
    if (told > mostTold) log(`and ${told - mostTold} more such bodies in the same commit`)
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
