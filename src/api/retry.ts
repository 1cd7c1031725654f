import { readHttpDateMs } from '../base/http-date.ts'
import type { ExchangeError, Fault } from './exchange-error.ts'

export type RetryPolicy = {
  /** How often a read is tried again, at most; a write never is. */
  count: number
  /** Mean wait before the first retry; it doubles with each. */
  baseMs: number
}

/** Failures that are the same a moment later, or that are meant. */
const lasting: readonly (Fault | null)[] = [
  'certificate',
  'setup',
  'cancelled',
  'closed',
  'callTimeout',
  'queueTimeout',
  'paused',
]

/** True when trying the same read again may help. */
const mayHelp = (error: ExchangeError): boolean =>
  error.method === 'GET' &&
  (error.kind === 'connectivity' || error.kind === 'rateLimited') &&
  !lasting.includes(error.fault)

/**
 * How long to wait before trying a read again, or null when it must not be: a write, an error that a repetition cannot
 * mend, or no retry left. What the service asks for in Retry-After counts before our own back-off with its jitter.
 */
export function retryDelayMs(
  error: ExchangeError,
  retriesMade: number,
  policy: RetryPolicy,
  random: () => number,
): number | null {
  if (!mayHelp(error) || retriesMade >= policy.count) return null
  return error.retryAfterMs ?? Math.round(policy.baseMs * 2 ** retriesMade * (0.5 + random()))
}

/** Reads Retry-After: seconds, or a date. Undefined when there is none that makes sense. */
export function readRetryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header === 'string' && /^\d{1,6}$/.test(header)) return Number(header) * 1_000
  const atMs = readHttpDateMs(header)
  return atMs === null ? undefined : Math.max(0, atMs - nowMs)
}
