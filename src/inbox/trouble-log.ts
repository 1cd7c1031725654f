import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/time-text.ts'

/** Asked before something is said that happens again and again: true at most once a minute. */
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
 * Says that something fails, as soon as it does and once a minute while it goes on, and then that it works again: that
 * not more than once a minute either, so that the last word of what fails and works by turns is that it fails.
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
