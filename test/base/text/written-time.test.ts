import { expect, test } from 'vitest'
import { readWrittenTime } from '../../../src/base/text/written-time.ts'

const nowMs = Date.UTC(2026, 10, 23, 2, 55, 30)
const dayMs = 86_400_000
const at = (iso: string): number => Date.parse(iso)
const read = (text: string) => {
  const time = readWrittenTime(text, nowMs)
  return time.ok ? [time.value.startMs, time.value.endMs] : time.error
}

test.each([
  ['2026-11-22', '2026-11-22'],
  ['20261122', '2026-11-22'],
  ['yesterday', '2026-11-22'],
  ['Today', '2026-11-23'],
])('%s is a day from its first instant to its last', (text, day) => {
  const startMs = at(`${day}T00:00:00Z`)
  expect(read(text)).toEqual([startMs, startMs + dayMs - 1])
})

test.each([
  ['2026-11-23T02:55', '2026-11-23T02:55:00Z'],
  ['2026-11-23T02:55:07', '2026-11-23T02:55:07Z'],
  ['2026-11-23 02:55:07 UTC', '2026-11-23T02:55:07Z'],
  ['2026-11-23T02:55:07.123z', '2026-11-23T02:55:07.123Z'],
  ['2026-11-23T03:55:00+01:00', '2026-11-23T02:55:00Z'],
  ['2026-11-22T21:25-0530', '2026-11-23T02:55:00Z'],
  ['now', '2026-11-23T02:55:30Z'],
  ['90m', '2026-11-23T01:25:30Z'],
  ['7d', '2026-11-16T02:55:30Z'],
  ['1795402460123ms', '2026-11-23T02:54:20.123Z'],
])('%s is one moment', (text, iso) => {
  expect(read(text)).toEqual([at(iso), at(iso)])
})

test.each([
  [
    '1795402460',
    'is a bare number, which may be seconds or ms since 1970: write 2026-11-23T02:54:20Z, or 1795402460000ms',
  ],
  ['1795402460123', 'write 2026-11-23T02:54:20.123Z, or 1795402460123ms'],
  ['2026', 'is only a year: write its first day, 2026-01-01, or its last, 2026-12-31'],
  ['0', 'may be seconds or ms since 1970'],
  ['99999999999999999', 'must be a UTC time: 2026-11-20, 20261120'],
  ['20261345', 'no calendar has that day'],
  ['2026-02-30', 'no calendar has that day'],
  ['2026-02-30T10:00Z', 'no calendar has that day'],
  ['2026-11-23T25:00', 'no clock shows that one'],
  ['22/11/2026', 'must be a UTC time: 2026-11-20'],
  ['7 days', 'must be a UTC time'],
  ['', 'must be a UTC time'],
  // Times of another year than one of four digits were shown cut: `-17138-12-09T02:5`.
  ['999999w', 'must be a UTC time: 999999w back is before 1970'],
  ['99999d', 'must be a UTC time: 99999d back is before 1970'],
  ['8640000000000000ms', 'must be a UTC time: that is after the year 9999'],
  ['9999999999999999ms', 'must be a UTC time: that is after the year 9999'],
  ['9999-12-31T23:59-14:00', 'must be a UTC time: that is after the year 9999'],
  ['0000-01-01T00:00+14:00', 'must be a UTC time: that is before the year 0000'],
])('%s is refused, never taken for 1970', (text, reason) => {
  expect(read(text)).toContain(reason)
})

test('what was not a whole UTC day or time had to be understood', () => {
  const isUnderstood = (text: string) => {
    const time = readWrittenTime(text, nowMs)
    return time.ok && time.value.isUnderstood
  }
  expect(['2026-11-22', '2026-11-23T02:55:00Z', '1795402460123ms'].map(isUnderstood)).toEqual([false, false, false])
  expect(['20261122', '2026-11-23T02:55', '2026-11-23T02:55+01:00', '7d'].map(isUnderstood)).not.toContain(false)
})
