import { err, ok, type Result } from '../base/result.ts'
import type { InboxSettings } from '../config/inbox-settings.ts'
import { usualInboxPort, usualKeepDays } from '../domain/gateway/inbox-source.ts'
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

/** What is asked for at the start, before what is set. */
export type ServeWishes = Partial<Omit<ServeOptions, 'tls' | 'forward'> & { tls: CertificatePaths; forward: string }>

type Source = { name: string; texts: readonly string[] }

function ranges(isTrust: boolean, sources: readonly Source[]): Result<string[]> {
  const found: string[] = []
  for (const { name, texts } of sources) {
    for (const text of texts.flatMap((each) => each.split(','))) {
      const range = readAddressRange(text)
      if (!range.ok) return err(`${name} ${range.error}`)
      // Then anybody could write any source into X-Forwarded-For.
      if (isTrust && range.value.endsWith('/0')) return err(`${name} must not trust everybody`)
      found.push(range.value)
    }
  }
  return ok(found)
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
  const address = wishes.forward ?? settings.forward
  const forward = address === null ? ok(null) : readForwardAddress(address)
  if (!forward.ok) return err(`${wishes.forward === undefined ? 'forward of [inbox]' : '--forward'} ${forward.error}`)
  const host = wishes.host ?? settings.host ?? (tls === null ? '127.0.0.1' : '0.0.0.0')
  if (!readAddressRange(host).ok || host.includes('/')) {
    const name = wishes.host === undefined ? 'host of [inbox]' : '--host'
    return err(`${name} must be an address such as 0.0.0.0`)
  }
  return ok({
    host,
    port: wishes.port ?? settings.port ?? usualInboxPort,
    metricsPort: wishes.metricsPort ?? settings.metricsPort ?? 0,
    tls,
    allow: [...new Set([...gatewaySources, ...allow.value])],
    trustProxies: trusted.value,
    forward: forward.value,
    retentionDays: wishes.retentionDays ?? settings.retentionDays ?? usualKeepDays,
  })
}
