import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'
import type { BaseAddress } from './base-address.ts'
import type { Method } from './errors.ts'
import type { RateLimits, RateReading } from './gate.ts'
import type { PhaseLimits } from './http-call.ts'
import type { SkewReading } from './skew-estimator.ts'

/** Whether a person waits for a read, or the desk asks by itself: a poll waits until the others have gone. */
export type ReadPriority = 'person' | 'poll'

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
  signal?: AbortSignal | undefined
}

/** What every answer tells, whatever its status: for the log, the round trip and the clock check. */
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
  key: Secret
  /** The header that carries the key. */
  keyHeader: string
  clock: Clock
  /** From 0 up to 1, for the jitter of retries. */
  random: () => number
  /** The read-only guard: while it says false nothing but GET leaves, whatever the layers above believe. */
  mayWrite: () => boolean
  onAnswer?: (report: AnswerReport) => void
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
