import { expect, test } from 'vitest'
import type { Needs } from '../../../src/domain/desk/feeds.ts'
import { callsWanted, slowdown, slowedPauseMs } from '../../../src/services/polling/poll-interval.ts'

const nothing: Needs = {
  instruments: 'none',
  book: 'none',
  otherBook: 'none',
  queue: 'none',
  otherQueue: 'none',
  tickers: 'none',
  orders: 'none',
  fills: 'none',
  balances: 'none',
  fees: 'none',
  withdrawals: 'none',
  deposits: 'none',
  whitelist: 'none',
}

test('calls wanted are the sum of all that is needed, by its usual pause or the one that was asked for', () => {
  expect(callsWanted(nothing)).toBe(0)
  const needs: Needs = { ...nothing, book: 'visible', otherBook: 'secondary', orders: 'critical', tickers: 'visible' }
  expect(callsWanted(needs)).toBe(2 + 1 + 1 + 0.5)
  expect(callsWanted(needs, { tickers: 10_000 })).toBe(2 + 1 + 1 + 0.1)
})

test('pauses grow only where more is wanted than allowed, and by what is missing', () => {
  const needs: Needs = { ...nothing, book: 'visible', orders: 'visible' }
  expect(slowdown(needs, 14)).toBe(1)
  expect(slowdown(needs, 1.5)).toBeCloseTo(3 / 1.35)
})

test('no pause grows so long that its feed looks stale for it, and none becomes shorter', () => {
  expect(slowedPauseMs('book', 500, 2)).toBe(1_000)
  expect(slowedPauseMs('book', 500, 100)).toBe(2_500)
  expect(slowedPauseMs('fees', 120_000, 1)).toBe(120_000)
  expect(slowedPauseMs('tickers', 8_000, 3)).toBe(8_000)
})
