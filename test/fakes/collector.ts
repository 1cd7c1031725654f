import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const value = z.looseObject({ stringValue: z.string().optional(), intValue: z.coerce.string().optional() })
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((all) => Object.fromEntries(all.map((each) => [each.key, each.value.stringValue ?? each.value.intValue])))
const resource = z.object({ attributes })
const span = z.looseObject({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes,
  links: z.array(z.looseObject({ spanId: z.string() })).default([]),
  status: z.looseObject({ code: z.number() }),
})
export type CollectedSpan = z.infer<typeof span>
const point = z.looseObject({
  attributes,
  asDouble: z.number().optional(),
  count: z.coerce.number().optional(),
  bucketCounts: z.array(z.coerce.number()).optional(),
  explicitBounds: z.array(z.number()).optional(),
})
const points = z.object({ dataPoints: z.array(point) }).optional()
const metric = z.looseObject({
  name: z.string(),
  unit: z.string().optional(),
  sum: points,
  gauge: points,
  histogram: points,
})
export type CollectedMetric = z.infer<typeof metric>
const traces = z.object({
  resourceSpans: z.array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
})
const metrics = z.object({
  resourceMetrics: z.array(z.object({ resource, scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) })),
})

/** A collector of OpenTelemetry (OTLP over HTTP, JSON) on loopback; `answer` may be one that never comes. */
export async function startCollector(answer = (response: ServerResponse) => void response.end('{}')) {
  const got = {
    headers: [] as IncomingHttpHeaders[],
    bodies: [] as string[],
    spans: [] as CollectedSpan[],
    /** Those of the newest message. */
    metrics: [] as CollectedMetric[],
    resources: [] as Record<string, string | undefined>[],
    answer,
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.headers.push(request.headers)
    got.bodies.push(body)
    if (request.url === '/v1/traces')
      for (const each of traces.parse(JSON.parse(body)).resourceSpans) {
        got.resources.push(each.resource.attributes)
        got.spans.push(...each.scopeSpans.flatMap(({ spans }) => spans))
      }
    if (request.url === '/v1/metrics')
      for (const each of metrics.parse(JSON.parse(body)).resourceMetrics) {
        got.resources.push(each.resource.attributes)
        got.metrics = each.scopeMetrics.flatMap(({ metrics }) => metrics)
      }
    got.answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return Object.assign(got, { url: `http://127.0.0.1:${address.port}` })
}
