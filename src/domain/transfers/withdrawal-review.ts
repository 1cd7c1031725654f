import { availableOf, type Balance, type Ticker } from '../balance.ts'
import type { ApprovalRule, WithdrawalLimits } from '../limits.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { ask, block, freshnessCheck, type Known, pass, warn } from '../orders/checks/check.ts'
import { usdText } from '../usd-value.ts'
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
import { lastChargedFee, type SentWithdrawal, usdPrice } from './withdrawn-today.ts'

/**
 * What a withdrawal is held against: the same for every path it can take, in the review and once more when it is sent.
 */
export type WithdrawalReviewContext = {
  whitelist: Known<readonly WhitelistEntry[]>
  balances: Known<readonly Balance[]>
  /** What the exchange lists, at least of this UTC day and of the currency's last fee. */
  withdrawals: Known<readonly Withdrawal[]>
  /** Rules and last prices of the symbols, as far as they are known: for decimals, and for values in USD. */
  instruments: ReadonlyMap<string, Instrument>
  tickers: ReadonlyMap<string, Ticker>
  /** What this machine sent today, from its journal or its drafts. */
  sent: readonly SentWithdrawal[]
  /** The whitelist as it is remembered; null before anything is. */
  memory: KnownWhitelist | null
  limits: WithdrawalLimits
  /** The name of the person who approves drafts; null when none is set up. */
  approver: string | null
  nowMs: number
}

/** A withdrawal under review. */
export type Reviewed = {
  request: WithdrawalRequest
  /** What the draft says of a second person's agreement; null while there is no draft yet. */
  approval: DraftApproval | null
  /** The beneficiary's name when the draft was made; null while there is no draft yet. */
  draftedName: string | null
}

/** Decimals the currency can be split in, as the symbols tell; null when none has it. */
export function currencyScale(currency: string, instruments: ReadonlyMap<string, Instrument>): number | null {
  for (const { base, counter, baseScale, counterScale } of instruments.values()) {
    if (base === currency) return baseScale
    if (counter === currency) return counterScale
  }
  return null
}

/**
 * Every rule in the order of the review's lines. With old data the rules that rest on it are not judged: the withdrawal
 * waits.
 */
export function withdrawalReview(reviewed: Reviewed, context: WithdrawalReviewContext): WithdrawalCheck[] {
  const { request } = reviewed
  const { whitelist, balances, withdrawals, instruments } = context
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
    repeatCheck(request, { listed: withdrawals.value, sent: context.sent, nowMs: context.nowMs }),
    ...dayChecks(request, market),
    approvalCheck(reviewed, market),
  ]
}

/**
 * What stops a withdrawal in the moment it is sent: rules that block, and those that ask and were not confirmed. Empty:
 * it may go. `seen` are the names of what the confirmed checks spoke of: what has come to it since was not agreed to;
 * null where that is not known.
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

/** Why a withdrawal needs the agreement of a second person, as a clause; null when it needs none. */
export function approvalReason(
  request: WithdrawalRequest,
  rule: ApprovalRule,
  prices: Pick<DayContext, 'instruments' | 'tickers' | 'balances'>,
): string | null {
  if (rule.kind === 'never') return null
  if (rule.kind === 'always') return 'required for every withdrawal'
  const price = usdPrice(request.currency, prices)
  const limit = usdText(rule.usd)
  if (price === null) return `the value of ${request.currency} in USD is unknown; required from ${limit} on`
  const usd = maxOutgoing(request, prices.balances).times(price)
  return usd.gte(rule.usd) ? `${usdText(usd)}; required from ${limit} on` : null
}

/** The agreement of a second person: where the settings or the draft want it, nothing is sent without it. */
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

/** Fresh data of the account that the fee is told from. */
type FeeContext = {
  balances: readonly Balance[]
  withdrawals: readonly Withdrawal[]
  /** Decimals of the currency; null when not known. */
  scale: number | null
}

/**
 * What the last fee of the currency leaves of it. The exchange announces no fee and may have another one by now, so
 * that what its last one speaks against is asked about; only "everything" that the fee would eat up has nothing to
 * send.
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
