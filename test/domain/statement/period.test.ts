import { expect, test } from 'vitest'
import { readPeriod } from '../../../src/domain/statement/movement.ts'

test('two days reach from the first instant of the one to the last of the other', () => {
  expect(readPeriod('2026-11-01', '2026-11-20')).toEqual({
    ok: true,
    value: { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 21) - 1 },
  })
})

test.each([
  ['2026-02-30', '2026-03-01', '2026-02-30 is not a date'],
  ['2026-11-01', 'today', 'today is not a date'],
  ['2026-11-20', '2026-11-01', '2026-11-20 is after 2026-11-01'],
])('%s to %s is refused', (from, to, reason) => {
  const read = readPeriod(from, to)
  expect(read.ok ? '' : read.error).toContain(reason)
})
