import type { Clock, SleepSignal } from '../../src/base/clock.ts'

type Sleeper = { dueMs: number; wake: () => void }

/** A clock that stands still until a test lets time pass. Its wall clock runs with it until a test sets it. */
export class FakeClock implements Clock {
  #nowMs: number
  #wallAheadMs = 0
  #sleepers: Sleeper[] = []
  /** Who waits until some sleep begins. */
  #waiting: (() => void)[] = []

  constructor(startMs = 0) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  wallMs(): number {
    return this.#nowMs + this.#wallAheadMs
  }

  bootedMs(): number {
    return this.#nowMs
  }

  /** Sets the wall clock forward, or back below 0; no time passes. */
  setWall(byMs: number): void {
    this.#wallAheadMs += byMs
  }

  /** `ms` pass while the process stands still: nothing is woken by it, and all that was due is late afterwards. */
  standStill(ms: number): void {
    this.#nowMs += ms
  }

  /** How many sleeps are under way: for waiting until the code under test has come to rest, and for finding leaks. */
  get sleeperCount(): number {
    return this.#sleepers.length
  }

  /** Resolves when some sleep has exactly `ms` left: the code under test has then come to its next pause. */
  async reached(ms: number): Promise<void> {
    while (!this.#sleepers.some((sleeper) => sleeper.dueMs - this.#nowMs === ms)) await this.#nextSleep()
    await settle()
  }

  /** Resolves when some sleep is under way: the code under test has come to a pause, however slow the disk was. */
  async paused(): Promise<void> {
    while (this.#sleepers.length === 0) await this.#nextSleep()
    await settle()
  }

  #nextSleep(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const sleeper = { dueMs: this.#nowMs + ms, wake: () => end() }
      const end = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      this.#sleepers.push(sleeper)
      for (const wake of this.#waiting.splice(0)) wake()
      signal?.addEventListener('abort', end, { once: true })
    })
  }

  /** Lets `ms` pass: wakes each sleeper at its own time, and lets what it woke settle before the next. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms
    await settle()
    for (let next = this.#firstDue(endMs); next !== undefined; next = this.#firstDue(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      next.wake()
      await settle()
    }
    this.#nowMs = endMs
    // What waits for a turn of the event loop after its time has come is done by then too.
    await settle()
  }

  #firstDue(endMs: number): Sleeper | undefined {
    let first: Sleeper | undefined
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs <= endMs && (first === undefined || sleeper.dueMs < first.dueMs)) first = sleeper
    }
    return first
  }
}

/** One turn of the event loop: every microtask that is due, and those they start, have run after it. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
