import type { Balance } from './balance.ts'
import { formatGrouped, zero } from './money.ts'
import type { WhitelistEntry, WithdrawalRequest } from './transfer.ts'

/** One rule of a withdrawal, with what would satisfy it. */
export type WithdrawalCheck = {
  rule: 'beneficiary' | 'amount' | 'scale' | 'funds'
  level: 'ok' | 'block'
  text: string
}

export type WithdrawalContext = {
  whitelist: readonly WhitelistEntry[]
  balances: readonly Balance[]
  /** Decimals the currency can be split in; null when no symbol tells. */
  scale: number | null
}

const check = (rule: WithdrawalCheck['rule'], complaint: string | null): WithdrawalCheck =>
  complaint === null ? { rule, level: 'ok', text: '' } : { rule, level: 'block', text: complaint }

function beneficiaryComplaint({ currency, beneficiary }: WithdrawalRequest, { whitelist }: WithdrawalContext) {
  const entry = whitelist.find(({ whitelistId }) => whitelistId === beneficiary)
  if (entry === undefined)
    return `the whitelist has no entry ${beneficiary}: entries are made on the exchange's own web page`
  return entry.currency === null || entry.currency === currency ? null : `entry ${beneficiary} is for ${entry.currency}`
}

/** Every rule that can be told before the exchange is asked. Its fee is not known here: the exchange may still refuse. */
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
    check('scale', isTooFine ? `${currency} has ${scale} decimals: ${amount} is finer` : null),
    check(
      'funds',
      amount.lte(available)
        ? null
        : `${amount} ${currency} and the fee are more than the available ${formatGrouped(available, available.decimalPlaces())}`,
    ),
  )
  return checks
}
