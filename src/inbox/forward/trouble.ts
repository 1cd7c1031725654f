import type { Clock } from '../../base/clock.ts'

const quietMs = 60_000

/** Says that something fails, not more than once a minute, and then that it works again. */
export class TroubleLog {
  readonly #clock: Clock
  readonly #log: (line: string) => void
  #saidAtMs = Number.NEGATIVE_INFINITY
  #isOpen = false

  constructor(clock: Clock, log: (line: string) => void) {
    this.#clock = clock
    this.#log = log
  }

  failed(sentence: string): void {
    const nowMs = this.#clock.now()
    if (nowMs - this.#saidAtMs < quietMs) return
    this.#saidAtMs = nowMs
    this.#isOpen = true
    this.#log(sentence)
  }

  worked(sentence: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#log(sentence)
  }
}
