import { expect, test } from 'vitest'
import { hasTermsOf, isSameRequest, type WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { amount } from '../../fakes/amounts.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'

const asked = (more: Partial<WithdrawalRequest> = {}): WithdrawalRequest => ({
  ...{ currency: 'BTC', beneficiary: 'wl_8f2c', amount: amount('0.05') },
  ...more,
})

test.each([
  ['however many zeros it is written with', asked({ amount: amount('0.0500') }), true],
  ['another amount', asked({ amount: amount('0.06') }), false],
  ['everything is no typed amount, whatever the balance is', asked({ amount: 'max' }), false],
  ['another currency', asked({ currency: 'ETH' }), false],
  ['another beneficiary', asked({ beneficiary: 'wl_3e01' }), false],
])('whether a request is the same: %s', (_, other, isSame) => {
  expect(isSameRequest(asked(), other)).toBe(isSame)
  expect(isSameRequest(other, asked())).toBe(isSame)
})

test('everything is asked for twice by the same request', () => {
  expect(isSameRequest(asked({ amount: 'max' }), asked({ amount: 'max' }))).toBe(true)
})

test.each([
  ['its amount', asked(), true],
  ['everything, which may have been any amount', asked({ amount: 'max' }), true],
  ['another amount', asked({ amount: amount('0.049') }), false],
  ['everything of another currency', asked({ amount: 'max', currency: 'ETH' }), false],
  ['everything to another beneficiary', asked({ amount: 'max', beneficiary: 'wl_3e01' }), false],
])('whether a listed withdrawal of 0.05 BTC has the terms of a request for %s', (_, request, has) => {
  expect(hasTermsOf(aWithdrawal(), request)).toBe(has)
})
