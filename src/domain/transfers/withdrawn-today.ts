import { utcDayStart } from '../../base/text/time-text.ts'
import { type Decimal, zero } from '../money.ts'
import { limitUsd, type UsdSources } from '../usd-worth.ts'
import { hasTermsOf, mayBeOut, type Withdrawal, type WithdrawalRequest } from './transfer.ts'

/** A withdrawal sent by this machine according to its journal: accepted, or of unknown outcome. */
export type SentWithdrawal = {
  request: WithdrawalRequest
  atMs: number
  /** The exchange's id; null when it gave none or has not answered. */
  withdrawalId: string | null
  isKnown: boolean
  /** The draft it was sent from; not known of entries from before drafts existed. */
  draftId?: string | undefined
}

/** The listed withdrawals; one without a time that was sent from here is of when it was. */
export function datedBySent(listed: readonly Withdrawal[], sent: readonly SentWithdrawal[]): readonly Withdrawal[] {
  const times = new Map(sent.map(({ withdrawalId, atMs }) => [withdrawalId, atMs]))
  times.delete(null)
  return listed.map((each) =>
    each.timestampMs === null ? { ...each, timestampMs: times.get(each.withdrawalId) ?? null } : each,
  )
}

/**
 * A withdrawal that was answered as rejected: it may be listed later all the same. `name` is the draft it was sent
 * from, or when it was sent.
 */
export type RefusedWithdrawal = { request: WithdrawalRequest; atMs: number; name: string }

/** Withdrawals of a UTC day, including possible ones. */
export type WithdrawnDay = {
  /** Currency → sum, without fees. */
  amounts: ReadonlyMap<string, Decimal>
  /** Currencies with an unanswered withdrawal of everything, whose amount is unknown. */
  unreckoned: readonly string[]
}

/**
 * True when a report belongs to a withdrawal sent on a day. Without ids on both sides, the day, currency, beneficiary
 * and amount decide; a withdrawal of everything may have any amount.
 */
function isReportOf(
  { request, withdrawalId, isKnown }: SentWithdrawal,
  report: Withdrawal,
  isOfDay: (atMs: number | null) => boolean,
): boolean {
  if (withdrawalId !== null && report.withdrawalId !== null) return withdrawalId === report.withdrawalId
  return isKnown && isOfDay(report.timestampMs) && hasTermsOf(report, request)
}

/**
 * The withdrawals of the UTC day of `nowMs`: those listed, and those sent by this machine but not listed yet. An
 * unanswered one counts until resolved, even if it may be listed already: counting twice is safer than not at all.
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
    const at = unclaimed.findIndex((report) => isReportOf(each, report, isOfDay))
    const { currency, amount } = each.request
    if (at >= 0) unclaimed.splice(at, 1)
    else if (amount === 'max') unreckoned.add(currency)
    else count(currency, amount)
  }
  return { amounts, unreckoned: [...unreckoned] }
}

/** The day's sum in USD, and the currencies without a price or a known amount. */
export function usdOfDay(day: WithdrawnDay, prices: UsdSources): { usd: Decimal; unpriced: readonly string[] } {
  const unpriced = new Set(day.unreckoned)
  let usd = zero
  for (const [currency, amount] of day.amounts) {
    const price = limitUsd(currency, prices)
    if (price === null) unpriced.add(currency)
    else usd = usd.plus(amount.times(price))
  }
  return { usd, unpriced: [...unpriced] }
}

/**
 * The fee of the currency's last withdrawal that is or may be sent; null when unknown. The fee is added to an amount,
 * or taken out of everything; a returned withdrawal cost none.
 */
export function lastChargedFee(listed: readonly Withdrawal[], currency: string): Decimal | null {
  let last: Withdrawal | null = null
  for (const each of listed) {
    if (each.currency !== currency || each.fee === null || !mayBeOut(each.state)) continue
    if (last === null || (each.timestampMs ?? 0) > (last.timestampMs ?? 0)) last = each
  }
  return last?.fee ?? null
}

/** The median fee of completed withdrawals of a currency, and their number. */
export type UsualFee = { median: Decimal; count: number }

/**
 * Null before a withdrawal of the currency completed with a known fee. For an even count the mean of the middle two.
 */
export function usualFee(listed: readonly Withdrawal[], currency: string): UsualFee | null {
  const fees = listed
    .flatMap((each) =>
      each.currency === currency && each.state === 'COMPLETED' && each.fee !== null ? [each.fee] : [],
    )
    .toSorted((left, right) => left.comparedTo(right))
  const [lower, upper] = [fees[(fees.length - 1) >> 1], fees[fees.length >> 1]]
  return lower === undefined || upper === undefined ? null : { median: lower.plus(upper).div(2), count: fees.length }
}
