import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Clock } from '../../../src/base/clock.ts'
import { ok } from '../../../src/base/result.ts'
import { createPoster } from '../../../src/inbox/forward/post.ts'
import { readIncoming } from '../../../src/inbox/receiver/read-incoming.ts'
import { startTelemetry } from '../../../src/inbox/telemetry/open-telemetry.ts'
import { readTelemetrySettings } from '../../../src/inbox/telemetry/settings.ts'
import { TroubleLog } from '../../../src/inbox/trouble-log.ts'
import { startCollector } from '../../fakes/collector.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { freePort } from '../../fakes/free-port.ts'
import { patientClock } from '../../fakes/patient-clock.ts'
import { event, exchange, lastPost, open, post, rawConnection, statuses } from '../receiver/harness.ts'

function telemetryTo(
  url: string,
  { clock = patientClock, more = {} }: { clock?: Clock; more?: Record<string, string> } = {},
) {
  const settings = readTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more })
  if (!settings.ok || settings.value === null) throw new Error('not set')
  const [registry, log] = [new Registry(), [] as string[]]
  const options = { registry, clock, log: (line: string) => void log.push(line), instance: 'host:7' }
  const { tracing, stop } = startTelemetry(settings.value, options)
  if (tracing === null) throw new Error('no traces')
  return { registry, log, tracing, stop }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sender = `traceparent: 00-${traceId}-b7ad6b7169203331-01`

test('a delivery is a span of the trace of its sender, with ids, state and outcome, and the commit names it', async () => {
  const collector = await startCollector()
  const headers = 'api-key=s3cret,x-team=desk%20one'
  const more = { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: 'hook', OTEL_RESOURCE_ATTRIBUTES: 'env=test' }
  const { tracing, stop, log } = telemetryTo(collector.url, { more })
  const { port } = await open({ tracing })
  await exchange(port, lastPost(event('e1', { inputAmount: '61234.5' }), [sender]))
  await exchange(port, lastPost(event('e1', { inputAmount: '61234.5' })))
  await exchange(port, lastPost('no event', ['traceparent: 00-nonsense']))
  await stop()
  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  const deliveries = named('delivery')
  expect(deliveries.map(({ attributes }) => attributes)).toEqual([
    expect.objectContaining({ 'pitdesk.event.id': 'e1', 'pitdesk.outcome': 'new', 'http.response.status_code': '200' }),
    expect.objectContaining({ 'pitdesk.outcome': 'known', 'pitdesk.order.state': expect.any(String) }),
    { 'pitdesk.outcome': 'quarantined', 'http.response.status_code': '200' },
  ])
  expect(deliveries.map((span) => [span.traceId === traceId, span.parentSpanId])).toEqual([
    [true, 'b7ad6b7169203331'],
    [false, undefined],
    [false, undefined],
  ])
  for (const span of collector.spans) expect(span.endTimeUnixNano).toBeGreaterThanOrEqual(span.startTimeUnixNano)
  expect(named('commit').map(({ links }) => links.map(({ spanId }) => spanId))).toEqual(
    deliveries.map(({ spanId }) => [spanId]),
  )
  expect(collector.resources[0]).toMatchObject({
    ...{ 'service.name': 'hook', env: 'test', 'service.instance.id': 'host:7' },
  })
  expect(collector.headers[0]).toMatchObject({ 'api-key': 's3cret', 'x-team': 'desk one' })
  const told = [...collector.bodies, ...log].join()
  for (const secret of ['61234.5', 's3cret', 'no event']) expect(told).not.toContain(secret)
})

test('an attempt to forward goes on in the trace of the delivery, and its target is told of it', async () => {
  const collector = await startCollector()
  const { tracing, stop } = telemetryTo(collector.url)
  const { port, store } = await open({ tracing })
  await exchange(port, lastPost(event('e1'), [sender]))
  const kept = await store.event('e1')
  if (kept === null) throw new Error('not kept')
  // What posts is the same as everywhere; a collector is a service that answers.
  const target = await startCollector((response) => void response.writeHead(503).end())
  const poster = createPoster(new URL(`${target.url}/events`), patientClock, async () => ok(null))
  const traced = tracing.attempt('ledger', kept, 3)
  traced.ended(await poster.post(kept, traced.headers))
  await poster.close()
  await stop()
  const [attempt] = collector.spans.filter(({ name }) => name === 'forward')
  const [delivery] = collector.spans.filter(({ name }) => name === 'delivery')
  expect(attempt).toMatchObject({ traceId, parentSpanId: delivery?.spanId, kind: 3, status: { code: 2 } })
  expect(attempt?.attributes).toEqual({
    ...{ 'pitdesk.event.id': 'e1', 'pitdesk.order.id': kept.orderId, 'pitdesk.target': 'ledger', 'pitdesk.try': '3' },
    ...{ 'pitdesk.outcome': 'refused', 'http.response.status_code': '503' },
  })
  expect(target.headers[0]?.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`)
  // Nobody's trace is known of an event that came to another host, or long ago.
  expect(tracing.attempt('ledger', { eventId: 'e2', orderId: 'o' }, 1).headers.traceparent).not.toContain(traceId)
})

test('metrics are those of the registry: counters, gauges and histograms with the same names, labels and values', async () => {
  const collector = await startCollector()
  const { registry, stop } = telemetryTo(collector.url)
  const registers = [registry]
  new Counter({ name: 'tries_total', help: 'h', labelNames: ['target'], registers }).inc({ target: 'ledger' }, 4)
  new Gauge({
    name: 'oldest_seconds',
    help: 'h',
    registers,
    collect: async function () {
      this.set(7)
    },
  })
  new Gauge({ name: 'unknown', help: 'h', labelNames: ['target'], registers })
  const histogram = new Histogram({ name: 'commit_seconds', help: 'h', buckets: [0.1, 1], registers })
  for (const seconds of [0.05, 0.05, 0.5, 3]) histogram.observe(seconds)
  await stop()
  expect(collector.metrics).toEqual([
    expect.objectContaining({
      name: 'tries_total',
      sum: expect.objectContaining({
        dataPoints: [expect.objectContaining({ attributes: { target: 'ledger' }, asDouble: 4 })],
      }),
    }),
    expect.objectContaining({
      ...{ name: 'oldest_seconds', unit: 's' },
      gauge: { dataPoints: [expect.objectContaining({ asDouble: 7 })] },
    }),
    expect.objectContaining({
      name: 'commit_seconds',
      histogram: expect.objectContaining({
        dataPoints: [
          expect.objectContaining({ count: 4, bucketCounts: [2, 1, 1], explicitBounds: [0.1, 1], sum: 3.6 }),
        ],
      }),
    }),
  ])
})

test('a collector that never answers, and the end of what waits for it, delays nothing and keeps no more than a bound', async () => {
  const clock = new FakeClock()
  const collector = await startCollector(() => undefined)
  const { tracing, stop, log } = telemetryTo(collector.url, { clock })
  const { port } = await open({ tracing })
  const connection = rawConnection(port)
  for (let nth = 0; nth < 20; nth += 1) connection.send(post(event(`e${nth}`)))
  connection.send(lastPost(event('last')))
  expect(statuses(await connection.ended)).toEqual(Array(21).fill(200))
  for (let nth = 0; nth < 10_000; nth += 1) tracing.delivery(undefined).answered('known', 200)
  await eventually(() => expect(collector.bodies.length).toBeGreaterThan(0))
  let hasStopped = false
  void stop().then(() => {
    hasStopped = true
  })
  await clock.advance(1_900)
  expect(hasStopped).toBe(false)
  await clock.advance(100)
  expect(hasStopped).toBe(true)
  // Four requests at once and no more.
  expect(collector.bodies.length).toBeLessThanOrEqual(4 + 1)
  expect(log.filter((line) => line.includes('go to'))).toHaveLength(2)
})

test.each([
  ['refuses', 'the answer was 401'],
  ['is gone', 'no connection (ECONNREFUSED)'],
])('a collector that %s is told of in one line, without what it says', async (how, words) => {
  const collector = await startCollector((response) => void response.writeHead(401, 'key s3cret').end('s3cret'))
  const url = how === 'is gone' ? `http://127.0.0.1:${await freePort()}` : collector.url
  // Nobody there is tried again after a second or so, where there is that time.
  const timeout = how === 'is gone' ? '700' : '10000'
  const more = { OTEL_METRICS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_TIMEOUT: timeout }
  const { tracing, stop, log } = telemetryTo(url, { more })
  const { port } = await open({ tracing })
  for (const id of ['e1', 'e2']) expect(statuses(await exchange(port, lastPost(event(id))))).toEqual([200])
  await stop()
  const told = log.filter((line) => !line.includes('go to'))
  expect(told).toEqual([`opentelemetry: the collector does not take traces: ${words}`])
})

test('an answer that is nonsense counts as taken, and the inbox goes on', async () => {
  const collector = await startCollector((response) => void response.end('<html>\u0000'))
  const { tracing, stop, log } = telemetryTo(collector.url)
  tracing.delivery(null).answered('new', 200)
  await stop()
  expect(collector.spans).toHaveLength(1)
  expect(log.join()).not.toContain('html')
})

test('of what waits for a slow collector 2,048 spans are kept, and more are dropped', async () => {
  const held: (() => void)[] = []
  let isHolding = true
  const collector = await startCollector((response) => {
    if (isHolding) held.push(() => void response.end('{}'))
    else response.end('{}')
  })
  const { tracing, stop } = telemetryTo(collector.url)
  for (let nth = 0; nth < 10_000; nth += 1) tracing.delivery(undefined).answered('known', 200)
  await eventually(() => expect(held.length).toBeGreaterThan(0))
  for (let nth = 0; nth < 10_000; nth += 1) tracing.delivery(undefined).answered('known', 200)
  isHolding = false
  for (const answer of held) answer()
  await stop()
  // Those that wait, and at most four requests of 512 that were under way.
  expect(collector.spans.length).toBeGreaterThanOrEqual(2_048)
  expect(collector.spans.length).toBeLessThanOrEqual(2_048 + 4 * 512)
})

test('the traces of the newest 10,000 events are known to what forwards them', async () => {
  const collector = await startCollector()
  const { tracing, stop } = telemetryTo(collector.url, { more: { OTEL_TRACES_SAMPLER: 'always_off' } })
  const came = (eventId: string, traceparent?: string) => {
    const delivery = tracing.delivery(traceparent)
    const body = new TextEncoder().encode(event(eventId))
    delivery.read(readIncoming(Buffer.from(body), '127.0.0.1', 0))
    delivery.answered('new', 200)
  }
  const traceOf = (eventId: string) => tracing.attempt('ledger', { eventId, orderId: 'o' }, 1).headers.traceparent
  came('first', sender.slice('traceparent: '.length))
  for (let nth = 1; nth < 10_000; nth += 1) came(`e${nth}`)
  expect(traceOf('first')).toContain(traceId)
  came('one more')
  expect(traceOf('first')).not.toContain(traceId)
  await stop()
})

test('trouble is said once a minute at most, and once that it is over', () => {
  const clock = new FakeClock()
  const lines: string[] = []
  const trouble = new TroubleLog(clock, (line) => lines.push(line))
  for (let seconds = 0; seconds < 120; seconds += 1) {
    trouble.failed(`failed at ${seconds}`)
    clock.standStill(1_000)
  }
  trouble.worked('works')
  trouble.worked('works')
  expect(lines).toEqual(['failed at 0', 'failed at 60', 'works'])
  // It fails again at once: that is said, and the last word of what goes on so is that it fails.
  for (let seconds = 0; seconds < 60; seconds += 1) {
    trouble.failed(`again at ${seconds}`)
    trouble.worked('works again')
    clock.standStill(1_000)
  }
  expect(lines.slice(3)).toEqual(['again at 0'])
  trouble.worked('works again')
  expect(lines.at(-1)).toBe('works again')
})
