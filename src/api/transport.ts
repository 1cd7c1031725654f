import { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import type { Secret } from '../domain/secret.ts'
import { errorOfAnswer, errorOfFailure } from './answer-error.ts'
import type { BaseAddress } from './base-address.ts'
import { queryText } from './endpoint-path.ts'
import type { ExchangeError, Method } from './exchange-error.ts'
import {
  callOnce,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  type PhaseLimits,
  readOnlyReason,
  totalTimeout,
} from './http-call.ts'
import { type RetryPolicy, retryDelayMs } from './retry.ts'

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
  /** Lets calls under way end, then closes every connection. Calls made later fail as not sent. */
  close(): Promise<void>
}

const defaultLimits: TransportLimits = {
  connectMs: 3_000,
  headersMs: 5_000,
  bodyMs: 5_000,
  totalMs: 10_000,
  bodyMaxBytes: 16 * 1024 * 1024,
}
const defaultRetry: RetryPolicy = { count: 2, baseMs: 200 }

/** Opens connections as calls need them and keeps them alive between calls. */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...defaultLimits, ...options.limits }
  const pool = new Pool(options.base.origin, {
    // More than there are feeds, so that a stalled read never holds up a cancel.
    connections: 32,
    // One request at a time on a connection, and no HTTP/2: either could send a request again that was under way.
    pipelining: 1,
    allowH2: false,
    connectTimeout: limits.connectMs,
    connect: { rejectUnauthorized: true },
  })
  const sender = new Sender(options, limits, pool)
  return {
    send: (request) => sender.send(request),
    close: () => pool.close(),
  }
}

const forbidden: HttpFailure = { kind: 'forbidden', wasSent: false, reason: readOnlyReason }

class Sender {
  readonly #options: TransportOptions
  readonly #limits: TransportLimits
  readonly #retry: RetryPolicy
  readonly #pool: Pool

  constructor(options: TransportOptions, limits: TransportLimits, pool: Pool) {
    this.#options = options
    this.#limits = limits
    this.#retry = { ...defaultRetry, ...options.retry }
    this.#pool = pool
  }

  async send(request: TransportRequest): Promise<string> {
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
    const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
    // The header is cut to whole seconds, and was written about half a round trip before it got here.
    const dateSkewMs = Number.isNaN(date) ? null : Math.round(date + 500 - (answeredAtMs - roundTripMs / 2))
    this.#options.onAnswer?.({ method, path, status, roundTripMs, dateSkewMs })
  }
}
