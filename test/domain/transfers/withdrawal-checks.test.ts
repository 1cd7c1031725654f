import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { type WithdrawalContext, withdrawalChecks } from '../../../src/domain/transfers/withdrawal-checks.ts'

const amounts = { balanceLocal: new Decimal(0), availableLocal: new Decimal(0), rate: new Decimal(1) }
const context: WithdrawalContext = {
  whitelist: [
    { whitelistId: 'w1', name: 'cold', currency: 'BTC' },
    { whitelistId: 'w2', name: 'any', currency: null },
  ],
  balances: [{ currency: 'BTC', balance: new Decimal(3), available: new Decimal('2.5'), ...amounts }],
  scale: 8,
}
const request = (fields: Partial<WithdrawalRequest>): WithdrawalRequest => ({
  currency: 'BTC',
  beneficiary: 'w1',
  amount: new Decimal(1),
  ...fields,
})
const blocks = (fields: Partial<WithdrawalRequest>, change: Partial<WithdrawalContext> = {}) =>
  withdrawalChecks(request(fields), { ...context, ...change }).flatMap(({ level, text }) =>
    level === 'block' ? [text] : [],
  )

test.each<Partial<WithdrawalRequest>>([
  {},
  { beneficiary: 'w2' },
  { amount: new Decimal('2.5') },
  { amount: new Decimal('0.00000001') },
  { amount: 'max' },
])('%j may go', (fields) => expect(blocks(fields)).toEqual([]))

test('each rule says what would satisfy it', () => {
  expect(blocks({ beneficiary: 'w9' })).toEqual([expect.stringContaining('the whitelist has no entry w9')])
  expect(blocks({ currency: 'ETH', amount: 'max' })).toEqual(['entry w1 is for BTC', 'nothing is available in ETH'])
  expect(blocks({ amount: new Decimal('2.51') })).toEqual([expect.stringContaining('more than the available 2.5')])
  expect(blocks({ amount: new Decimal('0.000000001') })).toEqual([
    'BTC has 8 decimals, 0.000000001 has more: 0.00000001',
  ])
  expect(blocks({ amount: new Decimal('0.123456789') })).toEqual([expect.stringContaining('0.12345678 or 0.12345679')])
  expect(blocks({ amount: new Decimal('0.000000001') }, { scale: null })).toEqual([])
  expect(blocks({ amount: new Decimal(-1) })).toEqual(['the amount must be above zero'])
})
