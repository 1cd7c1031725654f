import { mergeSorted } from '../../base/merge-sorted.ts'
import type { Fill } from '../orders/fills.ts'
import { decimalsMax } from '../scaled.ts'
import { currenciesOf, type History, inBookOrder, type Rules } from '../statement/movement.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'
import type { Entry } from './booked.ts'
import type { Ledger, Pair } from './ledger.ts'
import type { StatedCost } from './position.ts'

/** An entry that changes a holding or states a cost. */
export type Line = Entry & ({ fill: Fill } | { deposit: Deposit } | { withdrawal: Withdrawal } | { stated: StatedCost })

/** A fill as an entry. */
export const fillLine = (fill: Fill): Line => ({
  atMs: fill.timestampMs,
  id: fill.execId,
  symbol: fill.symbol,
  fill,
})

/** The entries of transfers that changed a balance, in any order. */
export function transferLines({ deposits, withdrawals }: Pick<History, 'deposits' | 'withdrawals'>): Line[] {
  const lines: Line[] = []
  for (const deposit of deposits)
    if (deposit.state === 'COMPLETED')
      lines.push({ atMs: deposit.timestampMs, id: deposit.depositId, symbol: null, deposit })
  for (const withdrawal of withdrawals) {
    const { timestampMs, withdrawalId, state } = withdrawal
    if (state === 'COMPLETED') lines.push({ atMs: timestampMs, id: withdrawalId ?? '', symbol: null, withdrawal })
  }
  return lines
}

/**
 * Sorts entries in the order of the statement. Holdings at a moment include all entries of that moment, so stated costs
 * come after them.
 */
export function inLedgerOrder(lines: Line[], statedCosts: readonly StatedCost[]): Line[] {
  const sorted = lines.sort(inBookOrder)
  if (statedCosts.length === 0) return sorted
  const costs = statedCosts.map((stated): Line => ({ atMs: stated.atMs, id: '', symbol: null, stated }))
  // The sort is stable, so a cost stays after the entries of its moment.
  return [...sorted, ...costs].sort((left, right) => (left.atMs ?? 0) - (right.atMs ?? 0))
}

/** True when an entry precedes a fill; costs come after all entries of their moment. */
const isBefore = (line: Line, fill: Line): boolean =>
  'stated' in line ? line.stated.atMs < (fill.atMs ?? 0) : inBookOrder(line, fill) < 0

/** Merges fills with other entries; both must be sorted. */
export const mergedLines = (fills: Iterable<Fill>, others: readonly Line[]): Generator<Line> =>
  mergeSorted(Iterator.from(fills).map(fillLine), others, isBefore)

/** Groups sorted entries by moment. A group is valid only until the next one is requested. */
export function* momentsOf(lines: Iterable<Line>): Generator<readonly Line[]> {
  const moment: Line[] = []
  for (const line of lines) {
    if (moment.length > 0 && (moment[0]?.atMs ?? 0) !== (line.atMs ?? 0)) {
      yield moment
      moment.length = 0
    }
    moment.push(line)
  }
  if (moment.length > 0) yield moment
}

/** A key of everything the books use of an entry: equal keys mean equal entries. */
export function lineKey(line: Line): string {
  const amounts =
    'deposit' in line
      ? [line.deposit.currency, line.deposit.amount]
      : 'withdrawal' in line
        ? [line.withdrawal.currency, line.withdrawal.amount, line.withdrawal.fee]
        : 'stated' in line
          ? [line.stated.currency, line.stated.quantity, line.stated.usdEach]
          : [line.fill.symbol]
  return [line.atMs, line.id, ...amounts].join(' ')
}

/** True when a fill's amounts certainly fit these decimals; `fillDecimals` is exact, and slower. */
export function fitsIn({ quantity, price, fee }: Fill, base: number, counter: number): boolean {
  const decimals = decimalsMax(quantity)
  return decimals <= base && decimals + decimalsMax(price) <= counter && decimalsMax(fee) <= counter
}

/** The decimals of a fill's amounts: of its quantity, and of its notional and fee. */
export function fillDecimals({ quantity, price, fee }: Fill): [base: number, counter: number] {
  const decimals = quantity.decimalPlaces()
  return [decimals, Math.max(price.decimalPlaces() + decimals, fee.decimalPlaces())]
}

/**
 * Applies an entry that fits its currencies' scales; `pair` is a fill's, which is skipped without one. Lots and results
 * keep `entry`, which names the line.
 */
export function enter(ledger: Ledger, line: Line, pair: Pair | null, entry: Entry = line): void {
  if ('fill' in line) {
    if (pair !== null) ledger.takeFill(line.fill, pair, entry)
  } else if ('deposit' in line) ledger.takeDeposit(line.deposit, entry)
  else if ('withdrawal' in line) ledger.takeWithdrawal(line.withdrawal, entry)
  else ledger.takeStated(line.stated)
}

/** The holdings that a symbol's fills change, cached; null when its currencies are unknown. */
export function pairsOf(
  ledger: Ledger,
  rules: () => Rules,
): Map<string, Pair | null> & { of(symbol: string): Pair | null } {
  const pairs = new Map<string, Pair | null>()
  const of = (symbol: string): Pair | null => {
    const known = pairs.get(symbol)
    if (known !== undefined) return known
    const names = currenciesOf(symbol, rules())
    const pair = names === null ? null : { base: ledger.holding(names.base), counter: ledger.holding(names.counter) }
    pairs.set(symbol, pair)
    return pair
  }
  return Object.assign(pairs, { of })
}
