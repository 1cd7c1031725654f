import type { Balance } from '../balance.ts'
import { Decimal, formatGrouped, zero } from '../money.ts'
import type { CheckLevel } from '../orders/checks/check.ts'
import type { WhitelistEntry, WithdrawalRequest } from './transfer.ts'

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
  /** The same went out a short while ago. */
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
export type WithdrawalCheck = {
  rule: WithdrawalRule
  level: CheckLevel
  text: string
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
  complaint === null ? { rule, level: 'ok', text: '' } : { rule, level: 'block', text: complaint }

function beneficiaryComplaint({ currency, beneficiary }: WithdrawalRequest, { whitelist }: WithdrawalContext) {
  const entry = whitelist.find(({ whitelistId }) => whitelistId === beneficiary)
  if (entry === undefined)
    return `the whitelist has no entry ${beneficiary}: entries are made on the exchange's own web page`
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
  const available = context.balances.find((balance) => balance.currency === currency)?.available ?? zero
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
        : `${amount} ${currency} and the fee are more than the available ${formatGrouped(available, available.decimalPlaces())}: at most that less the fee`,
    ),
  )
  return checks
}
