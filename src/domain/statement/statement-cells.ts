import type { Decimal } from '../money.ts'
import type { CurrencyStatement, Statement } from './statement.ts'

/** The columns of a statement as a list: what a spreadsheet adds up by currency. */
export const statementHead = ['time', 'kind', 'id', 'currency', 'amount', 'change', 'state', 'symbol', 'price'] as const

const timeOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

const edge = (kind: 'opening' | 'closing', atMs: number, currency: string, amount: Decimal): string[] => [
  timeOf(atMs),
  kind,
  '',
  currency,
  amount.toFixed(),
  '',
  '',
  '',
  '',
]

/**
 * The statement as rows under `statementHead`: what each currency opened with, every line, what it closed with.
 * `change` is empty in the first and the last: by currency the sum of `change` is closing − opening.
 */
export function* statementRows({ period, currencies, movements }: Statement): Iterable<string[]> {
  for (const { currency, opening } of currencies) yield edge('opening', period.fromMs, currency, opening)
  for (const { atMs, kind, id, currency, amount, change, state, symbol, price } of movements) {
    const cells = [timeOf(atMs), kind, id, currency, amount.toFixed(), plain(change)]
    yield [...cells, state ?? '', symbol ?? '', price?.toFixed() ?? '']
  }
  for (const { currency, closing } of currencies) yield edge('closing', period.toMs, currency, closing)
}

/** Without the sign that a zero may carry. */
const plain = (amount: Decimal): string => (amount.isZero() ? '0' : amount.toFixed())

/** How a currency's books stand to its balance, in one word or two. */
export function checkWord({ check }: Pick<CurrencyStatement, 'check'>): string {
  switch (check.kind) {
    case 'agrees':
      return 'agrees'
    case 'differs':
      return `off by ${check.by.toFixed()}`
    case 'unknown':
      return 'not known'
  }
}

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
