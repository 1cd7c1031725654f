import type { Decimal } from '../money.ts'
import type { CurrencyStatement, Statement } from './statement.ts'
import { checkWord } from './statement-cells.ts'

type Field = string | number | Decimal | null | readonly string[] | readonly Fields[]
/** One thing by the names of its fields. */
export type Fields = { readonly [field: string]: Field }

/**
 * Every field is a sum over the period, save `balance`, `inFlight` and `after`, which are of now. What went out is
 * negative.
 */
export function currencyFields(each: CurrencyStatement): Fields {
  const { byKind, check } = each
  return {
    currency: each.currency,
    opening: each.opening,
    deposits: byKind.deposit,
    withdrawals: byKind.withdrawal,
    withdrawalFees: byKind.withdrawalFee,
    bought: byKind.bought,
    sold: byKind.sold,
    tradeFees: byKind.tradeFee,
    changes: each.changes,
    closing: each.closing,
    inFlight: each.inFlight,
    after: each.after,
    balance: each.balance,
    check: checkWord(each),
    ...(check.kind === 'differs' ? { difference: check.by } : {}),
  }
}

/** The whole statement as one value, for JSON: times in ms since 1970. */
export function statementFields({ period, currencies, movements, missing }: Statement): Fields {
  return {
    from: period.fromMs,
    to: period.toMs,
    currencies: currencies.map(currencyFields),
    movements: movements.map(({ atMs, ...rest }) => ({ timestamp: atMs, ...rest })),
    missing,
  }
}
