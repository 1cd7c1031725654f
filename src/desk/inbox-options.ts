import type { Arguments } from '../base/command-io.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { InboxSettings } from '../config/inbox-settings.ts'
import { readForwardAddress } from '../inbox/forward/post.ts'
import type { CertificatePaths } from '../inbox/receiver/certificate-files.ts'
import { gatewaySources } from '../inbox/receiver/settings.ts'
import { readAddressRange } from '../inbox/receiver/source-check.ts'

/** What an inbox is started with. */
export type ServeOptions = {
  host: string
  port: number
  metricsPort: number
  tls: CertificatePaths | null
  /** Everybody who may send: the gateway's own addresses and those that were added. */
  allow: readonly string[]
  trustProxies: readonly string[]
  forward: URL | null
  retentionDays: number
}

const standardPort = 4020
const standardRetentionDays = 400

function whole(given: Arguments, name: string, least: number, most: number): Result<number | null> {
  const text = given.value(name)
  if (text === undefined) return ok(null)
  const isGood = /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most
  return isGood ? ok(Number(text)) : err(`--${name} must be a whole number from ${least} to ${most}`)
}

function ranges(name: string, typed: readonly string[], set: readonly string[]): Result<string[]> {
  const found: string[] = []
  for (const text of [...typed, ...set].flatMap((each) => each.split(','))) {
    const range = readAddressRange(text)
    if (!range.ok) return err(`${name} ${range.error}`)
    // Then anybody could write any source into X-Forwarded-For.
    if (name.includes('trust') && range.value.endsWith('/0')) return err(`${name} must not trust everybody`)
    found.push(range.value)
  }
  return ok(found)
}

function readTls(given: Arguments, settings: InboxSettings): Result<CertificatePaths | null> {
  const certPath = given.value('tls-cert')
  const keyPath = given.value('tls-key')
  if (certPath === undefined && keyPath === undefined) return ok(settings.tls)
  if (certPath === undefined || keyPath === undefined) return err('--tls-cert and --tls-key go together')
  return ok({ certPath, keyPath })
}

/** Flags over settings over defaults. The error is one of usage, and names the flag. */
export function readServeOptions(given: Arguments, settings: InboxSettings): Result<ServeOptions> {
  const port = whole(given, 'port', 0, 65_535)
  if (!port.ok) return port
  const metricsPort = whole(given, 'metrics-port', 0, 65_535)
  if (!metricsPort.ok) return metricsPort
  const retention = whole(given, 'retention-days', 30, 3_650)
  if (!retention.ok) return retention
  const tls = readTls(given, settings)
  if (!tls.ok) return tls
  const allow = ranges('--allow', given.values('allow'), settings.allow)
  if (!allow.ok) return allow
  const trusted = ranges('--trust-proxy', given.values('trust-proxy'), settings.trustProxies)
  if (!trusted.ok) return trusted
  const address = given.value('forward') ?? settings.forward
  const forward = address === null ? ok(null) : readForwardAddress(address)
  if (!forward.ok) return err(`--forward ${forward.error}`)
  const host = given.value('host') ?? settings.host ?? (tls.value === null ? '127.0.0.1' : '0.0.0.0')
  if (!readAddressRange(host).ok || host.includes('/')) return err('--host must be an address such as 0.0.0.0')
  return ok({
    host,
    port: port.value ?? settings.port ?? standardPort,
    metricsPort: metricsPort.value ?? settings.metricsPort ?? 0,
    tls: tls.value,
    allow: [...new Set([...gatewaySources, ...allow.value])],
    trustProxies: trusted.value,
    forward: forward.value,
    retentionDays: retention.value ?? settings.retentionDays ?? standardRetentionDays,
  })
}
