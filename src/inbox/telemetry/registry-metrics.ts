import { type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client'

type Read = MetricObjectWithValues<MetricValue<string> | MetricValueWithName<string>>
type Span = { readonly startTime: HrTime; readonly endTime: HrTime }

/**
 * Exports a registry's metrics, the same as /metrics, under the same names and labels, so that each is defined once.
 * Counts start at `startedAtMs`.
 */
export const registryMetrics = (
  registry: Registry,
  { startedAtMs, wallMs, scope }: { startedAtMs: number; wallMs: () => number; scope: string },
): MetricProducer => ({
  async collect() {
    const read: readonly Read[] = await registry.getMetricsAsJSON()
    const span = { startTime: millisToHrTime(startedAtMs), endTime: millisToHrTime(wallMs()) }
    const metrics = read.flatMap((each) => metricOf(each, span) ?? [])
    return {
      resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: scope }, metrics }] },
      errors: [],
    }
  },
})

/** Null when it has no value or an unsupported type. */
function metricOf(read: Read, span: Span): MetricData | null {
  const { name, help: description, values } = read
  const base = {
    descriptor: { name, description, unit: name.endsWith('_seconds') ? 's' : '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (values.length === 0) return null
  const dataPoints = values.map(({ labels, value }): DataPoint<number> => ({ ...span, attributes: labels, value }))
  // The library declares a number and returns a word.
  const type: unknown = read.type
  if (type === 'counter') return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  if (type === 'gauge') return { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
  if (type === 'histogram')
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(read, span) }
  return null
}

/** A histogram is a list of lines: cumulative counts per bound, the total count, and the sum. */
function histogramPoints({ name, values }: Read, span: Span): DataPoint<Histogram>[] {
  const points = new Map<string, DataPoint<Histogram> & { below: number }>()
  for (const line of values) {
    const { le, ...attributes } = line.labels
    const key = JSON.stringify(attributes)
    const point = points.get(key) ?? {
      ...{ ...span, attributes, below: 0 },
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
    }
    points.set(key, point)
    const { buckets } = point.value
    const part = 'metricName' in line ? line.metricName?.slice(name.length) : undefined
    if (part === '_sum') point.value.sum = line.value
    if (part === '_count') point.value.count = line.value
    if (part !== '_bucket') continue
    buckets.counts.push(line.value - point.below)
    point.below = line.value
    if (Number.isFinite(Number(le))) buckets.boundaries.push(Number(le))
  }
  return [...points.values()].map(({ below: _, ...point }) => point)
}
