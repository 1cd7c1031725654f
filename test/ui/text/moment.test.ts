import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ageText, calmAgeText, wholeAgeText } from '../../../src/ui/text/moment.ts'

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
