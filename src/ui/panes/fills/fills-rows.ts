import type { Fill } from '../../../domain/fill.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../../domain/instrument.ts'
import type { Decimal } from '../../../domain/money.ts'
import { cellText } from '../../text/cells.ts'
import { clockText } from '../../text/moment.ts'
import type { Row } from '../../text/row.ts'
import { shortNames } from '../../text/short-symbols.ts'
import { type TableColumn, tableRows } from '../../text/table.ts'

const exact = (value: Decimal, decimalsLeast: number): string =>
  value.toFixed(Math.max(decimalsLeast, value.decimalPlaces()))

/** The names of the columns and a line for each fill, newest first; the fee to its last digit where there is room. */
export function fillsRows(fills: readonly Fill[], instruments: ReadonlyMap<string, Instrument>, width: number): Row[] {
  const shortName = shortNames(instruments)
  const rules = (fill: Fill) => instruments.get(fill.symbol)
  const cells = (text: (fill: Fill, instrument: Instrument | undefined) => string) =>
    fills.map((fill) => cellText(text(fill, rules(fill))))
  const time = cells(({ timestampMs }) => clockText(timestampMs))
  const quantity = cells(({ quantity: value }, instrument) =>
    instrument === undefined ? value.toFixed() : formatQuantity(value, instrument),
  )
  const price = cells(({ price: value }, instrument) =>
    instrument === undefined ? value.toFixed() : formatPrice(value, instrument),
  )
  const fee = cells(({ fee: value }, instrument) => exact(value, instrument?.counterScale ?? 0))
  const feeShort = cells(({ fee: value }, instrument) =>
    value.toFixed(instrument?.counterScale ?? value.decimalPlaces()),
  )
  // Short of room the ids go first, then points no longer align, then words and times are shortened.
  const columns: TableColumn[] = [
    {
      head: 'TIME',
      cells: time,
      align: 'left',
      tone: 'dim',
      rank: 5,
      shorter: { cells: time.map((text) => text.slice(0, 5)), rank: 2 },
    },
    {
      head: 'SIDE',
      cells: cells(({ side }) => side),
      align: 'left',
      tone: (row) => (fills[row]?.side === 'BUY' ? 'bid' : 'ask'),
      rank: 0,
    },
    {
      head: 'SYMBOL',
      cells: cells(({ symbol }) => symbol),
      align: 'left',
      rank: 6,
      shorter: { head: 'SYM', cells: fills.map(({ symbol }) => shortName(symbol)), rank: 3 },
    },
    { head: 'QTY', cells: quantity, align: 'point', rank: 8, shorter: { align: 'right', rank: 0 } },
    { head: 'PRICE', cells: price, align: 'point', rank: 9, shorter: { align: 'right', rank: 0 } },
    { head: 'FEE', cells: fee, align: 'point', rank: 7, shorter: { cells: feeShort, align: 'right', rank: 1 } },
    { head: 'IN', cells: cells((_, instrument) => instrument?.counter ?? ''), align: 'left', tone: 'dim', rank: 10 },
    { head: 'ORDER', cells: cells(({ orderId }) => orderId), align: 'left', tone: 'dim', rank: 11 },
    { head: 'TRADE', cells: cells(({ tradeId }) => tradeId), align: 'left', tone: 'dim', rank: 12 },
  ]
  const { head, rows } = tableRows(columns, width - 1)
  return [head, ...rows].map((row) => [{ text: ' ', tone: 'text' }, ...row])
}
