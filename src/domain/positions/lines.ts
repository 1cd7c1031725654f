import type { Fill } from '../orders/fills.ts'
import { currenciesOf, type History, inBookOrder, type Rules } from '../statement/movement.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'
import type { Entry } from './booked.ts'
import type { Ledger, Pair } from './ledger.ts'
import type { StatedCost } from './position.ts'
import { decimalsMax } from './scaled.ts'

/** What changes a holding, or says what one had cost. */
export type Line = Entry & ({ fill: Fill } | { deposit: Deposit } | { withdrawal: Withdrawal } | { stated: StatedCost })

export const fillLine = (fill: Fill): Line => ({
  atMs: fill.timestampMs,
  id: fill.execId,
  symbol: fill.symbol,
  fill,
})

/** The transfers that moved a balance, in any order. */
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
 * The lines in the order of the statement. What is held at a moment has everything of that moment in it: a stated cost
 * comes after the lines of its own.
 */
export function inLedgerOrder(lines: Line[], statedCosts: readonly StatedCost[]): Line[] {
  const sorted = lines.sort(inBookOrder)
  if (statedCosts.length === 0) return sorted
  const costs = statedCosts.map((stated): Line => ({ atMs: stated.atMs, id: '', symbol: null, stated }))
  // The sort is stable: a cost stays behind the lines of its moment.
  return [...sorted, ...costs].sort((left, right) => (left.atMs ?? 0) - (right.atMs ?? 0))
}

/** Whether a line is entered before a fill's: a cost comes after all lines of its moment. */
const isBefore = (line: Line, fill: Line): boolean =>
  'stated' in line ? line.stated.atMs < (fill.atMs ?? 0) : inBookOrder(line, fill) < 0

/** Fills, in the order of the books, with other lines between them, which are in that order too. */
export function* mergedLines(fills: Iterable<Fill>, others: readonly Line[]): Generator<Line> {
  let at = 0
  for (const fill of fills) {
    const line = fillLine(fill)
    for (let other = others[at]; other !== undefined && isBefore(other, line); other = others[at]) {
      yield other
      at += 1
    }
    yield line
  }
  yield* others.slice(at)
}

/** Lines in their order, those of one moment together. What is given is good until the next one is asked for. */
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

/** Says of a line all that the books make of it: two lines that say the same are the same. */
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

/** Whether the amounts of a fill surely have no more decimals than these: `fillDecimals` is sure, and takes longer. */
export function fitsIn({ quantity, price, fee }: Fill, base: number, counter: number): boolean {
  const decimals = decimalsMax(quantity)
  return decimals <= base && decimals + decimalsMax(price) <= counter && decimalsMax(fee) <= counter
}

/** Decimals that the amounts of a fill have: its quantity, and its notional and fee. */
export function fillDecimals({ quantity, price, fee }: Fill): [base: number, counter: number] {
  const decimals = quantity.decimalPlaces()
  return [decimals, Math.max(price.decimalPlaces() + decimals, fee.decimalPlaces())]
}

/** Enters a line that its currencies' scales have room for; `pair` is that of a fill, which is left out without one. */
export function enter(ledger: Ledger, line: Line, pair: Pair | null): void {
  if ('fill' in line) {
    if (pair !== null) ledger.takeFill(line.fill, pair, line)
  } else if ('deposit' in line) ledger.takeDeposit(line.deposit, line)
  else if ('withdrawal' in line) ledger.takeWithdrawal(line.withdrawal, line)
  else ledger.takeStated(line.stated)
}

/** The holdings that a symbol's fills move, looked up once; null: its currencies are unknown. */
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
