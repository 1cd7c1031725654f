import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { countedFrom, createDayValues } from '../../../src/hub/writes/day-values.ts'

const atMs = Date.UTC(2026, 9, 1, 12)
const usd = (text: string) => new Decimal(text)
const write = (id: string) => ({ kind: 'order', id }) as const

/**
 * A wall clock that may be set, one of the exchange that is so far ahead of it, what passed since the start, and the
 * database's clock, which was right then.
 */
const clocks = (wallMs: number, skewMs: number | null = null) => {
  const now = { wallMs, skewMs, passedMs: 0, databaseAheadMs: 0 }
  const of = {
    clock: { wallMs: () => now.wallMs, now: () => now.passedMs },
    skewMs: () => now.skewMs,
    databaseMs: () => wallMs + now.databaseAheadMs + now.passedMs,
  }
  const passTo = (laterMs: number) => {
    now.passedMs += laterMs - now.wallMs
    now.wallMs = laterMs
  }
  return { now, of, passTo }
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

test('a write that was said not to have been placed, and is there, counts fully again', () => {
  const days = createDayValues(clocks(atMs).of, [{ person: 'bob', keys: [write('b1')], usd: usd('1000'), atMs }])
  const counted = () => days.of('bob', 'order').toFixed()
  expect(days.restore(write('b1'), usd('7'))).toBeNull()
  expect(days.restore(write('b2'), usd('7'))).toBeNull()
  days.reduce(write('b1'), usd('0'))
  expect(counted()).toBe('0')
  expect(days.restore(write('b1'), usd('7'))?.toFixed()).toBe('1000')
  expect(counted()).toBe('1000')
})

test('where an earlier leader counts nothing of it any more it counts what it is worth now, and only once', () => {
  const days = createDayValues(clocks(atMs).of, [{ person: 'bob', keys: [write('b1')], usd: usd('0'), atMs }])
  expect(days.restore(write('b1'), usd('0'))).toBeNull()
  for (const [worth, restored] of [
    ['7', '7'],
    ['7', undefined],
  ] as const)
    expect(days.restore(write('b1'), usd(worth))?.toFixed()).toBe(restored)
  expect(days.of('bob', 'order').toFixed()).toBe('7')
})

test('each person and kind has a sum of its own, plans among the orders; what never began is forgotten', () => {
  const days = createDayValues(clocks(atMs).of, [
    { person: 'bob', keys: [{ kind: 'plan', id: 'p1' }, write('p2')], usd: usd('7'), atMs },
    { person: 'bob', keys: [{ kind: 'draft', id: 'd1' }], usd: usd('20'), atMs },
    { person: 'eve', keys: [write('e1')], usd: usd('300'), atMs: Date.UTC(2026, 9, 1) },
  ])
  const sums = () => [days.of('bob', 'order'), days.of('bob', 'withdrawal'), days.of('eve', 'order')].map(String)
  expect(sums()).toEqual(['7', '20', '300'])
  expect(days.has(write('p2'))).toBe(false)
  expect(days.reduce(write('none'), usd('0'))).toBe(false)
  days.add(write('b2'), { person: 'bob', kind: 'order', usd: usd('1') })
  expect(sums()).toEqual(['8', '20', '300'])
  days.forget(write('b2'))
  expect(sums()).toEqual(['7', '20', '300'])
})

test('a day ends when the later of the clocks of host and exchange says so, and nothing of it is left out before', () => {
  const midnightMs = Date.UTC(2026, 9, 2)
  const { now, of, passTo } = clocks(midnightMs - minuteMs, -10 * minuteMs)
  const days = createDayValues(of, [])
  const counted = () => days.of('bob', 'order').toFixed()
  days.add(write('b1'), { person: 'bob', kind: 'order', usd: usd('1000') })
  passTo(midnightMs + minuteMs)
  // By the exchange it is 23:51.
  expect(counted()).toBe('1000')
  days.add(write('b2'), { person: 'bob', kind: 'order', usd: usd('30') })
  expect(counted()).toBe('1030')
  passTo(midnightMs + 11 * minuteMs)
  // What this host dated after midnight counts with the new day, too.
  expect(counted()).toBe('30')
  passTo(midnightMs + 12 * hourMs)
  now.skewMs = 13 * hourMs
  expect(counted()).toBe('30')
  passTo(midnightMs + 24 * hourMs)
  expect(counted()).toBe('0')
})

test('a new leader counts what is of the day by the clock of the exchange, also once it learns that it is behind', () => {
  const midnightMs = Date.UTC(2026, 9, 2)
  const { now, of } = clocks(midnightMs + minuteMs)
  const { sinceMs } = countedFrom({ wallMs: now.wallMs, databaseMs: now.wallMs, lastSkewMs: null })
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

test('a wall clock that is set, days ahead or back and then right again, neither ends nor moves what was counted', () => {
  const { now, of, passTo } = clocks(atMs)
  const days = createDayValues(of, [{ person: 'bob', keys: [write('b1')], usd: usd('1000'), atMs: atMs - minuteMs }])
  const counted = () => days.of('bob', 'order').toFixed()
  now.wallMs = atMs + 72 * hourMs
  days.add(write('b2'), { person: 'bob', kind: 'order', usd: usd('30') })
  expect(counted()).toBe('1030')
  now.wallMs = atMs - 24 * hourMs
  days.add(write('b3'), { person: 'bob', kind: 'order', usd: usd('7') })
  now.wallMs = atMs
  expect(counted()).toBe('1037')
  passTo(Date.UTC(2026, 9, 2))
  expect(counted()).toBe('0')
  expect(days.has(write('b3'))).toBe(true)
  passTo(Date.UTC(2026, 9, 4))
  expect(counted()).toBe('0')
  expect(days.has(write('b3'))).toBe(false)
})

test('a new leader reads back from the clock that is the furthest behind, and a few of the newest in any case', () => {
  const dayBefore = Date.UTC(2026, 8, 30)
  const from = (wallDays: number, databaseDays: number, lastSkewDays: number | null) =>
    countedFrom({
      wallMs: atMs + wallDays * 24 * hourMs,
      databaseMs: atMs + databaseDays * 24 * hourMs,
      lastSkewMs: lastSkewDays === null ? null : lastSkewDays * 24 * hourMs,
    })
  expect(from(0, 0, null)).toEqual({ sinceMs: dayBefore, newest: 1_000 })
  expect(from(5, 0, null).sinceMs).toBe(dayBefore)
  expect(from(0, 5, 3).sinceMs).toBe(dayBefore)
  // Host and database by the same wrong clock; the leader before had learned from the exchange how wrong it is.
  expect(from(5, 5, -5).sinceMs).toBe(dayBefore)
})

test('a wall clock that is days ahead begins no new day where the exchange has told no time yet', () => {
  const { now, of } = clocks(atMs)
  const days = createDayValues(of, [{ person: 'bob', keys: [write('b1')], usd: usd('1000'), atMs: atMs - minuteMs }])
  now.wallMs = atMs + 72 * hourMs
  expect(days.of('bob', 'order').toFixed()).toBe('1000')
  now.databaseAheadMs = 72 * hourMs
  expect(days.of('bob', 'order').toFixed()).toBe('0')
  now.skewMs = -72 * hourMs
  expect(days.of('bob', 'order').toFixed()).toBe('1000')
})
