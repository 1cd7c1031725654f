import type { Registry } from 'prom-client'
import type { Clock } from '../../base/clock.ts'
import type { InboxLog } from '../inbox-log.ts'
import type { EventStore } from '../store/event-store.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { CertificatePair } from './certificate-files.ts'

/** The gateway's own source addresses: who may send when nothing else is said. */
export const gatewaySources: readonly string[] = [
  '34.76.54.194',
  '34.77.167.89',
  '35.187.43.203',
  '35.241.153.74',
  '35.241.224.80',
]

/** What one sender, and all of them together, may take up. */
export type ReceiverLimits = {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** A request's headers must be there this soon, counted from its first byte or the connection's start. */
  readonly headersMs: number
  /** A whole request must be there this soon: the gateway gives up after 5 s. */
  readonly requestMs: number
  /** How long a connection may stay open between requests. */
  readonly idleMs: number
  /** Of addresses that may send, and of trusted proxies; the places of strangers come on top. */
  readonly connections: number
  /** Of one address that may send. A proxy speaks for many. */
  readonly connectionsEach: number
  /** Of addresses that may not send, which are told so and closed. */
  readonly strangers: number
  /** Of one of those, or of one network of IPv6. */
  readonly strangersEach: number
  /** Events read and not yet durable; what comes beyond is asked to come again later. */
  readonly waiting: number
  readonly waitingBytes: number
  /** How long a stop waits for requests under way. */
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
  /** Addresses and CIDR ranges that may send, in full: the gateway's own are not added. */
  readonly allow: readonly string[]
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` counts. */
  readonly trustProxies: readonly string[]
  readonly limits?: Partial<ReceiverLimits>
  /** True: nobody but programs of this machine has business here, so a request by any other name of it is refused. */
  readonly isLocalOnly?: boolean
  /** Null: plain HTTP, for a proxy in front or for loopback. */
  readonly tls: CertificatePair | null
  /** Takes one line without an end: conflicts, quarantined bodies, failures of the store. */
  readonly log: InboxLog
  /** Where `/metrics` (and `/healthz`) are served; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number; readonly registry?: Registry } | null
  /** Told of each delivery and commit. */
  readonly tracing?: Pick<Tracing, 'delivery' | 'commit'> | null
}

export type Receiver = {
  /** Without a slash at the end; events are taken on any path below. */
  readonly url: string
  readonly metricsUrl: string | null
  /**
   * Serves new connections with this certificate; open ones keep theirs. Throws when the pair is unusable: the old one
   * stays.
   */
  renewCertificate(certificate: CertificatePair): void
  /** Takes no new connection, answers what is under way, and resolves once all of it is over. The store stays open. */
  stop(): Promise<void>
}
