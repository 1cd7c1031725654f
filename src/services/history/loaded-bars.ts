import type { HistoryEvent } from '../../domain/desk/events.ts'
import type { Bar } from '../../domain/market/bar.ts'

/** Bars of this many symbols are reported each by itself; those of more in about as many reports. */
const reportsMax = 64
/** Maximum bars kept for a report: some 10 MB. */
const barsMax = 20_000

/**
 * Reports recorded bars, those of many symbols together: with each report the map of all symbols is made anew, which
 * symbol by symbol takes 17 s among 10,000.
 */
export class LoadedBars {
  readonly #symbolsAtOnce: number
  readonly #emit: (event: HistoryEvent) => void
  #bars = new Map<string, readonly Bar[]>()
  #count = 0

  constructor(symbolCount: number, emit: (event: HistoryEvent) => void) {
    this.#symbolsAtOnce = symbolCount / reportsMax
    this.#emit = emit
  }

  /** Takes the bars of a symbol, and reports when there are enough. */
  add(symbol: string, bars: readonly Bar[]): void {
    if (bars.length > 0) this.#bars.set(symbol, bars)
    this.#count += bars.length
    if (this.#bars.size >= this.#symbolsAtOnce || this.#count >= barsMax) this.report()
  }

  /** Reports what is not reported yet. */
  report(): void {
    if (this.#bars.size > 0) this.#emit({ type: 'barsLoaded', bars: this.#bars })
    this.#bars = new Map()
    this.#count = 0
  }
}
