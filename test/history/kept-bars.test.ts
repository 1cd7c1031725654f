import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/base/text/time-text.ts'
import type { HistoryFile } from '../../src/history/history-file.ts'
import { diskSpansOf, wholeSpans } from '../../src/history/kept-bars.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { aBar, dayStartMs, opened } from './aids.ts'

const everMs = Number.MAX_SAFE_INTEGER
const named = (count: number) => Array.from({ length: count }, (_, at) => `S${String(at).padStart(4, '0')}-USD`)

/** One round, as a desk makes one an hour. */
function thin(file: HistoryFile, nowMs: number): void {
  while (file.thin(nowMs)) {}
}

/** Rounds of so many days, two a day. */
function keepUp(file: HistoryFile, fromMs: number, days: number): void {
  for (let atMs = fromMs; atMs <= fromMs + days * dayMs; atMs += dayMs / 2) thin(file, atMs)
}

const spansOf = (file: HistoryFile, symbol: string) =>
  file.bars(symbol, 0, everMs).map(({ spanMs = minuteMs }) => spanMs)

test('of 200 symbols all is kept; of more, bars of six million together, or a day of minutes, a week of hours and a year of days', () => {
  expect([1, 200].map(diskSpansOf)).toEqual([wholeSpans, wholeSpans])
  fc.assert(
    fc.property(fc.integer({ min: 201, max: 1_280 }), (symbolCount) => {
      const { minutesMs, hoursMs, daysMs } = diskSpansOf(symbolCount)
      const bars = minutesMs / minuteMs + hoursMs / hourMs + daysMs / dayMs
      expect(bars * symbolCount).toBeLessThanOrEqual(6_000_000)
      expect(minutesMs).toBeLessThanOrEqual(wholeSpans.minutesMs)
      expect(hoursMs).toBeLessThanOrEqual(wholeSpans.hoursMs)
    }),
  )
  expect(diskSpansOf(10_000)).toEqual({ minutesMs: 26 * hourMs, hoursMs: 200 * hourMs, daysMs: 366 * dayMs })
  expect(diskSpansOf(1_000_000)).toEqual({ minutesMs: 26 * hourMs, hoursMs: 7 * dayMs, daysMs: 366 * dayMs })
})

test('of more than 200 symbols bars become longer and days go sooner, except of those that a desk looks at', () => {
  const file = opened(temporaryFolder('history'))
  const nowMs = dayStartMs
  const symbols = named(250)
  const { daysMs } = diskSpansOf(250)
  const bars = [
    aBar(nowMs - daysMs - 2 * dayMs, { spanMs: dayMs }),
    aBar(nowMs - daysMs + 2 * dayMs, { spanMs: dayMs }),
    aBar(nowMs - 10 * dayMs),
    aBar(nowMs - dayMs),
  ]
  for (const symbol of symbols) file.putBars(bars.map((bar) => [symbol, bar] as const))
  file.noteLooks(['S0007-USD'], nowMs - 80 * dayMs)
  thin(file, nowMs)
  for (const symbol of symbols)
    expect(spansOf(file, symbol)).toEqual(
      symbol === 'S0007-USD' ? [dayMs, dayMs, minuteMs, minuteMs] : [dayMs, hourMs, minuteMs],
    )
  // A look counts for 90 days.
  file.noteLooks([], nowMs + 11 * dayMs)
  thin(file, nowMs + 11 * dayMs)
  expect(spansOf(file, 'S0007-USD')).toEqual([hourMs, hourMs])
  file.close()
})

test('all of it is kept of the 100 that were looked at last', () => {
  const file = opened(temporaryFolder('history'))
  const symbols = named(300)
  for (const [at, symbol] of symbols.entries()) {
    file.putBars([[symbol, aBar(dayStartMs - 10 * dayMs)]])
    if (at < 120) file.noteLooks([symbol], dayStartMs - at * hourMs)
  }
  thin(file, dayStartMs)
  const whole = symbols.filter((symbol) => spansOf(file, symbol)[0] === minuteMs)
  expect(whole).toEqual(symbols.slice(0, 100))
  file.close()
})

test('a symbol without a price for a year goes, once desks have run for a week: not after a year without a desk', () => {
  const file = opened(temporaryFolder('history'))
  const [fromMs, backMs] = [dayStartMs, dayStartMs + 500 * dayMs]
  const old = Array.from(
    { length: 1_200 },
    (_, at) => ['OLD-USD', aBar(fromMs - 400 * dayMs + (at * dayMs) / 4)] as const,
  )
  file.putBars([...old.filter(([, { startMs }]) => startMs < fromMs - 367 * dayMs), ['BTC-USD', aBar(fromMs)]])
  file.putBars([['HELD-USD', aBar(fromMs - 400 * dayMs)]])
  file.noteLooks(['HELD-USD'], fromMs)
  keepUp(file, fromMs, 6)
  expect(file.symbols()).toEqual(['BTC-USD', 'HELD-USD', 'OLD-USD'])
  keepUp(file, fromMs + 6 * dayMs, 1)
  expect(file.symbols()).toEqual(['BTC-USD', 'HELD-USD'])
  // What a person looks at is never long silent; here the desk has slept for more than a year, and prices are late.
  thin(file, backMs)
  keepUp(file, backMs, 2)
  expect(file.symbols()).toEqual(['BTC-USD', 'HELD-USD'])
  file.putBars([['BTC-USD', aBar(backMs + 2 * dayMs)]])
  file.noteLooks([], backMs)
  keepUp(file, backMs + 2 * dayMs, 5)
  expect(file.symbols()).toEqual(['BTC-USD'])
  file.close()
})
