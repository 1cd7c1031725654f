import { expect, test } from 'vitest'
import {
  type Bounds,
  dayNowMs,
  defaultLimits,
  hasBound,
  isUnlisted,
  type Limits,
  limitsFor,
  noNames,
  noRulesReason,
  unlistedNames,
  type WithdrawalLimits,
} from '../../src/domain/limits.ts'
import { amount } from '../fakes/amounts.ts'
import { noLimits } from '../fakes/limits.ts'

const textOf = (bound: unknown): string => (bound === null ? 'none' : String(bound))
const bounds = ({ soft, hard }: Bounds<unknown>): string => `${textOf(soft)}, ${textOf(hard)}`
const told = (limits: Limits) => ({
  order: bounds(limits.orderNotionalUsd),
  day: bounds(limits.dayNotionalUsd),
  orders: bounds(limits.openOrders),
  collar: bounds(limits.collarPercent),
  duplicateMs: limits.duplicateWithinMs,
  symbols: [...limits.perSymbol.keys()],
})
const ofWithdrawals = ({ dayUsd, dayPerCurrency, approval }: WithdrawalLimits) =>
  [bounds(dayUsd), [...dayPerCurrency.keys()].join(), approval.kind].join('; ')

test('who sets no limit is held to careful ones with money, and to generous ones with play money', () => {
  expect(told(defaultLimits.live)).toEqual({
    ...{ order: '10000, 25000', day: 'none, 250000', orders: 'none, 20', collar: '2, 5', duplicateMs: 5_000 },
    symbols: [],
  })
  expect(told(defaultLimits.practice)).toEqual({
    ...{ order: '100000, 1000000', day: 'none, 50000000', orders: 'none, 200', collar: '10, 50', duplicateMs: 2_000 },
    symbols: [],
  })
  expect(ofWithdrawals(defaultLimits.live.withdrawals)).toBe('10000, 50000; ; never')
  expect(ofWithdrawals(defaultLimits.practice.withdrawals)).toBe('250000, 2000000; ; never')
})

test('no limits bound nothing, for what is not an order of a person', () => {
  expect(told(noLimits)).toEqual({
    ...{ order: 'none, none', day: 'none, none', orders: 'none, none', collar: 'none, none', duplicateMs: 0 },
    symbols: [],
  })
  expect(ofWithdrawals(noLimits.withdrawals)).toBe('none, none; ; never')
})

test('a limit with either bound is one', () => {
  expect(hasBound({ soft: null, hard: null })).toBe(false)
  expect(hasBound({ soft: 1, hard: null })).toBe(true)
  expect(hasBound({ soft: null, hard: 1 })).toBe(true)
})

test("a symbol's own limits take the place of the general ones for that symbol, and leave the others", () => {
  const own = { collarPercent: { soft: null, hard: amount('1') } }
  const limits = { ...defaultLimits.live, perSymbol: new Map([['BTC-USD', own]]) }
  expect(limitsFor(limits, 'BTC-USD')).toMatchObject({ ...own, openOrders: { hard: 20 } })
  expect(limitsFor(limits, 'ETH-USD').collarPercent).toBe(defaultLimits.live.collarPercent)
})

test('the day whose sums limit what is sent is that of the clock that is behind', () => {
  expect(dayNowMs(1_000_000, null)).toBe(1_000_000)
  expect(dayNowMs(1_000_000, 400_000)).toBe(1_000_000)
  expect(dayNowMs(1_000_000, -400_000)).toBe(600_000)
})

test('a limit names what is not listed where the exchange neither lists it nor tells of it in an entry', () => {
  const listed = new Set(['BTC-USD'])
  expect(unlistedNames(['BTC-USD', 'ETH-USD', 'XLM-USD'], listed, noNames)).toEqual(['ETH-USD', 'XLM-USD'])
  const unread = new Set(['ETH-USD', 'SOL-USD'])
  expect(unlistedNames(['BTC-USD', 'ETH-USD', 'XLM-USD'], listed, unread)).toEqual(['XLM-USD'])
  expect(unlistedNames([], listed, unread)).toEqual([])
  // SOL-US is not SOL-USD.
  expect(unlistedNames(['SOL-US', 'SOL-USD'], listed, unread)).toEqual(['SOL-US'])
})

test('a symbol without rules is not listed, or its entry cannot be read', () => {
  const listed = new Set(['BTC-USD'])
  const unread = new Set(['SOL-USD'])
  expect(['BTC-USD', 'SOL-USD', 'XLM-USD'].map((name) => isUnlisted(name, listed, unread))).toEqual([
    false,
    false,
    true,
  ])
  expect(noRulesReason('XLM-USD', listed, unread)).toBe('the exchange does not list XLM-USD')
  expect(noRulesReason('SOL-USD', listed, unread)).toBe('the rules of SOL-USD cannot be read')
})
