import { backoffMs } from '../../base/backoff.ts'
import { type Clock, within } from '../../base/clock.ts'
import { minuteMs } from '../../base/text/time-text.ts'
import { type DueRules, dueOf } from '../../domain/notify/due.ts'
import type { Delivery, KeptQueue, Message, MessageKind } from '../../domain/notify/message.ts'

/** The result of an attempt; `retryAfterMs` is the pause that the receiver asks for, `words` its answer, cleaned. */
export type Attempt =
  | { kind: 'taken' }
  | { kind: 'refused'; reason: string; words?: string; retryAfterMs?: number }
  /** The receiver wants no more messages. */
  | { kind: 'gone' }

/** Where messages go. */
export type Target = {
  /** The setting that names it. */
  name: string
  kinds: ReadonlySet<MessageKind>
  /** Sends a delivery once; never rejects. */
  send(delivery: Delivery, signal: AbortSignal): Promise<Attempt>
  close(): Promise<void>
}

/** Nothing waits. */
export const emptyQueue: KeptQueue = { waiting: [], sending: null, droppedCount: 0 }

/** The status of one target. Counts are of this run; times are by the wall clock. */
export type TargetStatus = {
  name: string
  waitingCount: number
  oldestAtMs: number | null
  takenCount: number
  failedCount: number
  droppedCount: number
  lastFailure: { reason: string; atMs: number } | null
  /** Why it fails at present; null while it does not. */
  trouble: string | null
}

/** Maximum waiting messages of one target; beyond it the oldest that is not urgent is dropped. */
export const waitingMax = 1_000
/** Maximum pause that a receiver may ask for: after it a delivery is tried again. */
const retryAfterMax = 60 * minuteMs
/** Messages that wait for a time of day check the clock this often, because clocks are set and time zones change. */
const lookMs = minuteMs
/** Time limit for a delivery in flight when the desk ends. */
const endingMs = 2_000

export type QueueOptions = {
  rules: DueRules
  clock: Clock
  random: () => number
  /** Makes the id of a delivery, which it keeps in every attempt. */
  newId: () => string
  /** Called at every change of the stored messages; resolves when they are on disk, or cannot be. */
  keep: () => Promise<void>
  /** Gets news for the user, in sentences. */
  tell: (level: 'info' | 'warn' | 'bad', sentence: string) => void
}

/** The messages of one target: delivered in order, each delivery repeated until it is taken. */
export class TargetQueue {
  readonly target: Target
  readonly #options: QueueOptions
  readonly #ended = new AbortController()
  readonly #cut = new AbortController()
  #kept: KeptQueue = emptyQueue
  #wake = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #isGone = false
  #counts = { taken: 0, failed: 0, dropped: 0 }
  #lastFailure: TargetStatus['lastFailure'] = null
  #trouble: string | null = null

  constructor(target: Target, options: QueueOptions) {
    this.target = target
    this.#options = options
  }

  get kept(): KeptQueue {
    return this.#kept
  }

  get status(): TargetStatus {
    const { waiting, sending } = this.#kept
    const all = [...(sending?.messages ?? []), ...waiting]
    return {
      name: this.target.name,
      waitingCount: all.length,
      oldestAtMs: all[0]?.atMs ?? null,
      takenCount: this.#counts.taken,
      failedCount: this.#counts.failed,
      droppedCount: this.#counts.dropped,
      lastFailure: this.#lastFailure,
      trouble: this.#trouble,
    }
  }

  /** Begins with the messages of an earlier run; those added meanwhile follow. */
  start(earlier: KeptQueue): void {
    const { waiting } = this.#kept
    this.#kept = { ...earlier, waiting: [...earlier.waiting, ...waiting] }
    this.#giveWay()
    this.#running = this.#run()
  }

  /** Adds a message of a kind for this target; false when it is not added. */
  add(message: Message): boolean {
    if (!this.target.kinds.has(message.kind)) return false
    if (this.#isGone) {
      this.#counts.dropped += 1
      return false
    }
    this.#kept = { ...this.#kept, waiting: [...this.#kept.waiting, message] }
    this.#giveWay()
    this.#wake.abort()
    return true
  }

  /**
   * Gives a delivery in flight a moment to end, and tries once what is due, such as the news that a watch ends.
   * Messages not taken by then wait for the next run.
   */
  async stop(): Promise<void> {
    this.#ended.abort()
    this.#wake.abort()
    await within(this.#running, endingMs, this.#options.clock)
    this.#cut.abort()
    await this.#running
    await this.target.close()
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    let failures = 0
    while (!this.#isGone) {
      if (this.#ended.signal.aborted && (failures > 0 || this.#cut.signal.aborted || !this.#isDue())) return
      const delivery = this.#kept.sending ?? (await this.#next())
      if (delivery === null) continue
      const attempt = await this.target.send(delivery, this.#cut.signal)
      // Cut off by the end: it may have been taken, so it is sent again under the same id.
      if (attempt.kind !== 'taken' && this.#cut.signal.aborted) return
      failures = attempt.kind === 'refused' ? failures + 1 : 0
      this.#noted(attempt, delivery)
      if (attempt.kind !== 'refused') continue
      const asked = Math.min(attempt.retryAfterMs ?? 0, retryAfterMax)
      await clock.sleep(Math.max(asked, backoffMs(failures, this.#options.random())), this.#ended.signal)
    }
  }

  #isDue(): boolean {
    const { waiting, sending } = this.#kept
    return sending !== null || dueOf(waiting, this.#options.rules, this.#options.clock.wallMs())?.kind === 'send'
  }

  /** Makes the next delivery and stores it; null after a pause when none is due. */
  async #next(): Promise<Delivery | null> {
    const { rules, clock, newId, keep } = this.#options
    const due = dueOf(this.#kept.waiting, rules, clock.wallMs())
    if (due?.kind !== 'send') {
      this.#wake = new AbortController()
      await clock.sleep(due === null ? Number.MAX_SAFE_INTEGER : Math.min(due.ms, lookMs), this.#wake.signal)
      return null
    }
    const { droppedCount } = this.#kept
    const sending = { id: newId(), messages: due.messages, droppedCount }
    this.#kept = { waiting: due.rest, sending, droppedCount: 0 }
    // Its id is stored before it is sent: after a crash it would go out again under another one.
    await keep()
    return sending
  }

  #noted(attempt: Attempt, { messages }: Delivery): void {
    const { tell, clock, keep } = this.#options
    const { name } = this.target
    if (attempt.kind === 'refused') {
      const { reason } = attempt
      this.#counts.failed += 1
      this.#lastFailure = { reason, atMs: clock.wallMs() }
      // Reported once, however long it lasts: the log has room for little more.
      if (this.#trouble === null)
        tell('warn', `${name}: delivery failed, ${reason}; ${this.status.waitingCount} waiting, retrying.`)
      this.#trouble = reason
      return
    }
    this.#kept = { ...this.#kept, sending: null }
    if (attempt.kind === 'gone') this.#giveUp(messages.length)
    else {
      this.#counts.taken += messages.length
      if (this.#trouble !== null) tell('info', `${name}: delivering again, ${this.status.waitingCount} waiting.`)
      this.#trouble = null
    }
    void keep()
  }

  #giveUp(sentCount: number): void {
    const { name } = this.target
    const count = sentCount + this.#kept.waiting.length
    this.#isGone = true
    this.#trouble = 'target gone (410)'
    this.#counts.dropped += count
    this.#kept = emptyQueue
    const what = `${count} ${count === 1 ? 'message' : 'messages'} dropped`
    this.#options.tell('bad', `${name}: ${this.#trouble}, ${what}. Nothing more is sent there until the next start.`)
  }

  /** Drops and counts the oldest messages that are not urgent while too many wait. */
  #giveWay(): void {
    const { rules, tell } = this.#options
    const { waiting, droppedCount } = this.#kept
    const surplus = waiting.length - waitingMax
    if (surplus <= 0) return
    const usual = waiting.filter(({ kind }) => !rules.urgent.has(kind))
    const leaving = new Set([...usual, ...waiting.filter((message) => !usual.includes(message))].slice(0, surplus))
    if (droppedCount === 0)
      tell('bad', `${this.target.name}: more than ${waitingMax} messages wait, the oldest are dropped and counted.`)
    this.#counts.dropped += surplus
    const left = waiting.filter((message) => !leaving.has(message))
    this.#kept = { ...this.#kept, waiting: left, droppedCount: droppedCount + surplus }
  }
}
