import type { Dispatcher } from 'undici'
import { calledOff } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import type { Secret } from '../base/secret.ts'
import { readHttpDateMs } from '../base/time-text.ts'
import {
  type ExchangeError,
  errorOfAnswer,
  errorOfBody,
  errorOfFailure,
  errorOfPause,
  type Fault,
  type HttpAnswer,
  type HttpFailure,
} from './errors.ts'
import { type CallClass, CallGate, createPollPauses, type RateReading } from './gate.ts'
import { callOnce, type HttpRequest, isWebPage, readOnlyReason, totalTimeout } from './http-call.ts'
import { createSkewEstimator } from './skew-estimator.ts'
import {
  type CallReading,
  defaultInFlightMost,
  defaultLimits,
  defaultRate,
  defaultRetry,
  openDispatcher,
  type RetryPolicy,
  type Transport,
  type TransportLimits,
  type TransportOptions,
  type TransportRequest,
} from './transport.ts'

export type { RateLimits, RateReading } from './gate.ts'
export type {
  AnswerReport,
  CallReading,
  ReadPriority,
  Transport,
  TransportLimits,
  TransportOptions,
  TransportRequest,
} from './transport.ts'

/**
 * Opens connections as calls need them and keeps them alive between calls. With a certificate file or a proxy that is
 * not usable, every call fails with the sentence that says so, and nothing is sent.
 */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...defaultLimits, ...options.limits }
  return new Sender(options, limits, openDispatcher(options, limits.connectMs))
}

/** A failure of which not a byte has left. */
const notSent = (fault: Fault, reason: string): HttpFailure => ({
  kind: 'failure',
  fault,
  wasSent: false,
  reason,
})
const closed = notSent('closed', 'the desk has closed its connections')
const canceled = notSent('canceled', 'the call was canceled')

/** Single attempts of calls: each waits for its turn, goes out once, and is reported. */
class Attempts {
  readonly #options: TransportOptions
  readonly #limits: TransportLimits
  readonly #dispatcher: Result<Dispatcher>
  readonly #gate: CallGate
  readonly #pauses: ReturnType<typeof createPollPauses>
  readonly #skew = createSkewEstimator()

  constructor(options: TransportOptions, limits: TransportLimits, dispatcher: Result<Dispatcher>) {
    this.#options = options
    this.#limits = limits
    this.#dispatcher = dispatcher
    this.#gate = new CallGate(options.clock, {
      inFlightMost: options.inFlightMost ?? defaultInFlightMost,
      rate: { ...defaultRate, ...options.rate },
      queueMs: limits.queueMs,
      pauseWaitedMs: limits.totalMs,
    })
    this.#pauses = createPollPauses(options.random, this.#gate)
  }

  rate(): RateReading {
    return this.#gate.reading()
  }

  /** The read-only guard: everything but GET needs leave. */
  maySend({ method }: TransportRequest): boolean {
    return method === 'GET' || this.#options.mayWrite()
  }

  /** Gives the body of a good answer, or the error. `begin` is called when the turn has come. Never rejects. */
  async make(request: TransportRequest, signal: AbortSignal, begin: () => void): Promise<string | ExchangeError> {
    const admission = await this.#gate.enter(classOf(request), signal)
    switch (admission.kind) {
      case 'canceled':
        return errorOfFailure(request, signal.reason === totalTimeout ? this.#waited('callTimeout') : canceled)
      case 'closed':
        return errorOfFailure(request, closed)
      case 'waitedTooLong':
        return errorOfFailure(request, this.#waited('queueTimeout'))
      case 'paused':
        return errorOfPause(request, admission.forMs)
      case 'admitted':
        begin()
        try {
          return await this.#call(request, signal)
        } finally {
          admission.leave()
        }
    }
  }

  /** Turns away all who wait for their turn, and who come later. */
  turnAway(): void {
    this.#gate.close()
  }

  #waited(fault: Fault): HttpFailure {
    return notSent(fault, `timed out in the call queue with ${this.rate().waiting} calls waiting`)
  }

  async #call(request: TransportRequest, signal: AbortSignal): Promise<string | ExchangeError> {
    const { key, clock } = this.#options
    if (!this.#dispatcher.ok) return errorOfFailure(request, notSent('setup', this.#dispatcher.error))
    const mark = this.#pauses.mark()
    const result = await callOnce(this.#dispatcher.value, httpRequest(this.#options, request), {
      limits: this.#limits,
      bodyMaxBytes: this.#limits.bodyMaxBytes,
      clock,
      signal,
      maySend: () => this.maySend(request),
    })
    if (result.kind !== 'answer') return errorOfFailure(request, result)
    this.#report(request, result)
    if (result.status < 200 || result.status >= 300) {
      const error = errorOfAnswer(request, result, key)
      if (result.status === 429) this.#pauses.refused(error.retryAfterMs)
      return error
    }
    if (isWebPage(result)) return errorOfBody(request, 'webPage', 'the answer is a web page')
    this.#pauses.answered(mark)
    return withoutKey(result.body, key)
  }

  #report({ method, path }: TransportRequest, { status, headers, roundTripMs, answeredAtMs }: HttpAnswer): void {
    const dateMs = readHttpDateMs(headers.date)
    const sentAtMs = answeredAtMs - roundTripMs
    if (dateMs !== null) this.#skew.add({ dateMs, sentAtMs, receivedAtMs: answeredAtMs })
    this.#options.onAnswer?.({ method, path, status, roundTripMs, skew: this.#skew.reading(answeredAtMs) })
  }
}

const classOf = ({ method, priority }: TransportRequest): CallClass =>
  method === 'GET' ? (priority ?? 'poll') : 'write'

function httpRequest(options: TransportOptions, { method, path, query, body }: TransportRequest): HttpRequest {
  const { base, key, keyHeader } = options
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'pitdesk' }
  headers[keyHeader] = key.reveal()
  // A content type without content is refused by some servers.
  if (body !== undefined) headers['content-type'] = 'application/json'
  const { origin, pathPrefix } = base
  return { origin, method, path: pathPrefix + path + queryText(query ?? {}), headers, body: body ?? null }
}

/** A service that sends the key back is not to bring it on screen. A very short key may stand in any text by chance. */
const withoutKey = (body: string, key: Secret): string => (key.reveal().length < 16 ? body : key.redact(body))

/** `?a=1&b=2`, or nothing when every field is null. */
export function queryText(query: Readonly<Record<string, string | number | null>>): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) fields.append(name, value.toString())
  }
  return fields.size === 0 ? '' : `?${fields}`
}

const forbidden = notSent('readOnly', readOnlyReason)

/** Sends calls: the guard, attempts of reads until one succeeds, the time of a call as a whole, and the end of all. */
class Sender implements Transport {
  readonly #options: TransportOptions
  readonly #totalMs: number
  readonly #retry: RetryPolicy
  readonly #dispatcher: Result<Dispatcher>
  readonly #attempts: Attempts
  readonly #inFlight = new Set<Promise<string>>()
  #closing: Promise<void> | null = null
  #retryCount = 0

  constructor(options: TransportOptions, limits: TransportLimits, dispatcher: Result<Dispatcher>) {
    this.#options = options
    this.#totalMs = limits.totalMs
    this.#retry = { ...defaultRetry, ...options.retry }
    this.#dispatcher = dispatcher
    this.#attempts = new Attempts(options, limits, dispatcher)
  }

  async send(asked: TransportRequest): Promise<string> {
    // What is checked is what is sent, whatever becomes of the caller's object meanwhile.
    const request = { ...asked }
    if (this.#closing !== null) throw errorOfFailure(request, closed)
    const sending = this.#sendChecked(request)
    this.#inFlight.add(sending)
    try {
      return await sending
    } finally {
      this.#inFlight.delete(sending)
    }
  }

  rate(): CallReading {
    return { ...this.#attempts.rate(), retryCount: this.#retryCount }
  }

  close(): Promise<void> {
    const end = async () => {
      this.#attempts.turnAway()
      await Promise.allSettled(this.#inFlight)
      if (this.#dispatcher.ok) await this.#dispatcher.value.destroy()
    }
    this.#closing ??= end()
    return this.#closing
  }

  /** Until the caller's own signal. */
  async #sendChecked(request: TransportRequest): Promise<string> {
    if (!this.#attempts.maySend(request)) throw errorOfFailure(request, forbidden)
    const end = new AbortController()
    const stop = () => end.abort()
    if (request.signal?.aborted) stop()
    request.signal?.addEventListener('abort', stop, { once: true })
    try {
      return await this.#sendWithRetries(request, end)
    } finally {
      request.signal?.removeEventListener('abort', stop)
    }
  }

  /** Within the time a call may take as a whole, which begins with its first turn. */
  async #sendWithRetries(request: TransportRequest, end: AbortController): Promise<string> {
    const { clock, random } = this.#options
    const done = new AbortController()
    const deadline = { atMs: Number.POSITIVE_INFINITY }
    const begin = () => {
      if (Number.isFinite(deadline.atMs)) return
      deadline.atMs = clock.now() + this.#totalMs
      void clock.sleep(this.#totalMs, done.signal).then(() => end.abort(totalTimeout))
    }
    try {
      for (let retriesMade = 0; ; retriesMade++) {
        const result = await this.#attempts.make(request, end.signal, begin)
        if (typeof result === 'string') return result
        const delayMs = retryDelayMs(result, retriesMade, this.#retry, random)
        if (delayMs === null || end.signal.aborted || clock.now() + delayMs >= deadline.atMs) throw result
        await clock.sleep(delayMs, end.signal)
        if (end.signal.aborted) throw result
        this.#retryCount += 1
      }
    } finally {
      done.abort(calledOff)
    }
  }
}

/** Failures that are the same a moment later, or that are meant. */
const lasting: readonly (Fault | null)[] = [
  'certificate',
  'setup',
  'canceled',
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
