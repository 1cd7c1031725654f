import type { Secret } from '../base/secret.ts'
import { plainText } from '../base/text/plain-text.ts'
import { readHttpDateMs } from '../base/text/time-text.ts'
import type { IdTakenBy } from '../domain/hub/taken-id.ts'
import { readErrorText } from '../wire/message.ts'
import { idTakenBy, isCancelUnsent, isHubPath, isOfHub, noStoreMark, standbyHeader } from './hub-interface.ts'

export type ExchangeErrorKind = 'connectivity' | 'unauthorized' | 'rateLimited' | 'rejected' | 'notFound' | 'protocol'

/**
 * The possible effect of a failed write. `notSent`: no byte of it was sent. `refused`: the service refused it, without
 * effect. `unknown`: it may have taken effect; only looking it up can tell.
 */
export type WriteOutcome = 'notSent' | 'unknown' | 'refused'

/** The exact fault of a call; the key of the table of sentences. */
export type Fault =
  /** A status outside 200–299. */
  | 'status'
  /** A web page instead of an API answer: another program answered. */
  | 'webPage'
  /** A cache on the way answered in place of the service. */
  | 'cached'
  /** Compressed on the way, which was not asked for. */
  | 'compressed'
  | 'emptyAnswer'
  | 'unreadableAnswer'
  /** The body reports an error, whatever the status. */
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
  /** Not sent by the desk, because the service asked for fewer calls. */
  | 'paused'
  | 'canceled'
  | 'closed'
  /** Not sent because of the read-only guard. */
  | 'readOnly'
  /** Not sent by a hub, because another one may lead by now. */
  | 'notLeading'
  /** Not sent because the desk was halted meanwhile. */
  | 'halted'
  /** Not sent because whoever sends it was stopped while it waited for its turn. */
  | 'stopped'
  /** Not sent because it is not a valid request. */
  | 'badRequest'
  /** A misconfigured certificate file or proxy. */
  | 'setup'
  /** A standby hub, which passed nothing on. */
  | 'standby'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type ExchangeErrorDetails = {
  kind: ExchangeErrorKind
  fault?: Fault
  method: Method
  /** The endpoint's path below the base address. */
  path: string
  /** At most one sentence, without secrets: what happened. */
  reason: string
  /** Null for a read. */
  outcome: WriteOutcome | null
  /** HTTP status, when there was an answer. */
  status?: number
  /** The service's own text, without secrets. */
  words?: string
  /** The pause that the service asks for. */
  retryAfterMs?: number
  /** True when a hub answered, so a refusal is the hub's own. */
  isOfHub?: boolean
  /** According to a hub, who already used the order's client order id. */
  idTakenBy?: IdTakenBy | null
}

/** The only error thrown by calls to a service. Contains no other error, so that no secret can be inside. */
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

/** True when the service answered that the order, deposit, withdrawal, symbol or currency does not exist. */
export const isNotFound = (error: unknown): boolean => error instanceof ExchangeError && error.kind === 'notFound'

export type HttpAnswer = {
  kind: 'answer'
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** Time from the first byte sent to the last header received. */
  roundTripMs: number
  /** Desk time when the headers were complete. */
  answeredAtMs: number
}

/** A call without a complete answer. `wasSent` is false only when certainly no byte of the request was sent. */
export type HttpFailure = {
  kind: 'failure'
  fault: Fault
  wasSent: boolean
  reason: string
}

/** What was called; the path without its query. */
export type Endpoint = { method: Method; path: string }

/** Maximum length for a line of the screen. */
const wordsMax = 300

/** The error for an answer with a status outside 200–299. */
export function errorOfAnswer(endpoint: Endpoint, answer: HttpAnswer, key: Secret): ExchangeError {
  const { status, body, headers } = answer
  const retryAfterMs = retryAfterMsOf(answer)
  const text = readErrorText(body)
  // Masked before truncating, because half a key would not be recognized.
  const words = text === null ? null : plainText(key.redact(text).slice(0, wordsMax))
  return new ExchangeError({
    ...endpoint,
    kind: isOfStranger(endpoint, answer, text) ? 'protocol' : kindOfStatus(status),
    fault: 'status',
    status,
    reason: words ?? `the exchange answered ${status}`,
    outcome: outcomeOf(endpoint.method, answeredOutcome(endpoint, answer)),
    ...(words === null ? {} : { words }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    isOfHub: isOfHub(headers),
    idTakenBy: idTakenBy(headers),
  })
}

/** Reads of one thing by its id or name: what is not there is answered with 404, and no body or a sentence. */
const readsOne = /^\/(orders|deposits|withdrawals|l2|l3|tickers|symbols)\/[^/]+$/
/** No body, or as some services write none: `{}`, `null`. */
const saysNothing = /^\s*(null|\{\s*\}|\[\s*\]|"")?\s*$/

/**
 * True for a 404 that says nothing of what was asked for: whoever is on the way answered, as an ingress without its
 * route for a moment, with a page or a text of its own, or in place of a hub.
 */
function isOfStranger({ method, path }: Endpoint, { status, body, headers }: HttpAnswer, text: string | null): boolean {
  if (method !== 'GET' || status !== 404) return false
  return isHubPath(path) ? !isOfHub(headers) : readsOne.test(path) && text === null && !saysNothing.test(body)
}

const kinds: Record<Exclude<Fault, 'status'>, ExchangeErrorKind> = {
  webPage: 'protocol',
  cached: 'protocol',
  compressed: 'protocol',
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
  notLeading: 'rejected',
  halted: 'rejected',
  stopped: 'rejected',
  badRequest: 'rejected',
  setup: 'connectivity',
  standby: 'connectivity',
}

/** The error for a call without a complete answer. */
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

/** The error for a poll that was not sent because the service asked for fewer calls, or a hub refused the token. */
export const errorOfPause = (endpoint: Endpoint, retryAfterMs: number, isTokenRefused: boolean): ExchangeError =>
  new ExchangeError({
    ...endpoint,
    ...(isTokenRefused
      ? { kind: 'unauthorized', reason: 'the hub does not take this token' }
      : { kind: 'rateLimited', reason: 'the exchange has asked for fewer calls' }),
    fault: 'paused',
    outcome: outcomeOf(endpoint.method, 'notSent'),
    retryAfterMs,
  })

/** Why a hub whose database does not answer passes nothing on. */
export const noHubLeads = "this hub's database does not answer, no hub leads"

/** The error for a call that a standby hub did not pass on. */
export const errorOfStandby = (endpoint: Endpoint, answer: HttpAnswer): ExchangeError => {
  const { headers } = answer
  const retryAfterMs = retryAfterMsOf(answer)
  return new ExchangeError({
    ...endpoint,
    kind: 'connectivity',
    fault: 'standby',
    status: 503,
    reason: headers[standbyHeader] === noStoreMark ? noHubLeads : 'this hub stands by for another one',
    outcome: outcomeOf(endpoint.method, 'notSent'),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** The error for an answer that cannot be understood. */
export const errorOfBody = (endpoint: Endpoint, fault: Fault, reason: string): ExchangeError =>
  new ExchangeError({ ...endpoint, kind: 'protocol', fault, reason, outcome: outcomeOf(endpoint.method, 'unknown') })

/**
 * The error for an answer with a success status and an error in its body. The two contradict each other, so a write may
 * have taken effect.
 */
export const errorInAnswer = (endpoint: Endpoint, text: string): ExchangeError => {
  const words = plainText(text).slice(0, wordsMax)
  return new ExchangeError({
    ...endpoint,
    kind: 'protocol',
    fault: 'errorInAnswer',
    reason: words,
    words,
    outcome: outcomeOf(endpoint.method, 'unknown'),
  })
}

function answeredOutcome({ method, path }: Endpoint, { status, headers }: HttpAnswer): WriteOutcome {
  if (isCancelUnsent(method, headers)) return 'notSent'
  // Whoever refuses in place of a hub may have passed it on, and no list of the exchange tells.
  if (isHubPath(path) && !isOfHub(headers)) return 'unknown'
  return isRefusal(status) || isHubRefusal(status, headers) ? 'refused' : 'unknown'
}

const outcomeOf = (method: Method, outcome: WriteOutcome): WriteOutcome | null => (method === 'GET' ? null : outcome)

/**
 * True when a status proves that a write had no effect. A timeout reported as 408, or as 499 by a proxy, may have come
 * after the request was passed on.
 */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 499

/** A hub that cannot record a write does not pass it on and answers 503; an unknown outcome is 504. */
const isHubRefusal = (status: number, headers: HttpAnswer['headers']): boolean => status === 503 && isOfHub(headers)

function kindOfStatus(status: number): ExchangeErrorKind {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'notFound'
  // 418: whoever went on after 429 is shut out for a while, and for longer by each further call.
  if (status === 429 || status === 418) return 'rateLimited'
  if (status >= 500 || status === 408 || status === 499) return 'connectivity'
  // Redirects are not followed, because they could send the key to another host.
  return status >= 400 ? 'rejected' : 'protocol'
}

/**
 * The pause that an answer asks for. A date is of the service's clock, so it is held against the answer's own date: our
 * clock may be minutes off, and a pause that is over is none. `otherwiseMs` counts without one.
 */
export const retryAfterMsOf = (
  { headers, answeredAtMs }: Pick<HttpAnswer, 'headers' | 'answeredAtMs'>,
  otherwiseMs = answeredAtMs,
): number | undefined => readRetryAfterMs(headers['retry-after'], readHttpDateMs(headers.date) ?? otherwiseMs)

/**
 * Reads Retry-After, in seconds or as a date. Undefined when missing or invalid, and for a moment that is over: taken
 * as no pause at all, who has just refused a call would be asked again at once, and by every poll.
 */
export function readRetryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const isSeconds = typeof header === 'string' && /^\d{1,12}$/.test(header)
  const atMs = isSeconds ? nowMs + Number(header) * 1_000 : readHttpDateMs(header)
  return atMs === null || atMs <= nowMs ? undefined : atMs - nowMs
}
