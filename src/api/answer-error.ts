import type { Secret } from '../domain/secret.ts'
import { readErrorText } from '../wire/error.ts'
import { ExchangeError, type ExchangeErrorKind, type Method, type WriteOutcome } from './exchange-error.ts'
import type { HttpAnswer, HttpFailure } from './http-call.ts'
import { readRetryAfterMs } from './retry.ts'

type Endpoint = { method: Method; path: string }

/** The error that an answer outside 200–299 stands for. */
export function errorOfAnswer(endpoint: Endpoint, answer: HttpAnswer, key: Secret): ExchangeError {
  const { status, body, headers } = answer
  const retryAfterMs = readRetryAfterMs(headers['retry-after'], answer.answeredAtMs)
  const isRefusal = status >= 400 && status < 500
  const text = readErrorText(body)
  return new ExchangeError({
    ...endpoint,
    kind: kindOfStatus(status),
    status,
    reason: text === null ? `the exchange answered ${status}` : key.redact(text),
    outcome: outcomeOf(endpoint.method, isRefusal ? 'refused' : 'unknown'),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** The error of a call that brought no whole answer. */
export function errorOfFailure(endpoint: Endpoint, failure: HttpFailure): ExchangeError {
  const kinds: Record<HttpFailure['kind'], ExchangeErrorKind> = {
    broken: 'connectivity',
    timedOut: 'connectivity',
    aborted: 'connectivity',
    oversized: 'protocol',
    malformed: 'protocol',
    forbidden: 'rejected',
  }
  return new ExchangeError({
    ...endpoint,
    kind: kinds[failure.kind],
    reason: failure.reason,
    outcome: outcomeOf(endpoint.method, failure.wasSent ? 'unknown' : 'notSent'),
  })
}

/** The error of an answer that came, but says nothing that can be understood. */
export const errorOfBody = (endpoint: Endpoint, reason: string): ExchangeError =>
  new ExchangeError({ ...endpoint, kind: 'protocol', reason, outcome: outcomeOf(endpoint.method, 'unknown') })

const outcomeOf = (method: Method, outcome: WriteOutcome): WriteOutcome | null => (method === 'GET' ? null : outcome)

function kindOfStatus(status: number): ExchangeErrorKind {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'notFound'
  if (status === 429) return 'rateLimited'
  if (status >= 500) return 'connectivity'
  // A redirect is not followed: it could lead the key to another host.
  return status >= 400 ? 'rejected' : 'protocol'
}
