import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import type { Fault } from './exchange-error.ts'
import { describeNetworkError } from './network-error.ts'

export type HttpRequest = {
  /** `https://host:port` */
  origin: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body: string | null
}

/** Each phase's own limit in ms: until the request can be written, from there to the headers, from there to the end. */
export type PhaseLimits = { connectMs: number; headersMs: number; bodyMs: number }

export type CallOptions = {
  limits: PhaseLimits
  bodyMaxBytes: number
  clock: Clock
  signal: AbortSignal
  /** Asked at the last moment before the first byte is written. */
  maySend: () => boolean
}

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

/** Why the guard held a call back. */
export const readOnlyReason = 'the desk may only read now: nothing was sent'

/** Why a call's signal was aborted, when it was for the time the call took as a whole. */
export const totalTimeout = Symbol('total timeout')

/** Makes one call, once, without following redirects. Never rejects. */
export function callOnce(
  dispatcher: Dispatcher,
  request: HttpRequest,
  options: CallOptions,
): Promise<HttpAnswer | HttpFailure> {
  return new Promise((resolve) => new Call(options, resolve).start(dispatcher, request))
}

/** A reason of its own: without one, each end of a phase would make an error with the stack of its place. */
const phaseOver = Symbol('phase over')

type Phase = 'connection' | 'answer' | 'whole answer'
const timeouts: Record<Phase, Fault> = {
  connection: 'connectTimeout',
  answer: 'answerTimeout',
  'whole answer': 'bodyTimeout',
}

/** Told by undici how a request goes: the only way to know for certain whether it was put on the wire. */
class Call implements Dispatcher.DispatchHandler {
  readonly #options: CallOptions
  readonly #resolve: (result: HttpAnswer | HttpFailure) => void
  #isSettled = false
  #wasSent = false
  #sentAtMs = 0
  #startedAtMs = 0
  #phaseEnd = new AbortController()
  #controller: Dispatcher.DispatchController | null = null
  #head: Omit<HttpAnswer, 'kind' | 'body'> | null = null
  #chunks: Buffer[] = []
  #byteCount = 0

  constructor(options: CallOptions, resolve: (result: HttpAnswer | HttpFailure) => void) {
    this.#options = options
    this.#resolve = resolve
  }

  start(dispatcher: Dispatcher, request: HttpRequest): void {
    const { signal, limits } = this.#options
    if (signal.aborted) {
      this.#abort()
      return
    }
    signal.addEventListener('abort', this.#abort, { once: true })
    this.#startedAtMs = this.#options.clock.now()
    this.#enter('connection', limits.connectMs)
    // The limits are kept by our own clock; undici's own timers stay off.
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(new Error('ended before it was sent'))
    // Should a later undici start a request again by itself: what was sent once is not sent twice.
    else if (this.#wasSent) this.#fail('connectionLost', 'the connection was lost')
    else if (this.#isLate()) this.#timedOut('connection', this.#options.limits.connectMs)
    else if (!this.#options.maySend()) this.#fail('readOnly', readOnlyReason)
    else {
      this.#wasSent = true
      this.#sentAtMs = this.#options.clock.now()
      this.#enter('answer', this.#options.limits.headersMs)
    }
  }

  /** After a stop of the process everything is overdue at once, and the connection may come before its limit does. */
  #isLate(): boolean {
    return this.#options.clock.now() - this.#startedAtMs > this.#options.limits.connectMs
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    if (status < 200) return
    const answeredAtMs = this.#options.clock.now()
    this.#head = { status, headers, answeredAtMs, roundTripMs: Math.max(0, answeredAtMs - this.#sentAtMs) }
    this.#enter('whole answer', this.#options.limits.bodyMs)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#byteCount += chunk.length
    if (this.#byteCount <= this.#options.bodyMaxBytes) this.#chunks.push(chunk)
    else this.#fail('tooLongAnswer', `the answer is longer than ${this.#options.bodyMaxBytes} bytes`)
  }

  onResponseEnd(): void {
    if (this.#head === null) this.#fail('notHttp', 'the answer has no status')
    else this.#settle({ kind: 'answer', ...this.#head, body: new TextDecoder().decode(Buffer.concat(this.#chunks)) })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { fault, reason } = describeNetworkError(error)
    this.#fail(fault, reason)
  }

  #abort = (): void => {
    if (this.#options.signal.reason === totalTimeout) this.#fail('callTimeout', 'no answer in the time a call may take')
    else this.#fail('cancelled', 'the call was cancelled')
  }

  #enter(phase: Phase, limitMs: number): void {
    this.#phaseEnd.abort(phaseOver)
    const end = new AbortController()
    this.#phaseEnd = end
    void this.#options.clock.sleep(limitMs, end.signal).then(() => {
      if (!end.signal.aborted) this.#timedOut(phase, limitMs)
    })
  }

  #timedOut(phase: Phase, limitMs: number): void {
    this.#fail(timeouts[phase], `no ${phase} within ${limitMs} ms`)
  }

  #fail(fault: Fault, reason: string): void {
    if (this.#isSettled) return
    this.#settle({ kind: 'failure', fault, wasSent: this.#wasSent, reason })
    this.#controller?.abort(new Error(reason))
  }

  #settle(result: HttpAnswer | HttpFailure): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#chunks = []
    this.#phaseEnd.abort(phaseOver)
    this.#options.signal.removeEventListener('abort', this.#abort)
    this.#resolve(result)
  }
}
