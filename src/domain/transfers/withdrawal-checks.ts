import { nearestNames } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { availableOf, type Balance } from '../balance.ts'
import { type Bounds, hasBound, type WithdrawalLimits } from '../limits.ts'
import { Decimal, formatGrouped, zero } from '../money.ts'
import { ask, block, bounded, type Check, pass } from '../orders/checks/check.ts'
import { usdText } from '../usd-value.ts'
import { apartText, limitUsd, type UsdPrices } from '../usd-worth.ts'
import {
  isSameRequest,
  mayBeOut,
  type WhitelistEntry,
  type Withdrawal,
  type WithdrawalRequest,
  withdrawalText,
} from './transfer.ts'
import {
  type RefusedWithdrawal,
  type SentWithdrawal,
  usdOfDay,
  type WithdrawnDay,
  withdrawnOnDay,
} from './withdrawn-today.ts'

/** The rule of a withdrawal check; each has one line in the review. */
export type WithdrawalRule =
  | 'freshness'
  | 'beneficiary'
  /** The whitelist entry is new or renamed. */
  | 'whitelist'
  | 'amount'
  | 'scale'
  | 'funds'
  | 'fee'
  /** An equal withdrawal was sent a short while ago. */
  | 'repeat'
  /** The currency's withdrawals of the UTC day. */
  | 'dayCurrency'
  /** All withdrawals of the UTC day in USD. */
  | 'dayUsd'
  /** A second person's approval. */
  | 'approval'
  /** Nothing goes out of this desk now, whatever it is. */
  | 'mode'

/** The result of a rule. `ask`: nothing is sent before the user has confirmed this rule. */
export type WithdrawalCheck = Check<WithdrawalRule> & {
  /** The names it is about: a confirmation covers these, not ones added later. */
  about?: readonly string[]
}

export type WithdrawalContext = {
  whitelist: readonly WhitelistEntry[]
  balances: readonly Balance[]
  /** Decimals of the currency; null when unknown. */
  scale: number | null
}

const check = (rule: WithdrawalRule, complaint: string | null): WithdrawalCheck =>
  complaint === null ? pass(rule) : block(rule, complaint)

function beneficiaryComplaint({ currency, beneficiary }: WithdrawalRequest, { whitelist }: WithdrawalContext) {
  const entry = whitelist.find(({ whitelistId }) => whitelistId === beneficiary)
  if (entry === undefined) return `the whitelist has no entry ${beneficiary}: add entries on the exchange's web page`
  return entry.currency === null || entry.currency === currency ? null : `entry ${beneficiary} is for ${entry.currency}`
}

/** The nearest valid amounts: `0.12345678 or 0.12345679`. */
function nearest(amount: Decimal, scale: number): string {
  const below = amount.toDecimalPlaces(scale, Decimal.ROUND_FLOOR)
  const above = amount.toDecimalPlaces(scale, Decimal.ROUND_CEIL)
  return below.gt(0) ? `${below} or ${above}` : above.toString()
}

/** All rules that can be checked before asking the exchange. Its fee is unknown here, so it may still refuse. */
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

/** Fresh account data for the day's sums. */
export type DayContext = UsdPrices & {
  withdrawals: readonly Withdrawal[]
  sent: readonly SentWithdrawal[]
  limits: WithdrawalLimits
  /** Decimals of the currency; null when unknown. */
  scale: number | null
  /** A moment of the day whose sums count, by the exchange's clock where it is behind this machine's. */
  dayNowMs: number
}

/** The maximum amount sent; for everything, the available balance, from which the fee is taken. */
export const maxOutgoing = ({ currency, amount }: WithdrawalRequest, balances: readonly Balance[]): Decimal =>
  amount === 'max' ? availableOf(currency, balances) : amount

/** The remaining amount of today's limit, in words. */
function leftText(left: Decimal, currency: string, scale: number | null): string {
  const most = left.toDecimalPlaces(scale ?? 8, Decimal.ROUND_FLOOR)
  return most.gt(0)
    ? `at most ${most} ${currency} more today`
    : `no more ${currency} within it today (the day ends at 00:00 UTC)`
}

/** Asks where the limits name a currency that nobody knows, and this one may be meant: its owner relies on a bound. */
function misnamedLimit(currency: string, { instruments, balances, limits }: DayContext): WithdrawalCheck | null {
  if (instruments.size === 0) return null
  const pairs = [...instruments.values()].flatMap(({ base, counter }) => [base, counter])
  const known = new Set([...pairs, ...balances.map((balance) => balance.currency)])
  const odd = [...limits.dayPerCurrency.keys()].find(
    (name) => !known.has(name) && nearestNames(name, [...known, currency]).includes(currency),
  )
  if (odd === undefined) return null
  return ask(
    'dayCurrency',
    plainText(`limits in withdrawal_day.${odd} have no effect, unknown currency (${currency}?)`),
  )
}

/** Checks the currency's limit of the UTC day, including this withdrawal. */
function currencyCheck(request: WithdrawalRequest, day: WithdrawnDay, context: DayContext): WithdrawalCheck {
  const { currency } = request
  const limit = context.limits.dayPerCurrency.get(currency)
  if (limit === undefined) return misnamedLimit(currency, context) ?? pass('dayCurrency')
  if (!hasBound(limit)) return pass('dayCurrency')
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

/**
 * Checks the limit in USD of the UTC day, including this withdrawal. Asks about an unknown value. Where last price and
 * rate disagree a hard limit blocks: one of the two is false, and no confirmation tells which.
 */
function usdCheck(request: WithdrawalRequest, day: WithdrawnDay, context: DayContext): WithdrawalCheck {
  const { currency } = request
  const limit = context.limits.dayUsd
  if (!hasBound(limit)) return pass('dayUsd')
  const before = usdOfDay(day, context)
  const price = limitUsd(currency, context)
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
  const apart = unpriced.flatMap((each) => apartText(each, context) ?? [])
  const reason = apart.length > 0 ? apart.join('; ') : `the value in USD is unknown (${unpriced.join(', ')})`
  const text = `${reason}: cannot check the day's limit ${limitText(limit)}`
  return apart.length > 0 && limit.hard !== null ? block('dayUsd', text) : ask('dayUsd', text)
}

const limitText = ({ hard, soft }: Bounds<Decimal>): string => {
  const bound = hard ?? soft
  return bound === null ? '' : usdText(bound)
}

/**
 * The part of a daily limit used with this withdrawal; null when unknown. `bound` is the soft bound, or else the hard
 * one.
 */
export type DayUse = { used: Decimal | null; bound: Decimal; unit: string }

/** The daily limits that apply to this withdrawal. */
export function dayUses(request: WithdrawalRequest, context: DayContext): DayUse[] {
  const { currency } = request
  const { dayPerCurrency, dayUsd } = context.limits
  const day = withdrawnOnDay(context.withdrawals, context.sent, context.dayNowMs)
  const outgoing = maxOutgoing(request, context.balances)
  const own = dayPerCurrency.get(currency)
  const ownBound = own?.soft ?? own?.hard ?? null
  const ownUsed = day.unreckoned.includes(currency) ? null : (day.amounts.get(currency) ?? zero).plus(outgoing)
  const usdBound = dayUsd.soft ?? dayUsd.hard
  const before = usdOfDay(day, context)
  const price = limitUsd(currency, context)
  const usdUsed = price === null || before.unpriced.length > 0 ? null : before.usd.plus(outgoing.times(price))
  return [
    ...(ownBound === null ? [] : [{ used: ownUsed, bound: ownBound, unit: currency }]),
    ...(usdBound === null ? [] : [{ used: usdUsed, bound: usdBound, unit: 'USD' }]),
  ]
}

/** The checks of daily limits, in the order of the review's lines. */
export function dayChecks(request: WithdrawalRequest, context: DayContext): WithdrawalCheck[] {
  const day = withdrawnOnDay(context.withdrawals, context.sent, context.dayNowMs)
  return [currencyCheck(request, day, context), usdCheck(request, day, context)]
}

/** Time in which an equal withdrawal is probably a mistake. */
export const repeatWithinMs = 10 * 60_000

type Earlier = {
  listed: readonly Withdrawal[]
  sent: readonly SentWithdrawal[]
  /** None unless given. */
  refused?: readonly RefusedWithdrawal[] | undefined
  nowMs: number
  /** The same moment by the exchange's clock, which dates what is listed. */
  exchangeNowMs: number
}

const agoText = (agoMs: number): string => {
  const seconds = Math.max(0, Math.floor(agoMs / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
}

/**
 * Asks when the same amount was sent to the same beneficiary a short while ago, from here or elsewhere, and has not
 * come back; also when it was refused, because a list may be behind and the refusal another one's. A repeat may be
 * intended, but cannot be undone.
 */
export function repeatCheck(request: WithdrawalRequest, earlier: Earlier): WithdrawalCheck {
  const gone = goneCheck(request, earlier)
  const again = refusedCheck(request, earlier)
  if (gone.level === 'ok' || again.level === 'ok') return gone.level === 'ok' ? again : gone
  return { ...gone, text: `${gone.text}; ${again.text}`, about: [...(gone.about ?? []), ...(again.about ?? [])] }
}

function refusedCheck(request: WithdrawalRequest, { refused = [], nowMs }: Earlier): WithdrawalCheck {
  const doubted = refused.filter(
    ({ request: other, atMs }) => isSameRequest(other, request) && nowMs - atMs < repeatWithinMs,
  )
  if (doubted.length === 0) return pass('repeat')
  const ago = agoText(nowMs - Math.max(...doubted.map(({ atMs }) => atMs)))
  const what = withdrawalText(request)
  return {
    ...ask(
      'repeat',
      `the same ${what} was rejected ${ago} ago and may be listed later all the same: this could be the second`,
    ),
    about: doubted.map(({ name }) => name),
  }
}

/**
 * Each is as old as the clock says that dated it: the other one may be wrong, or may have been set meanwhile. One that
 * is listed without a time may have gone just now; of one sent from here the time is known (`datedBySent`).
 */
function goneCheck(request: WithdrawalRequest, { listed, sent, nowMs, exchangeNowMs }: Earlier): WithdrawalCheck {
  const { currency, beneficiary, amount } = request
  if (amount === 'max') return pass('repeat')
  const gone = [
    ...listed.flatMap(({ withdrawalId, timestampMs: atMs, ...each }) =>
      mayBeOut(each.state) && isSameRequest(each, request)
        ? [{ withdrawalId, draftId: undefined, atMs, agoMs: atMs === null ? null : exchangeNowMs - atMs }]
        : [],
    ),
    // An unknown write blocks its duplicates anyway, until resolved.
    ...sent.flatMap(({ request: other, withdrawalId, isKnown, atMs, draftId }) =>
      isKnown && isSameRequest(other, request) && (withdrawalId === null || !isListedBack(listed, withdrawalId))
        ? [{ withdrawalId, draftId, atMs, agoMs: nowMs - atMs }]
        : [],
    ),
  ].filter(({ agoMs }) => agoMs === null || agoMs < repeatWithinMs)
  if (gone.length === 0) return pass('repeat')
  const times = gone.flatMap(({ agoMs }) => agoMs ?? [])
  const ago = times.length === 0 ? ', at an unknown time' : ` ${agoText(Math.min(...times))} ago`
  return {
    ...ask('repeat', `the same ${amount.toFixed()} ${currency} went to ${beneficiary}${ago}`),
    // Drafts are dated by their answers, the journal by what was sent: only the draft's id is the same in both.
    about: [...new Set(gone.map(({ withdrawalId, draftId, atMs }) => withdrawalId ?? draftId ?? `sent at ${atMs}`))],
  }
}

const isListedBack = (listed: readonly Withdrawal[], id: string): boolean =>
  listed.some(({ withdrawalId, state }) => withdrawalId === id && !mayBeOut(state))
