import { whileSame } from '../base/memoize.ts'
import { minuteMs } from '../base/text/time-text.ts'
import type { FeedAnswer } from '../domain/desk/events.ts'
import type { Bar } from '../domain/market/bar.ts'
import { type BarList, barsUpTo, emptyBarList, mergedBars, withLookAtEnd } from '../domain/market/bar-list.ts'
import { type BarSeries, barSeries, type RecordedBars } from '../domain/market/bar-series.ts'
import { type KeptSpans, spansOf, usualSpans } from '../domain/market/kept-spans.ts'
import { foldLooks } from '../domain/market/looks.ts'
import type { ClockSlice } from './clock.ts'
import type { FeedsSlice } from './feeds/feeds.ts'

/** Symbol → bars of its last prices, the current minute last: minutes, hours before them; how many: `keptOf`. */
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

type Holdings = Pick<FeedsSlice, 'balances' | 'otherAccounts'>

/** At most so many symbols that value holdings are held in full among many: some 23 MB. */
const valuingMax = 100

const rememberedValuing = whileSame<ReadonlySet<string>>()

/** The symbols that give holdings their value: what was transferred weeks ago is valued by their bars. */
function valuingSymbols({ balances, otherAccounts }: Holdings): ReadonlySet<string> {
  return rememberedValuing([balances.value, otherAccounts], () => {
    const lists = [balances.value ?? [], ...[...otherAccounts.values()].map((account) => account.balances)]
    const symbols = new Set(lists.flat().map(({ currency }) => `${currency}-USD`))
    return new Set([...symbols].slice(0, valuingMax))
  })
}

type Looked = Holdings & { symbol: string | null; recentSymbols: readonly string[] }

/** What the account's history needs to know of symbols: those that value holdings, and beside them those looked at. */
export const symbolsWanted = (stateNow: () => Looked) => ({
  valuing: () => valuingSymbols(stateNow()),
  lookedAt(): Iterable<string> {
    const { symbol, recentSymbols, ...holdings } = stateNow()
    return new Set([...(symbol === null ? [] : [symbol]), ...recentSymbols, ...valuingSymbols(holdings)])
  },
})

/** How much is held of each symbol, of `symbolCount` together; of those that value holdings all that is usual. */
function keptOf(state: Holdings, symbolCount: number): (symbol: string) => KeptSpans {
  const kept = spansOf(symbolCount)
  const valuing = kept === usualSpans ? null : valuingSymbols(state)
  return (symbol) => (valuing?.has(symbol) ? usualSpans : kept)
}

export function reduceBars<S extends BarsSlice & Pick<FeedsSlice, 'balances' | 'otherAccounts' | 'tickers'>>(
  state: S,
  event: BarsEvent,
): S {
  if (event.type === 'olderBarsRead') return { ...state, olderBars: event.older }
  const bars = new Map(state.bars)
  const kept = keptOf(state, Math.max(bars.size, state.tickers.value?.size ?? 0))
  for (const [symbol, recorded] of event.bars)
    bars.set(symbol, mergedBars(recorded, barsOfSymbol({ bars }, symbol), kept(symbol)))
  return { ...state, bars }
}

/** The desk's bars of a symbol; none before its first price. */
export const barsOfSymbol = ({ bars }: Pick<BarsSlice, 'bars'>, symbol: string): BarList =>
  bars.get(symbol) ?? emptyBarList

/** All bars of a symbol in a length. */
export const seriesOf = ({ bars, olderBars }: BarsSlice, symbol: string, lengthMs: number): BarSeries =>
  barSeries(barsOfSymbol({ bars }, symbol), olderBars?.symbol === symbol ? olderBars : null, lengthMs)

/**
 * Adds the prices of an answer, dated by exchange time; the same bars when nothing is new. After that clock was set
 * back bars of later than now are dropped: in front of them no price would make a bar until their time has come, and
 * the last of them would stand as the last price. An answer may be dated earlier than now, and drops none.
 */
export function withTickers(
  state: Pick<BarsSlice, 'bars'> & Pick<FeedsSlice, 'books'> & Pick<ClockSlice, 'nowMs' | 'ahead'> & Holdings,
  answer: Extract<FeedAnswer, { type: 'tickers' }>,
): Bars {
  const { bars, books, nowMs, ahead } = state
  const utcMs = answer.atMs + ahead.exchangeMs
  const latestMs = Math.max(nowMs, answer.atMs) + ahead.exchangeMs + minuteMs
  const kept = keptOf(state, Math.max(bars.size, answer.tickers.size))
  let next: Map<string, BarList> | null = null
  foldLooks(
    answer,
    (symbol) => books.get(symbol),
    utcMs,
    (symbol, look) => {
      const before = barsOfSymbol({ bars }, symbol)
      const after = withLookAtEnd(barsUpTo(before, latestMs), look, kept(symbol))
      if (after === before) return
      next ??= new Map(bars)
      next.set(symbol, after)
    },
  )
  return next ?? bars
}
