import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates } from 'node:tls'
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import type { Clock } from '../base/clock.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import { readOwnFile } from '../base/own-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Secret } from '../base/secret.ts'
import type { BaseAddress } from './base-address.ts'
import type { Method } from './errors.ts'
import type { RateLimits, RateReading } from './gate.ts'
import type { PhaseLimits } from './http-call.ts'
import type { FeedNews } from './hub-interface.ts'
import type { SkewReading } from './skew-estimator.ts'

/**
 * Whether a person waits for a read, or the desk asks by itself: a poll waits until the others have gone, and what is
 * read in the background until no poll waits.
 */
export type ReadPriority = 'person' | 'poll' | 'background'

/**
 * A call below the base address. `path` begins with a slash and is encoded; `query` fields that are null are left out.
 */
export type TransportRequest = {
  method: Method
  path: string
  query?: Readonly<Record<string, string | number | null>>
  /** JSON text. */
  body?: string
  /** Of a read: `poll` unless said. A write goes before every read. */
  priority?: ReadPriority
  /** Of a read through a hub: the exchange itself is to be asked, as it is for all that a person waits for. */
  isFresh?: boolean
  /**
   * Told of a read that a hub answered, before `send` resolves: when the hub had the answer from the exchange, in desk
   * time.
   */
  onSeen?: (atMs: number) => void
  signal?: AbortSignal | undefined
}

/**
 * What every answer tells, whatever its status: for the log, the round trip and the clock check. Through a hub all of
 * it is the hub's own: it dates its answers itself, so that the clock that is checked is the hub's.
 */
export type AnswerReport = {
  method: Method
  path: string
  status: number
  roundTripMs: number
  /** How far the service's clock is ahead of ours, by the dates of the last minutes; null while there are none. */
  skew: SkewReading | null
}

export type TransportLimits = PhaseLimits & {
  /** How long a write or a person's read may wait for its turn; it is then not sent. A poll may wait for any time. */
  queueMs: number
  /** For a call as a whole from its first turn on, its retries and their waits included. */
  totalMs: number
  bodyMaxBytes: number
}

export type TransportOptions = {
  base: BaseAddress
  /**
   * Further addresses of the same service, which get the same key: the next one is taken into use where no connection
   * can be made, or a hub says that it stands by for another one.
   */
  also?: readonly BaseAddress[]
  key: Secret
  /** The header that carries the key. */
  keyHeader: string
  clock: Clock
  /** From 0 up to 1, for the jitter of retries. */
  random: () => number
  /** The read-only guard: while it says false nothing but GET leaves, whatever the layers above believe. */
  mayWrite: () => boolean
  /** Whether an approver's yes or no to a draft of a hub leaves all the same; it does not unless given. */
  mayDecide?: () => boolean
  onAnswer?: (report: AnswerReport) => void
  /** The service has shown itself to be a hub: told once. */
  onHub?: () => void
  /** A hub tells by its stream of another answer than before: a poll of it is answered without a call. */
  onNews?: (news: FeedNews) => void
  /** A hub tells by its stream that persons, a halt or drafts have changed: they are to be asked for. */
  onHubChange?: () => void
  limits?: Partial<TransportLimits>
  retry?: Partial<RetryPolicy>
  /** How many calls may be in flight at once, of which some are kept for writes and for a person; 4 at least. */
  inFlightMost?: number
  /** The desk's own budget of calls. */
  rate?: Partial<RateLimits>
  /** Certificates in PEM form that are trusted besides those that Node trusts; see `readCaFile`. */
  caPem?: string
  /**
   * Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY stand: the process's own unless given. Loopback never goes through a
   * proxy.
   */
  environment?: Readonly<Record<string, string | undefined>>
}

/** How the budget of calls is used just now, and how many reads were sent once more since the transport was opened. */
export type CallReading = RateReading & { retryCount: number }

/** The way to one service. `send` gives the body of a 200–299 answer and throws `ExchangeError` for everything else. */
export type Transport = {
  send(request: TransportRequest): Promise<string>
  rate(): CallReading
  /** True where one call answers all who ask alike, as a hub does: what is meant alike is to be asked in like words. */
  isShared(): boolean
  /**
   * Lets calls in flight end, then closes every connection; calling it again changes nothing. Calls that still wait for
   * their turn, and later ones, fail as not sent.
   */
  close(): Promise<void>
}

/**
 * A desk's patience: longer than a venue under load takes, short enough that a person still remembers what was asked.
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
export const defaultInFlightMost = 8
/** More than seven feeds on screen ask for; a venue that allows less says so with 429, or the configuration does. */
export const defaultRate: RateLimits = { perSecond: 20, burst: 40, pollShare: 0.7 }

/** How many calls a second polls may make over time. */
export function pollsAllowed(rate: Partial<RateLimits> = {}): number {
  const { perSecond, pollShare } = { ...defaultRate, ...rate }
  return perSecond * pollShare
}

export type RetryPolicy = {
  /** How often a read is tried again, at most; a write never is. */
  count: number
  /** Mean wait before the first retry; it doubles with each. */
  baseMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Above the calls in flight: a canceled call leaves its connection busy until it is gone. */
const connectionsMost = 32

/**
 * What carries the calls: a pool of kept connections to the service, directly or through the proxy that the environment
 * names. One request at a time on a connection and no HTTP/2: either could send a request again that was under way.
 */
export function openDispatcher(
  options: Pick<TransportOptions, 'caPem' | 'environment'> & { base: Pick<BaseAddress, 'origin'> },
  connectMs: number,
): Result<Dispatcher> {
  const tls = tlsOptions(options.caPem)
  if (!tls.ok) return tls
  const proxies = readProxies(options.environment ?? process.env)
  if (!proxies.ok) return proxies
  const { origin } = options.base
  const pool = { connections: connectionsMost, pipelining: 1, allowH2: false, connectTimeout: connectMs } as const
  // The service on this very machine is never behind a proxy, whatever the environment says.
  if (isLoopbackHost(new URL(origin).hostname)) return ok(new Pool(origin, { ...pool, connect: tls.value }))
  const toService = { ...tls.value, allowH2: false }
  return ok(
    new EnvHttpProxyAgent({
      ...pool,
      ...proxies.value,
      connect: tls.value,
      requestTls: toService,
      proxyTls: toService,
      // A proxy that says nothing would keep its place for minutes.
      clientFactory: (proxy, own) => new Pool(proxy, { ...own, headersTimeout: connectMs }),
    }),
  )
}

function tlsOptions(caPem: string | undefined) {
  if (caPem === undefined) return ok({ rejectUnauthorized: true })
  const own = checkCaPem(caPem)
  if (!own.ok) return err(`the certificate file is not usable: ${own.error}`)
  // Made once: a list would be read anew for every connection.
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ...own.value] })
  return ok({ rejectUnauthorized: true, secureContext })
}

/** What undici is to go by instead of looking into the environment itself; an empty text is not a proxy. */
type Proxies = { httpProxy: string; httpsProxy: string; noProxy: string }

/**
 * Reads the proxies of an environment; lower-case names come first. The sentence of an error names the variable, not
 * its value: that may hold a password.
 */
export function readProxies(environment: Environment): Result<Proxies> {
  const read = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? ''
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) {
    const protocol = URL.parse(read(name))?.protocol
    if (read(name) !== '' && protocol !== 'http:' && protocol !== 'https:') {
      return err(`${name} is not the address of a proxy: write it as http://host:port`)
    }
  }
  return ok({ httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') })
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const longestFileBytes = 4 * 1024 * 1024

/**
 * Reads a file of certificates in PEM form and gives its text, checked as `checkCaPem` does. Who can change it decides
 * whom the desk takes for the exchange: it must be nobody else.
 */
export function readCaFile(path: string): Result<string> {
  const text = readOwnFile(path, { rule: 'trusted', bytesMost: longestFileBytes })
  if (!text.ok) return err(`the certificate file ${path} ${text.error}`)
  if (text.value === null) return err(`the certificate file ${path} does not exist`)
  const checked = checkCaPem(text.value)
  return checked.ok ? ok(text.value) : err(`the certificate file ${path} is not usable: ${checked.error}`)
}

/** The certificates of a PEM text, at least one; text around them is left out, as it is in the bundles of systems. */
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
