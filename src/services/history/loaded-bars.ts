import { nextTurn } from '../../base/clock.ts'
import { dayMs, hourMs } from '../../base/text/time-text.ts'
import type { HistoryEvent } from '../../domain/desk/events.ts'
import { type Bar, barSpanMs } from '../../domain/market/bar.ts'
import { barStart, longerBars } from '../../domain/market/bars.ts'
import { type KeptSpans, spansOf, usualSpans } from '../../domain/market/kept-spans.ts'

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

type BarsFile = {
  symbols(): readonly string[]
  bars(symbol: string, fromMs: number, toMs: number): readonly Bar[]
  eachBar(symbol: string, fromMs: number, toMs: number): Iterable<Bar>
  /** The last bar that begins at or before a moment. */
  barAt(symbol: string, atMs: number): Bar | null
}

type Loading = {
  toMs: number
  valuing: (() => ReadonlySet<string>) | undefined
  emit: (event: HistoryEvent) => void
  signal: AbortSignal
}

/** Reports what charts keep of each recorded symbol: minutes of all first, then the longer bars before them. */
export async function loadBars(file: BarsFile, { toMs, valuing, emit, signal }: Loading): Promise<void> {
  const symbols = file.symbols()
  const spans = spansOf(symbols.length)
  const whole = valuing?.() ?? new Set()
  const wanted = symbols.map((symbol) => {
    const kept = whole.has(symbol) ? usualSpans : spans
    return { symbol, kept, fromMs: barStart(toMs - kept.minutesMs, kept.longerMs) }
  })
  const loaded = new LoadedBars(symbols.length, emit)
  for (const { symbol, fromMs } of wanted) {
    // A day of one symbol takes some ms.
    await nextTurn()
    if (signal.aborted) return
    loaded.add(symbol, file.bars(symbol, fromMs, toMs))
  }
  loaded.report()
  for (const { symbol, fromMs, kept } of wanted)
    loaded.add(symbol, await longerBefore(file, { symbol, endMs: fromMs, kept, signal }))
  loaded.report()
}

type Before = { symbol: string; endMs: number; kept: KeptSpans; signal: AbortSignal }

/** Longer bars before a moment, the oldest first, made of what there is up to hours, a day at a time. */
async function longerBefore(file: BarsFile, { symbol, endMs, kept, signal }: Before): Promise<Bar[]> {
  const { longerForMs, longerMs } = kept
  const days: (readonly Bar[])[] = []
  const firstMs = endMs - longerForMs
  let last = file.barAt(symbol, endMs - 1)
  while (last !== null && last.startMs >= firstMs && !signal.aborted) {
    await nextTurn()
    const fromMs = Math.max(firstMs, barStart(last.startMs, dayMs))
    const toMs = Math.min(endMs, barStart(last.startMs, dayMs) + dayMs)
    const found = [...file.eachBar(symbol, fromMs, toMs - 1)]
    const isLong = (bar: Bar): boolean => barSpanMs(bar) > longerMs
    days.unshift([
      ...found.filter((bar) => isLong(bar) && barSpanMs(bar) <= hourMs),
      ...longerBars(
        found.filter((bar) => !isLong(bar)),
        longerMs,
      ),
    ])
    last = file.barAt(symbol, fromMs - 1)
  }
  return days.flat()
}
