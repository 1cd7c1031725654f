import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { amountsIn } from '../../domain/market/amounts.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { type Decimal, formatFixed } from '../../domain/money.ts'
import type { Fields } from '../cli/exit-codes.ts'
import { type Column, sharedText } from '../cli/output.ts'

type Rules = ReadonlyMap<string, Instrument>

/** The rules of all symbols for a table's decimals; none on failure, because a table does without. */
export async function rulesFor(client: Pick<ExchangeClient, 'fetchSymbols'>, signal: AbortSignal): Promise<Rules> {
  try {
    return (await client.fetchSymbols(signal)).instruments
  } catch (error) {
    if (error instanceof ExchangeError) return new Map()
    throw error
  }
}

/** With at least this many decimals: a table hides no digit. */
const atLeast = (value: Decimal, decimals: number): string =>
  formatFixed(value, Math.max(decimals, value.decimalPlaces()))

/**
 * Columns that write amounts with the decimals of the row's symbol or currency; exact when these are unknown. Columns
 * of one currency share theirs.
 */
export function inScale(columns: readonly Column[], rules: Rules): Column[] {
  const currencies = new Map<string, number>()
  for (const { base, baseScale, counter, counterScale } of rules.values())
    currencies.set(base, baseScale).set(counter, counterScale)
  const write = ({ scale, among }: Column, value: Decimal, row: Fields): string => {
    const { symbol, currency } = row
    const own = currencies.get(typeof currency === 'string' ? currency : '')
    if (scale === 'currency' && among !== undefined) return sharedText(value, row, among, own)
    if (scale === 'currency') return atLeast(value, own ?? 0)
    const known = rules.get(typeof symbol === 'string' ? symbol : '')
    if (known === undefined || scale === undefined) return value.toFixed()
    return scale === 'counter' ? atLeast(value, known.counterScale) : amountsIn(known, formatFixed)[scale](value)
  }
  return columns.map((column) =>
    column.scale === undefined ? column : { ...column, shown: (value, row) => write(column, value, row) },
  )
}
