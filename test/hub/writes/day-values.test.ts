import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../src/base/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { countedSinceMs, createDayValues } from '../../../src/hub/writes/day-values.ts'

const atMs = Date.UTC(2026, 9, 1, 12)
const usd = (text: string) => new Decimal(text)
const write = (id: string) => ({ kind: 'order', id }) as const

/** A wall clock, and one of the exchange that is so far ahead of it. */
const clocks = (wallMs: number, skewMs: number | null = null) => {
  const now = { wallMs, skewMs }
  return { now, of: { wallMs: () => now.wallMs, skewMs: () => now.skewMs } }
}

test('no write counts less than nothing, neither when it is added, nor reduced, nor read back', () => {
  const days = createDayValues(clocks(atMs).of, [
    { person: 'bob', keys: [write('b1')], usd: usd('1000'), atMs },
    // A database may have such a row: hubs before this one wrote it.
    { person: 'bob', keys: [write('b2')], usd: usd('-31500'), atMs },
  ])
  const counted = () => days.of('bob', 'order').toFixed()
  expect(counted()).toBe('1000')
  days.add(write('b3'), { person: 'bob', kind: 'order', usd: usd('-630') })
  expect(counted()).toBe('1000')
  days.add(write('b5'), { person: 'bob', kind: 'order', usd: usd('500') })
  expect(counted()).toBe('1500')
  expect(days.reduce(write('b5'), usd('-20'))).toBe(true)
  expect(days.reduce(write('b5'), usd('-20'))).toBe(false)
  expect(counted()).toBe('1000')
})

test('a day ends when the later of the clocks of host and exchange says so, and nothing of it is left out before', () => {
  const midnightMs = Date.UTC(2026, 9, 2)
  const { now, of } = clocks(midnightMs - minuteMs, -10 * minuteMs)
  const days = createDayValues(of, [])
  const counted = () => days.of('bob', 'order').toFixed()
  days.add(write('b1'), { person: 'bob', kind: 'order', usd: usd('1000') })
  now.wallMs = midnightMs + minuteMs
  // By the exchange it is 23:51.
  expect(counted()).toBe('1000')
  days.add(write('b2'), { person: 'bob', kind: 'order', usd: usd('30') })
  expect(counted()).toBe('1030')
  now.wallMs = midnightMs + 11 * minuteMs
  // What this host dated after midnight counts with the new day, too.
  expect(counted()).toBe('30')
  now.wallMs = midnightMs + 12 * hourMs
  now.skewMs = 13 * hourMs
  expect(counted()).toBe('30')
  now.wallMs = midnightMs + 24 * hourMs
  expect(counted()).toBe('0')
})

test('a new leader counts what is of the day by the clock of the exchange, also once it learns that it is behind', () => {
  const midnightMs = Date.UTC(2026, 9, 2)
  const { now, of } = clocks(midnightMs + minuteMs)
  const sinceMs = countedSinceMs(now.wallMs)
  const before = [
    { person: 'bob', keys: [write('b1')], usd: usd('1000'), atMs: midnightMs - hourMs },
    { person: 'bob', keys: [write('b2')], usd: usd('30'), atMs: midnightMs + 1 },
    { person: 'bob', keys: [write('b0')], usd: usd('7'), atMs: midnightMs - 25 * hourMs },
  ]
  const days = createDayValues(
    of,
    before.filter((each) => each.atMs >= sinceMs),
  )
  expect(days.of('bob', 'order').toFixed()).toBe('30')
  now.skewMs = -10 * minuteMs
  expect(days.of('bob', 'order').toFixed()).toBe('1030')
})
