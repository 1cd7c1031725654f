import { expect, test } from 'vitest'
import {
  type Deposit,
  isOut,
  isTurnedDown,
  sameDeposit,
  sameEntry,
  sameWithdrawal,
  type WhitelistEntry,
  type Withdrawal,
  withdrawalStatuses,
  withdrawalText,
} from '../../../src/domain/transfers/transfer.ts'
import { amount } from '../../fakes/amounts.ts'
import { aWithdrawal } from './review-scene.ts'

const others: Withdrawal = {
  ...{ withdrawalId: 'x2', amount: amount('0.6'), fee: null, currency: 'ETH', beneficiary: 'w2' },
  ...{ state: 'FAILED', timestampMs: 5 },
}
const deposit: Deposit = {
  ...{ depositId: 'd1', amount: amount('1'), currency: 'BTC', address: 'bc1', txHash: null },
  ...{ state: 'UNCONFIRMED', timestampMs: null },
}
const otherDeposit: Deposit = {
  ...{ depositId: 'd2', amount: amount('2'), currency: 'ETH', address: 'bc2', txHash: 'f0' },
  ...{ state: 'COMPLETED', timestampMs: 5 },
}
const entry: WhitelistEntry = { whitelistId: 'w1', name: 'cold', currency: null }
const otherEntry = { whitelistId: 'w2', name: 'ops', currency: 'BTC' }

/** The report with one field after the other as the other one has it. */
const changed = <T extends object>(report: T, other: T): T[] =>
  Object.entries(other).map(([name, value]) => ({ ...report, [name]: value }))

test('a report that differs in anything is another one, and its change is shown', () => {
  expect(sameWithdrawal(aWithdrawal(), aWithdrawal({ amount: amount('0.50') }))).toBe(true)
  for (const each of changed(aWithdrawal(), others)) expect(sameWithdrawal(aWithdrawal(), each)).toBe(false)
  expect(sameDeposit(deposit, { ...deposit, amount: amount('1.0') })).toBe(true)
  for (const each of changed(deposit, otherDeposit)) expect(sameDeposit(deposit, each)).toBe(false)
  expect(sameEntry(entry, { ...entry })).toBe(true)
  for (const each of changed(entry, otherEntry)) expect(sameEntry(entry, each)).toBe(false)
})

test('no money was sent by what was rejected or failed; what came back was sent', () => {
  expect(withdrawalStatuses.filter(isTurnedDown)).toEqual(['REJECTED', 'FAILED'])
  expect(withdrawalStatuses.filter(isOut)).toEqual(['PENDING', 'COMPLETED'])
  expect([isTurnedDown(null), isOut(null)]).toEqual([false, false])
})

test('a withdrawal of everything is said in words', () => {
  expect(withdrawalText({ currency: 'BTC', beneficiary: 'w1', amount: 'max' })).toBe('all BTC to w1')
})
