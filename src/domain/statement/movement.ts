import { err, ok, type Result } from '../../base/result.ts'
import { utcText } from '../../base/time-text.ts'
import { readWrittenTime } from '../../base/written-time.ts'
import type { Instrument } from '../market/instrument.ts'
import { type Decimal, exactPlus, exactProduct, zero } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'

/**
 * Reads a period from one or two written times, UTC: from the start of one day to the end of another. One day alone
 * means that day, one moment (`7d`) from then to now, none all time until now. The error is a complete clause.
 */
export function readPeriod([from, to]: readonly string[], nowMs: number): Result<PeriodAsked> {
  if (from === undefined) return ok({ fromMs: 0, toMs: null })
  const first = readWrittenTime(from, nowMs)
  if (!first.ok) return err(`${from} ${first.error}`)
  const { startMs: fromMs, endMs } = first.value
  if (fromMs > nowMs) return err(`${from} is in the future: the exchange's clock says ${utcText(nowMs)}`)
  if (to === undefined) return ok({ fromMs, toMs: endMs > fromMs ? endMs : null })
  const last = readWrittenTime(to, nowMs)
  if (!last.ok) return err(`${to} ${last.error}`)
  return fromMs > last.value.endMs ? err(`${from} is after ${to}`) : ok({ fromMs, toMs: last.value.endMs })
}

export const movementKinds = ['deposit', 'withdrawal', 'withdrawalFee', 'bought', 'sold', 'tradeFee'] as const
export type MovementKind = (typeof movementKinds)[number]

/** An entry of the account's books, in one currency. A fill makes three: base, counter and fee. */
export type Movement = {
  /** Null when the service omits it. */
  atMs: number | null
  kind: MovementKind
  /** The id of the deposit, withdrawal or execution. */
  id: string
  currency: string
  /** The reported amount, never negative. */
  amount: Decimal
  /** The change of the balance, negative for a loss; zero while a transfer is pending, and for one that failed. */
  change: Decimal
  /** The state of a transfer; null for a fill. */
  state: string | null
  symbol: string | null
  price: Decimal | null
}

/** The reported data that the books need. Lists may be in any order and contain each item once. */
export type History = {
  deposits: readonly Deposit[]
  withdrawals: readonly Withdrawal[]
  fills: readonly Fill[]
}

type Dated = { atMs: number | null; id: string }
type Currencies = Pick<Instrument, 'base' | 'counter'>
export type Rules = ReadonlyMap<string, Currencies>

/** The two currencies of a symbol, from its rules, or from its name once those are gone. */
export function currenciesOf(symbol: string, rules: Rules): Currencies | null {
  const known = rules.get(symbol)
  if (known !== undefined) return known
  const [, base, counter] = /^([^-]+)-([^-]+)$/.exec(symbol) ?? []
  return base === undefined || counter === undefined ? null : { base, counter }
}

const transfer = { symbol: null, price: null }

const depositLine = ({ depositId, amount, currency, state, timestampMs }: Deposit): Movement => ({
  ...transfer,
  atMs: timestampMs,
  kind: 'deposit',
  id: depositId,
  currency,
  amount,
  change: state === 'COMPLETED' ? amount : zero,
  state,
})

function withdrawalLines({ withdrawalId, amount, fee, currency, state, timestampMs }: Withdrawal): Movement[] {
  // A PENDING withdrawal is held but still in the balance; one that failed, was refused or returned is in the balance
  // again.
  const taken = (part: Decimal) => (state === 'COMPLETED' ? part.neg() : zero)
  const line = { ...transfer, atMs: timestampMs, id: withdrawalId ?? '', currency, state }
  const sent: Movement = { ...line, kind: 'withdrawal', amount, change: taken(amount) }
  return fee === null ? [sent] : [sent, { ...line, kind: 'withdrawalFee', amount: fee, change: taken(fee) }]
}

function fillLines(fill: Fill, { base, counter }: Currencies): Movement[] {
  const { execId, symbol, price, quantity, fee, timestampMs, side } = fill
  const line = { atMs: timestampMs, id: execId, state: null, symbol, price }
  const notional = exactProduct(price, quantity)
  const isBuy = side === 'BUY'
  const bought = isBuy ? { currency: base, amount: quantity } : { currency: counter, amount: notional }
  const sold = isBuy ? { currency: counter, amount: notional } : { currency: base, amount: quantity }
  return [
    { ...line, ...bought, kind: 'bought', change: bought.amount },
    { ...line, ...sold, kind: 'sold', change: sold.amount.neg() },
    { ...line, kind: 'tradeFee', currency: counter, amount: fee, change: fee.neg() },
  ]
}

/** The entries of a fill; the error names a symbol with unknown currencies. */
function linesOfFill(fill: Fill, rules: Rules): Result<Movement[]> {
  const currencies = currenciesOf(fill.symbol, rules)
  return currencies === null ? err(fill.symbol) : ok(fillLines(fill, currencies))
}

/** Sorts entries by time and then id; those without a time come first. */
export const inBookOrder = (left: Dated, right: Dated): number =>
  (left.atMs ?? 0) - (right.atMs ?? 0) || left.id.length - right.id.length || (left.id < right.id ? -1 : 1)

/** Builds the books, oldest entry first. `missing` has full sentences about data that could not be entered. */
export function movementsOf(history: History, rules: Rules): { movements: Movement[]; missing: string[] } {
  const strange = new Set<string>()
  const fills = history.fills.map((fill) => linesOfFill(fill, rules))
  for (const lines of fills) if (!lines.ok) strange.add(lines.error)
  const groups = [
    ...history.deposits.map((deposit) => [depositLine(deposit)]),
    ...history.withdrawals.map(withdrawalLines),
    ...fills.flatMap((lines) => (lines.ok ? [lines.value] : [])),
  ]
  // Entries of one item stay together: the sort is stable and compares first entries only.
  const movements = groups.toSorted(([left], [right]) => (left && right ? inBookOrder(left, right) : 0)).flat()
  return { movements, missing: [...gapsOf(history), ...[...strange].map(strangeSentence)] }
}

export const strangeSentence = (symbol: string): string =>
  `Fills of ${symbol} left out: its two currencies are unknown.`

/** Sentences about fields the service omitted in its reports. */
export function gapsOf({ deposits, withdrawals }: Pick<History, 'deposits' | 'withdrawals'>): string[] {
  const feeless = withdrawals.filter(({ fee, state }) => fee === null && state === 'COMPLETED')
  const stateless = withdrawals.filter(({ state }) => state === null)
  const undated = [...deposits, ...withdrawals].filter(({ timestampMs }) => timestampMs === null)
  return [
    ...feeless.map(({ withdrawalId }) => `The fee of withdrawal ${withdrawalId ?? '(no id)'} is not reported.`),
    ...stateless.map(({ withdrawalId }) => `The state of withdrawal ${withdrawalId ?? '(no id)'} is not reported.`),
    ...(undated.length === 0 ? [] : [`Transfers without a time, which count as the oldest: ${undated.length}.`]),
  ]
}

/** The sum of the changes by currency, exact; with `sums` they are added to those. */
export function changesOf(movements: readonly Movement[], sums = new Map<string, Decimal>()): Map<string, Decimal> {
  for (const { currency, change } of movements) sums.set(currency, exactPlus(sums.get(currency) ?? zero, change))
  return sums
}

/**
 * The books of a period: its own entries, oldest first, with all transfers, and the changes by the fills before and
 * after it. Of those no entries are kept: a month of an account with a million fills is not three million entries.
 */
export function booksOf(
  { fills, ...transfers }: History,
  rules: Rules,
  { fromMs, toMs }: Period,
): ReturnType<typeof movementsOf> & { before: Map<string, Decimal>; after: Map<string, Decimal> } {
  const [before, after] = [new Map<string, Decimal>(), new Map<string, Decimal>()]
  const within: Fill[] = []
  const strange = new Set<string>()
  for (const fill of fills) {
    if (fill.timestampMs >= fromMs && fill.timestampMs <= toMs) {
      within.push(fill)
      continue
    }
    const lines = linesOfFill(fill, rules)
    if (lines.ok) changesOf(lines.value, fill.timestampMs < fromMs ? before : after)
    else strange.add(strangeSentence(lines.error))
  }
  const { movements, missing } = movementsOf({ ...transfers, fills: within }, rules)
  return { movements, missing: [...new Set([...missing, ...strange])], before, after }
}

/**
 * A period in ms since 1970, both ends included. `isSoFar`: the requested end is in the future, so `toMs` is the last
 * known moment.
 */
export type Period = { fromMs: number; toMs: number; isSoFar?: true }

/** A requested period; `toMs` null means until now. */
export type PeriodAsked = { fromMs: number; toMs: number | null }

/** The period of a report. It never ends after the known data: the exchange's `nowMs`, or a later list entry. */
export function periodOf({ fromMs, toMs }: PeriodAsked, history: History, nowMs: number): Period {
  const lists = [history.deposits, history.withdrawals, history.fills]
  const times = lists.flatMap((list) => list.map(({ timestampMs }) => timestampMs))
  return periodUpTo({ fromMs, toMs }, times, nowMs)
}

/** `periodOf` for the entries' times, of which only the latest are needed. */
export function periodUpTo({ fromMs, toMs }: PeriodAsked, times: readonly (number | null)[], nowMs: number): Period {
  const isAsked = (atMs: number): boolean => toMs === null || atMs <= toMs
  const knownMs = times.reduce<number>((latest, time) => {
    const atMs = time ?? 0
    return isAsked(atMs) ? Math.max(latest, atMs) : latest
  }, nowMs)
  if (toMs === null) return { fromMs, toMs: Math.max(fromMs, knownMs) }
  return toMs <= knownMs ? { fromMs, toMs } : { fromMs, toMs: Math.max(fromMs, knownMs), isSoFar: true }
}
