import { Counter, Gauge, Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { readInboxSettings } from '../config/settings.ts'
import { plainText } from '../domain/plain-text.ts'
import type { EventStore } from '../inbox/event-store.ts'
import type { Attempt } from '../inbox/forward/post.ts'
import { startReceiver } from '../inbox/receiver/receiver.ts'
import type { Receiver } from '../inbox/receiver/settings.ts'
import { type CertificatePair, readCertificatePair, watchCertificate } from '../inbox/tls/certificate-files.ts'
import { done, type Ending, failed, type Run, wrongUsage } from './command.ts'
import { openForwarder } from './inbox-forward.ts'
import { readServeOptions, type ServeOptions } from './inbox-serve-options.ts'
import { openInboxStore, storeAddress } from './inbox-store.ts'

/** Receives events until a signal. What is under way then comes to its end, and its sender hears so. */
export const runInboxServe: Run = async (given, io, tools) => {
  const settings = readInboxSettings(io.environment)
  if (!settings.ok) return failed(settings.error)
  const options = readServeOptions(given, settings.value)
  if (!options.ok) return wrongUsage(options.error)
  const address = await storeAddress(given, settings.value, { io, tools })
  if (!address.ok) return address.error
  const { tls } = options.value
  const certificate = tls === null ? null : await readCertificatePair(tls)
  if (certificate?.ok === false) return failed(certificate.error)
  const store = await openInboxStore(address.value, { io, tools })
  if (!store.ok) return failed(store.error)
  const log = (line: string) => io.complain(`${new Date(tools.clock.now()).toISOString()} ${plainText(line)}`)
  try {
    const pair = certificate?.value ?? null
    return await serve(options.value, pair, { store: store.value, storeName: address.value.reveal(), log, io, tools })
  } finally {
    await store.value.close()
  }
}

type Context = {
  store: EventStore
  storeName: string
  log: (line: string) => void
  io: Parameters<Run>[1]
  tools: Parameters<Run>[2]
}

async function serve(options: ServeOptions, certificate: CertificatePair | null, context: Context): Promise<Ending> {
  const { store, log, io, tools } = context
  const registry = new Registry()
  const { host, port, metricsPort: metrics, allow, trustProxies, tls } = options
  let receiver: Receiver
  try {
    receiver = await startReceiver({
      store,
      clock: tools.clock,
      listen: { host, port },
      allow,
      trustProxies,
      tls: certificate,
      log,
      metrics: { host: '127.0.0.1', port: metrics, registry },
    })
  } catch (error) {
    // A sentence about a port or an address; what is a fault of the program is another kind of error.
    if (!(error instanceof Error) || error instanceof TypeError) throw error
    return failed(error.message)
  }
  const ended = new AbortController()
  const forwarding =
    options.forward === null
      ? null
      : await openForwarder(options.forward, { ...context, onAttempt: forwardMetrics(registry) })
  if (forwarding?.ok === false) {
    await receiver.stop()
    return failed(forwarding.error)
  }
  const side = [retain(store, options.retentionDays, tools.clock, ended.signal, log)]
  if (tls !== null && certificate !== null) {
    const use = (pair: CertificatePair) => receiver.renewCertificate(pair)
    side.push(
      watchCertificate({ paths: tls, current: certificate, clock: tools.clock, signal: ended.signal, use, log }),
    )
  }
  io.print(JSON.stringify({ url: receiver.url, metricsUrl: receiver.metricsUrl }))
  await aborted(io.signal)
  log(`ending on ${String(io.signal.reason)}`)
  ended.abort()
  await receiver.stop()
  if (forwarding !== null) await forwarding.value.stop()
  await Promise.all(side)
  return done
}

/** What handing on adds to /metrics. */
function forwardMetrics(registry: Registry): (attempt: Attempt, waiting: number) => void {
  const registers = [registry]
  const attempts = new Counter({
    name: 'pitdesk_inbox_forward_attempts_total',
    help: 'Attempts to hand an event on, by outcome: taken or refused.',
    labelNames: ['outcome'],
    registers,
  })
  const gauge = new Gauge({
    name: 'pitdesk_inbox_forward_waiting',
    help: 'Events that were read and are not handed on yet.',
    registers,
  })
  return ({ kind }, waiting) => {
    attempts.inc({ outcome: kind })
    gauge.set(waiting)
  }
}

const dayMs = 86_400_000
const forgetEveryMs = 6 * 3_600_000

/** Takes what is past the limit out of the store, now and then, until `signal`. */
async function retain(
  store: EventStore,
  days: number,
  clock: Clock,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const count = await store.forgetBefore(clock.now() - days * dayMs)
      if (count > 0) log(`store: ${count} older than ${days} days taken away`)
    } catch (error) {
      log(`store: what is older than ${days} days could not be taken away: ${String(error)}`)
    }
    await clock.sleep(forgetEveryMs, signal)
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
