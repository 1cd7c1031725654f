import type { Registry } from 'prom-client'
import type { Clock } from '../../base/clock.ts'
import type { InboxLog } from '../inbox-log.ts'
import type { EventStore } from '../store/event-store.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { CertificatePair } from './certificate-files.ts'

/** The gateway's source addresses, allowed by default. */
export const gatewaySources: readonly string[] = [
  '34.76.54.194',
  '34.77.167.89',
  '35.187.43.203',
  '35.241.153.74',
  '35.241.224.80',
]

/** Limits for one sender and for all of them. */
export type ReceiverLimits = {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Time limit of a request's headers, from its first byte or the connection's start. */
  readonly headersMs: number
  /** Time limit of a whole request; the gateway gives up after 5 s. */
  readonly requestMs: number
  /** Maximum idle time of a connection between requests. */
  readonly idleMs: number
  /** Maximum connections of allowed senders and trusted proxies, not counting strangers'. */
  readonly connections: number
  /** Maximum per allowed address, except for proxies, which carry many senders. */
  readonly connectionsEach: number
  /** Maximum connections of addresses that may not send; they are refused and closed. */
  readonly strangers: number
  /** Maximum per such address, or per IPv6 network. */
  readonly strangersEach: number
  /** Maximum events read and not yet durable; further ones are told to retry later. */
  readonly waiting: number
  readonly waitingBytes: number
  /** Time a stop waits for requests in progress. */
  readonly stopMs: number
}

export const receiverLimits: ReceiverLimits = {
  bodyBytes: 65_536,
  headerBytes: 16_384,
  headersMs: 5_000,
  requestMs: 8_000,
  idleMs: 65_000,
  connections: 10_000,
  connectionsEach: 2_000,
  strangers: 100,
  strangersEach: 10,
  waiting: 10_000,
  waitingBytes: 64 * 1_048_576,
  stopMs: 5_000,
}

export type ReceiverSettings = {
  readonly store: EventStore
  readonly clock: Clock
  /** Port 0 picks a free one. */
  readonly listen: { readonly host: string; readonly port: number }
  /** Allowed addresses and CIDR ranges; the gateway's are not added. */
  readonly allow: readonly string[]
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxies: readonly string[]
  readonly limits?: Partial<ReceiverLimits>
  /** True: only programs on this machine may connect, so requests under other host names are refused. */
  readonly isLocalOnly?: boolean
  /** Null for plain HTTP, behind a proxy or on loopback. */
  readonly tls: CertificatePair | null
  /** Receives lines without line ends: conflicts, quarantined bodies, store failures. */
  readonly log: InboxLog
  /** Where `/metrics` and `/healthz` are served; null for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number; readonly registry?: Registry } | null
  /** Receives each delivery and commit. */
  readonly tracing?: Pick<Tracing, 'delivery' | 'commit'> | null
}

export type Receiver = {
  /** Without a trailing slash; events are accepted on any path below. */
  readonly url: string
  readonly metricsUrl: string | null
  /** Uses this certificate for new connections. Throws when the pair is unusable, and keeps the old one. */
  renewCertificate(certificate: CertificatePair): void
  /**
   * Accepts no new connections, finishes requests in progress, and resolves when they are done. The store stays open.
   */
  stop(): Promise<void>
}
