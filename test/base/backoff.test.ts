import { expect, test } from 'vitest'
import { backoffMs, doubled } from '../../src/base/backoff.ts'

test('what is doubled never goes above its bound, however often', () => {
  expect([0, 1, 2, 3, 5_000].map((times) => doubled(10, times, 60))).toEqual([10, 20, 40, 60, 60])
  expect(doubled(0, 5_000, 60)).toBe(0)
})

test('pauses go from a second to two minutes, a fifth more or less', () => {
  expect([1, 2, 3, 100].map((failures) => backoffMs(failures, 0.5))).toEqual([1_000, 2_000, 4_000, 120_000])
  expect([backoffMs(1, 0), backoffMs(1, 0.999)]).toEqual([800, 1_199])
})
