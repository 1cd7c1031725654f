import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates } from 'node:tls'
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { Clock } from '../base/clock.ts'
import { readOwnFile } from '../base/files/own-file.ts'
import { stayingHere } from '../base/net/loopback.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Secret } from '../base/secret.ts'
import type { BaseAddress } from './base-address.ts'
import type { Method } from './errors.ts'
import type { RateLimits, RateReading } from './gate.ts'
import type { PhaseLimits } from './http-call.ts'
import type { FeedNews } from './hub-interface.ts'
import { type ForwardProxy, readProxy } from './proxy.ts'
import type { SkewReading } from './skew-estimator.ts'

/**
 * Who waits for a read: a person, or the desk itself. Polls wait for persons' reads, and background reads wait for
 * polls.
 */
export type ReadPriority = 'person' | 'poll' | 'background'

/** A call below the base address. `path` starts with a slash and is encoded; null `query` fields are omitted. */
export type TransportRequest = {
  method: Method
  path: string
  query?: Readonly<Record<string, string | number | null>>
  /** JSON text. */
  body?: string
  /** Priority of a read, by default `poll`. Writes come before all reads. */
  priority?: ReadPriority
  /** For a read through a hub: ask the exchange itself, as for everything a person waits for. */
  isFresh?: boolean
  /**
   * Called for a read answered by a hub or a cache, before `send` resolves, with the time at which that received it
   * from the exchange, in desk time.
   */
  onSeen?: (atMs: number) => void
  /**
   * Why a write must not be sent after all, as a clause; null when it may. Asked once more right before its first byte:
   * what was checked before it waited for its turn may have ended since.
   */
  stoppedNow?: (() => string | null) | undefined
  signal?: AbortSignal | undefined
}

/** Reads for a waiting person, and reads that resolve something, ask the exchange itself. */
export const mustBeFresh = ({ method, isFresh, priority }: TransportRequest): boolean =>
  method === 'GET' && (isFresh === true || priority === 'person')

/**
 * What every answer reports, whatever its status: for the log, the round trip and the clock check. Through a hub all of
 * it is about the hub, which dates its answers itself, so the hub's clock is checked.
 */
export type AnswerReport = {
  method: Method
  path: string
  status: number
  /** A hub answered, and not whoever is on the way to it. */
  isOfHub: boolean
  roundTripMs: number
  /** Lead of the service's clock over ours, from the dates of the last minutes; null without any. */
  skew: SkewReading | null
}

export type TransportLimits = PhaseLimits & {
  /**
   * Time a write or a person's read may wait for its turn before it is given up unsent. A poll may wait indefinitely.
   */
  queueMs: number
  /** Limit for a whole call from its first turn, including retries and their pauses. */
  totalMs: number
  bodyMaxBytes: number
}

export type TransportOptions = {
  base: BaseAddress
  /**
   * More addresses of the same service, which get the same key. The next one is used when no connection can be made, or
   * when a hub says it is on standby.
   */
  also?: readonly BaseAddress[]
  key: Secret
  /** The header that carries the key. */
  keyHeader: string
  clock: Clock
  /** In [0, 1), for the jitter of retries. */
  random: () => number
  /** The read-only guard: while it returns false, only GET is sent, whatever the callers assume. */
  mayWrite: () => boolean
  /** While it returns false, only GET is sent: at a hub, where another one may lead by now. True unless given. */
  isLeading?: () => boolean
  /** While it returns true, no call that places an order or sends money is begun; never unless given. */
  isHalted?: () => boolean
  /** Whether an approver's decision on a hub's draft is sent even then; by default not. */
  mayDecide?: () => boolean
  onAnswer?: (report: AnswerReport) => void
  /** Called once when the service turns out to be a hub. */
  onHub?: () => void
  /** Called when a hub's stream reports a changed answer, which a poll then gets without a call. */
  onNews?: (news: FeedNews) => void
  /** Called when a hub's stream reports a change of persons, a halt or drafts, which must then be read. */
  onHubChange?: () => void
  limits?: Partial<TransportLimits>
  retry?: Partial<RetryPolicy>
  /** Maximum concurrent calls, at least 4; some are reserved for writes and persons. */
  inFlightMax?: number
  /** The desk's own rate limits. */
  rate?: Partial<RateLimits>
  /** Trusted PEM certificates in addition to Node's; see `readCaFile`. */
  caPem?: string
  /**
   * Source of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, by default the process's environment. Loopback never uses a proxy.
   */
  environment?: Readonly<Record<string, string | undefined>>
}

/** Current use of the rate limits, and the number of retried reads since the transport was opened. */
export type CallReading = RateReading & { retryCount: number }

/**
 * A connection to one service. `send` resolves with the body of a 2xx answer and throws `ExchangeError` for everything
 * else.
 */
export type Transport = {
  send(request: TransportRequest): Promise<string>
  rate(): CallReading
  /**
   * The latest date in ms that an entry of an answer can have: a day ahead of this machine's clock, and of the
   * service's as far as the dates of its answers tell it. What is dated later may be of any time.
   */
  dateMaxMs(): number
  /** True when one call answers all equal requests, as at a hub, so that equal requests should be worded equally. */
  isShared(): boolean
  /**
   * Waits for calls in flight, then closes every connection; further calls do nothing. Waiting and later sends fail as
   * not sent.
   */
  close(): Promise<void>
}

/**
 * Timeouts of a desk: longer than an exchange under load needs, but short enough that the user still remembers the
 * request.
 */
export const defaultLimits: TransportLimits = {
  connectMs: 3_000,
  headersMs: 5_000,
  bodyMs: 5_000,
  queueMs: 5_000,
  totalMs: 10_000,
  bodyMaxBytes: 16 * 1024 * 1024,
}
export const defaultRetry: RetryPolicy = { count: 2, baseMs: 200 }
export const defaultInFlightMax = 8
/** More than seven visible feeds need; an exchange that allows less answers 429, or the configuration says so. */
export const defaultRate: RateLimits = { perSecond: 20, burst: 40, pollShare: 0.7 }

/** Calls per second that polls may make on average. */
export function pollsAllowed(rate: Partial<RateLimits> = {}): number {
  const { perSecond, pollShare } = { ...defaultRate, ...rate }
  return perSecond * pollShare
}

export type RetryPolicy = {
  /** Maximum retries of a read; writes are never retried. */
  count: number
  /** Mean pause before the first retry; doubles with each. */
  baseMs: number
}

/** Above the number of calls in flight, because a canceled call occupies its connection until it is closed. */
const connectionsMax = 32

/** The connections to a service, and the proxy that they go through; null for none. */
export type Connections = { dispatcher: Dispatcher; proxy: ForwardProxy | null }

/**
 * Opens a pool of kept-alive connections to the service, directly or through the environment's proxy. One request at a
 * time per connection, and no HTTP/2, because either could resend a request in flight. The error is about an unusable
 * certificate or proxy.
 */
export function openConnections(
  options: Pick<TransportOptions, 'caPem' | 'environment'> & { base: Pick<BaseAddress, 'origin'> },
  connectMs: number,
): Result<Connections> {
  const tls = tlsOptions(options.caPem)
  if (!tls.ok) return tls
  const { origin } = options.base
  const read = readProxy(origin, options.environment ?? process.env)
  if (!read.ok) return read
  const proxy = read.value
  const pool = { connections: connectionsMax, pipelining: 1, allowH2: false, connectTimeout: connectMs } as const
  const direct = { ...tls.value, ...stayingHere(new URL(origin).hostname) }
  if (proxy === null) return ok({ proxy, dispatcher: new Pool(origin, { ...pool, connect: direct }) })
  const toService = { ...tls.value, allowH2: false }
  const dispatcher = new ProxyAgent({
    ...pool,
    uri: proxy.uri,
    connect: tls.value,
    requestTls: toService,
    proxyTls: toService,
    // An unresponsive proxy would otherwise block its connection for minutes.
    clientFactory: (to, own) => new Pool(to, { ...own, headersTimeout: connectMs }),
  })
  return ok({ proxy, dispatcher })
}

function tlsOptions(caPem: string | undefined) {
  if (caPem === undefined) return ok({ rejectUnauthorized: true })
  const own = checkCaPem(caPem)
  if (!own.ok) return err(`the certificate file is not usable: ${own.error}`)
  // Created once, because a list would be parsed for every connection.
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ...own.value] })
  return ok({ rejectUnauthorized: true, secureContext })
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const longestFileBytes = 4 * 1024 * 1024

/**
 * Reads a PEM file of certificates and returns its text, checked by `checkCaPem`. Only the user may be able to change
 * it, because it decides whom the desk accepts as the exchange.
 */
export function readCaFile(path: string): Result<string> {
  const text = readOwnFile(path, { rule: 'trusted', bytesMax: longestFileBytes })
  if (!text.ok) return err(`the certificate file ${path} ${text.error}`)
  if (text.value === null) return err(`the certificate file ${path} does not exist`)
  const checked = checkCaPem(text.value)
  return checked.ok ? ok(text.value) : err(`the certificate file ${path} is not usable: ${checked.error}`)
}

/** The certificates of a PEM text, at least one; ignores text around them, as in system bundles. */
export function checkCaPem(text: string): Result<string[]> {
  if (text.length > longestFileBytes) return err('it is longer than a file of certificates can be')
  const blocks = text.match(certificate) ?? []
  if (blocks.length === 0) return err('it holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  const broken = blocks.findIndex((block) => !isCertificate(block))
  return broken === -1 ? ok(blocks) : err(`its certificate number ${broken + 1} cannot be read`)
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).serialNumber !== ''
  } catch {
    return false
  }
}
