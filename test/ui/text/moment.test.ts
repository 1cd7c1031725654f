import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ageText, calmAgeText, pastText, shortPastText, wholeAgeText } from '../../../src/ui/text/moment.ts'

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** What an age says at least, in ms: `1m40` is a minute and 40 of the next smaller unit. */
function saidMs(text: string): number {
  const [, count = '', unit = '', rest = ''] = /^<?([\d.]+)([smhd])(\d*)$/.exec(text) ?? expect.fail(text)
  const smaller = unit === 'm' ? unitMs.s : unitMs.m
  return Number(count) * unitMs[unit as keyof typeof unitMs] + Number(rest) * smaller
}

test.each([ageText, wholeAgeText, calmAgeText])('what is older never seems younger, in four cells: %o', (text) => {
  const age = fc.oneof(fc.nat(200_000), fc.nat(10_000_000), fc.nat(400_000_000))
  fc.assert(
    fc.property(age, age, (one, other) => {
      const [young, old] = [Math.min(one, other), Math.max(one, other)]
      expect(saidMs(text(old))).toBeGreaterThanOrEqual(text(young) === '<5s' ? 0 : saidMs(text(young)))
      expect(text(old).length).toBeLessThanOrEqual(4)
    }),
    { numRuns: 2_000 },
  )
})

test('an age has whole minutes from two on, and whole hours', () => {
  const shown = [99_400, 99_500, 119_400, 120_000, 5_940_000, 6_000_000, 7_140_000, 7_200_000].map(ageText)
  expect(shown).toEqual(['99s', '1m40', '1m59', '2m', '99m', '1h40', '1h59', '2h'])
})

test('a moment that has passed has its date unless it is of today, and its year unless it is of this one', () => {
  const nowMs = Date.UTC(2026, 10, 20, 14, 2, 7)
  const moments = [nowMs, Date.UTC(2026, 10, 19, 14, 2, 7), Date.UTC(2025, 10, 20, 14, 2, 7)]
  expect(moments.map((atMs) => pastText(atMs, nowMs))).toEqual(['14:02:07', '11-19 14:02', '2025-11-20 14:02'])
  expect(moments.map((atMs) => shortPastText(atMs, nowMs))).toEqual(['14:02', '11-19', '2025-11-20'])
})
