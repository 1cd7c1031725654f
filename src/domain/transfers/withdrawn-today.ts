import { utcDayStart } from '../../base/time-text.ts'
import type { Balance, Ticker } from '../balance.ts'
import type { Instrument } from '../market/instrument.ts'
import { type Decimal, zero } from '../money.ts'
import { counterRate, usdRate } from '../usd-value.ts'
import { mayBeOut, type Withdrawal, type WithdrawalRequest } from './transfer.ts'

/**
 * A withdrawal that this machine sent, as its journal tells: taken by the exchange, or with an outcome that is not
 * known.
 */
export type SentWithdrawal = {
  request: WithdrawalRequest
  atMs: number
  /** The exchange's id; null when it gave none or has not answered. */
  withdrawalId: string | null
  isKnown: boolean
}

/** What left on a UTC day, and may have left. */
export type WithdrawnDay = {
  /** Currency → the sum of it, without fees. */
  amounts: ReadonlyMap<string, Decimal>
  /** Currencies of which everything was asked for without an answer: how much that was is not known. */
  unreckoned: readonly string[]
}

/** What prices are taken from. */
export type UsdPrices = {
  instruments: ReadonlyMap<string, Instrument>
  tickers: ReadonlyMap<string, Ticker>
  balances: readonly Balance[]
}

/**
 * USD for one unit: the last price of its symbol in USD, else the rate that comes with the balances. Null without
 * either.
 */
export function usdPrice(currency: string, { instruments, tickers, balances }: UsdPrices): Decimal | null {
  const traded = counterRate(currency, 'USD', instruments, tickers)
  return traded?.gt(0) ? traded : usdRate(currency, balances)
}

/**
 * Whether the report is of what was sent. Without an id on both sides it is the currency, the beneficiary and the
 * amount that tell; the answer to "everything" may be any amount.
 */
function isReportOf({ request, withdrawalId, isKnown }: SentWithdrawal, report: Withdrawal): boolean {
  if (withdrawalId !== null && report.withdrawalId !== null) return withdrawalId === report.withdrawalId
  if (!isKnown) return false
  const { currency, beneficiary, amount } = request
  if (currency !== report.currency || beneficiary !== report.beneficiary) return false
  return amount === 'max' || amount.eq(report.amount)
}

/**
 * What left on the UTC day of `nowMs`: what the exchange lists, and what this machine sent that is not listed yet. One
 * without an answer counts until it is settled, even when the list may have it already: it is better to count it twice
 * than not at all.
 */
export function withdrawnOnDay(
  listed: readonly Withdrawal[],
  sent: readonly SentWithdrawal[],
  nowMs: number,
): WithdrawnDay {
  const dayStartMs = utcDayStart(nowMs)
  const isOfDay = (atMs: number | null) => atMs === null || utcDayStart(atMs) >= dayStartMs
  const amounts = new Map<string, Decimal>()
  const unreckoned = new Set<string>()
  const count = (currency: string, amount: Decimal) =>
    amounts.set(currency, (amounts.get(currency) ?? zero).plus(amount))
  for (const each of listed) if (mayBeOut(each.state) && isOfDay(each.timestampMs)) count(each.currency, each.amount)
  const unclaimed = [...listed]
  for (const each of sent) {
    if (!isOfDay(each.atMs)) continue
    const at = unclaimed.findIndex((report) => isReportOf(each, report))
    const { currency, amount } = each.request
    if (at >= 0) unclaimed.splice(at, 1)
    else if (amount === 'max') unreckoned.add(currency)
    else count(currency, amount)
  }
  return { amounts, unreckoned: [...unreckoned] }
}

/** The day's sum in USD, and the currencies in it that have no price or no known amount. */
export function usdOfDay(day: WithdrawnDay, prices: UsdPrices): { usd: Decimal; unpriced: readonly string[] } {
  const unpriced = new Set(day.unreckoned)
  let usd = zero
  for (const [currency, amount] of day.amounts) {
    const price = usdPrice(currency, prices)
    if (price === null) unpriced.add(currency)
    else usd = usd.plus(amount.times(price))
  }
  return { usd, unpriced: [...unpriced] }
}

/**
 * What the exchange took as the fee of the last withdrawal of this currency that is out or may be; null when none has
 * told. It takes the fee beside an amount, and out of "everything"; of one that came back it took none.
 */
export function lastChargedFee(listed: readonly Withdrawal[], currency: string): Decimal | null {
  let last: Withdrawal | null = null
  for (const each of listed) {
    if (each.currency !== currency || each.fee === null || !mayBeOut(each.state)) continue
    if (last === null || (each.timestampMs ?? 0) > (last.timestampMs ?? 0)) last = each
  }
  return last?.fee ?? null
}

/** What completed withdrawals of a currency cost: the fee in the middle, and how many told one. */
export type UsualFee = { median: Decimal; count: number }

/** Null before a withdrawal of the currency was completed with a known fee. Of an even count the mean of two. */
export function usualFee(listed: readonly Withdrawal[], currency: string): UsualFee | null {
  const fees = listed
    .flatMap((each) =>
      each.currency === currency && each.state === 'COMPLETED' && each.fee !== null ? [each.fee] : [],
    )
    .toSorted((left, right) => left.comparedTo(right))
  const [lower, upper] = [fees[(fees.length - 1) >> 1], fees[fees.length >> 1]]
  return lower === undefined || upper === undefined ? null : { median: lower.plus(upper).div(2), count: fees.length }
}
