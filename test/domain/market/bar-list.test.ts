import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import type { Bar } from '../../../src/domain/market/bar.ts'
import {
  type BarList,
  barBefore,
  barFrom,
  barListOf,
  barsBetween,
  barsOf,
  emptyBarList,
  keptBars,
  mergedBars,
  rangeSince,
  withLookAtEnd,
} from '../../../src/domain/market/bar-list.ts'
import { type Look, longerBars, withLook } from '../../../src/domain/market/bars.ts'
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

const ever = [0, Number.POSITIVE_INFINITY] as const

test('longer bars of minute bars are the bars of the looks themselves, at any length, and gaps stay gaps', () => {
  fc.assert(
    fc.property(someLooks, fc.constantFrom(...lengths), (looks, lengthMs) => {
      const minutes = minutesOf(looks)
      expect(figures(minutes)).toEqual(figures(folded(looks, minuteMs)))
      const list = barListOf(minutes)
      expect(figures(barsOf(list))).toEqual(figures(minutes))
      const bars = barsBetween(list, lengthMs, ...ever)
      expect(figures(bars)).toEqual(figures(folded(looks, lengthMs)))
      expect(figures(longerBars(minutes, lengthMs))).toEqual(figures(bars))
    }),
  )
})

test('each bar leads to the one before and after it, at any length', () => {
  fc.assert(
    fc.property(someLooks, fc.constantFrom(...lengths), (looks, lengthMs) => {
      const list = barListOf(minutesOf(looks))
      const starts = barsBetween(list, lengthMs, ...ever).map((bar) => bar.startMs)
      expect(starts.map((start) => barBefore(list, lengthMs, start))).toEqual(
        starts.map((_, at) => starts[at - 1] ?? null),
      )
      expect(starts.map((start) => barFrom(list, lengthMs, start + lengthMs))).toEqual(
        starts.map((_, at) => starts[at + 1] ?? null),
      )
    }),
  )
})

test('a look at the end changes no earlier list, and bars of two runs together are the bars of all their looks', () => {
  fc.assert(
    fc.property(someLooks, fc.nat(), (looks, cut) => {
      const prices = (bars: readonly Bar[]) => figures(bars).map((each) => each.slice(0, 5))
      const lists: BarList[] = [emptyBarList]
      for (const look of looks) lists.push(withLookAtEnd(lists.at(-1) ?? emptyBarList, look))
      for (const [count, list] of lists.entries())
        expect(prices(barsOf(list))).toEqual(prices(folded(looks.slice(0, count), minuteMs)))
      const at = cut % (looks.length + 1)
      const [earlier, later] = [folded(looks.slice(0, at), minuteMs), folded(looks.slice(at), minuteMs)]
      expect(figures(barsOf(mergedBars(earlier, barListOf(later))))).toEqual(figures(folded(looks, minuteMs)))
    }),
  )
})

test('two lists that go on from the same one keep their own bars', () => {
  const begun = withLookAtEnd(emptyBarList, { atMs: startMs, price: new Decimal(1), spread: null })
  const later = (price: number) => ({ atMs: startMs + minuteMs, price: new Decimal(price), spread: null })
  const last = { atMs: startMs + 2 * minuteMs, price: new Decimal(9), spread: null }
  const [one, other] = [2, 3].map((price) => withLookAtEnd(withLookAtEnd(begun, later(price)), last))
  const closes = (list: BarList = emptyBarList) => barsOf(list).map(({ close }) => close.toFixed())
  expect([closes(one), closes(other)]).toEqual([
    ['1', '2', '9'],
    ['1', '3', '9'],
  ])
})

test('every digit of a price stays, however many it has and whatever the prices before it had', () => {
  const prices = ['64210.5', '0.00000001', '123456789012345678901234.5', '7', '0.123456789012345678', '99999999999.99']
  const bars = prices.map((price, at): Bar => {
    const amount = new Decimal(price)
    const figures = { open: amount, high: amount, low: amount, close: amount, lookCount: 1 }
    return { startMs: startMs + at * minuteMs, ...figures, spread: at % 2 === 0 ? null : amount }
  })
  const list = barListOf(bars)
  const texts = (of: BarList) => barsOf(of).map(({ close }) => close.toFixed())
  expect(texts(list)).toEqual(prices)
  expect(texts(mergedBars(bars.slice(0, 2), barListOf(bars.slice(2))))).toEqual(prices)
  expect(texts(mergedBars(bars.slice(2), barListOf(bars.slice(0, 2))))).toEqual(prices)
  expect(barsOf(list).map(({ spread }) => spread?.toFixed())).toEqual(
    prices.map((price, at) => (at % 2 === 0 ? undefined : price)),
  )
  // Fine prices first, so that the later ones do not fit the room of before.
  const fine = bars.toReversed().map((bar, at) => ({ ...bar, startMs: startMs + at * minuteMs }))
  expect(texts(barListOf(fine))).toEqual(prices.toReversed())
})

test('the last two days are kept by the minute, two months before them by the hour, and longer bars stay the same', () => {
  const bars = barListOf(someBars(startMs, 66 * 1_440))
  const kept = keptBars(bars)
  const starts = barsOf(kept).map((bar) => bar.startMs)
  expect(starts.length).toBeLessThan(2 * 1_440 + 60 + 60 * 24 + 1)
  const minutesFrom = starts.findIndex((start, at) => starts[at + 1] === start + minuteMs)
  expect(startMs - (starts[minutesFrom] ?? 0)).toBeGreaterThanOrEqual(2 * dayMs)
  const fromMs = startMs - 50 * dayMs
  const hours = (list: BarList) => figures(barsBetween(list, hourMs, Math.ceil(fromMs / hourMs) * hourMs, startMs))
  expect(hours(kept)).toEqual(hours(bars))
  // Hours are no bars of five minutes.
  const short = barsBetween(kept, 5 * minuteMs, 0, startMs)
  expect(startMs - (short[0]?.startMs ?? 0)).toBeLessThan(2 * dayMs + hourMs + minuteMs)
  expect(keptBars(kept)).toBe(kept)
})

test('the range of a time is that of its bars, also when prices come and its beginning moves on', () => {
  fc.assert(
    fc.property(someLooks, fc.nat({ max: 2_400 }), (looks, minutes) => {
      const fromMs = Math.floor(startMs / minuteMs) * minuteMs + minutes * minuteMs
      let list = emptyBarList
      for (const [at, look] of looks.entries()) {
        list = withLookAtEnd(list, look)
        const own = folded(looks.slice(0, at + 1), minuteMs).filter((bar) => bar.startMs >= fromMs)
        const range = rangeSince(list, fromMs)
        const most = own.length === 0 ? undefined : Decimal.max(...own.map(({ high }) => high)).toFixed()
        const least = own.length === 0 ? undefined : Decimal.min(...own.map(({ low }) => low)).toFixed()
        expect([range?.high.toFixed(), range?.low.toFixed(), range?.sinceMs]).toEqual([most, least, own[0]?.startMs])
      }
    }),
  )
})

test('a look of an earlier minute, or one that says the same, gives the very same list back', () => {
  const list = barListOf(someBars(startMs, 3))
  const close = list.running?.close ?? new Decimal(1)
  expect(withLookAtEnd(list, { atMs: startMs - minuteMs, price: new Decimal(1), spread: null })).toBe(list)
  expect(withLookAtEnd(list, { atMs: startMs + 1, price: close, spread: null })).toBe(list)
})
