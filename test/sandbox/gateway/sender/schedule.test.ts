import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  attemptLimitMs,
  nextDueMs,
  pauseMs,
  whenDue,
  windowMs,
} from '../../../../src/sandbox/gateway/sender/delivery-schedule.ts'

const hourMs = 3_600_000
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('pauses double from ten seconds on, up to six hours', () => {
  const middle = Array.from({ length: 14 }, (_, index) => pauseMs(index + 1, 0.5))
  expect(middle.slice(0, 11)).toEqual([
    10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 1_280_000, 2_560_000, 5_120_000, 10_240_000,
  ])
  expect(pauseMs(1, 0)).toBe(8_000)
  expect(pauseMs(1, 0.999999)).toBe(11_999)
  expect(pauseMs(40, 0)).toBe(17_280_000)
  expect(pauseMs(2_000, 0.999999)).toBeLessThanOrEqual(6 * hourMs)
})

test('every pause is within a fifth of its plain length and never above six hours', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), chance, (failureCount, drawn) => {
      const plainMs = Math.min(10_000 * 2 ** (failureCount - 1), 6 * hourMs)
      const pause = pauseMs(failureCount, drawn)
      expect(Number.isSafeInteger(pause)).toBe(true)
      expect(pause).toBeGreaterThanOrEqual(0.8 * plainMs - 1)
      expect(pause).toBeLessThanOrEqual(Math.min(1.2 * plainMs, 6 * hourMs))
    }),
  )
})

test('whatever chance does and however long answers take: every attempt ends in the window, and the last is near its end', () => {
  const latencies = fc.infiniteStream(fc.integer({ min: 0, max: attemptLimitMs }))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 42 }), fc.infiniteStream(chance), latencies, (madeAtMs, drawn, took) => {
      const endMs = madeAtMs + windowMs
      let dueMs = madeAtMs
      let failedAtMs = madeAtMs
      let failureCount = 0
      while (whenDue(madeAtMs, dueMs) === 'attempt') {
        expect(dueMs).toBeGreaterThanOrEqual(failedAtMs)
        failureCount += 1
        failedAtMs = dueMs + Number(took.next().value)
        expect(failedAtMs).toBeLessThanOrEqual(endMs)
        dueMs = nextDueMs({ madeAtMs, failedAtMs, failureCount, chance: Number(drawn.next().value) })
        // The last attempt may take all of what is left: it is given up the moment it fails.
        if (failedAtMs < endMs) expect(dueMs).toBeGreaterThan(failedAtMs)
        else expect(dueMs).toBe(endMs)
      }
      expect(dueMs).toBe(endMs)
      expect(endMs - failedAtMs).toBeLessThanOrEqual(15_000)
      expect(failureCount).toBeGreaterThan(20)
      expect(failureCount).toBeLessThan(32)
    }),
  )
})

test('an event is given up at the end of its 72 hours, to the millisecond', () => {
  expect(whenDue(1_000, 1_000 + 72 * hourMs - 1)).toBe('attempt')
  expect(whenDue(1_000, 1_000 + 72 * hourMs)).toBe('giveUp')
})
