import { memoizeLast } from '../../base/memoize.ts'
import { formatPrice, type Instrument, isHalted, type SymbolStatus } from '../../domain/market/instrument.ts'
import { change24h, type Ticker } from '../../domain/market/ticker.ts'
import { compareAmounts, type Decimal, roughly } from '../../domain/money.ts'
import type { DeskState } from '../../store/desk.ts'
import { type PriceHistory, type PricePoint, seenRange } from '../../store/price-history.ts'
import { alignOnPoint, percentText, roundedText, withoutLeadingZero } from '../text/amounts.ts'
import { nameText } from '../text/cells.ts'
import { auctionForms } from '../text/trade-words.ts'
import { perRow } from './columns.ts'
import { createList } from './list.ts'
import { listSource } from './list-source.ts'
import type { ListColumn, ListField } from './list-table.ts'
import { readableAmount, shortNames } from './symbols-context.ts'

const letters: Readonly<Record<SymbolStatus, string>> = {
  open: '',
  halt: 'H',
  'halt-freeze': 'F',
  suspend: 'S',
  close: 'C',
}

/** A one-cell abbreviation of a status; blank for an open symbol. */
export const statusLetter = (status: SymbolStatus): string => letters[status]

/** A line of the tickers pane. */
type TickerItem = {
  symbol: string
  ticker: Ticker | undefined
  instrument: Instrument | undefined
  /** Oldest first. */
  points: readonly PricePoint[]
}

/** The highest and lowest price that this desk has seen. */
const seenOf = ({ points }: TickerItem): ReturnType<typeof seenRange> => seenRange(points)

/** Inputs of a ticker's cells besides the ticker. */
type TickersContext = {
  /** The symbols on the ladders. */
  shown: ReadonlySet<string>
  shortName: (symbol: string) => string
}

const noPoints: readonly PricePoint[] = []

/** The items of the last list, by symbol. */
let lastItems: ReadonlyMap<string, TickerItem> = new Map()

const itemsFrom = memoizeLast(
  (
    instruments: ReadonlyMap<string, Instrument> | null,
    tickers: ReadonlyMap<string, Ticker> | null,
    history: PriceHistory,
  ): readonly TickerItem[] => {
    const symbols = [...(instruments?.keys() ?? tickers?.keys() ?? [])]
    const items = symbols.map((symbol): TickerItem => {
      const points = history.get(symbol) ?? noPoints
      const item = { symbol, ticker: tickers?.get(symbol), instrument: instruments?.get(symbol), points }
      const before = lastItems.get(symbol)
      return before?.ticker === item.ticker && before?.instrument === item.instrument && before?.points === points
        ? before
        : item
    })
    lastItems = new Map(items.map((item) => [item.symbol, item]))
    return items
  },
)

type ItemsState = Pick<DeskState, 'instruments' | 'tickers' | 'priceHistory'>

/** Every symbol in the exchange's order; the same list while nothing about them has changed. */
const tickerItems = ({ instruments, tickers, priceHistory }: ItemsState): readonly TickerItem[] =>
  itemsFrom(instruments.value, tickers.value, priceHistory)

const contextFrom = memoizeLast(
  (instruments: ReadonlyMap<string, Instrument> | null, symbol: string, other: string | null): TickersContext => ({
    shown: new Set(other === null ? [symbol] : [symbol, other]),
    shortName: shortNames(instruments),
  }),
)

type ContextState = Pick<DeskState, 'instruments' | 'symbol' | 'symbol2' | 'screen'>

/** Not every screen has room for a second ladder: a symbol that is not shown is not marked. */
const tickersContext = ({ instruments, symbol, symbol2, screen }: ContextState): TickersContext =>
  contextFrom(instruments.value, symbol, screen.visiblePanes.includes('ladder2') ? symbol2 : null)

const steps = '▁▂▃▄▅▆▇█'

/**
 * The last `width` values as a line of bars between their lowest and highest; equal values are drawn halfway up. Empty
 * without values.
 */
export function sparkline(values: readonly Decimal[], width: number): string {
  const shown = values.slice(-width)
  const [first, ...others] = shown
  if (first === undefined) return ''
  const low = others.reduce((least, value) => (compareAmounts(value, least) < 0 ? value : least), first)
  const high = others.reduce((most, value) => (compareAmounts(value, most) > 0 ? value : most), first)
  const range = roughly(high.minus(low))
  const bars = shown.map((value) => {
    const at = range === 0 ? steps.length >> 1 : Math.round((roughly(value.minus(low)) / range) * (steps.length - 1))
    return steps[at] ?? ' '
  })
  return bars.join('').padStart(width)
}

type Column = ListColumn<TickerItem, TickersContext>

const plain = (value: Decimal | null | undefined): string => value?.toFixed() ?? ''
const changeOf = ({ ticker }: TickerItem): Decimal | null => (ticker === undefined ? null : change24h(ticker))

const priced =
  (read: (item: TickerItem) => Decimal | null | undefined) =>
  (item: TickerItem): string => {
    const price = read(item)
    if (price === null || price === undefined) return '-'
    return item.instrument === undefined ? price.toFixed() : formatPrice(price, item.instrument)
  }
const lastText = priced(({ ticker }) => ticker?.lastPrice)

function volumeText({ ticker, instrument }: TickerItem): string {
  const volume = ticker?.volume24h ?? null
  return volume === null ? '-' : roundedText(volume, Math.min(instrument?.quantityScale ?? 2, 2))
}

/** The unit is the symbol's base: volumes of different symbols are not in one currency. */
const volumeUnit = ({ ticker, instrument }: TickerItem): string =>
  ticker?.volume24h === undefined || ticker.volume24h === null ? '' : nameText(instrument?.base ?? '')

/** The volumes aligned on their points, each with its unit. */
function volumesWithUnit(items: readonly TickerItem[]): string[] {
  const numbers = alignOnPoint(items.map(volumeText))
  const units = items.map(volumeUnit)
  const width = Math.max(0, ...units.map((unit) => unit.length))
  return items.map((_, at) => `${numbers[at] ?? ''} ${(units[at] ?? '').padEnd(width)}`)
}

/** `*` marks a symbol on a ladder; the list has a mark of its own for its cursor. */
const mark = (symbol: string, { shown }: TickersContext): string => (shown.has(symbol) ? '*' : ' ')

/** The state of a halted symbol's auction, shortened; empty for any other symbol. */
const auctionText = ({ instrument }: TickerItem): string =>
  instrument === undefined || !isHalted(instrument) ? '' : (auctionForms(instrument).at(-2) ?? '')

const sparkCells = 10
const spark =
  (width: number) =>
  ({ points }: TickerItem): string =>
    sparkline(
      points.slice(-width).map(({ price }) => price),
      width,
    )

const seenColumn = (key: 'high' | 'low', head: string): Column => ({
  key,
  head,
  text: (item) => plain(seenOf(item)?.[key]),
  sort: (item) => seenOf(item)?.[key] ?? null,
  cells: perRow(priced((item) => seenOf(item)?.[key])),
  align: 'right',
  tone: 'dim',
  rank: 7,
})

const columns: readonly Column[] = [
  {
    key: 'symbol',
    head: ' SYMBOL',
    text: ({ symbol }) => symbol,
    sort: ({ symbol }) => symbol,
    cells: perRow(({ symbol }, context) => mark(symbol, context) + nameText(symbol)),
    align: 'left',
    tone: ({ symbol }, { shown }) => (shown.has(symbol) ? 'title' : 'text'),
    rank: 3,
    shorter: {
      head: ' SYM',
      cells: perRow(({ symbol }, context) => mark(symbol, context) + context.shortName(symbol)),
      rank: 0,
    },
  },
  {
    key: 'last',
    head: 'LAST',
    text: ({ ticker }) => plain(ticker?.lastPrice),
    sort: ({ ticker }) => ticker?.lastPrice ?? null,
    cells: perRow(lastText),
    align: 'right',
    rank: 2,
    shorter: { cells: perRow((item) => withoutLeadingZero(lastText(item))), rank: 0 },
  },
  {
    key: 'change',
    head: '24h%',
    text: (item) => changeOf(item)?.times(100).toFixed(4) ?? '',
    sort: changeOf,
    cells: perRow((item) => {
      const change = changeOf(item)
      return change === null ? '-' : percentText(change).replace('%', '')
    }),
    align: 'right',
    tone({ ticker }) {
      const { lastPrice = null, price24h = null } = ticker ?? {}
      if (lastPrice === null || price24h === null || price24h.isZero()) return 'dim'
      return compareAmounts(lastPrice, price24h) < 0 ? 'ask' : 'bid'
    },
    rank: 1,
  },
  {
    key: 'status',
    head: '',
    text: ({ instrument }) => instrument?.status ?? '',
    sort: ({ instrument }) => instrument?.status ?? null,
    cells: perRow(({ instrument }) =>
      instrument === undefined || instrument.status === 'open' ? ' ' : instrument.status.toUpperCase(),
    ),
    align: 'left',
    tone: 'warn',
    rank: 5,
    shorter: {
      cells: perRow(({ instrument }) => (instrument === undefined ? ' ' : statusLetter(instrument.status) || ' ')),
      rank: 0,
    },
  },
  {
    key: 'moves',
    head: 'MOVES',
    text: ({ points }) =>
      points
        .slice(-sparkCells)
        .map(({ price }) => price.toFixed())
        .join(' '),
    cells: perRow(spark(sparkCells)),
    align: 'left',
    tone: 'last',
    rank: 6,
    shorter: { cells: perRow(spark(6)), rank: 4 },
  },
  {
    key: 'volume',
    head: 'VOL 24h',
    text: ({ ticker }) => plain(ticker?.volume24h),
    sort: ({ ticker }) => ticker?.volume24h ?? null,
    cells: volumesWithUnit,
    align: 'right',
    tone: 'dim',
    rank: 6.5,
    shorter: { cells: perRow(volumeText), align: 'point', rank: 4 },
  },
  seenColumn('low', 'SEEN LOW'),
  seenColumn('high', 'SEEN HIGH'),
  { key: 'auction', head: 'AUCTION', text: auctionText, align: 'left', tone: 'warn', rank: 8 },
]

/** A figure of a symbol, readable with the symbol's decimals, or all digits if it has more. */
const figure = (
  label: string,
  kind: 'price' | 'quantity',
  read: (item: TickerItem) => Decimal | null | undefined,
): ListField<TickerItem, TickersContext> => ({
  label,
  text: (item) => plain(read(item)),
  shown: (item) => readableAmount(read(item), kind, item.instrument),
})

/** Every figure of a symbol. */
const fields: readonly ListField<TickerItem, TickersContext>[] = [
  { label: 'symbol', text: ({ symbol }) => symbol },
  figure('last', 'price', ({ ticker }) => ticker?.lastPrice),
  {
    label: 'change',
    text: (item) => changeOf(item)?.times(100).toFixed(4) ?? '',
    shown: (item) => {
      const change = changeOf(item)
      return change === null ? '' : percentText(change, 2)
    },
  },
  { label: 'status', text: ({ instrument }) => instrument?.status ?? '' },
  {
    label: 'volume',
    text: ({ ticker }) => plain(ticker?.volume24h),
    shown(item) {
      const volume = readableAmount(item.ticker?.volume24h, 'quantity', item.instrument)
      return volume === '' ? '' : `${volume} ${volumeUnit(item)} in 24h`
    },
  },
  figure('low', 'price', (item) => seenOf(item)?.low),
  figure('high', 'price', (item) => seenOf(item)?.high),
  figure('price 24h ago', 'price', ({ ticker }) => ticker?.price24h),
  figure('auction price', 'price', ({ instrument }) => instrument?.auction.price),
  figure('auction size', 'quantity', ({ instrument }) => instrument?.auction.quantity),
  figure('imbalance', 'quantity', ({ instrument }) => instrument?.auction.imbalance),
  { label: 'auction time', text: ({ instrument }) => instrument?.auction.time ?? '' },
]

const tickersList = createList({ columns, keyOf: ({ symbol }: TickerItem) => symbol, fields })

export const tickersSource = listSource('tickers', tickersList, tickerItems, tickersContext)
