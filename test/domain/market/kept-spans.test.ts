import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import {
  type BarList,
  barsBetween,
  barsOf,
  dayRange,
  emptyBarList,
  withLookAtEnd,
} from '../../../src/domain/market/bar-list.ts'
import { spansOf, usualSpans } from '../../../src/domain/market/kept-spans.ts'
import { Decimal } from '../../../src/domain/money.ts'

const startMs = Date.UTC(2026, 10, 20, 13, 58)

/** The list after each minute of 30 hours, with what is held of one of so many symbols. */
function* thirtyHours(symbolCount: number): Iterable<BarList> {
  const kept = spansOf(symbolCount)
  let list = emptyBarList
  for (let minute = 0; minute < 1_800; minute += 1) {
    list = withLookAtEnd(
      list,
      { atMs: startMs + minute * minuteMs, price: new Decimal(minute % 97), spread: null },
      kept,
    )
    yield list
  }
}

test('two hundred symbols have all that is usual, and of more all together have a bounded number of bars', () => {
  expect([1, 50, 200].map(spansOf)).toEqual([usualSpans, usualSpans, usualSpans])
  for (const count of [300, 500, 1_000, 3_000, 10_000]) {
    const { minutesMs, longerForMs, longerMs } = spansOf(count)
    expect(count * ((minutesMs + longerMs) / minuteMs + longerForMs / longerMs)).toBeLessThanOrEqual(1_250_000)
    expect(minutesMs).toBeGreaterThanOrEqual(10 * minuteMs)
    expect(longerForMs).toBeGreaterThanOrEqual(dayMs)
  }
})

test('of one of 10,000 symbols the last minutes and the quarters of a day are held at any time, and what they say is the same', () => {
  const all: { price: number; atMs: number }[] = []
  for (const list of thirtyHours(10_000)) {
    const atMs = startMs + all.length * minuteMs
    all.push({ price: all.length % 97, atMs })
    const bars = barsOf(list)
    expect(bars.length).toBeLessThanOrEqual(10 + 15 + 97)
    const recent = bars.slice(-10).map(({ startMs: at }) => at)
    expect(recent).toEqual(all.slice(-10).map((each) => each.atMs))
    if (all.length % 60 !== 0) continue
    const hours = barsBetween(list, hourMs, Math.ceil((atMs - dayMs) / hourMs) * hourMs, atMs + 1)
    const told = Map.groupBy(all, (each) => Math.floor(each.atMs / hourMs) * hourMs)
    for (const bar of hours) {
      const prices = (told.get(bar.startMs) ?? []).map(({ price }) => price)
      expect([bar.low.toNumber(), bar.high.toNumber()]).toEqual([Math.min(...prices), Math.max(...prices)])
    }
    expect(hours.length).toBe(Math.min(24, new Set(all.map((each) => Math.floor(each.atMs / hourMs))).size))
  }
})

test('the range of a day is known within a quarter of an hour at any minute, however many symbols there are', () => {
  const prices: number[] = []
  for (const list of thirtyHours(10_000)) {
    prices.push(prices.length % 97)
    const range = dayRange(list)
    if (range === null) throw new Error('no range')
    const { sinceMs, isWhole, low, high } = range
    if (prices.length < 1_440) continue
    expect(isWhole).toBe(true)
    const since = prices.slice((sinceMs - startMs) / minuteMs)
    expect([low.toNumber(), high.toNumber()]).toEqual([Math.min(...since), Math.max(...since)])
  }
  expect(prices).toHaveLength(1_800)
})
