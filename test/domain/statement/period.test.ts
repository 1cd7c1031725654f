import { expect, test } from 'vitest'
import { periodUpTo, readPeriod } from '../../../src/domain/statement/movement.ts'

const nowMs = Date.UTC(2026, 10, 23, 3)

test('two days reach from the first instant of the one to the last of the other', () => {
  expect(readPeriod(['2026-11-01', '2026-11-20'], nowMs)).toEqual({
    ok: true,
    value: { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 21) - 1 },
  })
})

test.each([
  ['2026-02-30', '2026-03-01', '2026-02-30 must be a UTC time: no calendar has that day'],
  ['2026-11-01', 'soon', 'soon must be a UTC time'],
  ['2026-11-24', 'today', '2026-11-24 is in the future'],
  ['2026-11-20', '2026-11-01', '2026-11-20 is after 2026-11-01'],
])('%s to %s is refused', (from, to, reason) => {
  const read = readPeriod([from, to], nowMs)
  expect(read.ok ? '' : read.error).toContain(reason)
})

test('one day is that day, one moment goes on to now, and without any it is everything', () => {
  const yesterday = { fromMs: Date.UTC(2026, 10, 22), toMs: Date.UTC(2026, 10, 23) - 1 }
  expect(readPeriod(['yesterday'], nowMs)).toEqual({ ok: true, value: yesterday })
  expect(readPeriod(['2h'], nowMs)).toEqual({ ok: true, value: { fromMs: nowMs - 7_200_000, toMs: null } })
  expect(readPeriod([], nowMs)).toEqual({ ok: true, value: { fromMs: 0, toMs: null } })
})

test('a report ends with what is known: the clock of the exchange, or a later entry', () => {
  const [none, times] = [[], [null, nowMs - 9, nowMs + 5]]
  expect(periodUpTo({ fromMs: 0, toMs: null }, none, nowMs)).toEqual({ fromMs: 0, toMs: nowMs })
  expect(periodUpTo({ fromMs: 0, toMs: null }, times, nowMs)).toEqual({ fromMs: 0, toMs: nowMs + 5 })
  expect(periodUpTo({ fromMs: 0, toMs: nowMs - 1 }, times, nowMs)).toEqual({ fromMs: 0, toMs: nowMs - 1 })
  const later = { fromMs: 0, toMs: nowMs + 9 }
  expect(periodUpTo(later, times, nowMs)).toEqual({ fromMs: 0, toMs: nowMs + 5, isSoFar: true })
})
