import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom, derivedId, lettersAndDigits, type Random } from '../../src/base/random.ts'
import { mean } from '../fakes/numbers.ts'

const draw = (count: number, next: () => number) => Array.from({ length: count }, next)

test('a seed and a name give the same stream each time, and no two give the same one', () => {
  const stream = (seed: number, name: string) => draw(5, createRandom(seed, name).uniform)
  expect(stream(1, 'a')).toEqual(stream(1, 'a'))
  const streams = [stream(1, 'a'), stream(1, 'b'), stream(2, 'a'), stream(2 ** 32 + 1, 'a'), stream(0, '')]
  expect(new Set(streams.map((values) => values.join())).size).toBe(streams.length)
})

describe('figures of long streams', () => {
  const random: Random = createRandom(7, 'figures')
  const count = 40_000

  test('uniform', () => {
    const values = draw(count, random.uniform)
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...values)).toBeLessThan(1)
    expect(mean(values)).toBeCloseTo(0.5, 1)
  })

  test('whole numbers reach both bounds and go no further', () => {
    expect(new Set(draw(1_000, () => random.integer(-1, 2)))).toEqual(new Set([-1, 0, 1, 2]))
  })

  test('normal', () => {
    const values = draw(count, random.normal)
    expect(mean(values)).toBeCloseTo(0, 1)
    expect(mean(values.map((value) => value * value))).toBeCloseTo(1, 1)
  })

  test('exponential', () => {
    const values = draw(count, () => random.exponential(3))
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    expect(Math.abs(mean(values) - 3)).toBeLessThan(0.1)
  })

  test('pareto: at least 1, and the tail falls as the power asked for', () => {
    const values = draw(count, () => random.pareto(1.5))
    expect(Math.min(...values)).toBeGreaterThanOrEqual(1)
    const share = values.filter((value) => value > 4).length / count
    expect(share).toBeCloseTo(4 ** -1.5, 2)
  })

  test('chance', () => {
    const share = draw(count, () => (random.chance(0.3) ? 1 : 0))
    expect(mean(share)).toBeCloseTo(0.3, 1)
  })
})

test('an id that is made of a text is the same for it, and another for every other one', () => {
  const idOf = (text: string) => derivedId(lettersAndDigits, 20, text)
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      expect(idOf(left)).toMatch(/^[0-9A-Za-z]{20}$/)
      expect(idOf(left) === idOf(right)).toBe(left === right)
    }),
  )
  // Records of plans are continued by later versions: an id stays what it is.
  expect(idOf('kept 3')).toBe('qW8V3yTF1j5qhyyJM9kt')
})
