import { type Balance, heldAmount } from '../../../domain/balance.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import { cellText } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import { type TableColumn, tableRows } from '../../text/table.ts'

/** Decimals each currency can be split in, as the symbols tell. */
export function currencyScales(instruments: ReadonlyMap<string, Instrument> | null): ReadonlyMap<string, number> {
  const scales = new Map<string, number>()
  for (const { base, counter, baseScale, counterScale } of instruments?.values() ?? []) {
    scales.set(base, baseScale)
    scales.set(counter, counterScale)
  }
  return scales
}

/** An amount with its currency's decimals. */
export const currencyText = (value: Decimal, currency: string, scales: ReadonlyMap<string, number>): string =>
  formatGrouped(value, scales.get(currency) ?? value.decimalPlaces())

const localValue = (value: Decimal, decimals: number): string => formatGrouped(value, decimals)

/** The same amount without zeros at its end: as exact, and shorter. Cents stay two digits: `8,830.60` but `25,000`. */
function trimmed(text: string): string {
  if (/\.\d\d$/.test(text)) return text.replace(/\.00$/, '')
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Short of room a column of amounts loses zeros at the end, then the points no longer align, then the column goes. */
function amountColumn(head: string, cells: readonly string[], rank: number): TableColumn {
  const short = cells.map(trimmed)
  const shorter = { cells: short, rank: rank - 10, shorter: { align: 'right' as const, rank: rank - 20 } }
  return { head, cells, align: 'point', rank, shorter }
}

/** The names of the columns, a line for each currency, and the total of all, shown or not, in US dollars. */
export function balancesRows(
  balances: readonly Balance[],
  total: Decimal,
  scales: ReadonlyMap<string, number>,
  width: number,
): Row[] {
  const amounts = (read: (balance: Balance) => Decimal) =>
    balances.map((balance) => currencyText(read(balance), balance.currency, scales))
  const held = amounts(heldAmount).map((text) => (/[1-9]/.test(text) ? text : '-'))
  const values = (decimals: number) => balances.map(({ balanceLocal }) => localValue(balanceLocal, decimals))
  const columns: TableColumn[] = [
    {
      head: 'CUR',
      cells: [...balances.map(({ currency }) => cellText(currency)), 'total'],
      align: 'left',
      tone: 'title',
      rank: 0,
    },
    amountColumn('BALANCE', [...amounts(({ balance }) => balance), ''], 20),
    amountColumn('AVAIL', [...amounts(({ available }) => available), ''], 21),
    amountColumn('HELD', [...held, ''], 22),
    {
      head: 'USD',
      cells: [...values(2), localValue(total, 2)],
      align: 'right',
      rank: 30,
      shorter: { cells: [...values(0), localValue(total, 0)], rank: 0 },
    },
  ]
  const { head, rows } = tableRows(columns, width - 1)
  return [head, ...rows].map((row) => [span(' '), ...row])
}
