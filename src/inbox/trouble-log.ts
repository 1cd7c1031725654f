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

/** Says that something fails, not more than once a minute, and then that it works again. */
export class TroubleLog {
  readonly #maySay: () => boolean
  readonly #log: (line: string) => void
  #isOpen = false

  constructor(clock: Clock, log: (line: string) => void) {
    this.#maySay = onceAMinute(clock)
    this.#log = log
  }

  failed(sentence: string): void {
    if (!this.#maySay()) return
    this.#isOpen = true
    this.#log(sentence)
  }

  worked(sentence: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#log(sentence)
  }
}
