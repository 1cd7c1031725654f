import type { Dispatcher } from 'undici'
import { readHttpDateMs } from '../base/http-date.ts'
import type { Result } from '../base/result.ts'
import type { Secret } from '../base/secret.ts'
import { errorOfAnswer, errorOfBody, errorOfFailure, errorOfPause } from './answer-error.ts'
import type { CallClass } from './call-budget.ts'
import { CallGate, type RateReading } from './call-gate.ts'
import { queryText } from './endpoint-path.ts'
import type { ExchangeError, Fault } from './exchange-error.ts'
import { callOnce, type HttpAnswer, type HttpFailure, type HttpRequest, totalTimeout } from './http-call.ts'
import { createPollPauses } from './poll-pauses.ts'
import { createSkewEstimator } from './skew-estimator.ts'
import {
  defaultInFlightMost,
  defaultRate,
  type TransportLimits,
  type TransportOptions,
  type TransportRequest,
} from './transport-options.ts'
import { isWebPage } from './web-page.ts'

/** A failure of which not a byte has left. */
export const notSent = (fault: Fault, reason: string): HttpFailure => ({
  kind: 'failure',
  fault,
  wasSent: false,
  reason,
})
export const closed = notSent('closed', 'the desk has closed its connections')
const cancelled = notSent('cancelled', 'the call was cancelled')

/** Single attempts of calls: each waits for its turn, goes out once, and is reported. */
export class Attempts {
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

  /** Turns away all who wait for their turn, and who come later. */
  turnAway(): void {
    this.#gate.close()
  }

  #waited(fault: Fault): HttpFailure {
    return notSent(fault, `its turn did not come, with ${this.rate().waiting} calls waiting`)
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
