import type { Dispatcher } from 'undici'
import { doubled } from '../base/backoff.ts'
import { type Clock, SleepEnd } from '../base/clock.ts'
import { dropOldest } from '../base/drop-oldest.ts'
import { fewInterimAnswers } from '../base/net/interim-answers.ts'
import { readHubEvent } from '../wire/hub.ts'
import { createEventParser } from './event-parser.ts'
import { readAgeMs } from './hub-interface.ts'

/** A read's answer, and when the hub received it from the exchange, in desk time. */
export type SeenAnswer = { body: string; atMs: number }

export type HubStreamOptions = {
  clock: Clock
  /** In [0, 1), for the jitter of pauses. */
  random: () => number
  /** Requests the stream from the address in use; false when that is impossible. */
  open: (handler: Dispatcher.DispatchHandler) => boolean
  /** Masks keys in an answer before it is kept. */
  redact: (body: string) => string
  /** Maximum length of an event, as of an answer. */
  lengthMax: number
  /** Called with a target whose answer has changed, at most twenty times a second per target. */
  onNews: (target: string) => void
  /**
   * Called when a connection is abandoned because nothing was received, although this process was running all the time.
   */
  onSilence: () => void
  /** Called when the hub's own data has changed, and when a stream begins, since it may have changed before. */
  onHubChange: () => void
}

/** A hub sends something every three seconds: after this silence the stream counts as lost. */
const silentMaxMs = 8_000
/**
 * Data after such a silence may have been delayed for an unknown time; events that have waited longer than this on
 * their way are not caught up with.
 */
const waitedMs = 4_000
/**
 * The first event comes within this time of the request for it; a later one has waited for the rest. After twice the
 * time the stream is opened anew: whether the way is slow or the hub was busy shows at the next opening.
 */
const openingMs = 1_000
/** How far the clocks of hub and desk may run apart, in ms a ms. */
const clockDrift = 0.001
/** Interval at which the process checks its own time; a check that is late by `lateMs` shows that it was stopped. */
const lookMs = 250
const lateMs = 750
/** A hub drops subscriptions that are not renewed within a minute. */
const renewMs = 45_000
/** First pause before reopening the stream; doubles with each failure up to `pauseMaxMs`. */
const pauseMs = 500
const pauseMaxMs = 30_000
/** A connection that lasted this long did not fail. */
const goodMs = 10_000
const newsPauseMs = 50
/** More than a desk polls. */
const targetsMax = 100

const idPattern = /^[\w.:-]{1,200}$/

type Kept = SeenAnswer & { subscribedAtMs: number }

/**
 * The event stream of a hub: caches the answers of reads that were requested with the stream's id, so that they need
 * not be polled. Reopens after growing pauses until closed; without it, reads go to the hub as usual. Ages are never
 * understated by more than a second: data that arrives after this process was stopped, or after a silence that no live
 * stream has, is dropped, and the stream is reopened. What a slow way has held up is as old as that makes it.
 */
export class HubStream {
  readonly #options: HubStreamOptions
  readonly #closing = new SleepEnd()
  readonly #kept = new Map<string, Kept>()
  /** Targets being read with the stream's id, and the answer the stream has sent for them meanwhile. */
  readonly #awaited = new Map<string, { count: number; told: string | null }>()
  readonly #news = new Map<string, { toldAtMs: number; isDue: boolean }>()
  #connection: Connection | null = null
  #isRunning = false
  #failures = 0
  #rest = new SleepEnd()

  constructor(options: HubStreamOptions) {
    this.#options = options
  }

  /** Opens the stream; further calls do nothing. */
  start(): void {
    if (this.#isRunning || this.#closing.aborted) return
    this.#isRunning = true
    void this.#run()
  }

  /** Reopens at once after the address in use has changed. */
  restart(): void {
    this.#failures = 0
    this.#rest.abort()
    this.#connection?.end()
  }

  close(): void {
    this.#closing.abort()
    this.#rest.abort()
    this.#connection?.end()
  }

  /** The id for reads; null while there is no stream. */
  get id(): string | null {
    return this.#connection?.isAlive() === true ? this.#connection.id : null
  }

  /** Records that a read with the stream's id was sent. */
  asks(target: string): void {
    const awaited = this.#awaited.get(target)
    if (awaited === undefined) this.#awaited.set(target, { count: 1, told: null })
    else awaited.count += 1
  }

  /** Records the end of a read with its answer, or null. `id` is the stream id it was sent with. */
  asked(target: string, id: string, answer: SeenAnswer | null): void {
    const awaited = this.#awaited.get(target)
    if (awaited === undefined) return
    awaited.count -= 1
    if (awaited.count === 0) this.#awaited.delete(target)
    if (answer === null || id !== this.id) return
    // It is unknown which answer is newer, so a later `same` would be ambiguous.
    const isContradicted = awaited.told !== null && awaited.told !== answer.body
    const kept = this.#kept.get(target)
    this.#kept.delete(target)
    if (isContradicted) return
    const atMs = Math.max(answer.atMs, kept?.body === answer.body ? kept.atMs : answer.atMs)
    this.#kept.set(target, { body: answer.body, atMs, subscribedAtMs: this.#options.clock.now() })
    dropOldest(this.#kept, targetsMax)
  }

  /** The cached answer of a read if it is not older than `oldestMs` and its subscription is still fresh. */
  answerOf(target: string, oldestMs: number): SeenAnswer | null {
    const kept = this.#kept.get(target)
    if (kept === undefined || this.id === null) return null
    const nowMs = this.#options.clock.now()
    return nowMs - kept.subscribedAtMs < renewMs && nowMs - kept.atMs <= oldestMs ? kept : null
  }

  async #run(): Promise<void> {
    const { clock, random, open, lengthMax } = this.#options
    while (!this.#closing.aborted) {
      this.#rest = new SleepEnd()
      const connection = new Connection(clock, lengthMax, (name, data) => this.#take(name, data))
      this.#connection = connection
      const lastedMs = await connection.run(open)
      this.#connection = null
      if (connection.wasSilent && !this.#closing.aborted) this.#options.onSilence()
      this.#kept.clear()
      this.#failures = lastedMs >= goodMs ? 0 : this.#failures + 1
      const meanMs = doubled(pauseMs, Math.max(0, this.#failures - 1), pauseMaxMs)
      await clock.sleep(Math.round(meanMs * (0.5 + random())), this.#rest)
    }
  }

  /** Returns false for invalid data. */
  #take(name: string, data: string): boolean {
    const read = readHubEvent(name, data)
    if (read === null) return true
    if (!read.ok) return false
    const event = read.value
    if ('ageMs' in event && readAgeMs(`${event.ageMs}`) === null) return false
    const lagMs = 'atMs' in event && event.atMs !== null ? this.#connection?.lagMs(event.atMs) : 0
    if (lagMs === undefined || lagMs > (event.kind === 'hello' ? openingMs : waitedMs)) return false
    const nowMs = this.#options.clock.now() - lagMs
    switch (event.kind) {
      case 'hello':
        if (!idPattern.test(event.stream) || this.#connection === null) return false
        this.#connection.id = event.stream
        this.#options.onHubChange()
        return true
      case 'hub':
        this.#options.onHubChange()
        return true
      case 'answer':
        this.#takeAnswer(event.target, { body: this.#options.redact(event.body), atMs: nowMs - event.ageMs })
        return true
      case 'same': {
        const kept = this.#kept.get(event.target)
        if (kept !== undefined) kept.atMs = Math.max(kept.atMs, nowMs - event.ageMs)
        return true
      }
      case 'failed':
      case 'lapsed':
        // The next poll asks the hub and receives the error.
        this.#kept.delete(event.target)
        return true
    }
  }

  #takeAnswer(target: string, answer: SeenAnswer): void {
    const awaited = this.#awaited.get(target)
    if (awaited !== undefined) awaited.told = answer.body
    const kept = this.#kept.get(target)
    if (kept === undefined) return
    const isNews = kept.body !== answer.body
    kept.body = answer.body
    kept.atMs = answer.atMs
    if (isNews) this.#tell(target)
  }

  #tell(target: string): void {
    const { clock, onNews } = this.#options
    const news = this.#news.get(target) ?? { toldAtMs: Number.NEGATIVE_INFINITY, isDue: false }
    this.#news.set(target, news)
    if (news.isDue) return
    const tell = () => {
      news.isDue = false
      news.toldAtMs = clock.now()
      if (this.#news.size > targetsMax) this.#news.clear()
      onNews(target)
    }
    const waitMs = newsPauseMs - (clock.now() - news.toldAtMs)
    if (waitMs <= 0) {
      tell()
      return
    }
    news.isDue = true
    void clock.sleep(waitMs, this.#closing).then(() => {
      if (!this.#closing.aborted) tell()
    })
  }
}

/** One connection of the stream, from request to end. */
class Connection implements Dispatcher.DispatchHandler {
  id: string | null = null
  wasSilent = false
  readonly #clock: Clock
  readonly #take: (name: string, data: string) => boolean
  readonly #parse: ReturnType<typeof createEventParser>
  readonly #decoder = new TextDecoder()
  readonly #gone = new SleepEnd()
  readonly #askedAtMs: number
  readonly #tookInterim = fewInterimAnswers()
  #controller: Dispatcher.DispatchController | null = null
  #heardAtMs: number
  #lookedAtMs: number
  /** The least time between the writing of an event and its arrival, by two clocks, and when that held. */
  #least: { behindMs: number; atMs: number } | null = null

  constructor(clock: Clock, lengthMax: number, take: (name: string, data: string) => boolean) {
    this.#clock = clock
    this.#take = take
    this.#parse = createEventParser(lengthMax)
    this.#askedAtMs = clock.now()
    this.#heardAtMs = this.#askedAtMs
    this.#lookedAtMs = this.#askedAtMs
  }

  /** Runs until the connection ends; resolves with its duration in ms, or 0 if it never began. */
  async run(open: (handler: Dispatcher.DispatchHandler) => boolean): Promise<number> {
    if (!open(this)) this.end()
    while (!this.#gone.aborted) {
      await this.#clock.sleep(lookMs, this.#gone)
      if (this.#gone.aborted) break
      this.wasSilent = !this.#isLate() && !this.#isHeard()
      if (this.#isLate() || this.wasSilent) this.end()
      this.#lookedAtMs = this.#clock.now()
    }
    return this.id === null ? 0 : this.#heardAtMs - this.#askedAtMs
  }

  /**
   * How much longer than the fastest event one that the hub wrote at `sentAtMs` of its clock was on its way, in ms. The
   * first one was not written before it was asked for.
   */
  lagMs(sentAtMs: number): number {
    const atMs = this.#clock.now()
    const before = this.#least ?? { behindMs: this.#askedAtMs + openingMs - sentAtMs, atMs }
    const driftMs = (atMs - before.atMs) * clockDrift
    const behindMs = Math.min(atMs - sentAtMs, before.behindMs + driftMs)
    this.#least = { behindMs, atMs }
    return Math.round(atMs - sentAtMs - behindMs)
  }

  isAlive(): boolean {
    return !this.#gone.aborted && this.#isHeard()
  }

  end(): void {
    if (this.#gone.aborted) return
    this.#gone.abort()
    this.#controller?.abort(new Error('the stream is no longer read'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#gone.aborted) controller.abort(new Error('the stream is no longer wanted'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#tookInterim()
      return
    }
    this.#heardAtMs = this.#clock.now()
    if (status !== 200 || !/^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) this.end()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#gone.aborted) return
    const nowMs = this.#clock.now()
    const isTimely = !this.#isLate() && nowMs - this.#heardAtMs <= waitedMs
    this.#heardAtMs = nowMs
    if (!isTimely || !this.#takeAll(this.#decoder.decode(chunk, { stream: true }))) this.end()
  }

  onResponseEnd(): void {
    this.end()
  }

  onResponseError(): void {
    this.end()
  }

  /** Returns false when an event is invalid or too long. */
  #takeAll(text: string): boolean {
    const parsed = this.#parse(text)
    return parsed.kind === 'events' && parsed.events.every(({ name, data }) => this.#take(name, data))
  }

  #isHeard(): boolean {
    return this.#clock.now() - this.#heardAtMs <= silentMaxMs
  }

  #isLate(): boolean {
    return this.#clock.now() - this.#lookedAtMs > lookMs + lateMs
  }
}
