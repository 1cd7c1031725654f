import { expect, test } from 'vitest'
import { Cell, nextDepositStates, nextWithdrawalStates, Wallet } from '../../../src/sandbox/ledger/wallet.ts'

test('what is held is not available, and comes back when released', () => {
  const cell = new Cell()
  cell.credit(100n)
  cell.hold(30n)
  expect([cell.balance, cell.held, cell.available]).toEqual([100n, 30n, 70n])
  cell.pay(20n, 25n)
  expect([cell.balance, cell.held, cell.available]).toEqual([80n, 5n, 75n])
  cell.release(5n)
  expect([cell.balance, cell.held, cell.available]).toEqual([80n, 0n, 80n])
})

test('no step may hold more than there is, nor release more than is held', () => {
  const cell = new Cell()
  cell.credit(10n)
  expect(() => cell.hold(11n)).toThrow('held')
  const other = new Cell()
  other.credit(10n)
  expect(() => other.release(1n)).toThrow('held')
  const poor = new Cell()
  expect(() => poor.debit(1n)).toThrow('balance')
  expect(() => new Cell().credit(-1n)).toThrow('balance')
  const payer = new Cell()
  payer.credit(10n)
  payer.hold(5n)
  expect(() => payer.pay(6n, 0n)).toThrow('held')
})

test('all of a balance may be held, and all of that paid', () => {
  const cell = new Cell()
  cell.credit(10n)
  cell.hold(10n)
  expect(cell.available).toBe(0n)
  cell.pay(10n, 10n)
  expect([cell.balance, cell.held]).toEqual([0n, 0n])
})

test('a deposit is credited once, and a withdrawal that came back cannot leave again', () => {
  expect(nextDepositStates).toEqual({ UNCONFIRMED: ['COMPLETED', 'REJECTED'], COMPLETED: [], REJECTED: [] })
  expect(nextWithdrawalStates).toEqual({
    PENDING: ['COMPLETED', 'FAILED', 'REFUNDED', 'REJECTED'],
    COMPLETED: ['REFUNDED'],
    ...{ FAILED: [], REFUNDED: [], REJECTED: [] },
  })
})

test('a wallet gives the same cell for the same currency', () => {
  const wallet = new Wallet()
  wallet.cell(2).credit(5n)
  expect(wallet.cell(2).balance).toBe(5n)
  expect(wallet.cell(0).balance).toBe(0n)
})
