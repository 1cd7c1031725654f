import { expect, test } from 'vitest'
import { readTelemetrySettings } from '../../../src/inbox/telemetry/settings.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/' }

const read = (environment: Record<string, string>) => {
  const settings = readTelemetrySettings(environment)
  if (!settings.ok) throw new Error(settings.error)
  return settings.value
}

test.each([
  ['nothing is set', {}],
  ['all that is set is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ', OTEL_TRACES_EXPORTER: '' }],
  [
    'only what says how is set',
    { OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_TRACES_SAMPLER: 'x' },
  ],
  ['it is switched off', { ...endpoint, OTEL_SDK_DISABLED: 'True' }],
  ['neither kind is wanted', { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
])('no telemetry where %s', (_, environment) => {
  expect(read(environment)).toBeNull()
})

test('an address of both kinds has a path for each; one of a kind is whole, and counts more, as do its headers', () => {
  const settings = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9/m',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=first',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=second',
  })
  expect([settings?.traces?.url.href, settings?.metrics?.url.href]).toEqual([
    'https://collector.example/otlp/v1/traces',
    'http://127.0.0.1:9/m',
  ])
  expect(settings?.traces?.headers.reveal()).toBe('api-key=first,api-key=second')
  expect(JSON.stringify(settings)).not.toContain('first')
})

test('metrics go each minute unless said, and a switch for each kind leaves the other', () => {
  expect(read(endpoint)?.metricsMs).toBe(60_000)
  expect(read({ ...endpoint, OTEL_METRIC_EXPORT_INTERVAL: '5000' })?.metricsMs).toBe(5_000)
  expect(read({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({
    traces: null,
    metrics: expect.anything(),
  })
  expect(read({ ...endpoint, OTEL_METRICS_EXPORTER: 'none' })).toMatchObject({ metrics: null })
  const named = { OTEL_SERVICE_NAME: 'hook', OTEL_RESOURCE_ATTRIBUTES: 'env=test', OTEL_EXPORTER_OTLP_TIMEOUT: '900' }
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(read({ ...endpoint, ...named, ...sampled })).toMatchObject({
    ...{ serviceName: 'hook', resource: 'env=test', sampler: 'parentbased_traceidratio', ratio: 0.25 },
    traces: { timeoutMs: 900 },
  })
})

test('an exporter that is named without an address is the collector of this machine', () => {
  expect(read({ OTEL_TRACES_EXPORTER: 'otlp' })).toMatchObject({
    traces: { url: new URL('http://localhost:4318/v1/traces') },
    metrics: null,
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT would send .* use https$/],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' },
    /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an address such as/,
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:key@x' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must not carry a user name/],
  [{ ...endpoint, OTEL_METRICS_EXPORTER: 'prometheus' }, /^OTEL_METRICS_EXPORTER must be otlp or none$/],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be http\/json/],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER must be one of always_on, /],
  [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '5' }, /^OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1$/],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '10s' }, /^OTEL_EXPORTER_OTLP_TIMEOUT must be whole milliseconds/],
  [{ ...endpoint, OTEL_METRIC_EXPORT_INTERVAL: '10' }, /^OTEL_METRIC_EXPORT_INTERVAL must be whole milliseconds/],
])('%j is refused with a sentence that names the variable, and no key', (environment, sentence) => {
  const settings = readTelemetrySettings(environment)
  expect(settings).toMatchObject({ ok: false, error: expect.stringMatching(sentence) })
  expect(JSON.stringify(settings)).not.toContain('u:key')
})
