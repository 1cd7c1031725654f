import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs } from '../../../src/base/text/time-text.ts'
import { ratesFor, type Tier, VolumeWindow } from '../../../src/sandbox/ledger/fees.ts'

const tiers: Tier[] = [
  { fromUnits: 0n, rates: { makerPpm: 3_000, takerPpm: 5_000 } },
  { fromUnits: 100n, rates: { makerPpm: 2_000, takerPpm: 4_000 } },
  { fromUnits: 1_000n, rates: { makerPpm: 0, takerPpm: 1_000 } },
]

test('a volume gets the last tier it reaches', () => {
  expect([0n, 99n, 100n, 999n, 1_000n, 10n ** 30n].map((volume) => ratesFor(tiers, volume).takerPpm)).toEqual([
    5_000, 5_000, 4_000, 4_000, 1_000, 1_000,
  ])
  expect(ratesFor([], 5n)).toEqual({ makerPpm: 0, takerPpm: 0 })
})

test('volume counts on its day and the 29 after it', () => {
  const window = new VolumeWindow()
  window.add(5 * dayMs + 1, 10n)
  window.add(6 * dayMs, 1n)
  expect(window.total(5 * dayMs + 30 * dayMs - 1)).toBe(11n)
  expect(window.total(5 * dayMs + 30 * dayMs)).toBe(1n)
  expect(window.total(36 * dayMs)).toBe(0n)
})

test('however often an account trades on a day, the day is one number', () => {
  const window = new VolumeWindow()
  for (let at = 0; at < 100; at++) window.add(5 * dayMs + at, 1n)
  window.add(6 * dayMs, 7n)
  window.add(6 * dayMs, 7n)
  expect(window.state()).toEqual([
    { day: 5, units: 100n },
    { day: 6, units: 14n },
  ])
})

test('who trades every day has thirty numbers, and no more', () => {
  const window = new VolumeWindow()
  for (let day = 0; day < 90; day++) window.add(day * dayMs, 1n)
  expect(window.state()).toHaveLength(30)
  expect(window.total(89 * dayMs)).toBe(30n)
})

test('agrees with a sum over everything, keeps at most 30 days, and copies', () => {
  const entry = fc.record({
    waitMs: fc.integer({ min: 0, max: 4 * dayMs }),
    units: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  })
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 0, max: 40 * dayMs }),
      (entries, laterMs) => {
        const window = new VolumeWindow()
        let atMs = 0
        const all = entries.map(({ waitMs, units }) => {
          atMs += waitMs
          window.add(atMs, units)
          return { day: Math.floor(atMs / dayMs), units }
        })
        const today = Math.floor((atMs + laterMs) / dayMs)
        const expected = all.filter(({ day }) => day > today - 30).reduce((sum, { units }) => sum + units, 0n)
        expect(window.total(atMs + laterMs)).toBe(expected)
        expect(new VolumeWindow(window.state()).total(atMs + laterMs)).toBe(expected)
        expect(window.state().length).toBeLessThanOrEqual(30)
      },
    ),
  )
})
