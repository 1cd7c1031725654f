import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallClass, createCallBudget, createRateMeter } from '../../src/api/gate.ts'
import { createTokenBucket } from '../../src/base/token-bucket.ts'

test('a bucket gives its burst at once and then its rate', () => {
  const bucket = createTokenBucket(4, 3)
  expect([1, 2, 3, 4].map(() => bucket.take(0))).toEqual([true, true, true, false])
  expect(bucket.waitMs(0)).toBe(250)
  expect(bucket.take(249)).toBe(false)
  expect(bucket.take(250)).toBe(true)
  expect(bucket.waitMs(10_000)).toBe(0)
  expect([1, 2, 3, 4].map(() => bucket.take(10_000))).toEqual([true, true, true, false])
})

test('a bucket leaves behind what is kept, and a clock put back adds nothing', () => {
  const bucket = createTokenBucket(1, 4)
  expect([1, 2, 3].map(() => bucket.take(5_000, 2))).toEqual([true, true, false])
  expect(bucket.waitMs(5_000, 2)).toBe(1_000)
  expect(bucket.take(1_000, 2)).toBe(false)
  expect(bucket.take(1_500, 2)).toBe(false)
  expect(bucket.take(2_000, 2)).toBe(true)
})

const spendAll = (callClass: CallClass, nowMs: number, budget: ReturnType<typeof createCallBudget>) => {
  let count = 0
  while (count < 1_000 && budget.spend(callClass, nowMs) === 0) count += 1
  return count
}

test('polls take their share of the burst and of the rate, and a person still has the rest at once', () => {
  const budget = createCallBudget({ perSecond: 20, burst: 40, pollShare: 0.7 })
  expect(spendAll('poll', 0, budget)).toBe(28)
  expect(spendAll('write', 0, budget)).toBe(12)
  expect(budget.spend('write', 0)).toBe(50)
  // Once a person has used up the rest, polls wait until it is there again.
  expect(budget.spend('poll', 0)).toBe(650)
  expect(budget.spend('person', 50)).toBe(0)
  let polls = 0
  for (let nowMs = 10_000; nowMs < 70_000; nowMs += 10) if (budget.spend('poll', nowMs) === 0) polls += 1
  expect(polls).toBeGreaterThanOrEqual(28 + 14 * 60 - 1)
  expect(polls).toBeLessThanOrEqual(28 + 14 * 60)
})

test.each([
  [0.5, 1, 0.7],
  [1, 1, 0.1],
  [2, 2, 0.5],
  [20, 40, 1],
])('a budget of %d a second and %d at once lets polls (%d) go on for ever', (perSecond, burst, pollShare) => {
  const budget = createCallBudget({ perSecond, burst, pollShare })
  let nowMs = 0
  for (let count = 0; count < 50; count += 1) {
    for (let waitMs = budget.spend('poll', nowMs); waitMs > 0; waitMs = budget.spend('poll', nowMs)) nowMs += waitMs
  }
  expect(nowMs / 1_000).toBeLessThanOrEqual(50 / (perSecond * pollShare) + 1)
})

test('whatever is asked for and when, no more calls go out than the budget allows, nor polls than their share', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom<CallClass>('write', 'person', 'poll'))
  const limits = fc.record({
    perSecond: fc.integer({ min: 1, max: 50 }),
    burst: fc.integer({ min: 1, max: 60 }),
    pollShare: fc.constantFrom(0.2, 0.5, 0.7, 1),
  })
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 300 }), (rate, steps) => {
      const budget = createCallBudget(rate)
      const gone = { all: 0, poll: 0 }
      let nowMs = 0
      for (const [pauseMs, callClass] of steps) {
        nowMs += pauseMs
        if (budget.spend(callClass, nowMs) > 0) continue
        gone.all += 1
        if (callClass === 'poll') gone.poll += 1
      }
      const seconds = nowMs / 1_000
      expect(gone.all).toBeLessThanOrEqual(rate.burst + rate.perSecond * seconds + 0.001)
      const pollBurst = Math.max(1, rate.burst * rate.pollShare)
      expect(gone.poll).toBeLessThanOrEqual(pollBurst + rate.perSecond * rate.pollShare * seconds + 0.001)
    }),
  )
})

test('the meter tells the mean of the last five seconds', () => {
  const meter = createRateMeter()
  expect(meter.perSecond(0)).toBe(0)
  for (let nowMs = 0; nowMs < 5_000; nowMs += 100) meter.count(nowMs)
  expect(meter.perSecond(4_999)).toBe(10)
  expect(meter.perSecond(7_500)).toBeCloseTo(4.8)
  expect(meter.perSecond(20_000)).toBe(0)
  meter.count(20_000)
  expect(meter.perSecond(10_000)).toBe(0)
})
