import { dropOldest } from '../base/drop-oldest.ts'
import { type FeedName, feeds } from '../domain/desk/feeds.ts'
import { cacheAgeMs } from './cache-age.ts'
import type { HttpAnswer } from './errors.ts'
import {
  ageHeader,
  type FeedNews,
  feedOfTarget,
  freshHeader,
  isHubPath,
  isOfHub,
  readAgeMs,
  streamHeader,
} from './hub-interface.ts'
import { HubStream, type HubStreamOptions, type SeenAnswer } from './hub-stream.ts'
import { mustBeFresh, type TransportRequest } from './transport.ts'

/** Feeds that a write of this desk may change; the market, rates and the whitelist are not among them. */
const changedByWrites: readonly FeedName[] = ['orders', 'fills', 'balances', 'withdrawals', 'deposits']

/** A target polled less often than this is not worth a subscription. */
const askedAgainMs = 60_000
const targetsMax = 200

/** How a call is sent to a hub. */
export type HubAsk = {
  target: string
  feed: FeedNews | null
  isFresh: boolean
  streamId: string | null
  /** Number of finished writes when it began. */
  writeCount: number
  headers: Readonly<Record<string, string>>
}

/**
 * A successful answer; `seenAtMs` is when a hub or a cache on the way received it from the exchange, null without one.
 */
export type HubAnswer = { body: string; seenAtMs: number | null }

/** The state of the hub behind the addresses of a transport; without a hub it adds and keeps nothing. */
export class HubLink {
  readonly #clock: HubStreamOptions['clock']
  readonly #stream: HubStream
  readonly #onSeen: () => void
  #isHub = false
  /** When each target was last polled. */
  readonly #polled = new Map<string, number>()
  /** Account feeds that a write of this desk may have changed since the hub was last asked for them. */
  readonly #changed = new Set<FeedName>()
  #writeCount = 0

  constructor(options: Omit<HubStreamOptions, 'onNews'> & { onNews: (news: FeedNews) => void; onSeen: () => void }) {
    this.#clock = options.clock
    this.#onSeen = options.onSeen
    this.#stream = new HubStream({
      ...options,
      onNews(target) {
        const news = feedOfTarget(target)
        if (news !== null) options.onNews(news)
      },
    })
  }

  get isHub(): boolean {
    return this.#isHub
  }

  /** Reads the headers of any answer. */
  sees({ headers }: Pick<HttpAnswer, 'headers'>): void {
    if (!isOfHub(headers)) return
    const isFirst = !this.#isHub
    this.#isHub = true
    this.#stream.start()
    if (isFirst) this.#onSeen()
  }

  /** The cached answer of a poll from the stream; null when the hub must be asked. */
  told(request: TransportRequest, target: string): SeenAnswer | null {
    if (!this.#isHub || !isPoll(request)) return null
    const feed = feedOfTarget(target)
    if (feed === null || this.#changed.has(feed.feed)) return null
    return this.#stream.answerOf(target, feeds[feed.feed].staleAfterMs / 2)
  }

  /** Prepares a call; `ended` must be called at its end. */
  asks(request: TransportRequest, target: string): HubAsk {
    const feed = request.method === 'GET' ? feedOfTarget(target) : null
    const none = { target, feed, isFresh: false, streamId: null, writeCount: this.#writeCount, headers: {} }
    if (!this.#isHub || request.method !== 'GET') return none
    const isFresh = mustBeFresh(request) || (feed !== null && this.#changed.has(feed.feed))
    const streamId = isPoll(request) && feed !== null && this.#isPolledAgain(target) ? this.#stream.id : null
    if (streamId !== null) this.#stream.asks(target)
    const headers = {
      ...(isFresh ? { [freshHeader]: '1' } : {}),
      ...(streamId === null ? {} : { [streamHeader]: streamId }),
    }
    return { ...none, isFresh, streamId, headers }
  }

  /**
   * Records the end of a call; `answer` is that of a successful read. A read from before a write does not show its
   * effect; writes on the hub's own pages (a draft, a plan) count too.
   */
  ended({ method }: TransportRequest, ask: HubAsk, answer: HubAnswer | null): void {
    if (method !== 'GET') {
      this.#writeCount += 1
      if (this.#isHub) for (const feed of changedByWrites) this.#changed.add(feed)
    }
    const { target, feed, isFresh, streamId, writeCount } = ask
    const seen = answer === null || answer.seenAtMs === null ? null : { body: answer.body, atMs: answer.seenAtMs }
    if (streamId !== null) this.#stream.asked(target, streamId, seen)
    if (isFresh && seen !== null && feed !== null && writeCount === this.#writeCount) this.#changed.delete(feed.feed)
  }

  /**
   * True when a read must be repeated: the hub omitted the age of its answer, or was not known to be a hub when the
   * exchange itself was needed.
   */
  mustAskAnew(request: TransportRequest, ask: HubAsk, { status, headers }: HttpAnswer): boolean {
    if (request.method !== 'GET' || ask.isFresh || !isOfHub(headers) || status >= 500) return false
    // The hub's own pages are always current.
    if (isHubPath(request.path)) return false
    return mustBeFresh(request) || (status >= 200 && status < 300 && readAgeMs(headers[ageHeader]) === null)
  }

  /**
   * When a hub, or a cache on the way, received a read's answer from the exchange, in desk time; null without either.
   */
  seenAtMs(request: TransportRequest, { headers, answeredAtMs, roundTripMs }: HttpAnswer): number | null {
    const cachedMs = cacheAgeMs(headers)
    if (request.method !== 'GET' || (!isOfHub(headers) && cachedMs === null)) return null
    // Without an age the exchange was asked after the call began, so the answer is not older.
    const atHubMs = isOfHub(headers) ? readAgeMs(headers[ageHeader]) : null
    return answeredAtMs - (atHubMs ?? roundTripMs) - (cachedMs ?? 0)
  }

  /** The address in use has changed. */
  moved(): void {
    if (this.#isHub) this.#stream.restart()
  }

  close(): void {
    this.#stream.close()
  }

  #isPolledAgain(target: string): boolean {
    const nowMs = this.#clock.now()
    const lastMs = this.#polled.get(target)
    this.#polled.delete(target)
    this.#polled.set(target, nowMs)
    dropOldest(this.#polled, targetsMax)
    return lastMs !== undefined && nowMs - lastMs <= askedAgainMs
  }
}

const isPoll = (request: TransportRequest): boolean =>
  request.method === 'GET' && !mustBeFresh(request) && (request.priority ?? 'poll') === 'poll'
