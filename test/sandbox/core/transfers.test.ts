import { beforeEach, describe, expect, test } from 'vitest'
import { alice, bob, Floor } from './floor.ts'

let floor: Floor
let cold: string
beforeEach(() => {
  floor = new Floor()
  cold = floor.run('addWhitelistEntry', { account: alice, currency: 'BTC', name: 'cold store' }).whitelistId
})

const withdraw = (send: { amount: string } | 'max', more = {}) =>
  floor.run('createWithdrawal', { account: alice, currency: 'BTC', beneficiary: cold, send, ...more }).withdrawalId
const refused = (send: { amount: string } | 'max', more = {}) => {
  const before = floor.money(alice, 'BTC')
  const refusal = floor.refuse('createWithdrawal', {
    account: alice,
    currency: 'BTC',
    beneficiary: cold,
    send,
    ...more,
  })
  expect(floor.money(alice, 'BTC')).toEqual(before)
  return refusal
}
const stateOf = (withdrawalId: string) => floor.read.withdrawal(alice, withdrawalId)?.state

describe('deposit addresses', () => {
  const address = (account: number, currency: string) =>
    floor.run('requestDepositAddress', { account, currency }).address

  test('stay the same until a deposit to one is seen, then there is a new one', () => {
    const first = address(alice, 'BTC')
    expect(address(alice, 'BTC')).toBe(first)
    expect(address(bob, 'BTC')).not.toBe(first)
    const { depositId } = floor.run('startDeposit', { account: alice, currency: 'BTC', amount: '1' })
    expect(floor.read.deposit(alice, depositId)?.address).toBe(first)
    expect(address(alice, 'BTC')).not.toBe(first)
  })

  test('carry a tag of their own where the currency has tags', () => {
    const [house, tag] = address(alice, 'XRP').split(':')
    const [sameHouse, otherTag] = address(bob, 'XRP').split(':')
    expect(tag).toMatch(/^\d+$/)
    expect([sameHouse, otherTag === tag]).toEqual([house, false])
  })

  test('there are none for fiat, an unknown currency or an unknown account', () => {
    expect(floor.refuse('requestDepositAddress', { account: alice, currency: 'USD' }).kind).toBe('invalid')
    expect(floor.refuse('requestDepositAddress', { account: alice, currency: 'DOGE' }).kind).toBe('notFound')
    expect(floor.refuse('requestDepositAddress', { account: 9, currency: 'BTC' }).kind).toBe('notFound')
  })
})

describe('a deposit', () => {
  test('is credited once, when it is confirmed', () => {
    const { depositId } = floor.run('startDeposit', { account: alice, currency: 'BTC', amount: '1.5', txHash: 'abc' })
    expect(floor.read.deposit(alice, depositId)).toMatchObject({ state: 'UNCONFIRMED', txHash: 'abc', currency: 'BTC' })
    expect(floor.money(alice, 'BTC').balance).toBe('100')
    floor.run('confirmDeposit', { depositId })
    expect(floor.money(alice, 'BTC')).toEqual({ balance: '101.5', available: '101.5' })
    expect(floor.refuse('confirmDeposit', { depositId }).kind).toBe('conflict')
    expect(floor.refuse('rejectDeposit', { depositId }).kind).toBe('conflict')
    expect(floor.money(alice, 'BTC').balance).toBe('101.5')
  })

  test('is never credited when it is rejected', () => {
    const { depositId } = floor.run('startDeposit', { account: alice, currency: 'BTC', amount: '1.5' })
    floor.run('rejectDeposit', { depositId })
    expect(floor.refuse('confirmDeposit', { depositId }).kind).toBe('conflict')
    expect(floor.money(alice, 'BTC').balance).toBe('100')
  })

  test.each(['0', '-1', 'x', '0.000000001'])('of %s is refused', (amount) => {
    expect(floor.refuse('startDeposit', { account: alice, currency: 'BTC', amount }).kind).toBe('invalid')
  })

  test('belongs to its account and is listed newest first, within inclusive bounds', () => {
    const { depositId } = floor.run('startDeposit', { account: bob, currency: 'XRP', amount: '2' })
    const atMs = floor.nowMs
    expect(floor.read.deposit(alice, depositId)).toBeUndefined()
    expect(floor.refuse('confirmDeposit', { depositId: 'd-999' }).kind).toBe('notFound')
    expect(floor.read.deposits({ account: bob })).toHaveLength(4)
    expect(floor.read.deposits({ account: bob })[0]?.depositId).toBe(depositId)
    expect(floor.read.deposits({ account: bob, fromMs: atMs, toMs: atMs }).map((one) => one.depositId)).toEqual([
      depositId,
    ])
    expect(floor.read.deposits({ account: bob, fromMs: atMs + 1 })).toEqual([])
  })
})

describe('a withdrawal', () => {
  test('holds amount and fee while it is pending, and takes them when it completes', () => {
    const id = withdraw({ amount: '2' })
    expect(floor.read.withdrawal(alice, id)).toMatchObject({ state: 'PENDING', beneficiary: cold, currency: 'BTC' })
    expect(floor.money(alice, 'BTC')).toEqual({ balance: '100', available: '97.9995' })
    floor.run('completeWithdrawal', { withdrawalId: id })
    expect(floor.money(alice, 'BTC')).toEqual({ balance: '97.9995', available: '97.9995' })
    expect(floor.money(0, 'BTC').balance).toBe('0.0005')
  })

  test.each(['failWithdrawal', 'rejectWithdrawal', 'refundWithdrawal'] as const)(
    '%s gives everything back',
    (command) => {
      const withdrawalId = withdraw({ amount: '2' })
      floor.run(command, { withdrawalId })
      expect(floor.money(alice, 'BTC')).toEqual({ balance: '100', available: '100' })
      for (const again of ['completeWithdrawal', 'failWithdrawal', 'rejectWithdrawal', 'refundWithdrawal'] as const)
        expect(floor.refuse(again, { withdrawalId }).kind).toBe('conflict')
    },
  )

  test('that completed may come back, with its fee, and does so once', () => {
    const withdrawalId = withdraw({ amount: '2' })
    floor.run('completeWithdrawal', { withdrawalId })
    expect(floor.refuse('failWithdrawal', { withdrawalId }).kind).toBe('conflict')
    floor.run('refundWithdrawal', { withdrawalId })
    expect(stateOf(withdrawalId)).toBe('REFUNDED')
    expect(floor.money(alice, 'BTC')).toEqual({ balance: '100', available: '100' })
    expect(floor.money(0, 'BTC').balance).toBe('0')
    expect(floor.refuse('refundWithdrawal', { withdrawalId }).kind).toBe('conflict')
  })

  test("of everything sends what is available less the fee, cut to the currency's decimals", () => {
    floor.sell(alice, '10', '90000')
    const id = withdraw('max')
    expect(floor.read.withdrawal(alice, id)?.amount.toFixed()).toBe('89.9995')
    expect(floor.money(alice, 'BTC').available).toBe('0')
    expect(refused('max').kind).toBe('invalid')
    floor.run('failWithdrawal', { withdrawalId: id })
    floor.sell(bob, '0.01', '0.052341', { symbol: 'ETH-BTC' })
    floor.buy(alice, '0.01', '0.052341', { symbol: 'ETH-BTC' })
    const dusty = withdraw('max')
    expect(floor.read.withdrawal(alice, dusty)?.amount.toFixed()).toBe('89.99897554')
    expect(floor.money(alice, 'BTC').available).toBe('0.00000000318')
  })

  test('needs two-factor authentication', () => {
    floor.run('setTwoFactor', { account: alice, isOn: false })
    expect(refused({ amount: '1' }).kind).toBe('forbidden')
    floor.run('setTwoFactor', { account: alice, isOn: true })
    withdraw({ amount: '1' })
  })

  test('goes only to an entry of the whitelist for its currency and account', () => {
    const eth = floor.run('addWhitelistEntry', { account: alice, currency: 'ETH', name: 'eth' }).whitelistId
    const bobs = floor.run('addWhitelistEntry', { account: bob, currency: 'BTC', name: 'bob' }).whitelistId
    for (const beneficiary of [eth, bobs, 'wl-99', ''])
      expect(refused({ amount: '1' }, { beneficiary }).kind).toBe('invalid')
    floor.run('removeWhitelistEntry', { account: alice, whitelistId: cold })
    expect(refused({ amount: '1' }).kind).toBe('invalid')
  })

  test.each(['0', '-1', 'NaN', '0.000000001', '99.99950001', '1e10'])('of %s is refused', (amount) => {
    expect(refused({ amount })).toMatchObject({ kind: 'invalid', field: 'amount' })
  })

  test('may be all that is available with the fee on top', () => {
    withdraw({ amount: '99.9995' })
    expect(floor.money(alice, 'BTC').available).toBe('0')
  })

  test('in an unknown currency, of an unknown account, or with an unknown id is refused', () => {
    expect(refused({ amount: '1' }, { currency: 'DOGE' }).kind).toBe('invalid')
    expect(refused({ amount: '1' }, { account: 9 }).kind).toBe('notFound')
    expect(floor.refuse('completeWithdrawal', { withdrawalId: 'w-9' }).kind).toBe('notFound')
  })

  test('belongs to its account and is listed newest first, within inclusive bounds', () => {
    const ids = ['1', '2', '3'].map((amount) => withdraw({ amount }))
    expect(floor.read.withdrawals({ account: alice }).map((one) => one.withdrawalId)).toEqual(ids.toReversed())
    expect(floor.read.withdrawals({ account: bob })).toEqual([])
    expect(floor.read.withdrawal(bob, ids[0] ?? '')).toBeUndefined()
    const toMs = floor.nowMs - 1
    expect(floor.read.withdrawals({ account: alice, fromMs: toMs, toMs }).map((one) => one.withdrawalId)).toEqual([
      ids[1],
    ])
  })
})

test('the whitelist is kept by account and currency', () => {
  floor.run('addWhitelistEntry', { account: alice, currency: 'ETH', name: 'eth' })
  expect(floor.read.whitelist(alice).map(({ name }) => name)).toEqual(['cold store', 'eth'])
  expect(floor.read.whitelist(alice, 'BTC').map(({ name }) => name)).toEqual(['cold store'])
  expect(floor.read.whitelist(bob)).toEqual([])
  expect(floor.refuse('addWhitelistEntry', { account: alice, currency: 'DOGE', name: 'x' }).kind).toBe('notFound')
  expect(floor.refuse('removeWhitelistEntry', { account: bob, whitelistId: cold }).kind).toBe('notFound')
})
