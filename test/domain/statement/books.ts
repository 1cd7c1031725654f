import fc from 'fast-check'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { History, Rules } from '../../../src/domain/statement/movement.ts'
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
