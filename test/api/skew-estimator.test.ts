import fc from 'fast-check'
import { expect, test } from 'vitest'
import { certainSkewMs, createSkewEstimator, type DatedAnswer } from '../../src/api/skew-estimator.ts'

const startMs = 1_700_000_000_000

/**
 * An answer as a service whose clock is `skewMs` ahead gives it: dated at `atMs` by our clock, `outMs` after it was
 * asked for.
 */
const answer = (atMs: number, skewMs: number, outMs = 20, backMs = 20): DatedAnswer => ({
  dateMs: Math.floor((atMs + skewMs) / 1_000) * 1_000,
  sentAtMs: atMs - outMs,
  receivedAtMs: atMs + backMs,
})

test('one answer tells the skew to half a second and half a round trip', () => {
  const estimator = createSkewEstimator()
  expect(estimator.reading(startMs)).toBeNull()
  estimator.add({ dateMs: startMs + 7_000, sentAtMs: startMs, receivedAtMs: startMs + 40 })
  expect(estimator.reading(startMs + 40)).toEqual({ skewMs: 7_480, uncertaintyMs: 520 })
})

test('many answers, each elsewhere in its second, tell it to half a round trip', () => {
  const estimator = createSkewEstimator()
  for (let atMs = startMs; atMs < startMs + 60_000; atMs += 507) estimator.add(answer(atMs, -234))
  const reading = estimator.reading(startMs + 60_000)
  expect(reading?.uncertaintyMs).toBeLessThanOrEqual(30)
  expect(Math.abs((reading?.skewMs ?? 0) + 234)).toBeLessThanOrEqual(30)
})

test('whatever the skew, the traffic and the round trips, the truth lies within what is told', () => {
  const call = fc.record({
    pauseMs: fc.integer({ min: 0, max: 30_000 }),
    outMs: fc.integer({ min: 0, max: 2_000 }),
    backMs: fc.integer({ min: 0, max: 2_000 }),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.array(call, { minLength: 1, maxLength: 80 }),
      (skewMs, calls) => {
        const estimator = createSkewEstimator()
        let atMs = startMs
        for (const { pauseMs, outMs, backMs } of calls) {
          atMs += pauseMs + outMs
          estimator.add(answer(atMs, skewMs, outMs, backMs))
          atMs += backMs
          const reading = estimator.reading(atMs)
          expect(reading).not.toBeNull()
          expect(Math.abs(skewMs - (reading?.skewMs ?? 0))).toBeLessThanOrEqual((reading?.uncertaintyMs ?? 0) + 1)
        }
      },
    ),
  )
})

test('when a clock is set, what was known before is forgotten', () => {
  for (const [before, after] of [
    [0, 30_000],
    [30_000, 0],
    [0, -3_600_000],
  ] as const) {
    const estimator = createSkewEstimator()
    for (let atMs = startMs; atMs < startMs + 40_000; atMs += 507) estimator.add(answer(atMs, before))
    for (let atMs = startMs + 40_000; atMs < startMs + 80_000; atMs += 507) estimator.add(answer(atMs, after))
    const reading = estimator.reading(startMs + 80_000)
    expect(reading?.uncertaintyMs).toBeLessThanOrEqual(30)
    expect(Math.abs((reading?.skewMs ?? 0) - after)).toBeLessThanOrEqual(30)
  }
})

test('a clock that drifts is followed', () => {
  const estimator = createSkewEstimator()
  const skewAt = (atMs: number) => Math.round((atMs - startMs) / 1_000)
  for (let atMs = startMs; atMs < startMs + 3_600_000; atMs += 507) estimator.add(answer(atMs, skewAt(atMs)))
  const reading = estimator.reading(startMs + 3_600_000)
  expect(Math.abs((reading?.skewMs ?? 0) - 3_600)).toBeLessThanOrEqual(60)
})

test('what is older than five minutes counts no more, nor what is from before our clock was put back', () => {
  const estimator = createSkewEstimator()
  estimator.add(answer(startMs, 0))
  expect(estimator.reading(startMs + 299_000)).not.toBeNull()
  expect(estimator.reading(startMs + 301_000)).toBeNull()
  estimator.add(answer(startMs, 0))
  expect(estimator.reading(startMs - 10_000)).toBeNull()
})

test('an answer that came before it was asked for says nothing', () => {
  const estimator = createSkewEstimator()
  estimator.add({ dateMs: startMs, sentAtMs: startMs, receivedAtMs: startMs - 1 })
  expect(estimator.reading(startMs)).toBeNull()
})

test('a skew is certain where both clocks cannot be the same', () => {
  expect(certainSkewMs({ skewMs: 480, uncertaintyMs: 520 })).toBe(0)
  expect(certainSkewMs({ skewMs: -20, uncertaintyMs: 5 })).toBe(-20)
  expect(certainSkewMs({ skewMs: 1_500, uncertaintyMs: 520 })).toBe(1_500)
})
