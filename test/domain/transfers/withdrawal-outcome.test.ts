import { expect, test } from 'vitest'
import { unknownWithdrawalSentence, withdrawalMismatches } from '../../../src/domain/transfers/withdrawal-outcome.ts'
import { mismatchText, type UnknownCause } from '../../../src/domain/write-outcome.ts'
import { amount } from '../../fakes/amounts.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'

test('an unknown withdrawal says that money may be on its way', () => {
  const sentence = (cause: UnknownCause) =>
    unknownWithdrawalSentence('0.5 BTC to wl-1', { kind: 'unknown', reason: 'side SELL', cause, key: 'k' })
  expect(sentence('noAnswer')).toBe(
    'May be on its way: no answer for the withdrawal of 0.5 BTC to wl-1. Checking. Do not resubmit.',
  )
  expect(sentence('unconfirmed')).toBe(
    'May be on its way: the withdrawal of 0.5 BTC to wl-1 was refused, but that is not confirmed (side SELL). ' +
      'Checking. Do not resubmit.',
  )
})

test('a withdrawal is ours when currency, beneficiary and amount are; of everything, any amount may have come', () => {
  const request = { currency: 'BTC', beneficiary: 'wl_8f2c', amount: amount('0.05') }
  expect(withdrawalMismatches(request, aWithdrawal())).toEqual([])
  expect(mismatchText(withdrawalMismatches(request, aWithdrawal({ currency: 'ETH', beneficiary: 'wl-2' })))).toBe(
    'sent currency BTC, answered ETH; sent beneficiary wl_8f2c, answered wl-2',
  )
  expect(withdrawalMismatches(request, aWithdrawal({ amount: amount('5') }))).toEqual([
    { field: 'amount', sent: '0.05', answered: '5' },
  ])
  const everything = { ...request, amount: 'max' } as const
  expect(withdrawalMismatches(everything, aWithdrawal({ amount: amount('5') }))).toEqual([])
  expect(mismatchText(withdrawalMismatches(everything, aWithdrawal({ amount: amount('0'), fee: amount('-1') })))).toBe(
    'sent amount above 0, answered 0; sent fee none below 0, answered -1',
  )
})
