import { expect, test } from 'vitest'
import { allZones, gridLevels, mayStay } from '../../../src/sandbox/market/market-maker.ts'

const ticksOf = (side: 'BUY' | 'SELL', touch: number) => gridLevels(side, touch, allZones).map(({ ticks }) => ticks)

test('a ladder starts at the touch, goes outward, and thins out', () => {
  const bids = ticksOf('BUY', 10_007)
  expect(bids.slice(0, 13)).toEqual(Array.from({ length: 13 }, (_, index) => 10_007 - index))
  expect(bids.slice(13, 16)).toEqual([9_990, 9_985, 9_980])
  expect(bids.at(-1)).toBe(8_100)
  expect(bids).toEqual(bids.toSorted((left, right) => right - left))
  const asks = ticksOf('SELL', 10_007)
  expect(asks.slice(13, 15)).toEqual([10_020, 10_025])
  expect(asks.at(-1)).toBe(12_000)
})

test('no level is below one tick', () => {
  expect(ticksOf('BUY', 4)).toEqual([4, 3, 2, 1])
})

test('when the touch moves by a tick, hardly any level has to move with it', () => {
  const before = ticksOf('BUY', 10_007)
  expect(before.length).toBeGreaterThan(10)
  const after = new Set(ticksOf('BUY', 10_008))
  expect(before.filter((ticks) => !after.has(ticks)).length).toBeLessThanOrEqual(2)
  expect(before.every((ticks) => mayStay('BUY', ticks, 10_008, allZones))).toBe(true)
})

test('a level inside the touch must go, and so must one far off the grid', () => {
  expect(mayStay('BUY', 10_008, 10_007, allZones)).toBe(false)
  expect(mayStay('SELL', 10_006, 10_007, allZones)).toBe(false)
  expect(mayStay('BUY', 10_001 - 40, 10_001, allZones)).toBe(false)
  expect(mayStay('BUY', 9_960, 10_000, allZones)).toBe(true)
})
