import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import type { Bar } from '../../../src/domain/market/bar.ts'
import { barOf, withLook } from '../../../src/domain/market/bars.ts'
import { lookAt } from '../../../src/domain/market/looks.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { aBook } from '../../fakes/books.ts'

const looks = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: hourMs - 1 }),
    price: fc.integer({ min: 1, max: 99 }).map((price) => new Decimal(price)),
    spread: fc.constant(null),
  }),
  { minLength: 1 },
)

test('a minute has one bar of all its looks, and all bars as one say the same as all looks', () => {
  fc.assert(
    fc.property(looks, (unsorted) => {
      const sorted = unsorted.toSorted((left, right) => left.atMs - right.atMs)
      const bars: Bar[] = []
      for (const look of sorted) {
        const bar = withLook(bars.at(-1) ?? null, look)
        if (bar.startMs === bars.at(-1)?.startMs) bars.pop()
        bars.push(bar)
      }
      const minutes = new Set(sorted.map(({ atMs }) => Math.floor(atMs / minuteMs)))
      const prices = sorted.map(({ price }) => price)
      const whole = barOf(bars, 0, hourMs)
      return (
        bars.length === minutes.size &&
        whole?.lookCount === sorted.length &&
        whole.high.eq(Decimal.max(...prices)) &&
        whole.low.eq(Decimal.min(...prices)) &&
        whole.open.eq(prices[0] ?? 0) &&
        whole.close.eq(prices.at(-1) ?? 0)
      )
    }),
  )
})

test('a look is at the last price with the spread of a book, at the mid before the first trade, else at nothing', () => {
  const book = aBook([['99', '1']], [['101', '1']])
  const crossed = aBook([['101', '1']], [['99', '1']])
  const price = new Decimal(102)
  const said = (...given: Parameters<typeof lookAt>) => {
    const look = lookAt(...given)
    return look && [look.price.toFixed(), look.spread?.toFixed()]
  }
  expect(said({ lastPrice: price }, book, 0)).toEqual(['102', '2'])
  expect(said({ lastPrice: price }, null, 0)).toEqual(['102', undefined])
  expect(said({ lastPrice: null }, book, 0)).toEqual(['100', '2'])
  expect(said({ lastPrice: price }, crossed, 0)).toEqual(['102', undefined])
  expect(said({ lastPrice: null }, null, 0)).toBeNull()
})
