import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/text/time-text.ts'

/** Returns a function that is true at most once a minute, for repeated log lines. */
export function onceAMinute(clock: Pick<Clock, 'now'>): () => boolean {
  let saidAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now()
    if (nowMs - saidAtMs < minuteMs) return false
    saidAtMs = nowMs
    return true
  }
}

/**
 * Logs a failure at once and then every minute while it lasts, and its end at most once a minute, so that the last line
 * about an alternating state is the failure.
 */
export class TroubleLog {
  readonly #maySayFailed: () => boolean
  readonly #maySayWorked: () => boolean
  readonly #log: (line: string) => void
  #isOpen = false

  constructor(clock: Clock, log: (line: string) => void) {
    this.#maySayFailed = onceAMinute(clock)
    this.#maySayWorked = onceAMinute(clock)
    this.#log = log
  }

  failed(sentence: string): void {
    const isDue = this.#maySayFailed()
    if (this.#isOpen && !isDue) return
    this.#isOpen = true
    this.#log(sentence)
  }

  worked(sentence: string): void {
    if (!this.#isOpen || !this.#maySayWorked()) return
    this.#isOpen = false
    this.#log(sentence)
  }
}
