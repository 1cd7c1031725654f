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
