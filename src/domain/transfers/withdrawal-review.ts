import type { Balance, Ticker } from '../balance.ts'
import type { Instrument } from '../instrument.ts'
import { type Known, unreliable } from '../known.ts'
import type { WhitelistEntry, Withdrawal, WithdrawalRequest } from '../transfer.ts'
import { type WithdrawalCheck, type WithdrawalRule, withdrawalChecks } from '../withdrawal-checks.ts'
import { approvalCheck } from './approval.ts'
import { dayChecks } from './day-checks.ts'
import type { DraftApproval } from './draft.ts'
import { feeCheck } from './fee-check.ts'
import type { KnownWhitelist } from './known-whitelist.ts'
import type { WithdrawalLimits } from './limits.ts'
import { repeatCheck } from './repeat-check.ts'
import { whitelistCheck } from './whitelist-check.ts'
import type { SentWithdrawal } from './withdrawn-today.ts'

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

function freshnessCheck({ whitelist, balances, withdrawals }: WithdrawalReviewContext): WithdrawalCheck {
  const reasons = [
    unreliable('whitelist', whitelist),
    unreliable('balances', balances),
    unreliable('withdrawals', withdrawals),
  ].filter((reason) => reason !== null)
  return reasons.length === 0
    ? { rule: 'freshness', level: 'ok', text: '' }
    : { rule: 'freshness', level: 'block', text: `${reasons.join(', ')}: wait for fresh data` }
}

/**
 * Every rule in the order of the review's lines. With old data the rules that rest on it are not judged: the withdrawal
 * waits.
 */
export function withdrawalReview(reviewed: Reviewed, context: WithdrawalReviewContext): WithdrawalCheck[] {
  const { request } = reviewed
  const { whitelist, balances, withdrawals, instruments } = context
  const freshness = freshnessCheck(context)
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
