import type { Dispatcher } from 'undici'
import type { Result } from '../base/result.ts'
import { errorOfFailure } from './answer-error.ts'
import { Attempts, closed, notSent } from './attempts.ts'
import { readOnlyReason, totalTimeout } from './http-call.ts'
import { type RetryPolicy, retryDelayMs } from './retry.ts'
import {
  type CallReading,
  defaultRetry,
  type TransportLimits,
  type TransportOptions,
  type TransportRequest,
} from './transport-options.ts'

const forbidden = notSent('readOnly', readOnlyReason)

/** Sends calls: the guard, attempts of reads until one succeeds, the time of a call as a whole, and the end of all. */
export class Sender {
  readonly #options: TransportOptions
  readonly #totalMs: number
  readonly #retry: RetryPolicy
  readonly #dispatcher: Result<Dispatcher>
  readonly #attempts: Attempts
  readonly #underWay = new Set<Promise<string>>()
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
    this.#underWay.add(sending)
    try {
      return await sending
    } finally {
      this.#underWay.delete(sending)
    }
  }

  rate(): CallReading {
    return { ...this.#attempts.rate(), retryCount: this.#retryCount }
  }

  close(): Promise<void> {
    const end = async () => {
      this.#attempts.turnAway()
      await Promise.allSettled(this.#underWay)
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
      done.abort()
    }
  }
}
