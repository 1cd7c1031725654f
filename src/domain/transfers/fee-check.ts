import type { Balance } from '../balance.ts'
import { Decimal, zero } from '../money.ts'
import type { Withdrawal, WithdrawalRequest } from '../transfer.ts'
import type { WithdrawalCheck } from '../withdrawal-checks.ts'
import { learntFee } from './withdrawn-today.ts'

/** Fresh data of the account that the fee is told from. */
export type FeeContext = {
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
export function feeCheck({ currency, amount }: WithdrawalRequest, context: FeeContext): WithdrawalCheck {
  const make = (level: WithdrawalCheck['level'], text: string): WithdrawalCheck => ({ rule: 'fee', level, text })
  const fee = learntFee(context.withdrawals, currency)
  if (fee === null)
    return make(
      'warn',
      `the fee for ${currency} is not known before the first withdrawal: the exchange takes it beside the amount`,
    )
  const available = context.balances.find((balance) => balance.currency === currency)?.available ?? zero
  const rest = available.minus(fee)
  const most = context.scale === null ? rest : rest.toDecimalPlaces(context.scale, Decimal.ROUND_FLOOR)
  const known = `the last fee was ${fee} ${currency}`
  if (amount === 'max')
    return most.gt(0)
      ? make('ok', `${known}: ${most} ${currency} would arrive`)
      : make('ask', `${known}: of the available ${available} nothing would be left to send`)
  if (amount.gt(available)) return make('ok', known)
  if (amount.gt(rest))
    return make(
      'ask',
      `${known}: with it ${amount.plus(fee)} is more than the available ${available}: ${most.gt(0) ? `at most ${most}` : `more than ${fee} has to be there`}`,
    )
  return amount.lte(fee) ? make('warn', `${known}: that is no less than what would arrive`) : make('ok', known)
}
