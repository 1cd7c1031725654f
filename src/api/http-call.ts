import type { Dispatcher } from 'undici'
import { type Clock, SleepEnd } from '../base/clock.ts'
import { GatheredBytes } from '../base/gathered-bytes.ts'
import { fewInterimAnswers } from '../base/net/interim-answers.ts'
import { errorCode } from '../base/text/error-text.ts'
import type { Fault, HttpAnswer, HttpFailure, Method } from './errors.ts'

export type HttpRequest = {
  /** `https://host:port` */
  origin: string
  method: Method
  path: string
  headers: Record<string, string>
  body: string | null
}

/** Limit of each phase in ms: until the request can be written, then until the headers, then until the end. */
export type PhaseLimits = { connectMs: number; headersMs: number; bodyMs: number }

export type CallOptions = {
  limits: PhaseLimits
  bodyMaxBytes: number
  /** True: a longer body is truncated and the answer counts. False: it is a failure. */
  cutsBody?: boolean
  clock: Clock
  signal: AbortSignal
  /** Called right before the first byte is written: why the call is not to be sent after all, or null. */
  heldBack: () => HttpFailure | null
}

/** A failure before any byte was sent. */
export const notSent = (fault: Fault, reason: string): HttpFailure => ({
  kind: 'failure',
  fault,
  wasSent: false,
  reason,
})

/** Abort reason of a call's signal for the time limit of the whole call. */
export const totalTimeout = Symbol('total timeout')

/** Makes one call, once, without following redirects. Never rejects. */
export function callOnce(
  dispatcher: Dispatcher,
  request: HttpRequest,
  options: CallOptions,
): Promise<HttpAnswer | HttpFailure> {
  return new Promise((resolve) => new Call(options, resolve).start(dispatcher, request))
}

type Phase = 'connection' | 'answer' | 'whole answer'
const timeouts: Record<Phase, Fault> = {
  connection: 'connectTimeout',
  answer: 'answerTimeout',
  'whole answer': 'bodyTimeout',
}

/** Receives undici's request events, the only way to know for certain whether a request was written to the network. */
class Call implements Dispatcher.DispatchHandler {
  readonly #options: CallOptions
  readonly #resolve: (result: HttpAnswer | HttpFailure) => void
  #isSettled = false
  #wasSent = false
  #sentAtMs = 0
  #startedAtMs = 0
  #phaseEnd = new SleepEnd()
  #controller: Dispatcher.DispatchController | null = null
  #head: Omit<HttpAnswer, 'kind' | 'body'> | null = null
  #body = new GatheredBytes()
  readonly #tookInterim = fewInterimAnswers()

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
    // Our own clock enforces the limits; undici's timers are off.
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(new Error('ended before it was sent'))
    // If a later undici version restarts a request itself, a request that was sent must not be sent twice.
    else if (this.#wasSent) this.#fail('connectionLost', 'the connection was lost')
    else if (this.#isLate()) this.#timedOut('connection', this.#options.limits.connectMs)
    else {
      const held = this.#options.heldBack()
      if (held !== null) {
        this.#fail(held.fault, held.reason)
        return
      }
      this.#wasSent = true
      this.#sentAtMs = this.#options.clock.now()
      this.#enter('answer', this.#options.limits.headersMs)
    }
  }

  /**
   * After the process was stopped, all deadlines are overdue at once, and the connection may be reported before its
   * timeout.
   */
  #isLate(): boolean {
    return this.#options.clock.now() - this.#startedAtMs > this.#options.limits.connectMs
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    if (status < 200) {
      this.#tookInterim()
      return
    }
    const answeredAtMs = this.#options.clock.now()
    this.#head = { status, headers, answeredAtMs, roundTripMs: Math.max(0, answeredAtMs - this.#sentAtMs) }
    this.#enter('whole answer', this.#options.limits.bodyMs)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const isAll = this.#body.length + chunk.length <= this.#options.bodyMaxBytes
    if (isAll) this.#body.add(chunk)
    if (this.#body.isCrumbled) this.#fail('notHttp', 'the answer comes in too many tiny pieces')
    else if (isAll) return
    else if (this.#options.cutsBody === true) {
      this.onResponseEnd()
      controller.abort(new Error('the rest is not read'))
    } else this.#fail('tooLongAnswer', `the answer is longer than ${this.#options.bodyMaxBytes} bytes`)
  }

  onResponseEnd(): void {
    if (this.#head === null) this.#fail('notHttp', 'the answer has no status')
    else this.#settle({ kind: 'answer', ...this.#head, body: new TextDecoder().decode(this.#body.whole()) })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { fault, reason } = describeNetworkError(error)
    this.#fail(fault, reason)
  }

  #abort = (): void => {
    if (this.#options.signal.reason === totalTimeout) this.#fail('callTimeout', 'no answer in the time a call may take')
    else this.#fail('canceled', 'the call was canceled')
  }

  #enter(phase: Phase, limitMs: number): void {
    this.#phaseEnd.abort()
    const end = new SleepEnd()
    this.#phaseEnd = end
    void this.#options.clock.sleep(limitMs, end).then(() => {
      if (!end.aborted) this.#timedOut(phase, limitMs)
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
    this.#body = new GatheredBytes()
    this.#phaseEnd.abort()
    this.#options.signal.removeEventListener('abort', this.#abort)
    this.#resolve(result)
  }
}

/**
 * True when the answer is a page for a browser: it comes from a proxy, a login page or a wrong address, and a status of
 * 200 says nothing about the call. Nothing is no page: some servers name a type where an answer has no body.
 */
export function isWebPage({ headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): boolean {
  if (body === '') return false
  const type = headers['content-type']
  return /^\s*(text\/html|application\/xhtml)/i.test(String(type ?? '')) || /^[\s\ufeff]*</.test(body)
}

/**
 * The encoding of an answer that was compressed although that was not asked for; null for one that can be read, and for
 * an empty one.
 */
export function foreignEncoding({ headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): string | null {
  const encoding = String(headers['content-encoding'] ?? '').trim()
  if (body === '' || encoding === '' || /^identity$/i.test(encoding)) return null
  return /^[\w-]{1,20}$/.test(encoding) ? encoding.toLowerCase() : 'unknown encoding'
}

export type NetworkFailure = { fault: Fault; reason: string }

const lost: NetworkFailure = { fault: 'connectionLost', reason: 'the connection was closed by the other side' }
const noConnection: NetworkFailure = { fault: 'connectTimeout', reason: 'no connection in time' }
const notTrusted: NetworkFailure = { fault: 'certificate', reason: 'the certificate has an untrusted issuer' }

const failures: Record<string, NetworkFailure> = {
  ECONNREFUSED: { fault: 'connectionRefused', reason: 'the connection was refused' },
  ECONNRESET: { fault: 'connectionLost', reason: 'the connection was reset' },
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { fault: 'connectionLost', reason: 'the answer broke off' },
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  ETIMEDOUT: noConnection,
  ENOTFOUND: { fault: 'hostUnknown', reason: 'the host name is not known' },
  EAI_AGAIN: { fault: 'hostUnknown', reason: 'the host name could not be looked up' },
  EHOSTUNREACH: { fault: 'hostUnreachable', reason: 'the host cannot be reached' },
  ENETUNREACH: { fault: 'hostUnreachable', reason: 'the network cannot be reached' },
  UND_ERR_CLOSED: { fault: 'closed', reason: 'the desk is closing its connections' },
  UND_ERR_DESTROYED: { fault: 'closed', reason: 'the desk has closed its connections' },
  UND_ERR_HEADERS_OVERFLOW: { fault: 'notHttp', reason: 'the headers of the answer are too long' },
  ERR_INTERIM_FLOOD: { fault: 'notHttp', reason: 'interim answers (1xx) without end' },
  UND_ERR_INVALID_ARG: { fault: 'badRequest', reason: 'the call cannot be put into a request' },
  UND_ERR_PRX_CONN: { fault: 'proxy', reason: 'the proxy closed the connection' },
  UND_ERR_PRX_TLS: { fault: 'proxy', reason: 'the certificate of the proxy is for another host' },
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_HAS_EXPIRED: { fault: 'certificate', reason: 'the certificate has expired' },
  CERT_NOT_YET_VALID: { fault: 'certificate', reason: 'the certificate is not valid yet' },
  CERT_REVOKED: { fault: 'certificate', reason: 'the certificate has been revoked' },
  ERR_TLS_CERT_ALTNAME_INVALID: { fault: 'certificate', reason: 'the certificate is for another host' },
}

/** Node's names for all that a check of certificates can find; UNSPECIFIED is for those it has no name for. */
const certificateCode =
  /^(CERT_|CRL_|ERR_TLS_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|PATH_LENGTH_|HOSTNAME_|UNSPECIFIED$)/
const tlsCode = /^(ERR_SSL_|EPROTO$)/

/**
 * Describes a network failure by its name and code only, because another library's message and data may contain
 * anything, even the raw answer.
 */
function describeNetworkError(error: Error): NetworkFailure {
  if (error.name === 'HTTPParserError') return { fault: 'notHttp', reason: 'the answer is not HTTP' }
  const code = codeOf(error)
  // The proxy refused the tunnel; the desk's own cancellation has no code.
  if (code === 'UND_ERR_ABORTED') return { fault: 'proxy', reason: proxyReason(error) }
  if (tlsCode.test(code)) return { fault: 'certificate', reason: `TLS handshake failed (${code})` }
  const known = failures[code]
  if (known !== undefined) return known
  if (certificateCode.test(code)) return { fault: 'certificate', reason: `the certificate is not accepted (${code})` }
  const reason = code === '' ? 'the connection failed' : `the connection failed (${code})`
  return { fault: 'connectionLost', reason }
}

function proxyReason(error: Error): string {
  const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1]
  return status === undefined ? 'the proxy did not connect' : `the proxy did not connect and answered ${status}`
}

function codeOf(error: Error): string {
  const code = errorCode(error)
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : ''
}
