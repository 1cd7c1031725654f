import { expect, test } from 'vitest'
import type { HistoryEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { LoadedBars, loadBars } from '../../../src/services/history/loaded-bars.ts'
import { someBars } from '../../fakes/bars.ts'

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

test('of 10,000 recorded symbols only quarters of a day and the last minutes are taken up, but all of one that values holdings', async () => {
  const toMs = Date.UTC(2026, 10, 20, 13, 58)
  const names = Array.from({ length: 10_000 }, (_, number) => `S${number}`)
  const minutes = someBars(toMs, 4 * 1_440)
  /** Two of them have prices. */
  const barsOf = (symbol: string, fromMs: number, lastMs: number) =>
    symbol === 'S1' || symbol === 'S2' ? minutes.filter(({ startMs }) => startMs >= fromMs && startMs <= lastMs) : []
  const file = {
    symbols: () => names,
    bars: barsOf,
    eachBar: barsOf,
    barAt: (symbol: string, atMs: number) => barsOf(symbol, 0, atMs).at(-1) ?? null,
  }
  const counts = new Map<string, number>()
  const emit = (event: HistoryEvent) => {
    if (event.type !== 'barsLoaded') return
    for (const [symbol, bars] of event.bars) counts.set(symbol, (counts.get(symbol) ?? 0) + bars.length)
  }
  await loadBars(file, { toMs, valuing: () => new Set(['S2']), emit, signal: new AbortController().signal })
  expect(counts.get('S1')).toBeLessThanOrEqual(10 + 15 + 97)
  // The quarters of a day: its range is known at once.
  expect(counts.get('S1')).toBeGreaterThanOrEqual(10 + 96)
  expect(counts.get('S2')).toBeGreaterThanOrEqual(2 * 1_440 + 2 * 24 - 1)
})
