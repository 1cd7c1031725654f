import type { Clock, SleepSignal } from '../../../src/base/clock.ts'

type Sleeper = { dueMs: number; wake: () => void }

/**
 * A clock that a drill moves on. Between two wakes `settled` is waited for, so that no answer from a socket or a disk
 * is overtaken by it.
 */
export class DrillClock implements Clock {
  #nowMs: number
  readonly #sleepers = new Set<Sleeper>()
  readonly #settled: () => Promise<void>

  constructor(startMs: number, settled: () => Promise<void>) {
    this.#nowMs = startMs
    this.#settled = settled
  }

  now(): number {
    return this.#nowMs
  }

  wallMs(): number {
    return this.#nowMs
  }

  /** How many sleeps are under way: what was begun and is never ended shows here. */
  get sleeperCount(): number {
    return this.#sleepers.size
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const sleeper = { dueMs: this.#nowMs + ms, wake: end }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', end, { once: true })
    })
  }

  /** Lets `ms` pass, whole ones as a machine's clock has them, each sleeper waking at its own time. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + Math.round(ms)
    await this.#settled()
    for (let next = this.#firstDue(endMs); next !== null; next = this.#firstDue(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, Math.ceil(next.dueMs))
      // Whoever wakes at the same moment does so in the same turn.
      for (const sleeper of [...this.#sleepers]) if (sleeper.dueMs <= this.#nowMs) sleeper.wake()
      await this.#settled()
    }
    this.#nowMs = endMs
  }

  /** The time leaps, as after a machine slept: everything that is overdue wakes at once, and late. */
  async leap(ms: number): Promise<void> {
    this.#nowMs += ms
    await this.pass(0)
  }

  #firstDue(endMs: number): Sleeper | null {
    let first: Sleeper | null = null
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs <= endMs && (first === null || sleeper.dueMs < first.dueMs)) first = sleeper
    }
    return first
  }
}
