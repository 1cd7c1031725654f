import { readPostAddress } from '../../base/net/posting.ts'
import type { Environment } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'

/** The destination of one kind of telemetry. */
export type TelemetrySignal = {
  readonly url: URL
  /** Headers as in the variables, `name=value` separated by commas; they contain keys. */
  readonly headers: Secret
  /** Time limit of one message, including retries. */
  readonly timeoutMs: number
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplers)[number]

export type TelemetrySettings = {
  readonly traces: TelemetrySignal | null
  readonly metrics: TelemetrySignal | null
  readonly sampler: SamplerName
  /** Share of traces kept, 0 to 1, if the sampler asks for one. */
  readonly ratio: number
  readonly metricsMs: number
  readonly serviceName: string | null
  /** `name=value` separated by commas. */
  readonly resource: string
}

/** The standard port of collectors, on this machine. */
const usualEndpoint = 'http://localhost:4318'
const usualMetricsMs = 60_000
const usualTimeoutMs = 10_000
const minMetricsMs = 1_000

/** An empty variable counts as unset, as everywhere in OpenTelemetry. */
const readVariable = (environment: Environment, name: string): string | null => environment[name]?.trim() || null

/**
 * Reads the OpenTelemetry variables; null when they ask for nothing. The error is a sentence that names the variable
 * and repeats no address or header.
 */
export function readTelemetrySettings(environment: Environment): Result<TelemetrySettings | null> {
  const value = (name: string) => readVariable(environment, name)
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return ok(null)
  const traces = readSignal(environment, 'TRACES')
  if (!traces.ok) return traces
  const metrics = readSignal(environment, 'METRICS')
  if (!metrics.ok) return metrics
  if (traces.value === null && metrics.value === null) return ok(null)
  const name = value('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const sampler = samplers.find((each) => each === name)
  if (sampler === undefined) return err(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}`)
  const ratio = Number(value('OTEL_TRACES_SAMPLER_ARG') ?? '1')
  if (!(ratio >= 0 && ratio <= 1)) return err('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1')
  const metricsMs = Number(value('OTEL_METRIC_EXPORT_INTERVAL') ?? usualMetricsMs)
  if (!(Number.isInteger(metricsMs) && metricsMs >= minMetricsMs && metricsMs <= 86_400_000))
    return err(`OTEL_METRIC_EXPORT_INTERVAL must be whole milliseconds, ${minMetricsMs} or more, at most a day`)
  const [serviceName, resource] = [value('OTEL_SERVICE_NAME'), value('OTEL_RESOURCE_ATTRIBUTES') ?? '']
  return ok({ traces: traces.value, metrics: metrics.value, sampler, ratio, metricsMs, serviceName, resource })
}

/** Variables of one kind override the general ones. */
function readSignal(environment: Environment, kind: 'TRACES' | 'METRICS'): Result<TelemetrySignal | null> {
  const named = (what: string): { name: string; text: string } | null => {
    for (const name of [`OTEL_EXPORTER_OTLP_${kind}_${what}`, `OTEL_EXPORTER_OTLP_${what}`]) {
      const text = readVariable(environment, name)
      if (text !== null) return { name, text }
    }
    return null
  }
  const exporter = readVariable(environment, `OTEL_${kind}_EXPORTER`)
  const endpoint = named('ENDPOINT')
  if (exporter === 'none' || (exporter === null && endpoint === null)) return ok(null)
  if (exporter !== null && exporter !== 'otlp') return err(`OTEL_${kind}_EXPORTER must be otlp or none`)
  const protocol = named('PROTOCOL')
  if (protocol !== null && !protocol.text.startsWith('http/'))
    return err(`${protocol.name} must be http/json: nothing else is spoken here`)
  const { name, text } = endpoint ?? { name: `OTEL_${kind}_EXPORTER`, text: usualEndpoint }
  const url = readPostAddress(text, { example: 'https://collector:4318', whatLeaves: 'what orders go through' })
  if (!url.ok) return err(`${name} ${url.error}`)
  // An address of one kind is complete; the general one needs the path of the kind.
  if (!name.includes(kind) || endpoint === null)
    url.value.pathname = `${url.value.pathname.replace(/\/$/, '')}/v1/${kind.toLowerCase()}`
  const headers = ['OTEL_EXPORTER_OTLP_HEADERS', `OTEL_EXPORTER_OTLP_${kind}_HEADERS`].flatMap(
    (each) => readVariable(environment, each) ?? [],
  )
  const timeout = named('TIMEOUT')
  const timeoutMs = Number(timeout?.text ?? usualTimeoutMs)
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= 60_000))
    return err(`${timeout?.name} must be whole milliseconds, at most a minute`)
  return ok({ url: url.value, headers: new Secret(headers.join(',')), timeoutMs })
}
