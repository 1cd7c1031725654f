import type { FeedAnswer } from '../domain/desk/events.ts'
import type { Bar } from '../domain/market/bar.ts'
import { type BarList, emptyBarList, mergedBars, withLookAtEnd } from '../domain/market/bar-list.ts'
import { type BarSeries, barSeries, type RecordedBars } from '../domain/market/bar-series.ts'
import { foldLooks } from '../domain/market/looks.ts'
import type { FeedsSlice } from './feeds/feeds.ts'

/** Symbol → bars of its last prices, the running minute last: two days by the minute, before them hours. */
export type Bars = ReadonlyMap<string, BarList>

export type BarsSlice = {
  bars: Bars
  /**
   * What the account's history told of one symbol from before the bars that a desk keeps, as far as the chart asked for
   * it; null before it asked, and where there is no history.
   */
  olderBars: RecordedBars | null
}

export const startBars: BarsSlice = { bars: new Map(), olderBars: null }

/**
 * Bars of earlier runs, in any order: they are put beside what this desk has seen since; and what a chart asked for.
 */
export type BarsEvent =
  | { type: 'barsLoaded'; symbol: string; bars: readonly Bar[] }
  | { type: 'olderBarsRead'; older: RecordedBars }

export function reduceBars<S extends BarsSlice>(state: S, event: BarsEvent): S {
  if (event.type === 'olderBarsRead') return { ...state, olderBars: event.older }
  const { symbol, bars } = event
  if (bars.length === 0) return state
  return { ...state, bars: new Map(state.bars).set(symbol, mergedBars(bars, barsOfSymbol(state, symbol))) }
}

/** The bars that are kept of a symbol: none before its first price. */
export const barsOfSymbol = ({ bars }: Pick<BarsSlice, 'bars'>, symbol: string): BarList =>
  bars.get(symbol) ?? emptyBarList

/** Everything that is known of a symbol in bars of a length. */
export const seriesOf = ({ bars, olderBars }: BarsSlice, symbol: string, lengthMs: number): BarSeries =>
  barSeries(barsOfSymbol({ bars }, symbol), olderBars?.symbol === symbol ? olderBars : null, lengthMs)

/**
 * Takes in the prices of an answer, which came at `utcMs` by the exchange's clock; what tells nothing new gives the
 * same bars back.
 */
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
