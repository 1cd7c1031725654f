import { hostname } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import type { Clock } from '../../base/clock.ts'
import { usualPort } from '../../base/net/listen.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { InboxSettings } from '../../config/inbox-settings.ts'
import { usualKeepDays } from '../../domain/gateway/inbox-source.ts'
import {
  type CertificatePair,
  type CertificatePaths,
  readCertificatePair,
  watchCertificate,
} from '../../inbox/receiver/certificate-files.ts'
import { startReceiver } from '../../inbox/receiver/receiver.ts'
import { gatewaySources, type Receiver } from '../../inbox/receiver/settings.ts'
import { readAddressRange } from '../../inbox/receiver/source-check.ts'
import type { EventStore, StoreUse } from '../../inbox/store/event-store.ts'
import { openStore } from '../../inbox/store/open-store.ts'
import { type RetentionReport, runRetention } from '../../inbox/store/retention.ts'
import type { Telemetry } from '../../inbox/telemetry/open-telemetry.ts'
import { readTelemetrySettings } from '../../inbox/telemetry/settings.ts'
import {
  type ForwardTarget,
  forwardTargets,
  type InboxContext,
  openForwarders,
  type Watching,
} from './inbox-forward.ts'
import type { RunningReceiver } from './receiver.ts'
import { readStoreAddress, type StoreFault, type StoreTools } from './store-address.ts'

/**
 * The address of the inbox's store: as typed, by variable, file or default. The error says what is wrong, without the
 * address.
 */
export const storeAddress = (
  typed: string | undefined,
  { store }: Pick<InboxSettings, 'store'>,
  context: StoreTools,
): Promise<Result<Secret, StoreFault>> =>
  readStoreAddress({ typed, source: store, section: 'inbox', standard: () => ok(ownFile(context.io)) }, context)

/** The file in the data folder, as an address. */
function ownFile({ environment }: Pick<CommandIo, 'environment'>): Secret {
  const path = join(xdgFolders(environment).data, 'inbox.sqlite')
  return new Secret(new URL(`sqlite://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`).href)
}

/**
 * Opens the store at this address; `isApart` for a process that receives events, `use` for what (see `openStore`). The
 * error never repeats the address.
 */
export async function openInboxStore(
  address: Secret,
  { tools }: StoreTools,
  { isApart, use }: { isApart: boolean; use?: StoreUse },
): Promise<Result<EventStore>> {
  const opened = await openStore(address.reveal(), { clock: tools.clock, isApart, use })
  return opened.ok ? opened : err(plainText(address.redact(opened.error)))
}

/** The options of an inbox. */
export type ServeOptions = {
  host: string
  port: number
  metricsPort: number
  tls: CertificatePaths | null
  /** All allowed sources: the gateway's own addresses and those added. */
  allow: readonly string[]
  trustProxies: readonly string[]
  targets: readonly ForwardTarget[]
  retentionDays: number
}

/** Options given at the start, which precede the settings. */
export type ServeWishes = Partial<Omit<ServeOptions, 'tls' | 'targets'> & { tls: CertificatePaths; forward: string }>

type Source = { name: string; texts: readonly string[] }

function ranges(isTrust: boolean, sources: readonly Source[]): Result<string[]> {
  const found: string[] = []
  for (const { name, texts } of sources) {
    for (const text of texts.flatMap((each) => each.split(','))) {
      const range = readAddressRange(text)
      if (!range.ok) return err(`${name} ${range.error}`)
      // A trusted /0 would let anyone claim any source in X-Forwarded-For.
      if (isTrust && range.value.endsWith('/0')) return err(`${name} must not trust everybody`)
      found.push(range.value)
    }
  }
  return ok(found)
}

/** The targets of forwarding: those of the settings, with the address of `--forward` before that of the settings. */
export const configuredTargets = (settings: InboxSettings, typed?: string): Result<ForwardTarget[]> => {
  const forward = typed ?? settings.forward
  const name = typed === undefined ? 'forward of [inbox]' : '--forward'
  return forwardTargets(forward === null ? null : { address: forward, name }, settings.targets)
}

/** Wishes over settings over defaults. The error is one of usage, and names the flag or the setting. */
export function readServeOptions(wishes: ServeWishes, settings: InboxSettings): Result<ServeOptions> {
  const tls = wishes.tls ?? settings.tls
  const allow = ranges(false, [
    { name: '--allow', texts: wishes.allow ?? [] },
    { name: 'allow of [inbox]', texts: settings.allow },
  ])
  if (!allow.ok) return allow
  const trusted = ranges(true, [
    { name: '--trust-proxy', texts: wishes.trustProxies ?? [] },
    { name: 'trust_proxy of [inbox]', texts: settings.trustProxies },
  ])
  if (!trusted.ok) return trusted
  const targets = configuredTargets(settings, wishes.forward)
  if (!targets.ok) return targets
  const host = wishes.host ?? settings.host ?? (tls === null ? '127.0.0.1' : '0.0.0.0')
  if (!readAddressRange(host).ok || host.includes('/')) {
    const name = wishes.host === undefined ? 'host of [inbox]' : '--host'
    return err(`${name} must be an address such as 0.0.0.0`)
  }
  return ok({
    host,
    port: wishes.port ?? settings.port ?? usualPort,
    metricsPort: wishes.metricsPort ?? settings.metricsPort ?? 0,
    tls,
    allow: [...new Set([...gatewaySources, ...allow.value])],
    trustProxies: trusted.value,
    targets: targets.value,
    retentionDays: wishes.retentionDays ?? settings.retentionDays ?? usualKeepDays,
  })
}

/**
 * Starts the inbox of the settings inside the desk, as `pitdesk inbox serve` does in its own process. Rejects with a
 * sentence when it cannot.
 */
export async function openOwnInbox(settings: InboxSettings, context: InboxContext): Promise<RunningReceiver> {
  const options = readServeOptions({}, settings)
  if (!options.ok) throw new Error(options.error)
  const { tls } = options.value
  const certificate = tls === null ? null : readCertificatePair(tls)
  if (certificate?.ok === false) throw new Error(certificate.error)
  const started = await startInbox(options.value, certificate?.value ?? null, context)
  if (!started.ok) throw new Error(started.error)
  return started.value
}

/** An inbox that receives events; `stop` lets open requests end. The store stays open. */
type RunningInbox = { url: string; metricsUrl: string | null; stop(): Promise<void> }

/** Starts an inbox with metrics, forwarding, retention and the renewal of its certificate. The error is a sentence. */
export async function startInbox(
  options: ServeOptions,
  certificate: CertificatePair | null,
  context: InboxContext,
): Promise<Result<RunningInbox>> {
  const { store, log, tools } = context
  const { clock } = tools
  const registry = new Registry()
  const { tls } = options
  const telemetry = await openTelemetry(registry, context)
  if (!telemetry.ok) return telemetry
  const tracing = telemetry.value?.tracing ?? null
  const started = await listen(options, certificate, { registry, tracing }, context)
  if (!started.ok) {
    await telemetry.value?.stop()
    return started
  }
  const receiver = started.value
  const ended = new AbortController()
  const forwarding = await openForwarders(options.targets, { registry, tracing }, context)
  if (!forwarding.ok) {
    await receiver.stop()
    await telemetry.value?.stop()
    return forwarding
  }
  const side = [retain(store, options.retentionDays, clock, ended.signal, log)]
  if (tls !== null && certificate !== null) {
    const use = (pair: CertificatePair) => receiver.renewCertificate(pair)
    side.push(watchCertificate({ paths: tls, current: certificate, clock, signal: ended.signal, use, log }))
  }
  return ok({
    url: receiver.url,
    metricsUrl: receiver.metricsUrl,
    async stop() {
      ended.abort()
      // All at once, so that it ends within seconds: the next run forwards the last events.
      await Promise.all([receiver.stop(), forwarding.value.stop(), ...side])
      await telemetry.value?.stop()
    },
  })
}

/** Opens telemetry; null without a variable for it, and then none of it is loaded. The error names the variable. */
async function openTelemetry(
  registry: Registry,
  { log, io, tools: { clock } }: InboxContext,
): Promise<Result<Telemetry | null>> {
  const settings = readTelemetrySettings(io.environment)
  if (!settings.ok || settings.value === null) return settings.ok ? ok(null) : settings
  const { startTelemetry } = await import('../../inbox/telemetry/open-telemetry.ts')
  return ok(startTelemetry(settings.value, { registry, clock, log, instance: `${hostname()}:${process.pid}` }))
}

async function listen(
  { host, port, metricsPort: metrics, allow, trustProxies }: ServeOptions,
  certificate: CertificatePair | null,
  { registry, tracing }: Watching,
  { store, log, tools: { clock } }: InboxContext,
): Promise<Result<Receiver>> {
  try {
    const address = { listen: { host, port }, metrics: { host: '127.0.0.1', port: metrics, registry } }
    return ok(await startReceiver({ store, clock, allow, trustProxies, tls: certificate, log, tracing, ...address }))
  } catch (error) {
    // A sentence about a port or an address; a TypeError is a bug.
    if (!(error instanceof Error) || error instanceof TypeError) throw error
    return err(error.message)
  }
}

function retentionText(report: RetentionReport, keepDays: number): string {
  switch (report.kind) {
    case 'forgotten':
      return `${report.count} older than ${keepDays} days deleted`
    case 'failed':
      return `entries older than ${keepDays} days could not be deleted: ${report.error.message}`
    case 'held':
      return (
        `entries are kept for longer than ${keepDays} days: the clock of this machine is ${report.aheadDays} days ` +
        'ahead of the newest event, and deleting goes by whichever is earlier'
      )
  }
}

/** Deletes entries older than the limit regularly, until `signal`. */
const retain = (store: EventStore, keepDays: number, clock: Clock, signal: AbortSignal, log: (line: string) => void) =>
  runRetention(store, {
    keepDays,
    clock,
    signal,
    report: (report) => log(`store: ${retentionText(report, keepDays)}`),
  })
