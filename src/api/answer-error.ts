import { plainText } from '../base/plain-text.ts'
import type { Secret } from '../base/secret.ts'
import { readErrorText } from '../wire/error.ts'
import { ExchangeError, type ExchangeErrorKind, type Fault, type Method, type WriteOutcome } from './exchange-error.ts'
import type { HttpAnswer, HttpFailure } from './http-call.ts'
import { readRetryAfterMs } from './retry.ts'

type Endpoint = { method: Method; path: string }

/** More words than this are no sentence for a line of the screen. */
const wordsMost = 300

/** The error that an answer outside 200–299 stands for. */
export function errorOfAnswer(endpoint: Endpoint, answer: HttpAnswer, key: Secret): ExchangeError {
  const { status, body, headers } = answer
  const retryAfterMs = readRetryAfterMs(headers['retry-after'], answer.answeredAtMs)
  const text = readErrorText(body)
  // Masked before it is cut: half a key would not be known for one.
  const words = text === null ? null : plainText(key.redact(text).slice(0, wordsMost))
  return new ExchangeError({
    ...endpoint,
    kind: kindOfStatus(status),
    fault: 'status',
    status,
    reason: words ?? `the exchange answered ${status}`,
    outcome: outcomeOf(endpoint.method, isRefusal(status) ? 'refused' : 'unknown'),
    ...(words === null ? {} : { words }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

const kinds: Record<Exclude<Fault, 'status'>, ExchangeErrorKind> = {
  webPage: 'protocol',
  emptyAnswer: 'protocol',
  errorInAnswer: 'protocol',
  unreadableAnswer: 'protocol',
  tooLongAnswer: 'protocol',
  notHttp: 'protocol',
  hostUnknown: 'connectivity',
  connectionRefused: 'connectivity',
  hostUnreachable: 'connectivity',
  certificate: 'connectivity',
  proxy: 'connectivity',
  connectTimeout: 'connectivity',
  connectionLost: 'connectivity',
  answerTimeout: 'connectivity',
  bodyTimeout: 'connectivity',
  callTimeout: 'connectivity',
  queueTimeout: 'connectivity',
  paused: 'rateLimited',
  cancelled: 'connectivity',
  closed: 'connectivity',
  readOnly: 'rejected',
  badRequest: 'rejected',
  setup: 'connectivity',
}

/** The error of a call that brought no whole answer. */
export function errorOfFailure(endpoint: Endpoint, { fault, reason, wasSent }: HttpFailure): ExchangeError {
  const outcome = outcomeOf(endpoint.method, wasSent ? 'unknown' : 'notSent')
  return new ExchangeError({
    ...endpoint,
    kind: fault === 'status' ? 'protocol' : kinds[fault],
    fault,
    reason,
    outcome,
  })
}

/** The error of a poll that is held back because the service has asked for fewer calls. */
export const errorOfPause = (endpoint: Endpoint, retryAfterMs: number): ExchangeError =>
  new ExchangeError({
    ...endpoint,
    kind: 'rateLimited',
    fault: 'paused',
    reason: 'the exchange has asked for fewer calls',
    outcome: outcomeOf(endpoint.method, 'notSent'),
    retryAfterMs,
  })

/** The error of an answer that came, but says nothing that can be understood. */
export const errorOfBody = (endpoint: Endpoint, fault: Fault, reason: string): ExchangeError =>
  new ExchangeError({ ...endpoint, kind: 'protocol', fault, reason, outcome: outcomeOf(endpoint.method, 'unknown') })

/**
 * The error of an answer whose status says that all is well, and whose body says what is not. A write may have taken
 * effect: the two contradict each other.
 */
export const errorInAnswer = (endpoint: Endpoint, text: string): ExchangeError => {
  const words = plainText(text).slice(0, wordsMost)
  return new ExchangeError({
    ...endpoint,
    kind: 'protocol',
    fault: 'errorInAnswer',
    reason: words,
    words,
    outcome: outcomeOf(endpoint.method, 'unknown'),
  })
}

const outcomeOf = (method: Method, outcome: WriteOutcome): WriteOutcome | null => (method === 'GET' ? null : outcome)

/**
 * Whether a status says for certain that a write had no effect. A time-out that is told with 408, or with the 499 of a
 * server in between, may have come after the request was passed on.
 */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 499

function kindOfStatus(status: number): ExchangeErrorKind {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'notFound'
  if (status === 429) return 'rateLimited'
  if (status >= 500 || status === 408 || status === 499) return 'connectivity'
  // A redirect is not followed: it could lead the key to another host.
  return status >= 400 ? 'rejected' : 'protocol'
}
