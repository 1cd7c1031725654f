import type { Dispatcher } from 'undici'
import type { Result } from '../domain/result.ts'
import type { Secret } from '../domain/secret.ts'
import { errorOfAnswer, errorOfBody, errorOfFailure, errorOfPause } from './answer-error.ts'
import type { CallClass } from './call-budget.ts'
import { CallGate, type RateReading } from './call-gate.ts'
import { queryText } from './endpoint-path.ts'
import type { ExchangeError, Fault } from './exchange-error.ts'
import {
  callOnce,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  readOnlyReason,
  totalTimeout,
} from './http-call.ts'
import { readHttpDateMs } from './http-date.ts'
import { createPollPauses } from './poll-pauses.ts'
import { type RetryPolicy, retryDelayMs } from './retry.ts'
import { createSkewEstimator } from './skew-estimator.ts'
import {
  defaultInFlightMost,
  defaultRate,
  defaultRetry,
  type TransportLimits,
  type TransportOptions,
  type TransportRequest,
} from './transport-options.ts'
import { isWebPage } from './web-page.ts'

const notSent = (fault: Fault, reason: string): HttpFailure => ({ kind: 'failure', fault, wasSent: false, reason })
const forbidden = notSent('readOnly', readOnlyReason)
const closed = notSent('closed', 'the desk has closed its connections')
const cancelled = notSent('cancelled', 'the call was cancelled')

/** Sends calls: guard, gate, limits, retries of reads, reports. */
export class Sender {
  readonly #options: TransportOptions
  readonly #limits: TransportLimits
  readonly #retry: RetryPolicy
  readonly #dispatcher: Result<Dispatcher>
  readonly #gate: CallGate
  readonly #pauses: ReturnType<typeof createPollPauses>
  readonly #skew = createSkewEstimator()
  readonly #underWay = new Set<Promise<string>>()
  #closing: Promise<void> | null = null

  constructor(options: TransportOptions, limits: TransportLimits, dispatcher: Result<Dispatcher>) {
    this.#options = options
    this.#limits = limits
    this.#retry = { ...defaultRetry, ...options.retry }
    this.#dispatcher = dispatcher
    this.#gate = new CallGate(options.clock, {
      inFlightMost: options.inFlightMost ?? defaultInFlightMost,
      rate: { ...defaultRate, ...options.rate },
      queueMs: limits.queueMs,
      pauseWaitedMs: limits.totalMs,
    })
    this.#pauses = createPollPauses(options.random, (ms) => this.#gate.pausePolls(ms))
  }

  async send(asked: TransportRequest): Promise<string> {
    // What is checked is what is sent, whatever becomes of the caller's object meanwhile.
    const request = { ...asked }
    if (this.#closing !== null) throw errorOfFailure(request, closed)
    const sending = this.#sendInTurn(request)
    this.#underWay.add(sending)
    try {
      return await sending
    } finally {
      this.#underWay.delete(sending)
    }
  }

  rate(): RateReading {
    return this.#gate.reading()
  }

  close(): Promise<void> {
    const end = async () => {
      this.#gate.close()
      await Promise.allSettled(this.#underWay)
      if (this.#dispatcher.ok) await this.#dispatcher.value.destroy()
    }
    this.#closing ??= end()
    return this.#closing
  }

  async #sendInTurn(request: TransportRequest): Promise<string> {
    const end = new AbortController()
    const stop = () => end.abort()
    if (request.signal?.aborted) stop()
    request.signal?.addEventListener('abort', stop, { once: true })
    try {
      if (!this.#maySend(request)) throw errorOfFailure(request, forbidden)
      return await this.#sendWithRetries(request, end)
    } finally {
      request.signal?.removeEventListener('abort', stop)
    }
  }

  #maySend({ method }: TransportRequest): boolean {
    return method === 'GET' || this.#options.mayWrite()
  }

  /** Within the time a call may take as a whole, which begins with its first turn, and until the caller's own signal. */
  async #sendWithRetries(request: TransportRequest, end: AbortController): Promise<string> {
    const { clock, random } = this.#options
    const done = new AbortController()
    const deadline = { atMs: Number.POSITIVE_INFINITY }
    const begin = () => {
      if (deadline.atMs !== Number.POSITIVE_INFINITY) return
      deadline.atMs = clock.now() + this.#limits.totalMs
      void clock.sleep(this.#limits.totalMs, done.signal).then(() => end.abort(totalTimeout))
    }
    try {
      for (let retriesMade = 0; ; retriesMade++) {
        const result = await this.#sendOnce(request, end.signal, begin)
        if (typeof result === 'string') return result
        const delayMs = retryDelayMs(result, retriesMade, this.#retry, random)
        if (delayMs === null || end.signal.aborted || clock.now() + delayMs >= deadline.atMs) throw result
        await clock.sleep(delayMs, end.signal)
        if (end.signal.aborted) throw result
      }
    } finally {
      done.abort()
    }
  }

  /** One attempt: waits for its turn, is told by `begin` that it has come, and gives its place back whatever happens. */
  async #sendOnce(request: TransportRequest, signal: AbortSignal, begin: () => void): Promise<string | ExchangeError> {
    const admission = await this.#gate.enter(classOf(request), signal)
    switch (admission.kind) {
      case 'cancelled':
        return errorOfFailure(request, signal.reason === totalTimeout ? this.#waited('callTimeout') : cancelled)
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

  #waited(fault: Fault): HttpFailure {
    return notSent(fault, `its turn did not come, with ${this.rate().waiting} calls waiting`)
  }

  async #call(request: TransportRequest, signal: AbortSignal): Promise<string | ExchangeError> {
    const { key, clock } = this.#options
    if (!this.#dispatcher.ok) return errorOfFailure(request, notSent('setup', this.#dispatcher.error))
    const result = await callOnce(this.#dispatcher.value, this.#httpRequest(request), {
      limits: this.#limits,
      bodyMaxBytes: this.#limits.bodyMaxBytes,
      clock,
      signal,
      maySend: () => this.#maySend(request),
    })
    if (result.kind !== 'answer') return errorOfFailure(request, result)
    this.#report(request, result)
    if (result.status < 200 || result.status >= 300) {
      const error = errorOfAnswer(request, result, key)
      if (result.status === 429) this.#pauses.refused(error.retryAfterMs)
      return error
    }
    this.#pauses.answered()
    if (isWebPage(result)) return errorOfBody(request, 'webPage', 'the answer is a web page')
    return withoutKey(result.body, key)
  }

  #httpRequest({ method, path, query, body }: TransportRequest): HttpRequest {
    const { base, key, keyHeader } = this.#options
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'pitdesk' }
    headers[keyHeader] = key.reveal()
    // A content type without content is refused by some servers.
    if (body !== undefined) headers['content-type'] = 'application/json'
    const { origin, pathPrefix } = base
    return { origin, method, path: pathPrefix + path + queryText(query ?? {}), headers, body: body ?? null }
  }

  #report({ method, path }: TransportRequest, { status, headers, roundTripMs, answeredAtMs }: HttpAnswer): void {
    const dateMs = readHttpDateMs(headers.date)
    const sentAtMs = answeredAtMs - roundTripMs
    if (dateMs !== null) this.#skew.add({ dateMs, sentAtMs, receivedAtMs: answeredAtMs })
    this.#options.onAnswer?.({ method, path, status, roundTripMs, skew: this.#skew.reading(answeredAtMs) })
  }
}

/** A service that sends the key back is not to bring it on screen. A very short key may stand in any text by chance. */
const withoutKey = (body: string, key: Secret): string => (key.reveal().length < 16 ? body : key.redact(body))

const classOf = ({ method, priority }: TransportRequest): CallClass =>
  method === 'GET' ? (priority ?? 'poll') : 'write'
