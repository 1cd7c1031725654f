import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TookTime, usualTime } from '../../../src/domain/transfers/transfer.ts'

const took = (currency: string, ...times: readonly number[]): TookTime[] =>
  times.map((tookMs) => ({ currency, tookMs }))

test('the median of what transfers of the same currency took, exact to the millisecond', () => {
  const ended = [...took('BTC', 240_001, 60_000, 900_000), ...took('ETH', 5_000)]
  expect(usualTime(ended, 'BTC')).toEqual({ medianMs: 240_001, longestMs: 900_000, count: 3 })
  expect(usualTime(ended, 'ETH')).toEqual({ medianMs: 5_000, longestMs: 5_000, count: 1 })
})

test('of an even count it lies between the two in the middle, rounded down', () => {
  expect(usualTime(took('BTC', 1_000, 1_003), 'BTC')?.medianMs).toBe(1_001)
  expect(usualTime(took('BTC', 4, 1, 3, 2), 'BTC')?.medianMs).toBe(2)
})

test('nothing is said where nothing such has ended', () => {
  expect(usualTime([], 'BTC')).toBeNull()
  expect(usualTime(took('ETH', 1), 'BTC')).toBeNull()
})

test('at least half took as long or longer, at least half as long or shorter, in whatever order they ended', () => {
  const times = fc.array(fc.integer({ min: 0, max: 400_000_000 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(times, (list) => {
      const usual = usualTime(took('BTC', ...list), 'BTC')
      if (usual === null) throw new Error('a time was expected')
      expect(usual).toEqual(usualTime(took('BTC', ...list.toReversed()), 'BTC'))
      expect(Number.isSafeInteger(usual.medianMs)).toBe(true)
      expect(list.filter((each) => each >= usual.medianMs).length * 2).toBeGreaterThanOrEqual(list.length)
      expect(list.filter((each) => each <= usual.medianMs + 1).length * 2).toBeGreaterThanOrEqual(list.length)
      expect(usual.longestMs).toBe(Math.max(...list))
    }),
  )
})
