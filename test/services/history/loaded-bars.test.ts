import { expect, test } from 'vitest'
import type { HistoryEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { LoadedBars } from '../../../src/services/history/loaded-bars.ts'

const price = new Decimal(1)
const bar = { ...{ startMs: 0, open: price, high: price, low: price, close: price }, lookCount: 1, spread: null }

/** The symbols of each report. */
function reportsOf(symbolCount: number, barCount: number): string[][] {
  const reports: string[][] = []
  const emit = (event: HistoryEvent) => {
    if (event.type === 'barsLoaded') reports.push([...event.bars.keys()])
  }
  const loaded = new LoadedBars(symbolCount, emit)
  const bars = new Array<typeof bar>(barCount).fill(bar)
  for (let number = 0; number < symbolCount; number += 1) loaded.add(`S${number}`, bars)
  loaded.report()
  loaded.report()
  return reports
}

test('the bars of 10,000 symbols come in some sixty reports, those of a few each by itself', () => {
  const many = reportsOf(10_000, 1)
  expect(many.length).toBeLessThanOrEqual(65)
  expect(many.flat()).toHaveLength(10_000)
  expect(reportsOf(3, 1)).toEqual([['S0'], ['S1'], ['S2']])
  expect(reportsOf(3, 0)).toEqual([])
})

test('no more than some 20,000 bars wait for a report', () => {
  expect(reportsOf(10_000, 2_880).every((symbols) => symbols.length <= 7)).toBe(true)
})
