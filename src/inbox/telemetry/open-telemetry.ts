import {
  type Attributes,
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  type ExportResult,
  ExportResultCode,
  parseKeyPairsIntoRecord,
  parseTraceParent,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Registry } from 'prom-client'
import { type Clock, within } from '../../base/clock.ts'
import { dropOldest } from '../../base/drop-oldest.ts'
import { errorCode } from '../../base/text/error-text.ts'
import { outcomeOf } from '../attempt.ts'
import { countRecorded, type Incoming } from '../store/event-store.ts'
import { TroubleLog } from '../trouble-log.ts'
import { registryMetrics } from './registry-metrics.ts'
import type { SamplerName, TelemetrySettings, TelemetrySignal } from './settings.ts'
import type { Tracing } from './tracing.ts'

/** Limits of what is queued for the collector and of the wait at the end; spans beyond them are dropped. */
const bounds = { spans: 2_048, batch: 512, batchMs: 2_000, requests: 4, stopMs: 2_000 }
/** Maximum attribute length, because ids are the sender's, and maximum links of a commit. */
const spanLimits = { attributeValueLengthLimit: 128, linkCountLimit: 128 }
/** Maximum received events whose traces are remembered for forwarding. */
const rememberedMax = 10_000
const scope = 'pitdesk-inbox'

export type Telemetry = {
  /** Null when traces are off. */
  readonly tracing: Tracing | null
  /** Sends pending data, for at most two seconds. */
  stop(): Promise<void>
}

export type TelemetryOptions = {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Distinguishes this process from others of the same service. */
  readonly instance: string
}

/**
 * Sends traces and metrics to the configured collectors. A collector that is down, slow or faulty is logged once a
 * minute, without other effects.
 */
export function startTelemetry(settings: TelemetrySettings, options: TelemetryOptions): Telemetry {
  const { registry, clock, log, instance } = options
  const { traces, metrics, metricsMs } = settings
  const resource = resourceOf(settings, instance)
  const spans = traces === null ? null : tracerProvider(traces, settings, { resource, clock, log })
  const exporter = metrics === null ? null : new OTLPMetricExporter(exporterOptions(metrics))
  if (exporter !== null) watchExports(exporter, 'metrics', { clock, log })
  const wallMs = () => clock.wallMs()
  const meters =
    exporter === null
      ? null
      : new MeterProvider({
          resource,
          readers: [
            new PeriodicExportingMetricReader({
              exporter,
              exportIntervalMillis: metricsMs,
              metricProducers: [registryMetrics(registry, { startedAtMs: wallMs(), wallMs, scope })],
            }),
          ],
        })
  for (const [kind, signal] of Object.entries({ traces, metrics }))
    if (signal !== null) log(`opentelemetry: ${kind} go to ${signal.url.origin}`)
  return {
    tracing: spans === null ? null : tracingBy(spans.getTracer(scope), clock),
    async stop() {
      await within(Promise.allSettled([spans?.shutdown(), meters?.shutdown()]), bounds.stopMs, clock)
    },
  }
}

/** The variables override what is known here about the service. */
const resourceOf = ({ resource, serviceName }: TelemetrySettings, instance: string): Resource =>
  defaultResource().merge(
    resourceFromAttributes({
      ...{ 'service.name': scope, 'service.instance.id': instance },
      ...parseKeyPairsIntoRecord(resource),
      ...(serviceName === null ? {} : { 'service.name': serviceName }),
    }),
  )

const exporterOptions = ({ url, headers, timeoutMs: timeoutMillis }: TelemetrySignal) => ({
  url: url.href,
  headers: parseKeyPairsIntoRecord(headers.reveal()),
  concurrencyLimit: bounds.requests,
  timeoutMillis,
})

type Watch = { clock: Clock; log: (line: string) => void }

function tracerProvider(
  signal: TelemetrySignal,
  { sampler, ratio }: TelemetrySettings,
  { resource, ...watch }: Watch & { resource: Resource },
): TracerProvider {
  const exporter = new OTLPTraceExporter(exporterOptions(signal))
  watchExports(exporter, 'traces', watch)
  const { spans: maxQueueSize, batch: maxExportBatchSize, batchMs: scheduledDelayMillis } = bounds
  return new TracerProvider({
    resource,
    sampler: samplerOf[sampler](ratio),
    spanLimits,
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize, maxExportBatchSize, scheduledDelayMillis })],
  })
}

const onParent = (root: Sampler): Sampler => new ParentBasedSampler({ root })
const samplerOf: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => onParent(new AlwaysOnSampler()),
  parentbased_always_off: () => onParent(new AlwaysOffSampler()),
  parentbased_traceidratio: (ratio) => onParent(new TraceIdRatioBasedSampler(ratio)),
}

type Exporter<T> = { export(items: T, done: (result: ExportResult) => void): void }

/** Logs when a collector refuses data, and when it accepts data again. */
function watchExports<T>(exporter: Exporter<T>, kind: string, { clock, log }: Watch): void {
  const trouble = new TroubleLog(clock, log)
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code === ExportResultCode.SUCCESS) trouble.worked(`opentelemetry: the collector takes ${kind} again`)
      else trouble.failed(`opentelemetry: the collector does not take ${kind}: ${failureText(result.error)}`)
      done(result)
    })
}

/** In our own words, because the collector's could repeat the data. */
function failureText(error: Error | undefined): string {
  if (error === undefined) return 'no reason is known'
  if ('code' in error && typeof error.code === 'number') return `the answer was ${error.code}`
  const code = errorCode(error)
  return code === '' ? 'no answer in time' : `no connection (${code})`
}

/** An id from a sender, truncated as attributes are, also as a map key. */
const idText = (id: string): string => id.slice(0, spanLimits.attributeValueLengthLimit)

const eventAttributes = ({ eventId, orderId }: { eventId: string; orderId: string }): Attributes => ({
  'pitdesk.event.id': idText(eventId),
  'pitdesk.order.id': idText(orderId),
})

/** The traces of the newest events, by event id. */
function remembered() {
  const contexts = new Map<string, SpanContext>()
  return {
    add(eventId: string, context: SpanContext): void {
      contexts.set(idText(eventId), context)
      dropOldest(contexts, rememberedMax)
    },
    of: (eventId: string) => contexts.get(idText(eventId)),
  }
}

function tracingBy(tracer: Tracer, clock: Clock): Tracing {
  const propagator = new W3CTraceContextPropagator()
  const events = remembered()
  /** The delivery of each body of a commit. */
  const deliveries = new WeakMap<Incoming, SpanContext>()
  const under = (parent: SpanContext | null | undefined): Context =>
    parent === null || parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
  /** Starts a span whose duration is measured by the monotonic clock. */
  const begin = (name: string, kind: SpanKind, attributes: Attributes, parent: Context) => {
    const [startTime, startedMs] = [clock.wallMs(), clock.now()]
    const span = tracer.startSpan(name, { kind, attributes, startTime }, parent)
    return { span, end: () => span.end(startTime + Math.max(0, clock.now() - startedMs)) }
  }
  const fails = (span: Span) => span.setStatus({ code: SpanStatusCode.ERROR })
  return {
    delivery(traceparent) {
      const sender = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
      const parent = under(sender === null ? null : { ...sender, isRemote: true })
      const { span, end } = begin('delivery', SpanKind.SERVER, {}, parent)
      let event: Extract<Incoming, { kind: 'event' }> | null = null
      return {
        read(incoming) {
          deliveries.set(incoming, span.spanContext())
          if (incoming.kind !== 'event') return
          event = incoming
          span.setAttributes({ ...eventAttributes(event), 'pitdesk.order.state': event.orderState })
        },
        answered(outcome, status) {
          span.setAttribute('pitdesk.outcome', outcome)
          if (status !== null) span.setAttribute('http.response.status_code', status)
          if (status === null || status >= 500) fails(span)
          end()
          if (outcome === 'new' && event !== null) events.add(event.eventId, span.spanContext())
        },
      }
    },
    commit(batch, result, tookMs) {
      const links = batch.slice(0, spanLimits.linkCountLimit).flatMap((each) => {
        const context = deliveries.get(each)
        return context === undefined ? [] : [{ context }]
      })
      const endedAtMs = clock.wallMs()
      const counts = result instanceof Error ? { failed: batch.length } : countRecorded(result)
      const attributes: Attributes = { 'pitdesk.bodies': batch.length }
      for (const [outcome, count] of Object.entries(counts)) if (count > 0) attributes[`pitdesk.${outcome}`] = count
      const span = tracer.startSpan('commit', { links, attributes, startTime: endedAtMs - tookMs }, ROOT_CONTEXT)
      if (result instanceof Error) fails(span)
      span.end(endedAtMs)
    },
    attempt(target, event, nth) {
      const attributes = { ...eventAttributes(event), 'pitdesk.target': target, 'pitdesk.try': nth }
      const { span, end } = begin('forward', SpanKind.CLIENT, attributes, under(events.of(event.eventId)))
      const headers: Record<string, string> = {}
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
      return {
        headers,
        ended(attempt) {
          span.setAttribute('pitdesk.outcome', outcomeOf(attempt))
          if (attempt.status !== null) span.setAttribute('http.response.status_code', attempt.status)
          if (attempt.kind !== 'taken') fails(span)
          end()
        },
      }
    },
  }
}
