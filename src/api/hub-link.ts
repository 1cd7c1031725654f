import { type FeedName, feeds } from '../domain/desk/feeds.ts'
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
import type { TransportRequest } from './transport.ts'

/** What a write of this desk may change; the market does not change by one desk, nor rates and who may be paid. */
const changedByWrites: readonly FeedName[] = ['orders', 'fills', 'balances', 'withdrawals', 'deposits']

/** One that is asked for again after longer is not a poll that a stream should tell of. */
const askedAgainMs = 60_000
const targetsMost = 200

/** How a read goes to a hub. */
export type HubAsk = {
  target: string
  feed: FeedNews | null
  isFresh: boolean
  streamId: string | null
  /** How many writes had ended when it began. */
  writeCount: number
  headers: Readonly<Record<string, string>>
}

/** A good answer; `seenAtMs` is when a hub had it from the exchange, null where none has answered. */
export type HubAnswer = { body: string; seenAtMs: number | null }

/** What is known of the hub behind the addresses of one transport; without a hub it adds nothing and keeps nothing. */
export class HubLink {
  readonly #clock: HubStreamOptions['clock']
  readonly #stream: HubStream
  readonly #onSeen: () => void
  #isHub = false
  /** When polls asked for a target last. */
  readonly #polled = new Map<string, number>()
  /** Feeds of the account that a write of this desk may have changed since the hub was asked for them. */
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

  /** Takes in what the headers of any answer tell. */
  sees({ headers }: Pick<HttpAnswer, 'headers'>): void {
    if (!isOfHub(headers)) return
    const isFirst = !this.#isHub
    this.#isHub = true
    this.#stream.start()
    if (isFirst) this.#onSeen()
  }

  /** The answer of a poll that the stream has told already; null: the hub is to be asked. */
  told(request: TransportRequest, target: string): SeenAnswer | null {
    if (!this.#isHub || !isPoll(request)) return null
    const feed = feedOfTarget(target)
    if (feed === null || this.#changed.has(feed.feed)) return null
    return this.#stream.answerOf(target, feeds[feed.feed].staleAfterMs / 2)
  }

  /** How a call goes; `ended` is to be told of its end. */
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
   * A call has ended: `answer` is that of a read that succeeded. What was read before a write says nothing of it; the
   * hub's own pages send too: a draft, a plan.
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
   * Whether a read is to be asked for again: a hub does not say as agreed how old its answer is, or was not known for
   * one where the exchange itself was to be asked.
   */
  mustAskAnew(request: TransportRequest, ask: HubAsk, { status, headers }: HttpAnswer): boolean {
    if (request.method !== 'GET' || ask.isFresh || !isOfHub(headers) || status >= 500) return false
    // The hub's own pages are always as it has them now.
    if (isHubPath(request.path)) return false
    return mustBeFresh(request) || (status >= 200 && status < 300 && readAgeMs(headers[ageHeader]) === null)
  }

  /** When a hub had an answer of a read from the exchange, in desk time; null where none has answered. */
  seenAtMs(request: TransportRequest, { headers, answeredAtMs, roundTripMs }: HttpAnswer): number | null {
    if (request.method !== 'GET' || !isOfHub(headers)) return null
    // Without an age: the exchange was asked anew after the call began, so that it is not older.
    return answeredAtMs - (readAgeMs(headers[ageHeader]) ?? roundTripMs)
  }

  /** Another address is in use. */
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
    const [oldest] = this.#polled.keys()
    if (this.#polled.size > targetsMost && oldest !== undefined) this.#polled.delete(oldest)
    return lastMs !== undefined && nowMs - lastMs <= askedAgainMs
  }
}

/** Reads that a person waits for, and those by which something is found out, ask the exchange itself. */
const mustBeFresh = ({ method, isFresh, priority }: TransportRequest): boolean =>
  method === 'GET' && (isFresh === true || priority === 'person')

const isPoll = (request: TransportRequest): boolean =>
  request.method === 'GET' && !mustBeFresh(request) && (request.priority ?? 'poll') === 'poll'
