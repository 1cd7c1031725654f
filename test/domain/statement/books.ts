import fc from 'fast-check'
import { Decimal, exactPlus, exactProduct, zero } from '../../../src/domain/money.ts'
import { type Fill, newestFillFirst } from '../../../src/domain/orders/fills.ts'
import {
  currenciesOf,
  type History,
  inBookOrder,
  isWithin,
  type Movement,
  movementsIn,
  type Period,
  type Rules,
  transferMovements,
} from '../../../src/domain/statement/movement.ts'
import { type StatementLists, statementOf } from '../../../src/domain/statement/statement.ts'
import { StatementBooks } from '../../../src/domain/statement/statement-books.ts'
import {
  type Deposit,
  depositStates,
  type Withdrawal,
  withdrawalStatuses,
} from '../../../src/domain/transfers/transfer.ts'

export const rules: Rules = new Map([
  ['BTC-USD', { base: 'BTC', counter: 'USD' }],
  ['ETH-BTC', { base: 'ETH', counter: 'BTC' }],
])

/** Amounts from the last digit of eighteen decimals to the billions: more digits together than an order ever has. */
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => new Decimal(`${units}e-${scale}`))

const atMs = fc.integer({ min: 0, max: 1_000 })
const currency = fc.constantFrom('BTC', 'USD', 'ETH')

const deposit = fc.record({ amount, currency, state: fc.constantFrom(...depositStates), timestampMs: atMs })
const withdrawal = fc.record({
  amount,
  fee: amount,
  currency,
  state: fc.constantFrom(...withdrawalStatuses),
  timestampMs: atMs,
})
const fill = fc.record({
  symbol: fc.constantFrom('BTC-USD', 'ETH-BTC'),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: amount,
  quantity: amount,
  fee: amount,
  timestampMs: atMs,
})

/** What an account did, anything of it in any order. */
export const anyHistory: fc.Arbitrary<History> = fc
  .tuple(fc.array(deposit), fc.array(withdrawal), fc.array(fill))
  .map(([deposits, withdrawals, fills]) => ({
    deposits: deposits.map((each, index): Deposit => ({ ...each, depositId: `d-${index}`, address: '', txHash: null })),
    withdrawals: withdrawals.map(
      (each, index): Withdrawal => ({ ...each, withdrawalId: `w-${index}`, beneficiary: '1' }),
    ),
    fills: fills.map((each, index): Fill => ({ ...each, orderId: '1', tradeId: `${index}`, execId: `${index + 1}` })),
  }))

/** Whole units of 10^-60: sums in them are right by themselves, whatever a library does. */
export const unitsOf = (value: Decimal | string): bigint => {
  const text = typeof value === 'string' ? value : value.toFixed()
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(60, '0'))
  return text.startsWith('-') ? -units : units
}

/** The entries of a period, oldest first. */
export const entriesIn = (period: Period, { fills, ...transfers }: History, rulesThen: Rules): Movement[] => [
  ...movementsIn(
    period,
    {
      ...transfers,
      fills: fills
        .filter(({ timestampMs }) => isWithin(period, timestampMs))
        .toSorted((one, other) => newestFillFirst(other, one)),
    },
    rulesThen,
  ),
]

/** The statement of a history, with its entries in a list. */
export function statementIn(
  period: Period,
  { history, ...lists }: StatementLists & { history: History },
): Omit<ReturnType<typeof statementOf>, 'movements'> & { movements: Movement[] } {
  const books = new StatementBooks({ period, rules: lists.rules })
  for (const movements of transferMovements(history)) books.takeTransfer(movements)
  for (const fill of history.fills) books.takeFill(fill)
  const movements = entriesIn(period, history, lists.rules)
  return { ...statementOf(period, { ...history, ...lists, books, movements }), movements }
}

/** Every entry of a history as a list, made in the plainest way: three entries of each fill, sorted all together. */
export function entriesPlainly({ fills, ...transfers }: History, rulesThen: Rules): Movement[] {
  const ofFills = fills.flatMap((fill): Movement[][] => {
    const { execId: id, symbol, price, quantity, fee, timestampMs: atMs, side } = fill
    const pair = currenciesOf(symbol, rulesThen)
    if (pair === null) return []
    const line = { atMs, id, state: null, symbol, price }
    const base = { currency: pair.base, amount: quantity }
    const counter = { currency: pair.counter, amount: exactProduct(price, quantity) }
    const [bought, sold] = side === 'BUY' ? [base, counter] : [counter, base]
    return [
      [
        { ...line, ...bought, kind: 'bought', change: bought.amount },
        { ...line, ...sold, kind: 'sold', change: sold.amount.neg() },
        { ...line, kind: 'tradeFee', currency: pair.counter, amount: fee, change: fee.neg() },
      ],
    ]
  })
  const groups = [...transferMovements(transfers), ...ofFills]
  return groups.toSorted(([one], [other]) => (one && other ? inBookOrder(one, other) : 0)).flat()
}

/** The sums of changes by currency, amount by amount. */
export function changesPlainly(movements: readonly Movement[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>()
  for (const { currency, change } of movements) sums.set(currency, exactPlus(sums.get(currency) ?? zero, change))
  return sums
}
