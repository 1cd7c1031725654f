import { availableOf, type Balance } from '../balance.ts'
import type { ApprovalRule, WithdrawalLimits } from '../limits.ts'
import type { UnreadableEntry } from '../listing.ts'
import type { Instrument } from '../market/instrument.ts'
import type { Ticker } from '../market/ticker.ts'
import { Decimal } from '../money.ts'
import { ask, balancesFor, block, freshnessCheck, type Known, pass, warn } from '../orders/checks/check.ts'
import { usdText } from '../usd-value.ts'
import { apartText, limitUsd, type UsdSources } from '../usd-worth.ts'
import type { DraftApproval } from './draft.ts'
import type { WhitelistEntry, Withdrawal, WithdrawalRequest } from './transfer.ts'
import { type KnownWhitelist, whitelistCheck } from './whitelist.ts'
import {
  type DayContext,
  dayChecks,
  maxOutgoing,
  repeatCheck,
  type WithdrawalCheck,
  type WithdrawalRule,
  withdrawalChecks,
} from './withdrawal-checks.ts'
import { lastChargedFee, type RefusedWithdrawal, type SentWithdrawal } from './withdrawn-today.ts'

/** The data for reviewing a withdrawal, the same for every path, at the review and again when sent. */
export type WithdrawalReviewContext = {
  whitelist: Known<readonly WhitelistEntry[]>
  balances: Known<readonly Balance[]>
  /** Entries of the account's balances that cannot be read; none unless given. */
  unreadBalances?: readonly UnreadableEntry[] | undefined
  /** Listed withdrawals, at least those of this UTC day and of the currency's last fee. */
  withdrawals: Known<readonly Withdrawal[]>
  /** Known rules and last prices of symbols, for decimals and values in USD. */
  instruments: ReadonlyMap<string, Instrument>
  tickers: ReadonlyMap<string, Ticker>
  /** Withdrawals sent today by this machine, from its journal or drafts. */
  sent: readonly SentWithdrawal[]
  /** Withdrawals that this machine was told of as rejected a short while ago; none unless given. */
  refused?: readonly RefusedWithdrawal[]
  /** The remembered whitelist; null before the first read. */
  memory: KnownWhitelist | null
  limits: WithdrawalLimits
  /** The approver's name; null when none is set up. */
  approver: string | null
  nowMs: number
  /** The same moment by the exchange's clock; by this machine's where the exchange's is not known. */
  exchangeNowMs: number
  /** A moment of the day whose sums count: see `dayNowMs`. */
  dayNowMs: number
}

/** A withdrawal under review. */
export type Reviewed = {
  request: WithdrawalRequest
  /** The draft's approval; null while there is no draft. */
  approval: DraftApproval | null
  /** The beneficiary's name when the draft was made; null while there is no draft. */
  draftedName: string | null
}

/** Decimals of the currency according to the symbols; null when none has it. */
export function currencyScale(currency: string, instruments: ReadonlyMap<string, Instrument>): number | null {
  for (const { base, counter, baseScale, counterScale } of instruments.values()) {
    if (base === currency) return baseScale
    if (counter === currency) return counterScale
  }
  return null
}

/**
 * All checks in the order of the review's lines. Rules that depend on stale data are not evaluated; the withdrawal
 * waits.
 */
export function withdrawalReview(reviewed: Reviewed, context: WithdrawalReviewContext): WithdrawalCheck[] {
  const { request } = reviewed
  const { whitelist, withdrawals, instruments } = context
  const balances = balancesFor(request.currency, context.balances, context.unreadBalances)
  const freshness = freshnessCheck({ whitelist, balances, withdrawals })
  if (whitelist.kind !== 'fresh' || balances.kind !== 'fresh' || withdrawals.kind !== 'fresh') return [freshness]
  const scale = currencyScale(request.currency, instruments)
  const [beneficiary, ...amounts] = withdrawalChecks(request, {
    whitelist: whitelist.value,
    balances: balances.value,
    scale,
  })
  const market = { ...context, balances: balances.value, withdrawals: withdrawals.value, scale }
  return [
    freshness,
    ...(beneficiary === undefined ? [] : [beneficiary]),
    whitelistCheck(reviewed, whitelist.value, { ...context, listed: withdrawals.value }),
    ...amounts,
    feeCheck(request, market),
    repeatCheck(request, { ...context, listed: withdrawals.value }),
    ...dayChecks(request, market),
    approvalCheck(reviewed, market),
  ]
}

/**
 * The checks that stop a withdrawal when it is sent: blocking ones, and unconfirmed questions. Empty when it may go.
 * `seen` are the names covered by the confirmation, so later ones are not; null when unknown.
 */
export const withdrawalStops = (
  checks: readonly WithdrawalCheck[],
  confirmed: readonly WithdrawalRule[],
  seen: readonly string[] | null = null,
): WithdrawalCheck[] =>
  checks.filter(({ level, rule, about = [] }) => {
    const isAgreed = confirmed.includes(rule) && (seen === null || about.every((name) => seen.includes(name)))
    return level === 'block' || (level === 'ask' && !isAgreed)
  })

/** Why a withdrawal needs a second person's approval, as a clause; null when it does not. */
export function approvalReason(request: WithdrawalRequest, rule: ApprovalRule, prices: UsdSources): string | null {
  if (rule.kind === 'never') return null
  if (rule.kind === 'always') return 'required for every withdrawal'
  const price = limitUsd(request.currency, prices)
  const limit = usdText(rule.usd)
  if (price === null) {
    const reason = apartText(request.currency, prices) ?? `the value of ${request.currency} in USD is unknown`
    return `${reason}; required from ${limit} on`
  }
  const usd = maxOutgoing(request, prices.balances).times(price)
  return usd.gte(rule.usd) ? `${usdText(usd)}; required from ${limit} on` : null
}

/** Checks the approval, which is required if the settings or the draft want it. */
function approvalCheck(
  { request, approval }: { request: WithdrawalRequest; approval: DraftApproval | null },
  { limits, approver, ...context }: DayContext & { approver: string | null },
): WithdrawalCheck {
  const needed = approvalReason(request, limits.approval, context)
  if (approval?.kind === 'given') return pass('approval', `approved by ${approval.by}`)
  const reason = needed ?? (approval?.kind === 'wanted' ? 'the draft asks for it' : null)
  if (reason === null) return pass('approval')
  const text = `the approver has to approve it (${reason})`
  if (approver === null) return block('approval', `${text}; no approver set up: pitdesk lock approver setup`)
  if (approval === null) return warn('approval', `${text}: it waits as a draft for ${approver}`)
  return block('approval', `${text}: ${approver} has not yet`)
}

/** Fresh account data for the fee. */
type FeeContext = {
  balances: readonly Balance[]
  withdrawals: readonly Withdrawal[]
  /** Decimals of the currency; null when not known. */
  scale: number | null
}

/**
 * Checks the currency's last fee. The exchange announces no fee and may have changed it, so a conflict is asked about;
 * only a withdrawal of everything that the fee would consume is blocked.
 */
function feeCheck({ currency, amount }: WithdrawalRequest, context: FeeContext): WithdrawalCheck {
  const fee = lastChargedFee(context.withdrawals, currency)
  if (fee === null)
    return warn(
      'fee',
      `the fee for ${currency} is unknown before the first withdrawal: the exchange charges it on top of the amount`,
    )
  const available = availableOf(currency, context.balances)
  const rest = available.minus(fee)
  const most = context.scale === null ? rest : rest.toDecimalPlaces(context.scale, Decimal.ROUND_FLOOR)
  const known = `the last fee was ${fee} ${currency}`
  if (amount === 'max')
    return most.gt(0)
      ? pass('fee', `${known}: ${most} ${currency} would arrive`)
      : ask('fee', `${known}: of the available ${available} nothing would be left to send`)
  if (amount.gt(available)) return pass('fee', known)
  if (amount.gt(rest))
    return ask(
      'fee',
      `${known}: with it ${amount.plus(fee)} is more than the available ${available}: ` +
        `${most.gt(0) ? `at most ${most}` : `more than ${fee} has to be available`}`,
    )
  return amount.lte(fee) ? warn('fee', `${known}: at least as much as would arrive`) : pass('fee', known)
}
