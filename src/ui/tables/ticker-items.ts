import type { Ticker } from '../../domain/balance.ts'
import type { Instrument, SymbolStatus } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { type PriceHistory, type PricePoint, seenRange } from '../../store/chart.ts'
import type { DeskState } from '../../store/desk.ts'
import { memoizeLast } from './memoize.ts'
import { shortNames } from './symbols-context.ts'

const letters: Readonly<Record<SymbolStatus, string>> = {
  open: '',
  halt: 'H',
  'halt-freeze': 'F',
  suspend: 'S',
  close: 'C',
}

/** What stands for a status where there is room for one cell; nothing for an open symbol. */
export const statusLetter = (status: SymbolStatus): string => letters[status]

/** A line of the tickers pane. */
export type TickerItem = {
  symbol: string
  ticker: Ticker | undefined
  instrument: Instrument | undefined
  /** The oldest first. */
  points: readonly PricePoint[]
  /** The highest and the lowest price that this desk has seen. */
  seen: { high: Decimal; low: Decimal } | null
}

/** What the cells of a ticker depend on beside it. */
export type TickersContext = {
  /** The symbols on the ladders. */
  shown: ReadonlySet<string>
  shortName: (symbol: string) => string
}

const noPoints: readonly PricePoint[] = []

const itemsFrom = memoizeLast(
  (
    instruments: ReadonlyMap<string, Instrument> | null,
    tickers: ReadonlyMap<string, Ticker> | null,
    history: PriceHistory,
  ): readonly TickerItem[] => {
    const symbols = [...(instruments?.keys() ?? tickers?.keys() ?? [])]
    return symbols.map((symbol) => {
      const points = history.get(symbol) ?? noPoints
      return {
        symbol,
        ticker: tickers?.get(symbol),
        instrument: instruments?.get(symbol),
        points,
        seen: seenRange(points),
      }
    })
  },
)

type ItemsState = Pick<DeskState, 'instruments' | 'tickers' | 'priceHistory'>

/** Every symbol in the service's order; the same list while nothing about them changed. */
export const tickerItems = ({ instruments, tickers, priceHistory }: ItemsState): readonly TickerItem[] =>
  itemsFrom(instruments.value, tickers.value, priceHistory)

const contextFrom = memoizeLast(
  (instruments: ReadonlyMap<string, Instrument> | null, symbol: string, other: string | null): TickersContext => ({
    shown: new Set(other === null ? [symbol] : [symbol, other]),
    shortName: shortNames(instruments),
  }),
)

type ContextState = Pick<DeskState, 'instruments' | 'symbol' | 'symbol2'>

export const tickersContext = ({ instruments, symbol, symbol2 }: ContextState): TickersContext =>
  contextFrom(instruments.value, symbol, symbol2)
