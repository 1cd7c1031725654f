import { averageScaleUnknown } from '../../domain/market/amounts.ts'
import { counterOf, formatAverage, formatQuantity } from '../../domain/market/instrument.ts'
import { type Decimal, formatGrouped, zero } from '../../domain/money.ts'
import { averagePrice, type FillSums, type SideSum, type SumsBySymbol } from '../../domain/orders/fills.ts'
import type { Side } from '../../domain/side.ts'
import { roundedText } from '../text/amounts.ts'
import { cellText, nameText, safeText } from '../text/cells.ts'
import { own } from '../text/privacy.ts'
import { type Row, span, wordRows } from '../text/row.ts'
import { type TableColumn, tableRows } from '../text/table.ts'
import { inSymbol, type SymbolsContext } from './symbols-context.ts'

type SumLine = { period: 'session' | 'day'; symbol: string; side: Side; sum: SideSum }

/**
 * Lines for the sums in a pane with `rowCount` lines inside its frame. Independent of the fills, so that the list above
 * stays put.
 */
export function sumLineCount(rowCount: number): number {
  if (rowCount < 9) return 0
  return rowCount < 13 ? 3 : rowCount < 18 ? 5 : 9
}

function linesOf(sums: SumsBySymbol, symbol: string, period: SumLine['period']): SumLine[] {
  const entry = sums.get(symbol)
  if (entry === undefined) return []
  return (['BUY', 'SELL'] as const).flatMap((side) =>
    entry[side].count === 0 ? [] : [{ period, symbol, side, sum: entry[side] }],
  )
}

/** Sums by period, symbol and side, the symbol in view first. */
function sumLines({ session, day }: FillSums, shown: string): SumLine[] {
  const symbols = [...new Set([shown, ...session.keys(), ...day.keys()])]
  return symbols.flatMap((symbol) => [...linesOf(session, symbol, 'session'), ...linesOf(day, symbol, 'day')])
}

/**
 * The sums as `lineCount` lines including the heads, none if nothing was filled; every figure is exact except the
 * average. Short of room notional and fees are rounded to their currency's decimals.
 */
export function sumsRows(
  sums: FillSums,
  shown: string,
  context: SymbolsContext,
  { width, lineCount, isPrivate }: { width: number; lineCount: number; isPrivate: boolean },
): Row[] {
  if (lineCount === 0) return []
  const all = sumLines(sums, shown)
  if (all.length === 0)
    return [[], ...wordRows('Nothing filled in this session or on this day.', width, 'dim')].slice(-lineCount)
  const lines = all.slice(0, lineCount - 1)
  const rules = ({ symbol }: SumLine) => context.instruments.get(symbol)
  const cells = (text: (line: SumLine) => string) => lines.map((line) => safeText(text(line)))
  const counter = (line: SumLine) => rules(line)?.counter ?? counterOf(line.symbol)
  /** Cells with amounts of the account. */
  const owned = (text: (line: SumLine) => string) => cells((line) => own(text(line), isPrivate))
  const money = (read: (sum: SideSum) => Decimal, decimalsMax: number) =>
    owned((line) => {
      const value = read(line.sum)
      const least = rules(line)?.counterScale ?? 2
      return roundedText(value, Math.max(least, Math.min(value.decimalPlaces(), decimalsMax)), formatGrouped)
    })
  const columns: TableColumn[] = [
    {
      // Short of lines the others are not seen.
      head: lines.length < all.length ? `SUM ${lines.length}/${all.length}` : 'SUM',
      cells: cells(({ period }) => (period === 'day' ? 'UTC day' : period)),
      align: 'left',
      tone: 'dim',
      rank: 0,
    },
    {
      head: 'SYMBOL',
      cells: cells(({ symbol }) => nameText(symbol)),
      align: 'left',
      rank: 4,
      shorter: () => ({ head: 'SYM', cells: cells(({ symbol }) => context.shortName(symbol)), rank: 0 }),
    },
    {
      head: 'SIDE',
      cells: cells(({ side }) => side),
      align: 'left',
      tone: (row) => (lines[row]?.side === 'BUY' ? 'bid' : 'ask'),
      rank: 0,
    },
    { head: 'FILLS', cells: cells(({ sum }) => String(sum.count)), align: 'right', rank: 9 },
    {
      head: 'QTY',
      cells: owned(({ symbol, sum }) => inSymbol(context, symbol, sum.quantity, formatQuantity)),
      align: 'point',
      rank: 6,
      shorter: () => ({ align: 'right', rank: 2 }),
    },
    {
      head: 'AVG PRICE',
      cells: owned((line) => {
        const average = averagePrice(line.sum)
        const instrument = rules(line)
        if (average === null) return '-'
        return instrument === undefined ? average.toFixed(averageScaleUnknown) : formatAverage(average, instrument)
      }),
      align: 'point',
      rank: 5,
      shorter: () => ({ align: 'right', rank: 0 }),
    },
    {
      head: 'NOTIONAL',
      cells: money(({ notional }) => notional, 40),
      align: 'point',
      rank: 8,
      shorter: () => ({ cells: money(({ notional }) => notional, 0), align: 'right', rank: 3 }),
    },
    {
      head: 'FEES',
      cells: money(({ fees }) => fees, 40),
      align: 'point',
      rank: 7,
      shorter: () => ({ cells: money(({ fees }) => fees, 0), align: 'right', rank: 1 }),
    },
    { head: 'IN', cells: cells(counter), align: 'left', tone: 'dim', rank: 10 },
  ]
  const { head, rows } = tableRows(columns, width - 1)
  return [head, ...rows].map((row) => [span(' '), ...row])
}

/** Count and fees of a period's fills, by counter currency. */
function totals(sums: SumsBySymbol, context: SymbolsContext): Map<string, { count: number; fees: Decimal }> {
  const found = new Map<string, { count: number; fees: Decimal }>()
  for (const [symbol, sides] of sums) {
    const counter = context.instruments.get(symbol)?.counter ?? counterOf(symbol)
    const { count, fees } = found.get(counter) ?? { count: 0, fees: zero }
    found.set(counter, {
      count: count + sides.BUY.count + sides.SELL.count,
      fees: fees.plus(sides.BUY.fees).plus(sides.SELL.fees),
    })
  }
  return found
}

/** The session summarized for the lower border: `session 2 fills, fees 8.345175 USD`. */
export function sessionFoot({ session }: FillSums, context: SymbolsContext, isPrivate: boolean): Row {
  const entries = [...totals(session, context)]
  if (entries.length === 0) return []
  const count = entries.reduce((sum, [, total]) => sum + total.count, 0)
  const fees = entries.map(
    ([counter, total]) => `${formatGrouped(total.fees, total.fees.decimalPlaces())} ${cellText(counter)}`,
  )
  const told = `session ${count} ${count === 1 ? 'fill' : 'fills'}`
  return [span(isPrivate ? told : `${told}, fees ${fees.join(' + ')}`, 'label')]
}
