import type { FeedAnswer } from '../domain/desk/events.ts'
import type { Bar } from '../domain/market/bar.ts'
import { type BarList, emptyBarList, mergedBars, withLookAtEnd } from '../domain/market/bar-list.ts'
import { type BarSeries, barSeries, type RecordedBars } from '../domain/market/bar-series.ts'
import { foldLooks } from '../domain/market/looks.ts'
import type { FeedsSlice } from './feeds/feeds.ts'

/** Symbol → bars of its last prices, the current minute last: two days of minutes, hours before them. */
export type Bars = ReadonlyMap<string, BarList>

export type BarsSlice = {
  bars: Bars
  /**
   * Recorded bars of one symbol from before the desk's own bars, as far as the chart requested them; null before that,
   * and without a history.
   */
  olderBars: RecordedBars | null
}

export const startBars: BarsSlice = { bars: new Map(), olderBars: null }

/** Bars of earlier runs, in any order, which are joined with this desk's; and those a chart requested. */
export type BarsEvent =
  | { type: 'barsLoaded'; bars: ReadonlyMap<string, readonly Bar[]> }
  | { type: 'olderBarsRead'; older: RecordedBars }

export function reduceBars<S extends BarsSlice>(state: S, event: BarsEvent): S {
  if (event.type === 'olderBarsRead') return { ...state, olderBars: event.older }
  const bars = new Map(state.bars)
  for (const [symbol, recorded] of event.bars) bars.set(symbol, mergedBars(recorded, barsOfSymbol({ bars }, symbol)))
  return { ...state, bars }
}

/** The desk's bars of a symbol; none before its first price. */
export const barsOfSymbol = ({ bars }: Pick<BarsSlice, 'bars'>, symbol: string): BarList =>
  bars.get(symbol) ?? emptyBarList

/** All bars of a symbol in a length. */
export const seriesOf = ({ bars, olderBars }: BarsSlice, symbol: string, lengthMs: number): BarSeries =>
  barSeries(barsOfSymbol({ bars }, symbol), olderBars?.symbol === symbol ? olderBars : null, lengthMs)

/** Adds the prices of an answer that came at `utcMs` of exchange time; the same bars when nothing is new. */
export function withTickers(
  { bars, books }: Pick<BarsSlice, 'bars'> & Pick<FeedsSlice, 'books'>,
  answer: Extract<FeedAnswer, { type: 'tickers' }>,
  utcMs: number,
): Bars {
  let next: Map<string, BarList> | null = null
  foldLooks(
    answer,
    (symbol) => books.get(symbol),
    utcMs,
    (symbol, look) => {
      const before = barsOfSymbol({ bars }, symbol)
      const after = withLookAtEnd(before, look)
      if (after === before) return
      next ??= new Map(bars)
      next.set(symbol, after)
    },
  )
  return next ?? bars
}
