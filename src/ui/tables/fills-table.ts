import { memoizeLast } from '../../base/memoize.ts'
import { counterOf, formatExactPrice, formatQuantity } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import type { BeyondOrder } from '../../domain/orders/beyond-order.ts'
import { type Fill, fillNotional, mergedFills } from '../../domain/orders/fills.ts'
import type { DeskState } from '../../store/desk.ts'
import { exactText, roundedText } from '../text/amounts.ts'
import { cellText, nameText } from '../text/cells.ts'
import { pastText, shortPastText } from '../text/moment.ts'
import { idShort, momentTexts, perRow } from './columns.ts'
import { sumLineCount } from './fills-sums.ts'
import { createList } from './list.ts'
import { listSource } from './list-source.ts'
import type { ListColumn } from './list-table.ts'
import { inSymbol, type SymbolsContext, symbolsContext } from './symbols-context.ts'

type FillColumn = ListColumn<Fill, SymbolsContext>

const counterScale = ({ symbol }: Fill, { instruments }: SymbolsContext): number | undefined =>
  instruments.get(symbol)?.counterScale

/** An amount in the counter currency, rounded to its decimals; every digit where they are unknown. */
const inCounter = (value: Decimal, fill: Fill, context: SymbolsContext): string =>
  roundedText(value, counterScale(fill, context) ?? value.decimalPlaces())

// By the exchange's clock, as is `nowMs`: the start of its day.
const timeCells = (fills: readonly Fill[], _: SymbolsContext, nowMs: number): string[] =>
  fills.map(({ timestampMs }) => pastText(timestampMs, nowMs))
const shortTimeCells = (fills: readonly Fill[], _: SymbolsContext, nowMs: number): string[] =>
  fills.map(({ timestampMs }) => shortPastText(timestampMs, nowMs))

/** A column of ids. Short of room they are cut in the middle, then dropped, before anything needed for trading. */
const idColumn = (key: string, head: string, read: (fill: Fill) => string, rank: number): FillColumn => ({
  key,
  head,
  text: read,
  sort: read,
  cells: perRow((fill) => cellText(read(fill))),
  align: 'left',
  tone: 'dim',
  rank,
  shorter: { cells: perRow((fill) => nameText(read(fill), idShort)), rank: rank - 4 },
})

// Short of room the ids go first, then points are no longer aligned, then words and times are shortened, then times go:
// what was traded, and the currency of the fee, stay as long as anything fits.
const columns: readonly FillColumn[] = [
  {
    key: 'time',
    head: 'TIME',
    ...momentTexts(({ timestampMs }: Fill) => timestampMs),
    sort: ({ timestampMs }) => timestampMs,
    cells: timeCells,
    align: 'left',
    tone: 'dim',
    rank: 6,
    shorter: { cells: shortTimeCells, rank: 3 },
  },
  {
    key: 'side',
    head: 'SIDE',
    text: ({ side }) => side,
    sort: ({ side }) => side,
    align: 'left',
    tone: ({ side }) => (side === 'BUY' ? 'bid' : 'ask'),
    rank: 0,
  },
  {
    key: 'symbol',
    head: 'SYMBOL',
    text: ({ symbol }) => symbol,
    sort: ({ symbol }) => symbol,
    cells: perRow(({ symbol }) => nameText(symbol)),
    align: 'left',
    rank: 5,
    shorter: { head: 'SYM', cells: perRow(({ symbol }, { shortName }) => shortName(symbol)), rank: 0 },
  },
  {
    key: 'qty',
    head: 'QTY',
    own: true,
    text: ({ quantity }) => quantity.toFixed(),
    sort: ({ quantity }) => quantity,
    cells: perRow((fill, context) => inSymbol(context, fill.symbol, fill.quantity, formatQuantity)),
    align: 'point',
    rank: 8,
    shorter: { align: 'right', rank: 0 },
  },
  {
    key: 'price',
    head: 'PRICE',
    text: ({ price }) => price.toFixed(),
    sort: ({ price }) => price,
    cells: perRow((fill, context) => inSymbol(context, fill.symbol, fill.price, formatExactPrice)),
    align: 'point',
    rank: 9,
    shorter: { align: 'right', rank: 0 },
  },
  {
    key: 'notional',
    head: 'NOTIONAL',
    own: true,
    text: (fill) => fillNotional(fill).toFixed(),
    sort: fillNotional,
    cells: perRow((fill, context) => inCounter(fillNotional(fill), fill, context)),
    align: 'point',
    rank: 13,
  },
  {
    key: 'fee',
    head: 'FEE',
    own: true,
    text: ({ fee }) => fee.toFixed(),
    sort: ({ fee }) => fee,
    cells: perRow((fill, context) => exactText(fill.fee, counterScale(fill, context) ?? 0)),
    align: 'point',
    rank: 7,
    shorter: {
      cells: perRow((fill, context) => inCounter(fill.fee, fill, context)),
      align: 'right',
      rank: 1,
    },
  },
  {
    key: 'in',
    head: 'IN',
    text: ({ symbol }, { instruments }) => instruments.get(symbol)?.counter ?? counterOf(symbol),
    align: 'left',
    tone: 'dim',
    // An amount is useless without its currency: both are dropped together.
    rank: 2,
  },
  idColumn('order', 'ORDER', ({ orderId }) => orderId, 18),
  idColumn('trade', 'TRADE', ({ tradeId }) => tradeId, 19),
  idColumn('exec', 'EXEC', ({ execId }) => execId, 20),
]

const joined = memoizeLast(
  (recent: readonly Fill[] | null, older: readonly Fill[], beyond: readonly BeyondOrder[]): readonly Fill[] => {
    const all = mergedFills(recent ?? [], older)
    if (beyond.length === 0) return all
    // An older page contains them again.
    const heldBack = new Set(beyond.map(({ fill }) => fill.execId))
    return all.filter(({ execId }) => !heldBack.has(execId))
  },
)

/** Polled fills and those loaded by scrolling, newest first; the same list while both are unchanged. */
const fillItems = ({
  fills,
  fillHistory,
  beyondFills,
}: Pick<DeskState, 'fills' | 'fillHistory' | 'beyondFills'>): readonly Fill[] =>
  joined(fills.value, fillHistory.fills, beyondFills)

/** The list of the fills pane, newest first unless it is sorted. */
const fillsList = createList({ columns, keyOf: ({ execId }: Fill) => execId })

export const fillsSource = {
  ...listSource(
    'fills',
    fillsList,
    fillItems,
    ({ instruments }: Pick<DeskState, 'instruments'>) => symbolsContext(instruments.value),
    (commands) => commands.fetchOlderFills(),
  ),
  // The sums take lines below the list.
  lineCount: (rowCount: number) => fillsList.lineCount(rowCount - sumLineCount(rowCount)),
}
