import type { Pool } from 'undici'
import { errorOfAnswer, errorOfFailure } from './answer-error.ts'
import { queryText } from './endpoint-path.ts'
import type { ExchangeError } from './exchange-error.ts'
import {
  callOnce,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  readOnlyReason,
  totalTimeout,
} from './http-call.ts'
import { readHttpDateMs } from './http-date.ts'
import { type RetryPolicy, retryDelayMs } from './retry.ts'
import {
  defaultRetry,
  type TransportLimits,
  type TransportOptions,
  type TransportRequest,
} from './transport-options.ts'

const forbidden: HttpFailure = { kind: 'forbidden', wasSent: false, reason: readOnlyReason }

const closed: HttpFailure = { kind: 'aborted', wasSent: false, reason: 'the desk has closed its connections' }

/** Sends calls through a pool of connections: guard, limits, retries of reads, reports. */
export class Sender {
  readonly #options: TransportOptions
  readonly #limits: TransportLimits
  readonly #retry: RetryPolicy
  readonly #pool: Pool
  readonly #underWay = new Set<Promise<string>>()
  #closing: Promise<void> | null = null

  constructor(options: TransportOptions, limits: TransportLimits, pool: Pool) {
    this.#options = options
    this.#limits = limits
    this.#retry = { ...defaultRetry, ...options.retry }
    this.#pool = pool
  }

  async send(request: TransportRequest): Promise<string> {
    if (this.#closing !== null) throw errorOfFailure(request, closed)
    const sending = this.#sendWithin(request)
    this.#underWay.add(sending)
    try {
      return await sending
    } finally {
      this.#underWay.delete(sending)
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#pool.destroy())
    return this.#closing
  }

  /** Within the time a call may take as a whole, and until the caller's own signal. */
  async #sendWithin(request: TransportRequest): Promise<string> {
    const { clock } = this.#options
    const end = new AbortController()
    const done = new AbortController()
    const stop = () => end.abort()
    if (request.signal?.aborted) stop()
    request.signal?.addEventListener('abort', stop, { once: true })
    void clock.sleep(this.#limits.totalMs, done.signal).then(() => end.abort(totalTimeout))
    try {
      return await this.#sendWithRetries(request, end.signal)
    } finally {
      done.abort()
      request.signal?.removeEventListener('abort', stop)
    }
  }

  async #sendWithRetries(request: TransportRequest, signal: AbortSignal): Promise<string> {
    const { clock, random } = this.#options
    const deadlineMs = clock.now() + this.#limits.totalMs
    for (let retriesMade = 0; ; retriesMade++) {
      const result = await this.#sendOnce(request, signal)
      if (typeof result === 'string') return result
      const delayMs = retryDelayMs(result, retriesMade, this.#retry, random)
      if (delayMs === null || signal.aborted || clock.now() + delayMs >= deadlineMs) throw result
      await clock.sleep(delayMs, signal)
      if (signal.aborted) throw result
    }
  }

  async #sendOnce(request: TransportRequest, signal: AbortSignal): Promise<string | ExchangeError> {
    const { key, clock, mayWrite } = this.#options
    const maySend = () => request.method === 'GET' || mayWrite()
    if (!maySend()) return errorOfFailure(request, forbidden)
    const result = await callOnce(this.#pool, this.#httpRequest(request), {
      limits: this.#limits,
      bodyMaxBytes: this.#limits.bodyMaxBytes,
      clock,
      signal,
      maySend,
    })
    if (result.kind !== 'answer') return errorOfFailure(request, result)
    this.#report(request, result)
    const isGood = result.status >= 200 && result.status < 300
    return isGood ? result.body : errorOfAnswer(request, result, key)
  }

  #httpRequest({ method, path, query, body }: TransportRequest): HttpRequest {
    const { base, key, keyHeader } = this.#options
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'pitdesk' }
    headers[keyHeader] = key.reveal()
    // A content type without content is refused by some servers.
    if (body !== undefined) headers['content-type'] = 'application/json'
    return { method, path: base.pathPrefix + path + queryText(query ?? {}), headers, body: body ?? null }
  }

  #report({ method, path }: TransportRequest, { status, headers, roundTripMs, answeredAtMs }: HttpAnswer): void {
    const dateMs = readHttpDateMs(headers.date)
    // The header is cut to whole seconds, and was written about half a round trip before it got here.
    const dateSkewMs = dateMs === null ? null : Math.round(dateMs + 500 - (answeredAtMs - roundTripMs / 2))
    this.#options.onAnswer?.({ method, path, status, roundTripMs, dateSkewMs })
  }
}
