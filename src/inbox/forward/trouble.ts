import type { Clock } from '../../clock.ts'

const quietMs = 60_000

/** Says that something fails, not more than once a minute, and once that it works again. */
export class TroubleLog {
  readonly #clock: Clock
  readonly #log: (line: string) => void
  #saidAtMs: number | null = null

  constructor(clock: Clock, log: (line: string) => void) {
    this.#clock = clock
    this.#log = log
  }

  failed(sentence: string): void {
    const nowMs = this.#clock.now()
    if (this.#saidAtMs !== null && nowMs - this.#saidAtMs < quietMs) return
    this.#saidAtMs = nowMs
    this.#log(sentence)
  }

  worked(sentence: string): void {
    if (this.#saidAtMs === null) return
    this.#saidAtMs = null
    this.#log(sentence)
  }
}
