import { minuteMs } from '../../src/base/text/time-text.ts'
import type { Bar } from '../../src/domain/market/bar.ts'
import { withLook } from '../../src/domain/market/bars.ts'
import { Decimal } from '../../src/domain/money.ts'
import { seeded } from '../bench/book-workload.ts'
import { amount } from './amounts.ts'

/** A bar of the minute that `atMs` is in, of these looks, with a spread of half a unit. */
export function barOf(atMs: number, ...prices: readonly string[]): Bar {
  const looks = prices.map((price) => ({ atMs, price: amount(price), spread: amount('0.50') }))
  const [first, ...others] = looks
  if (first === undefined) throw new Error('a bar has a look')
  return others.reduce<Bar>(withLook, withLook(null, first))
}

/**
 * A walk of `count` minutes that ends in the minute of `endMs` at 64,210.50, always the same; `isGap`: nobody looked,
 * by its place.
 */
export function someBars(endMs: number, count: number, isGap: (at: number) => boolean = () => false): Bar[] {
  const next = seeded(7)
  // Half units, from the last price back; held above 1, however long the walk is.
  const walk = [128_421]
  while (walk.length < count * 4) walk.push(Math.max(2, (walk.at(-1) ?? 2) + next(25) - 12))
  walk.reverse()
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const looks = walk.slice(at * 4, at * 4 + 4).map((half) => new Decimal(half).div(2).toFixed(2))
    return isGap(at) ? [] : [barOf(endMs - (count - 1 - at) * minuteMs, ...looks)]
  })
}
