import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import type { Bar } from '../../../src/domain/market/bar.ts'
import { barListOf, barsBetween, firstStart } from '../../../src/domain/market/bar-list.ts'
import {
  barSeries,
  missingBars,
  type RecordedBars,
  seriesBetween,
  seriesStart,
  seriesStep,
} from '../../../src/domain/market/bar-series.ts'
import { barStart, longerBars } from '../../../src/domain/market/bars.ts'
import { barLengths } from '../../../src/store/chart.ts'
import { someBars } from '../../fakes/bars.ts'

const endMs = Date.UTC(2026, 10, 20, 13, 58)
const symbol = 'BTC-USD'
/** Three days of minutes, some of them missing; the desk keeps the end of them, the record has all. */
const minutes = someBars(endMs, 3 * 1_440, (at) => at % 97 === 0 || (at > 900 && at < 1_100))
const whole = barListOf(minutes)
const lengths = [barLengths['1m'], barLengths['15m'], barLengths['1h'], barLengths['4h'], barLengths['1d']]

/** What the record answers. */
const recordedOf = (wanted: Pick<RecordedBars, 'lengthMs' | 'fromMs' | 'toMs'>): RecordedBars => {
  const rows = minutes.filter(({ startMs }) => startMs >= wanted.fromMs && startMs < wanted.toMs)
  const { startMs } = minutes[0] ?? { startMs: 0 }
  return { ...wanted, symbol, firstMs: startMs, list: barListOf(longerBars(rows, wanted.lengthMs)) }
}

const figures = (bars: readonly Bar[]) =>
  bars.map(({ startMs, open, high, low, close, lookCount }) => [
    startMs,
    ...[open, high, low, close].map((price) => price.toFixed()),
    lookCount,
  ])

test('what is missing, once read, makes the picture that of all bars, wherever the kept ones begin', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...lengths),
      fc.integer({ min: 1, max: minutes.length - 1 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 200 }),
      (lengthMs, keptCount, count, back) => {
        const kept = barListOf(minutes.slice(-keptCount))
        // A desk keeps days: the newest bar is always all in it.
        fc.pre((firstStart(kept, lengthMs) ?? endMs) <= barStart(endMs, lengthMs))
        const toMs = (Math.floor(endMs / lengthMs) + 1 - back) * lengthMs
        const fromMs = toMs - count * lengthMs
        let series = barSeries(kept, null, lengthMs)
        // First the record tells how far it goes back, then what is wanted of it.
        for (let asked = 0; asked < 2; asked += 1) {
          const wanted = missingBars(series, symbol, fromMs, toMs)
          if (wanted !== null) series = barSeries(kept, recordedOf(wanted), lengthMs)
        }
        expect(missingBars(series, symbol, fromMs, toMs)).toBeNull()
        expect(figures(seriesBetween(series, fromMs, toMs))).toEqual(
          figures(barsBetween(whole, lengthMs, fromMs, toMs)),
        )
        expect(seriesStart(series)).toBe(Math.floor((minutes[0]?.startMs ?? 0) / lengthMs) * lengthMs)
      },
    ),
  )
})

test('steps lead from the kept bars into the recorded ones and back, past times in which nobody looked', () => {
  const lengthMs = 15 * minuteMs
  const kept = barListOf(minutes.slice(-1_440))
  const series = barSeries(kept, recordedOf({ lengthMs, fromMs: 0, toMs: endMs - dayMs + hourMs }), lengthMs)
  const starts = barsBetween(whole, lengthMs, 0, Number.POSITIVE_INFINITY).map(({ startMs }) => startMs)
  expect(starts.map((start) => seriesStep(series, start, -1))).toEqual(starts.map((_, at) => starts[at - 1] ?? null))
  expect(starts.map((start) => seriesStep(series, start, 1))).toEqual(starts.map((_, at) => starts[at + 1] ?? null))
})

test('nothing is asked for before the oldest recorded bar, nor of a record that has none of the length', () => {
  const lengthMs = hourMs
  const kept = barListOf(minutes.slice(-60))
  const first = barSeries(kept, recordedOf({ lengthMs, fromMs: 0, toMs: endMs }), lengthMs)
  expect(missingBars(first, symbol, endMs - 400 * dayMs, endMs - 300 * dayMs)).toBeNull()
  const none = barSeries(kept, { ...recordedOf({ lengthMs, fromMs: 0, toMs: 0 }), firstMs: null }, lengthMs)
  expect(missingBars(none, symbol, endMs - 2 * dayMs, endMs)).toBeNull()
})
