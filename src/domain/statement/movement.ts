import { err, ok, type Result } from '../../base/result.ts'
import { utcText } from '../../base/text/time-text.ts'
import { readWrittenTime } from '../../base/text/written-time.ts'
import type { Instrument } from '../market/instrument.ts'
import { type Decimal, exactProduct, zero } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import { type Deposit, isOut, type Withdrawal } from '../transfers/transfer.ts'

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

/** Sorts entries by time and then id; those without a time come first. */
export const inBookOrder = (left: Dated, right: Dated): number =>
  (left.atMs ?? 0) - (right.atMs ?? 0) || left.id.length - right.id.length || (left.id < right.id ? -1 : 1)

/** The entries of each transfer, in any order: those of one stay together. */
export const transferMovements = ({
  deposits,
  withdrawals,
}: Pick<History, 'deposits' | 'withdrawals'>): Movement[][] => [
  ...deposits.map((deposit) => [depositLine(deposit)]),
  ...withdrawals.map(withdrawalLines),
]

/** True for a moment of a period; entries without a time count as the oldest. */
export const isWithin = ({ fromMs, toMs }: Pick<Period, 'fromMs' | 'toMs'>, atMs: number | null): boolean =>
  (atMs ?? 0) >= fromMs && (atMs ?? 0) <= toMs

type Listed = Pick<History, 'deposits' | 'withdrawals'> & {
  /** The fills of the period, oldest first. */
  fills: Iterable<Fill>
}

/**
 * The entries of a period, oldest first, one by one: of a million fills no more is in memory than the next one. Fills
 * of unknown currencies are left out.
 */
export function* movementsIn(period: Period, { fills, ...transfers }: Listed, rules: Rules): Generator<Movement> {
  const groups = transferMovements(transfers)
    .filter(([first]) => first !== undefined && isWithin(period, first.atMs))
    .sort(([left], [right]) => (left && right ? inBookOrder(left, right) : 0))
  let at = 0
  for (const fill of fills) {
    const currencies = currenciesOf(fill.symbol, rules)
    if (currencies === null) continue
    const place = { atMs: fill.timestampMs, id: fill.execId }
    for (let next = groups[at]; next?.[0] !== undefined && inBookOrder(next[0], place) < 0; next = groups[at]) {
      yield* next
      at += 1
    }
    yield* fillLines(fill, currencies)
  }
  for (; at < groups.length; at += 1) yield* groups[at] ?? []
}

/** Tells of fills that a statement cannot count: which balances they moved is not known. */
export const strangeSentence = (symbol: string): string =>
  `Fills of ${symbol} left out: its two currencies are unknown.`

/** Sentences about fields the service omitted in its reports. */
export function gapsOf({ deposits, withdrawals }: Pick<History, 'deposits' | 'withdrawals'>): string[] {
  const feeless = withdrawals.filter(({ fee, state }) => fee === null && isOut(state))
  const stateless = withdrawals.filter(({ state }) => state === null)
  const undated = [...deposits, ...withdrawals].filter(({ timestampMs }) => timestampMs === null)
  return [
    ...feeless.map(({ withdrawalId }) => `The fee of withdrawal ${withdrawalId ?? '(no id)'} is not reported.`),
    ...stateless.map(({ withdrawalId }) => `The state of withdrawal ${withdrawalId ?? '(no id)'} is not reported.`),
    ...(undated.length === 0 ? [] : [`Transfers without a time, which count as the oldest: ${undated.length}.`]),
  ]
}

/**
 * A period in ms since 1970, both ends included. `isSoFar`: the requested end is in the future, so `toMs` is the last
 * known moment.
 */
export type Period = { fromMs: number; toMs: number; isSoFar?: true }

/** A requested period; `toMs` null means until now. */
export type PeriodAsked = { fromMs: number; toMs: number | null }

/**
 * The period of a report. It never ends after the known data: the exchange's `nowMs`, or a later one of the entries'
 * `times`, of which only the latest are needed.
 */
export function periodUpTo({ fromMs, toMs }: PeriodAsked, times: readonly (number | null)[], nowMs: number): Period {
  const isAsked = (atMs: number): boolean => toMs === null || atMs <= toMs
  const knownMs = times.reduce<number>((latest, time) => {
    const atMs = time ?? 0
    return isAsked(atMs) ? Math.max(latest, atMs) : latest
  }, nowMs)
  if (toMs === null) return { fromMs, toMs: Math.max(fromMs, knownMs) }
  return toMs <= knownMs ? { fromMs, toMs } : { fromMs, toMs: Math.max(fromMs, knownMs), isSoFar: true }
}
