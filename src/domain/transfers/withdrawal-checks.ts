import { availableOf, type Balance } from '../balance.ts'
import { type Bounds, hasBound, type WithdrawalLimits } from '../limits.ts'
import { Decimal, formatGrouped, zero } from '../money.ts'
import { ask, block, bounded, type Check, pass } from '../orders/checks/check.ts'
import { usdText } from '../usd-value.ts'
import { mayBeOut, type WhitelistEntry, type Withdrawal, type WithdrawalRequest } from './transfer.ts'
import {
  type SentWithdrawal,
  type UsdPrices,
  usdOfDay,
  usdPrice,
  type WithdrawnDay,
  withdrawnOnDay,
} from './withdrawn-today.ts'

/** What a check of a withdrawal is about; one rule gives one line in the review. */
export type WithdrawalRule =
  | 'freshness'
  | 'beneficiary'
  /** The entry is new on the whitelist, or has another name than it had. */
  | 'whitelist'
  | 'amount'
  | 'scale'
  | 'funds'
  | 'fee'
  /** An equal withdrawal went out a short while ago. */
  | 'repeat'
  /** What leaves of the currency on the UTC day. */
  | 'dayCurrency'
  /** What leaves on the UTC day in USD. */
  | 'dayUsd'
  /** The agreement of a second person. */
  | 'approval'

/**
 * One rule of a withdrawal, with what would satisfy it. `ask`: nothing is sent before a person has confirmed that very
 * rule.
 */
export type WithdrawalCheck = Check<WithdrawalRule> & {
  /** What it speaks of, by name: whoever agrees to it agrees to these, and to no other that comes later. */
  about?: readonly string[]
}

export type WithdrawalContext = {
  whitelist: readonly WhitelistEntry[]
  balances: readonly Balance[]
  /** Decimals the currency can be split in; null when no symbol tells. */
  scale: number | null
}

const check = (rule: WithdrawalRule, complaint: string | null): WithdrawalCheck =>
  complaint === null ? pass(rule) : block(rule, complaint)

function beneficiaryComplaint({ currency, beneficiary }: WithdrawalRequest, { whitelist }: WithdrawalContext) {
  const entry = whitelist.find(({ whitelistId }) => whitelistId === beneficiary)
  if (entry === undefined) return `the whitelist has no entry ${beneficiary}: add entries on the exchange's web page`
  return entry.currency === null || entry.currency === currency ? null : `entry ${beneficiary} is for ${entry.currency}`
}

/** The nearest amounts that the currency can be split in: `0.12345678 or 0.12345679`. */
function nearest(amount: Decimal, scale: number): string {
  const below = amount.toDecimalPlaces(scale, Decimal.ROUND_FLOOR)
  const above = amount.toDecimalPlaces(scale, Decimal.ROUND_CEIL)
  return below.gt(0) ? `${below} or ${above}` : above.toString()
}

/**
 * Every rule that can be told before the exchange is asked. Its fee is not known here: the exchange may still refuse.
 */
export function withdrawalChecks(request: WithdrawalRequest, context: WithdrawalContext): WithdrawalCheck[] {
  const { currency, amount } = request
  const available = availableOf(currency, context.balances)
  const checks = [check('beneficiary', beneficiaryComplaint(request, context))]
  if (amount === 'max') {
    checks.push(check('funds', available.gt(0) ? null : `nothing is available in ${currency}`))
    return checks
  }
  const { scale } = context
  const isTooFine = scale !== null && amount.decimalPlaces() > scale
  checks.push(
    check('amount', amount.gt(0) ? null : 'the amount must be above zero'),
    check(
      'scale',
      isTooFine ? `${currency} has ${scale} decimals, ${amount} has more: ${nearest(amount, scale)}` : null,
    ),
    check(
      'funds',
      amount.lte(available)
        ? null
        : `${amount} ${currency} and the fee are more than the available ` +
            `${formatGrouped(available, available.decimalPlaces())}: at most that less the fee`,
    ),
  )
  return checks
}

/** Fresh data of the account that the day is computed from. */
export type DayContext = UsdPrices & {
  withdrawals: readonly Withdrawal[]
  sent: readonly SentWithdrawal[]
  limits: WithdrawalLimits
  /** Decimals of the currency; null when not known. */
  scale: number | null
  nowMs: number
}

/** At most this much leaves: of "everything" what is available, the fee out of it. */
export const maxOutgoing = ({ currency, amount }: WithdrawalRequest, balances: readonly Balance[]): Decimal =>
  amount === 'max' ? availableOf(currency, balances) : amount

/** What may still leave today, in words. */
function leftText(left: Decimal, currency: string, scale: number | null): string {
  const most = left.toDecimalPlaces(scale ?? 8, Decimal.ROUND_FLOOR)
  return most.gt(0)
    ? `at most ${most} ${currency} more today`
    : `no more ${currency} within it today (the day ends at 00:00 UTC)`
}

/** What leaves of the currency on the UTC day, this withdrawal among it. */
function currencyCheck(request: WithdrawalRequest, day: WithdrawnDay, context: DayContext): WithdrawalCheck {
  const { currency } = request
  const limit = context.limits.dayPerCurrency.get(currency)
  if (limit === undefined || !hasBound(limit)) return pass('dayCurrency')
  const before = day.amounts.get(currency) ?? zero
  const sum = before.plus(maxOutgoing(request, context.balances))
  const show = (value: Decimal) => `${value} ${currency}`
  const sentence = (kind: string, bound: Decimal) => {
    const left = leftText(bound.minus(before), currency, context.scale)
    return `today's ${show(sum)} with this is over the ${kind} limit ${show(bound)}: ${left}`
  }
  const check = bounded('dayCurrency', (bound) => sum.gt(bound), limit, sentence)
  if (check.level === 'block' || !day.unreckoned.includes(currency)) return check
  return ask('dayCurrency', `all ${currency} was sent today without an answer: the amount sent today is unknown`)
}

/** What leaves on the UTC day in USD, this withdrawal among it. A value that cannot be told is a person's to judge. */
function usdCheck(request: WithdrawalRequest, day: WithdrawnDay, context: DayContext): WithdrawalCheck {
  const { currency } = request
  const limit = context.limits.dayUsd
  if (!hasBound(limit)) return pass('dayUsd')
  const before = usdOfDay(day, context)
  const price = usdPrice(currency, context)
  const sum = before.usd.plus(maxOutgoing(request, context.balances).times(price ?? zero))
  const isWhole = price !== null && before.unpriced.length === 0
  const leftOf = (bound: Decimal) =>
    price === null || price.lte(0)
      ? `at most ${usdText(Decimal.max(zero, bound.minus(before.usd)))} more today`
      : leftText(bound.minus(before.usd).div(price), currency, context.scale)
  const subject = `today's ${isWhole ? '' : 'at least '}${usdText(sum)} with this`
  const sentence = (kind: string, bound: Decimal) =>
    `${subject} is over the ${kind} limit ${usdText(bound)}: ${leftOf(bound)}`
  const check = bounded('dayUsd', (bound) => sum.gt(bound), limit, sentence)
  if (check.level === 'block' || isWhole) return check
  const unpriced = [...new Set([...(price === null ? [currency] : []), ...before.unpriced])]
  return ask(
    'dayUsd',
    `the value in USD is unknown (${unpriced.join(', ')}): cannot check the day's limit ${limitText(limit)}`,
  )
}

const limitText = ({ hard, soft }: Bounds<Decimal>): string => {
  const bound = hard ?? soft
  return bound === null ? '' : usdText(bound)
}

/**
 * How much of a limit of the day is used with this withdrawal; null where that is unknown. `bound` is the one that
 * comes first: what asks, else what blocks.
 */
export type DayUse = { used: Decimal | null; bound: Decimal; unit: string }

/** The limits of the day that this withdrawal counts for; none where none is set. */
export function dayUses(request: WithdrawalRequest, context: DayContext): DayUse[] {
  const { currency } = request
  const { dayPerCurrency, dayUsd } = context.limits
  const day = withdrawnOnDay(context.withdrawals, context.sent, context.nowMs)
  const outgoing = maxOutgoing(request, context.balances)
  const own = dayPerCurrency.get(currency)
  const ownBound = own?.soft ?? own?.hard ?? null
  const ownUsed = day.unreckoned.includes(currency) ? null : (day.amounts.get(currency) ?? zero).plus(outgoing)
  const usdBound = dayUsd.soft ?? dayUsd.hard
  const before = usdOfDay(day, context)
  const price = usdPrice(currency, context)
  const usdUsed = price === null || before.unpriced.length > 0 ? null : before.usd.plus(outgoing.times(price))
  return [
    ...(ownBound === null ? [] : [{ used: ownUsed, bound: ownBound, unit: currency }]),
    ...(usdBound === null ? [] : [{ used: usdUsed, bound: usdBound, unit: 'USD' }]),
  ]
}

/** The day's limits in the order of the review's lines. */
export function dayChecks(request: WithdrawalRequest, context: DayContext): WithdrawalCheck[] {
  const day = withdrawnOnDay(context.withdrawals, context.sent, context.nowMs)
  return [currencyCheck(request, day, context), usdCheck(request, day, context)]
}

/** How long after a withdrawal an equal one is more likely a slip than a wish. */
export const repeatWithinMs = 10 * 60_000

type Earlier = { listed: readonly Withdrawal[]; sent: readonly SentWithdrawal[]; nowMs: number }

/**
 * Asks when the same amount of the same currency went to the same beneficiary a short while ago, from here or from
 * elsewhere, and has not come back. A repeat can be meant; nothing about it can be undone.
 */
export function repeatCheck(request: WithdrawalRequest, { listed, sent, nowMs }: Earlier): WithdrawalCheck {
  const { currency, beneficiary, amount } = request
  const isDuplicate = (other: Pick<WithdrawalRequest, 'currency' | 'beneficiary' | 'amount'>) =>
    other.currency === currency &&
    other.beneficiary === beneficiary &&
    amount !== 'max' &&
    other.amount !== 'max' &&
    other.amount.eq(amount)
  const gone = [
    ...listed.flatMap(({ withdrawalId, timestampMs: atMs, ...each }) =>
      mayBeOut(each.state) && isDuplicate(each) && atMs !== null ? [{ withdrawalId, atMs }] : [],
    ),
    // A write without an answer blocks its duplicates by itself until it is resolved.
    ...sent.filter(
      ({ request: other, withdrawalId, isKnown }) =>
        isKnown && isDuplicate(other) && (withdrawalId === null || !isListedBack(listed, withdrawalId)),
    ),
  ].filter(({ atMs }) => nowMs - atMs < repeatWithinMs)
  const lastMs = gone.length === 0 ? null : Math.max(...gone.map(({ atMs }) => atMs))
  if (lastMs === null || amount === 'max') return pass('repeat')
  const seconds = Math.max(0, Math.floor((nowMs - lastMs) / 1000))
  const age = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
  return {
    ...ask('repeat', `the same ${amount.toFixed()} ${currency} went to ${beneficiary} ${age} ago`),
    about: [...new Set(gone.map(({ withdrawalId, atMs }) => withdrawalId ?? `sent at ${atMs}`))],
  }
}

const isListedBack = (listed: readonly Withdrawal[], id: string): boolean =>
  listed.some(({ withdrawalId, state }) => withdrawalId === id && !mayBeOut(state))
