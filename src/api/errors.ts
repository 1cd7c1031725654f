import { plainText } from '../base/plain-text.ts'
import type { Secret } from '../base/secret.ts'
import { readHttpDateMs } from '../base/time-text.ts'
import type { IdTakenBy } from '../domain/hub/taken-id.ts'
import { readErrorText } from '../wire/message.ts'
import { idTakenBy, isCancelUnsent, isOfHub, noStoreMark, standbyHeader } from './hub-interface.ts'

export type ExchangeErrorKind = 'connectivity' | 'unauthorized' | 'rateLimited' | 'rejected' | 'notFound' | 'protocol'

/**
 * What may have become of a write that did not succeed. `notSent`: not a byte of it left. `refused`: the service said
 * no, and it had no effect. `unknown`: it may have taken effect; only looking it up can tell.
 */
export type WriteOutcome = 'notSent' | 'unknown' | 'refused'

/** What exactly went wrong with a call: the key of the table of sentences. */
export type Fault =
  /** Answered outside 200–299. */
  | 'status'
  /** A web page came where an answer of the interface should be: another program has answered. */
  | 'webPage'
  | 'emptyAnswer'
  | 'unreadableAnswer'
  /** The body says that the call failed, whatever the status says. */
  | 'errorInAnswer'
  | 'tooLongAnswer'
  | 'notHttp'
  | 'hostUnknown'
  | 'connectionRefused'
  | 'hostUnreachable'
  | 'certificate'
  | 'proxy'
  | 'connectTimeout'
  | 'connectionLost'
  | 'answerTimeout'
  | 'bodyTimeout'
  | 'callTimeout'
  | 'queueTimeout'
  /** Held back by the desk itself, since the service has asked for fewer calls. */
  | 'paused'
  | 'canceled'
  | 'closed'
  /** Held back by the read-only guard. */
  | 'readOnly'
  /** Held back because it cannot be put into a request. */
  | 'badRequest'
  /** The way to the service is set up wrongly: certificate file, proxy. */
  | 'setup'
  /** A hub that stands by for another one: it passed nothing on. */
  | 'standby'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type ExchangeErrorDetails = {
  kind: ExchangeErrorKind
  fault?: Fault
  method: Method
  /** The endpoint's path below the base address. */
  path: string
  /** One sentence or less, without secrets: what happened. */
  reason: string
  /** Null for a read. */
  outcome: WriteOutcome | null
  /** HTTP status, when there was an answer. */
  status?: number
  /** What the service itself says of it, without secrets. */
  words?: string
  /** How long the service asks to be left alone. */
  retryAfterMs?: number
  /** True where a hub has answered: what it refuses, it refuses itself. */
  isOfHub?: boolean
  /** Whose a hub says the client order id is that an order was to have. */
  idTakenBy?: IdTakenBy | null
}

/**
 * The one error that calls to a service throw. It carries no other error inside, so that nothing secret can ride along.
 */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  readonly kind: ExchangeErrorKind
  readonly fault: Fault | null
  readonly method: Method
  readonly path: string
  readonly reason: string
  readonly outcome: WriteOutcome | null
  readonly status: number | null
  readonly words: string | null
  readonly retryAfterMs: number | null
  readonly isOfHub: boolean
  readonly idTakenBy: IdTakenBy | null

  constructor(details: ExchangeErrorDetails) {
    super(`${details.method} ${details.path}: ${details.reason}`)
    this.kind = details.kind
    this.fault = details.fault ?? null
    this.method = details.method
    this.path = details.path
    this.reason = details.reason
    this.outcome = details.outcome
    this.status = details.status ?? null
    this.words = details.words ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.isOfHub = details.isOfHub ?? false
    this.idTakenBy = details.idTakenBy ?? null
  }
}

/** True for the answer that there is no such order, deposit, withdrawal, symbol or currency. */
export const isNotFound = (error: unknown): boolean => error instanceof ExchangeError && error.kind === 'notFound'

export type HttpAnswer = {
  kind: 'answer'
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** From the first byte sent to the last of the headers. */
  roundTripMs: number
  /** Time of the clock at which the headers were complete. */
  answeredAtMs: number
}

/** A call without a whole answer. `wasSent` is false only when not a byte of the request can have left. */
export type HttpFailure = {
  kind: 'failure'
  fault: Fault
  wasSent: boolean
  reason: string
}

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
    outcome: outcomeOf(endpoint.method, answeredOutcome(endpoint.method, answer)),
    ...(words === null ? {} : { words }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    isOfHub: isOfHub(headers),
    idTakenBy: idTakenBy(headers),
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
  canceled: 'connectivity',
  closed: 'connectivity',
  readOnly: 'rejected',
  badRequest: 'rejected',
  setup: 'connectivity',
  standby: 'connectivity',
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

/** The error of a call that a hub which stands by for another one has not passed on. */
export const errorOfStandby = (endpoint: Endpoint, { headers, answeredAtMs }: HttpAnswer): ExchangeError => {
  const retryAfterMs = readRetryAfterMs(headers['retry-after'], answeredAtMs)
  return new ExchangeError({
    ...endpoint,
    kind: 'connectivity',
    fault: 'standby',
    status: 503,
    reason:
      headers[standbyHeader] === noStoreMark
        ? "this hub's database does not answer, no hub leads"
        : 'this hub stands by for another one',
    outcome: outcomeOf(endpoint.method, 'notSent'),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

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

function answeredOutcome(method: Method, { status, headers }: HttpAnswer): WriteOutcome {
  if (isCancelUnsent(method, headers)) return 'notSent'
  return isRefusal(status) || isHubRefusal(status, headers) ? 'refused' : 'unknown'
}

const outcomeOf = (method: Method, outcome: WriteOutcome): WriteOutcome | null => (method === 'GET' ? null : outcome)

/**
 * Whether a status says for certain that a write had no effect. A time-out that is told with 408, or with the 499 of a
 * server in between, may have come after the request was passed on.
 */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 499

/** A hub that cannot record a write does not pass it on, and says 503; where the outcome is unknown it says 504. */
const isHubRefusal = (status: number, headers: HttpAnswer['headers']): boolean => status === 503 && isOfHub(headers)

function kindOfStatus(status: number): ExchangeErrorKind {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'notFound'
  if (status === 429) return 'rateLimited'
  if (status >= 500 || status === 408 || status === 499) return 'connectivity'
  // A redirect is not followed: it could lead the key to another host.
  return status >= 400 ? 'rejected' : 'protocol'
}

/** Reads Retry-After: seconds, or a date. Undefined when there is none that makes sense. */
export function readRetryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header === 'string' && /^\d{1,6}$/.test(header)) return Number(header) * 1_000
  const atMs = readHttpDateMs(header)
  return atMs === null ? undefined : Math.max(0, atMs - nowMs)
}
