import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/base/time-text.ts'
import type { Bar } from '../../../src/domain/market/bar.ts'
import {
  barsBetween,
  keptBars,
  type Look,
  mergedBars,
  withLook,
  withLookAtEnd,
} from '../../../src/domain/market/bars.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { barLengths } from '../../../src/store/chart.ts'
import { someBars } from '../../fakes/bars.ts'

const startMs = Date.UTC(2026, 10, 20, 13, 58)
const lengths = Object.values(barLengths)

/** Looks in order of time, with times between them in which nobody looked. */
const someLooks = fc
  .array(fc.tuple(fc.integer({ min: 500, max: 40 * minuteMs }), fc.integer({ min: 1, max: 10_000 })), { maxLength: 80 })
  .map((pairs) => {
    let atMs = startMs
    return pairs.map(([laterMs, cents]): Look => {
      atMs += laterMs
      return { atMs, price: new Decimal(cents).div(100), spread: cents % 5 === 0 ? null : new Decimal(cents % 7) }
    })
  })

/** What the bars of these looks are, told in another way. */
const folded = (looks: readonly Look[], lengthMs: number): Bar[] =>
  [...Map.groupBy(looks, ({ atMs }) => Math.floor(atMs / lengthMs) * lengthMs)].map(([at, own]) => {
    const prices = own.map(({ price }) => price)
    return {
      startMs: at,
      open: prices[0] ?? new Decimal(0),
      high: Decimal.max(...prices),
      low: Decimal.min(...prices),
      close: prices.at(-1) ?? new Decimal(0),
      lookCount: own.length,
      spread: own.findLast(({ spread }) => spread !== null)?.spread ?? null,
    }
  })

/** The same by the desk's own way, look by look. */
const minutesOf = (looks: readonly Look[]): Bar[] => {
  const bars: Bar[] = []
  for (const look of looks) {
    const bar = withLook(bars.at(-1) ?? null, look)
    if (bars.at(-1)?.startMs === bar.startMs) bars.pop()
    bars.push(bar)
  }
  return bars
}

const figures = (bars: readonly Bar[]) =>
  bars.map((bar) => [
    bar.startMs,
    ...[bar.open, bar.high, bar.low, bar.close].map((price) => price.toFixed()),
    bar.lookCount,
    bar.spread?.toFixed(),
  ])

test('longer bars of minute bars are the bars of the looks themselves, at any length, and gaps stay gaps', () => {
  fc.assert(
    fc.property(someLooks, fc.constantFrom(...lengths), (looks, lengthMs) => {
      const minutes = minutesOf(looks)
      expect(figures(minutes)).toEqual(figures(folded(looks, minuteMs)))
      const bars = barsBetween(minutes, lengthMs, 0, Number.POSITIVE_INFINITY)
      expect(figures(bars)).toEqual(figures(folded(looks, lengthMs)))
      // Asked again, what is over is the very same bar.
      expect(barsBetween(minutes, lengthMs, 0, Number.POSITIVE_INFINITY).every((bar, at) => bar === bars[at])).toBe(
        true,
      )
    }),
  )
})

test('a look at the end replaces the last bar only, and bars of two runs together are the bars of all their looks', () => {
  fc.assert(
    fc.property(someLooks, fc.nat(), (looks, cut) => {
      const prices = (bars: readonly Bar[]) => figures(bars).map((each) => each.slice(0, 5))
      const ended = looks.reduce<readonly Bar[]>(withLookAtEnd, [])
      expect(prices(ended)).toEqual(prices(folded(looks, minuteMs)))
      const at = cut % (looks.length + 1)
      const [earlier, later] = [folded(looks.slice(0, at), minuteMs), folded(looks.slice(at), minuteMs)]
      expect(figures(mergedBars(earlier, later))).toEqual(figures(folded(looks, minuteMs)))
      const known = ended.slice(0, -1)
      const next = withLookAtEnd(ended, {
        atMs: (looks.at(-1)?.atMs ?? 0) + 1,
        price: new Decimal(99_999),
        spread: null,
      })
      expect(known.every((bar, place) => bar === next[place])).toBe(true)
    }),
  )
})

test('the last two days are kept by the minute, two months before them by the hour, and longer bars stay the same', () => {
  const bars = someBars(startMs, 66 * 1_440)
  const kept = keptBars(bars)
  expect(kept.length).toBeLessThan(2 * 1_440 + 60 + 60 * 24 + 1)
  const minutesFrom = kept.findIndex((bar, at) => kept[at + 1]?.startMs === bar.startMs + minuteMs)
  expect(startMs - (kept[minutesFrom]?.startMs ?? 0)).toBeGreaterThanOrEqual(2 * dayMs)
  const fromMs = startMs - 50 * dayMs
  const hours = (list: readonly Bar[]) =>
    figures(barsBetween(list, hourMs, Math.ceil(fromMs / hourMs) * hourMs, startMs))
  expect(hours(kept)).toEqual(hours(bars))
  // Hours are no bars of five minutes.
  const short = barsBetween(kept, 5 * minuteMs, 0, startMs)
  expect(startMs - (short[0]?.startMs ?? 0)).toBeLessThan(2 * dayMs + hourMs + minuteMs)
  expect(keptBars(kept)).toBe(kept)
})

test('a look of an earlier minute, or one that says the same, gives the very same list back', () => {
  const bars = someBars(startMs, 3)
  const close = bars.at(-1)?.close ?? new Decimal(1)
  expect(withLookAtEnd(bars, { atMs: startMs - minuteMs, price: new Decimal(1), spread: null })).toBe(bars)
  expect(withLookAtEnd(bars, { atMs: startMs + 1, price: close, spread: null })).toBe(bars)
})
