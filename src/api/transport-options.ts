import type { Clock } from '../clock.ts'
import type { Secret } from '../domain/secret.ts'
import type { BaseAddress } from './base-address.ts'
import type { Method } from './exchange-error.ts'
import type { PhaseLimits } from './http-call.ts'
import type { RetryPolicy } from './retry.ts'

/** A call below the base address. `path` begins with a slash and is encoded; `query` fields that are null are left out. */
export type TransportRequest = {
  method: Method
  path: string
  query?: Readonly<Record<string, string | number | null>>
  /** JSON text. */
  body?: string
  signal?: AbortSignal | undefined
}

/** What every answer tells, whatever its status: for the log, the round trip and the clock check. */
export type AnswerReport = {
  method: Method
  path: string
  status: number
  roundTripMs: number
  /** Above 0: the service's clock is ahead of ours. Good to half a second; null when the answer carries no date. */
  dateSkewMs: number | null
}

export type TransportLimits = PhaseLimits & {
  /** For a call as a whole, its retries and their waits included. */
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
}

/** The way to one service. `send` gives the body of a 200–299 answer and throws `ExchangeError` for everything else. */
export type Transport = {
  send(request: TransportRequest): Promise<string>
  /** Lets calls under way end, then closes every connection; calling it again changes nothing. Calls made later fail as not sent. */
  close(): Promise<void>
}

/** A desk's patience: longer than a venue under load takes, short enough that a person still remembers what was asked. */
export const defaultLimits: TransportLimits = {
  connectMs: 3_000,
  headersMs: 5_000,
  bodyMs: 5_000,
  totalMs: 10_000,
  bodyMaxBytes: 16 * 1024 * 1024,
}
export const defaultRetry: RetryPolicy = { count: 2, baseMs: 200 }
