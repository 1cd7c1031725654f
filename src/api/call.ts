import { SleepEnd } from '../base/clock.ts'
import { memoizeByObject } from '../base/memoize.ts'
import type { Secret } from '../base/secret.ts'
import { dayMs, readHttpDateMs } from '../base/text/time-text.ts'
import { cacheAgeMs, noCache, whyCached } from './cache-age.ts'
import { createDateWatch, undated } from './date-watch.ts'
import {
  type ExchangeError,
  errorOfAnswer,
  errorOfBody,
  errorOfFailure,
  errorOfPause,
  errorOfStandby,
  type Fault,
  type HttpAnswer,
  type HttpFailure,
} from './errors.ts'
import { type CallClass, CallGate, createPollPauses, type RateReading } from './gate.ts'
import { heldBack } from './held-back.ts'
import { callOnce, foreignEncoding, isWebPage, notSent, totalTimeout } from './http-call.ts'
import { isCancelOrHalt, isHubPath, isOfHub, isOrderOrMoney, isStandby, withoutHub } from './hub-interface.ts'
import { type HubAsk, HubLink } from './hub-link.ts'
import { throughProxy } from './proxy.ts'
import { headersOf, httpRequest, targetOf } from './request.ts'
import { Route, type Way } from './route.ts'
import { createSkewEstimator } from './skew-estimator.ts'
import {
  type CallReading,
  defaultInFlightMax,
  defaultLimits,
  defaultRate,
  defaultRetry,
  type RetryPolicy,
  type Transport,
  type TransportLimits,
  type TransportOptions,
  type TransportRequest,
} from './transport.ts'

/**
 * Creates a transport whose connections are opened on demand and kept alive between calls. With an unusable certificate
 * file or proxy every call fails with a sentence about it, and nothing is sent.
 */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...defaultLimits, ...options.limits }
  return new Sender(options, limits)
}

const closed = notSent('closed', 'the desk has closed its connections')
const canceled = notSent('canceled', 'the call was canceled')

/** The result of one attempt. */
type Attempt =
  /** `seenAtMs`: when a hub received it from the exchange; null without a hub. */
  | { kind: 'answered'; body: string; seenAtMs: number | null }
  /** `hasMoved`: the address in use failed and was replaced by another. */
  | { kind: 'failed'; error: ExchangeError; hasMoved: boolean }
  /** A hub omitted the age of its answer, so the exchange must be asked directly. */
  | { kind: 'ageless' }

/** Makes single attempts of calls: each waits its turn, is sent once, and is reported. */
class Attempts {
  readonly #options: TransportOptions
  readonly #limits: TransportLimits
  readonly #route: Route
  readonly #hub: HubLink
  readonly #gate: CallGate
  readonly #pauses: ReturnType<typeof createPollPauses>
  readonly #skew = createSkewEstimator()
  readonly #dateWatchOf = memoizeByObject((_way: Way) => createDateWatch(() => this.#options.clock.wallMs()))
  /** A read was told that a hub stands by. */
  #hasStoodBy = false
  /** Polls pause because a hub did not take the token, and not for too many calls. */
  #isTokenRefused = false

  constructor(options: TransportOptions, limits: TransportLimits, route: Route, hub: HubLink) {
    this.#options = options
    this.#limits = limits
    this.#route = route
    this.#hub = hub
    this.#gate = new CallGate(options.clock, {
      inFlightMax: options.inFlightMax ?? defaultInFlightMax,
      rate: { ...defaultRate, ...options.rate },
      queueMs: limits.queueMs,
      pauseWaitedMs: limits.totalMs,
    })
    this.#pauses = createPollPauses(options.random, this.#gate)
  }

  rate(): RateReading {
    return this.#gate.reading()
  }

  dateMaxMs(): number {
    const { clock } = this.#options
    const nowMs = clock.now()
    const lead = this.#skew.reading(nowMs)?.skewMs ?? 0
    return Math.max(nowMs, clock.wallMs(), nowMs + lead) + dayMs
  }

  /** Why the desk itself does not send a request now; null when it does. */
  heldBack(request: TransportRequest): HttpFailure | null {
    return heldBack(this.#options, request)
  }

  /** Resolves with a successful answer's body, or the error. Calls `begin` at its turn. Never rejects. */
  async make(request: TransportRequest, signal: AbortSignal, begin: () => void): Promise<Attempt> {
    const admission = await this.#gate.enter(classOf(request), signal)
    switch (admission.kind) {
      case 'canceled':
        return failed(errorOfFailure(request, signal.reason === totalTimeout ? this.#waited('callTimeout') : canceled))
      case 'closed':
        return failed(errorOfFailure(request, closed))
      case 'waitedTooLong':
        return failed(errorOfFailure(request, this.#waited('queueTimeout')))
      case 'paused':
        return failed(errorOfPause(request, admission.forMs, this.#isTokenRefused))
      case 'admitted':
        begin()
        try {
          return await this.#call(request, signal)
        } finally {
          admission.leave()
        }
    }
  }

  /** Refuses all waiting and later calls. */
  turnAway(): void {
    this.#gate.close()
  }

  #waited(fault: Fault): HttpFailure {
    return notSent(fault, `timed out in the call queue with ${this.rate().waiting} calls waiting`)
  }

  async #call(request: TransportRequest, signal: AbortSignal): Promise<Attempt> {
    const { way } = this.#route
    if (!way.connections.ok) return failed(errorOfFailure(request, notSent('setup', way.connections.error)))
    const { dispatcher, proxy } = way.connections.value
    const ask = this.#hub.asks(request, targetOf(request))
    const mark = this.#pauses.mark()
    const called = await callOnce(dispatcher, httpRequest(this.#options, way.base, request, ask.headers), {
      limits: this.#limitsOf(request),
      bodyMaxBytes: this.#limits.bodyMaxBytes,
      clock: this.#options.clock,
      signal,
      heldBack: () => this.heldBack(request),
    })
    const result = called.kind === 'failure' ? throughProxy(called, proxy) : this.#dated(way, request, called)
    if (result.kind === 'failure') {
      this.#hub.ended(request, ask, null)
      const error = errorOfFailure(request, result)
      return this.#without(way, result, error)
    }
    this.#report(request, result)
    const attempt = this.#read(request, ask, result, mark)
    this.#hub.ended(request, ask, attempt.kind === 'answered' ? attempt : null)
    return attempt.kind === 'failed' && isStandby(result) ? this.#left(way, attempt.error) : attempt
  }

  /** An answer to a read, with its age where its date alone tells of one. What answers a write bears its ids. */
  #dated(way: Way, { method }: TransportRequest, answer: HttpAnswer): HttpAnswer {
    const dated = this.#dateWatchOf(way)(answer)
    return method === 'GET' || dated === answer ? dated : undated(answer)
  }

  #read(request: TransportRequest, ask: HubAsk, whole: HttpAnswer, mark: number): Attempt {
    const { key } = this.#options
    const answer = this.#believed(request, { ...whole, body: withoutKey(whole.body, key) })
    const cached = whyCached(request, answer)
    if (cached !== null) return failed(errorOfBody(request, 'cached', cached))
    if (isStandby(answer)) return failed(errorOfStandby(request, answer))
    this.#hub.sees(answer)
    if (this.#hub.mustAskAnew(request, ask, answer)) return { kind: 'ageless' }
    if (answer.status < 200 || answer.status >= 300) {
      const error = errorOfAnswer(request, answer, key)
      this.#isTokenRefused = answer.status === 401 && error.isOfHub
      if (error.kind === 'rateLimited') this.#pauses.refused(error.retryAfterMs, mark)
      // Polls with a revoked token would slow down every other user of this address.
      else if (this.#isTokenRefused) this.#pauses.refused(refusedTokenPauseMs, mark)
      return failed(error)
    }
    const encoding = foreignEncoding(answer)
    if (encoding !== null) return failed(errorOfBody(request, 'compressed', `the answer is compressed (${encoding})`))
    if (isWebPage(answer)) return failed(errorOfBody(request, 'webPage', 'the answer is a web page'))
    if (isHubPath(request.path) && !isOfHub(answer.headers))
      return failed(errorOfBody(request, 'unreadableAnswer', 'the answer is not one of a hub'))
    this.#isTokenRefused = false
    this.#pauses.answered(mark)
    return { kind: 'answered', body: answer.body, seenAtMs: this.#hub.seenAtMs(request, answer) }
  }

  /**
   * What a hub says of an order or of money counts where the settings or an earlier answer tell of a hub: from an
   * exchange, or from whoever is on the way there, that it passed nothing on would leave what may be live for never
   * sent.
   */
  #believed(request: TransportRequest, answer: HttpAnswer): HttpAnswer {
    const isHubKnown = this.#hub.isHub || this.#route.count > 1 || this.#hasStoodBy
    if (request.method === 'GET' && isStandby(answer)) this.#hasStoodBy = true
    if (isHubKnown || !isOrderOrMoney(request) || isHubPath(request.path)) return answer
    return { ...answer, headers: withoutHub(answer.headers) }
  }

  /** A hub answers polls from memory, so with another hub available its silence is not waited for as long. */
  #limitsOf(request: TransportRequest): TransportLimits {
    const hasOthers = this.#route.count > 1 && this.#hub.isHub
    if (!hasOthers || classOf(request) !== 'poll' || request.isFresh === true) return this.#limits
    return { ...this.#limits, headersMs: Math.min(this.#limits.headersMs, silentHubMs) }
  }

  /** After a missing answer, later calls use another address. */
  #without(way: Way, failure: HttpFailure, error: ExchangeError): Attempt {
    if (isNoConnection(failure)) return this.#left(way, error, failure.fault === 'connectTimeout')
    return isSilence(failure) ? this.#left(way, error, true) : failed(error)
  }

  #left(way: Way, error: ExchangeError, isSilent = false): Attempt {
    return { kind: 'failed', error, hasMoved: this.#route.leave(way, { isSilent }) }
  }

  #report({ method, path }: TransportRequest, { status, headers, roundTripMs, answeredAtMs }: HttpAnswer): void {
    // A kept answer has the date of its making, which says nothing of a clock.
    const dateMs = cacheAgeMs(headers) ? null : readHttpDateMs(headers.date)
    const sentAtMs = answeredAtMs - roundTripMs
    if (dateMs !== null) this.#skew.add({ dateMs, sentAtMs, receivedAtMs: answeredAtMs })
    const skew = this.#skew.reading(answeredAtMs)
    this.#options.onAnswer?.({ method, path, status, isOfHub: isOfHub(headers), roundTripMs, skew })
  }
}

function classOf(request: TransportRequest): CallClass {
  if (request.method === 'GET') return request.priority ?? 'poll'
  return isCancelOrHalt(request) ? 'cancel' : 'write'
}

const failed = (error: ExchangeError): Attempt => ({ kind: 'failed', error, hasMoved: false })

/** No connection was made; another address may work. */
const isNoConnection = ({ wasSent, fault }: HttpFailure): boolean => !wasSent && connectionFaults.has(fault)
const connectionFaults: ReadonlySet<Fault> = new Set([
  'hostUnknown',
  'connectionRefused',
  'hostUnreachable',
  'certificate',
  'proxy',
  'connectTimeout',
  'connectionLost',
])

/** Sent, but not answered. */
const isSilence = ({ wasSent, fault }: HttpFailure): boolean =>
  wasSent && (fault === 'answerTimeout' || fault === 'bodyTimeout')
const silentHubMs = 2_000

/** Time a cancel or halt waits for a standby hub to lead: the maximum duration of a take-over. */
const takeOverMs = 5_000
const takeOverPauseMs = 500

/** Pause of polls after a hub did not recognize the token. */
const refusedTokenPauseMs = 60_000

/** Masks a key that a service echoes. A very short key could occur in any text by chance. */
const withoutKey = (body: string, key: Secret): string => (key.reveal().length < 16 ? body : key.redactJson(body))

/** Sends calls: checks the guard, retries reads, limits the time of a whole call, and shuts down. */
class Sender implements Transport {
  readonly #options: TransportOptions
  readonly #totalMs: number
  readonly #retry: RetryPolicy
  readonly #route: Route
  readonly #hub: HubLink
  readonly #attempts: Attempts
  readonly #inFlight = new Set<Promise<string>>()
  #closing: Promise<void> | null = null
  #retryCount = 0

  constructor(options: TransportOptions, limits: TransportLimits) {
    this.#options = options
    this.#totalMs = limits.totalMs
    this.#retry = { ...defaultRetry, ...options.retry }
    this.#route = new Route(options, limits.connectMs, () => this.#hub.moved())
    this.#hub = hubLinkOf(options, limits, this.#route)
    this.#attempts = new Attempts(options, limits, this.#route, this.#hub)
  }

  async send(asked: TransportRequest): Promise<string> {
    // A copy, so that exactly the checked request is sent even if the caller changes its object.
    const request = { ...asked }
    if (this.#closing !== null) throw errorOfFailure(request, closed)
    const told = this.#hub.told(request, targetOf(request))
    if (told !== null) {
      request.onSeen?.(told.atMs)
      return told.body
    }
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

  dateMaxMs(): number {
    return this.#attempts.dateMaxMs()
  }

  isShared(): boolean {
    return this.#hub.isHub
  }

  close(): Promise<void> {
    const end = async () => {
      this.#hub.close()
      this.#attempts.turnAway()
      await Promise.allSettled(this.#inFlight)
      await this.#route.destroy()
    }
    this.#closing ??= end()
    return this.#closing
  }

  /** Sends until the caller's own signal. */
  async #sendChecked(request: TransportRequest): Promise<string> {
    const held = this.#attempts.heldBack(request)
    if (held !== null) throw errorOfFailure(request, held)
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

  /** Sends within the time limit of a whole call, which starts with its first turn. */
  async #sendWithRetries(asked: TransportRequest, end: AbortController): Promise<string> {
    const { clock, random } = this.#options
    const done = new SleepEnd()
    const deadline = { atMs: Number.POSITIVE_INFINITY }
    const begin = () => {
      if (Number.isFinite(deadline.atMs)) return
      deadline.atMs = clock.now() + this.#totalMs
      void clock.sleep(this.#totalMs, done).then(() => end.abort(totalTimeout))
    }
    let request = asked
    let standbySinceMs = Number.NaN
    try {
      for (let [retriesMade, movesMade] = [0, 0]; ; ) {
        const result = await this.#attempts.make(request, end.signal, begin)
        if (result.kind === 'answered') {
          if (result.seenAtMs !== null) request.onSeen?.(result.seenAtMs)
          return result.body
        }
        if (result.kind === 'ageless') {
          request = { ...request, isFresh: true }
          continue
        }
        const { error, hasMoved } = result
        // A write that may have been sent is never repeated. One that was certainly not sent may continue: this is its
        // first time, and its caller would try the same address again.
        const hasNotLeft = error.outcome === null || error.outcome === 'notSent'
        if (error.fault === 'standby' && Number.isNaN(standbySinceMs)) standbySinceMs = clock.now()
        // Tries each address once before a pause.
        movesMade = hasMoved ? movesMade + 1 : 0
        if (hasMoved && movesMade < this.#route.count && hasNotLeft && !end.signal.aborted) continue
        movesMade = 0
        const isTakeOver = hasNotLeft && isCancelOrHalt(request) && clock.now() - standbySinceMs < takeOverMs
        const delayMs = isTakeOver ? takeOverPauseMs : retryDelayMs(error, retriesMade, this.#retry, random)
        if (delayMs === null || end.signal.aborted || clock.now() + delayMs >= deadline.atMs) throw error
        await clock.sleep(delayMs, end.signal)
        if (end.signal.aborted) throw error
        retriesMade += 1
        this.#retryCount += 1
      }
    } finally {
      done.abort()
    }
  }
}

/** The link to a hub behind these addresses and to its stream, which uses the same connections. */
function hubLinkOf(options: TransportOptions, limits: TransportLimits, route: Route): HubLink {
  const { key, clock, random, onHub, onNews, onHubChange } = options
  let asked = route.way
  return new HubLink({
    clock,
    random,
    lengthMax: limits.bodyMaxBytes,
    redact: (body) => withoutKey(body, key),
    onSeen: () => onHub?.(),
    onNews: (news) => onNews?.(news),
    onSilence: () => void route.leave(asked, { isSilent: true }),
    onHubChange: () => onHubChange?.(),
    open(handler) {
      asked = route.way
      const { base, connections } = asked
      if (!connections.ok) return false
      const path = `${base.pathPrefix}/stream`
      const headers = { ...headersOf(options, 'text/event-stream'), ...noCache }
      const request = { origin: base.origin, method: 'GET', path, headers, headersTimeout: 0, bodyTimeout: 0 } as const
      connections.value.dispatcher.dispatch(request, handler)
      return true
    },
  })
}

/** Failures that repeat at once, or are intended. */
const lasting: readonly (Fault | null)[] = [
  'certificate',
  'setup',
  'canceled',
  'closed',
  'callTimeout',
  'queueTimeout',
  'paused',
]

/** True when retrying the same read may help. */
const mayHelp = (error: ExchangeError): boolean =>
  error.method === 'GET' &&
  (error.kind === 'connectivity' || error.kind === 'rateLimited') &&
  !lasting.includes(error.fault)

/**
 * Pause in ms before a read is retried; null when it must not be: a write, an error that a retry cannot fix, or no
 * retries left. Retry-After overrides our own back-off with its jitter.
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
