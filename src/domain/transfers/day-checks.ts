import type { Balance } from '../balance.ts'
import type { Bounds, WithdrawalLimits } from '../limits.ts'
import { Decimal, formatGrouped, zero } from '../money.ts'
import type { Withdrawal, WithdrawalRequest } from './transfer.ts'
import type { WithdrawalCheck, WithdrawalRule } from './withdrawal-checks.ts'
import { type SentWithdrawal, type UsdPrices, usdOfDay, usdPrice, withdrawnOnDay } from './withdrawn-today.ts'

/** Fresh data of the account that the day is reckoned from. */
export type DayContext = UsdPrices & {
  withdrawals: readonly Withdrawal[]
  sent: readonly SentWithdrawal[]
  limits: WithdrawalLimits
  /** Decimals of the currency; null when not known. */
  scale: number | null
  nowMs: number
}

const pass = (rule: WithdrawalRule): WithdrawalCheck => ({ rule, level: 'ok', text: '' })
const ask = (rule: WithdrawalRule, text: string): WithdrawalCheck => ({ rule, level: 'ask', text })
const block = (rule: WithdrawalRule, text: string): WithdrawalCheck => ({ rule, level: 'block', text })

/** At most this much leaves: of "everything" what is available, the fee out of it. */
export const mostLeaving = ({ currency, amount }: WithdrawalRequest, balances: readonly Balance[]): Decimal =>
  amount === 'max' ? (balances.find((balance) => balance.currency === currency)?.available ?? zero) : amount

/** A sum against its bounds. `left` says what a bound leaves room for. */
function bounded(
  rule: WithdrawalRule,
  sum: Decimal,
  { hard, soft }: Bounds<Decimal>,
  words: { subject: string; show: (value: Decimal) => string; left: (bound: Decimal) => string },
): WithdrawalCheck {
  const { subject, show, left } = words
  if (hard !== null && sum.gt(hard))
    return block(rule, `${subject} is over the hard limit ${show(hard)}: ${left(hard)}`)
  if (soft !== null && sum.gt(soft)) return ask(rule, `${subject} is over the soft limit ${show(soft)}: ${left(soft)}`)
  return pass(rule)
}

/** What may still leave today, in words. */
function leftText(left: Decimal, currency: string, scale: number | null): string {
  const most = left.toDecimalPlaces(scale ?? 8, Decimal.ROUND_FLOOR)
  return most.gt(0)
    ? `at most ${most} ${currency} more today`
    : `no more ${currency} within it today (the day ends at 00:00 UTC)`
}

/** What leaves of the currency on the UTC day, this withdrawal among it. */
function currencyCheck(request: WithdrawalRequest, context: DayContext): WithdrawalCheck {
  const { currency } = request
  const limit = context.limits.dayPerCurrency.get(currency)
  if (limit === undefined || (limit.soft === null && limit.hard === null)) return pass('dayCurrency')
  const day = withdrawnOnDay(context.withdrawals, context.sent, context.nowMs)
  const before = day.amounts.get(currency) ?? zero
  const sum = before.plus(mostLeaving(request, context.balances))
  const show = (value: Decimal) => `${value} ${currency}`
  const check = bounded('dayCurrency', sum, limit, {
    subject: `today's ${show(sum)} with this`,
    show,
    left: (bound) => leftText(bound.minus(before), currency, context.scale),
  })
  if (check.level === 'block' || !day.unreckoned.includes(currency)) return check
  return ask('dayCurrency', `all ${currency} was sent today without an answer: how much left today is not known`)
}

const usdText = (usd: Decimal): string => `${formatGrouped(usd, 2)} USD`

/** What leaves on the UTC day in USD, this withdrawal among it. A value that cannot be told is a person's to judge. */
function usdCheck(request: WithdrawalRequest, context: DayContext): WithdrawalCheck {
  const { currency } = request
  const limit = context.limits.dayUsd
  if (limit.soft === null && limit.hard === null) return pass('dayUsd')
  const before = usdOfDay(withdrawnOnDay(context.withdrawals, context.sent, context.nowMs), context)
  const price = usdPrice(currency, context)
  const sum = before.usd.plus(mostLeaving(request, context.balances).times(price ?? zero))
  const isWhole = price !== null && before.unpriced.length === 0
  const check = bounded('dayUsd', sum, limit, {
    subject: `today's ${isWhole ? '' : 'at least '}${usdText(sum)} with this`,
    show: usdText,
    left: (bound) =>
      price === null || price.lte(0)
        ? `at most ${usdText(Decimal.max(zero, bound.minus(before.usd)))} more today`
        : leftText(bound.minus(before.usd).div(price), currency, context.scale),
  })
  if (check.level === 'block' || isWhole) return check
  const unpriced = [...new Set([...(price === null ? [currency] : []), ...before.unpriced])]
  return ask(
    'dayUsd',
    `the value in USD is not known (${unpriced.join(', ')}): the day's limit ${limitText(limit)} cannot be judged`,
  )
}

const limitText = ({ hard, soft }: Bounds<Decimal>): string => {
  const bound = hard ?? soft
  return bound === null ? '' : usdText(bound)
}

/** The day's limits in the order of the review's lines. */
export const dayChecks = (request: WithdrawalRequest, context: DayContext): WithdrawalCheck[] => [
  currencyCheck(request, context),
  usdCheck(request, context),
]

/** So long after a withdrawal the same one again is more likely a slip than a wish. */
export const repeatWithinMs = 10 * 60_000

type Earlier = { listed: readonly Withdrawal[]; sent: readonly SentWithdrawal[]; nowMs: number }

/**
 * Asks when the same amount of the same currency went to the same beneficiary a short while ago, from here or from
 * elsewhere, and has not come back. A repeat can be meant; nothing about it can be undone.
 */
export function repeatCheck(request: WithdrawalRequest, { listed, sent, nowMs }: Earlier): WithdrawalCheck {
  const { currency, beneficiary, amount } = request
  const isLike = (other: Pick<WithdrawalRequest, 'currency' | 'beneficiary' | 'amount'>) =>
    other.currency === currency &&
    other.beneficiary === beneficiary &&
    amount !== 'max' &&
    other.amount !== 'max' &&
    other.amount.eq(amount)
  const gone = [
    ...listed.flatMap(({ withdrawalId, timestampMs: atMs, ...each }) =>
      hasGone(each) && isLike(each) && atMs !== null ? [{ withdrawalId, atMs }] : [],
    ),
    // One without an answer holds a like one back by itself, until it is settled.
    ...sent.filter(
      ({ request: other, withdrawalId, isKnown }) =>
        isKnown && isLike(other) && (withdrawalId === null || !isListedBack(listed, withdrawalId)),
    ),
  ].filter(({ atMs }) => nowMs - atMs < repeatWithinMs)
  const lastMs = gone.length === 0 ? null : Math.max(...gone.map(({ atMs }) => atMs))
  if (lastMs === null || amount === 'max') return { rule: 'repeat', level: 'ok', text: '' }
  const seconds = Math.max(0, Math.floor((nowMs - lastMs) / 1000))
  const age = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
  return {
    rule: 'repeat',
    level: 'ask',
    text: `the same ${amount.toFixed()} ${currency} went to ${beneficiary} ${age} ago`,
    about: [...new Set(gone.map(({ withdrawalId, atMs }) => withdrawalId ?? `sent at ${atMs}`))],
  }
}

const hasGone = ({ state }: Pick<Withdrawal, 'state'>): boolean =>
  state === null || state === 'PENDING' || state === 'COMPLETED'
const isListedBack = (listed: readonly Withdrawal[], id: string): boolean =>
  listed.some((each) => each.withdrawalId === id && !hasGone(each))
