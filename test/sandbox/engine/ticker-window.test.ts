import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TickerWindow, windowMs } from '../../../src/sandbox/engine/ticker-window.ts'

const hourMs = 3_600_000

describe('the sliding 24 hours', () => {
  test('before the first trade there is no price and no volume', () => {
    const window = new TickerWindow()
    expect([window.lastTicks, window.priceTicks(5), window.volumeLots(5)]).toEqual([null, null, 0n])
  })

  test('a trade counts for 24 hours to the millisecond', () => {
    const window = new TickerWindow()
    window.add(1_000, 50, 7)
    expect(window.volumeLots(1_000 + windowMs - 1)).toBe(7n)
    expect(window.volumeLots(1_000 + windowMs)).toBe(0n)
  })

  test('the price of 24 hours ago is the last one at that moment, or else the first since', () => {
    const window = new TickerWindow()
    window.add(1 * hourMs, 50, 1)
    window.add(2 * hourMs, 60, 1)
    expect(window.priceTicks(3 * hourMs)).toBe(50)
    expect(window.priceTicks(25 * hourMs)).toBe(50)
    expect(window.priceTicks(26 * hourMs)).toBe(60)
    window.add(30 * hourMs, 70, 1)
    expect(window.priceTicks(53 * hourMs)).toBe(60)
    expect(window.priceTicks(54 * hourMs)).toBe(70)
  })

  test('agrees with a look at every trade', () => {
    const trade = fc.record({
      waitMs: fc.integer({ min: 0, max: 9 * hourMs }),
      ticks: fc.integer({ min: 1, max: 99 }),
      lots: fc.integer({ min: 1, max: 99 }),
    })
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 30 * hourMs }),
        (trades, laterMs) => {
          const window = new TickerWindow()
          let atMs = 0
          const all = trades.map(({ waitMs, ticks, lots }) => {
            atMs += waitMs
            window.add(atMs, ticks, lots)
            return { atMs, ticks, lots }
          })
          const nowMs = atMs + laterMs
          const inside = all.filter((one) => one.atMs > nowMs - windowMs)
          const before = all.filter((one) => one.atMs <= nowMs - windowMs)
          expect(window.volumeLots(nowMs)).toBe(BigInt(inside.reduce((sum, { lots }) => sum + lots, 0)))
          expect(window.priceTicks(nowMs)).toBe((before.at(-1) ?? inside[0])?.ticks)
          expect(window.lastTicks).toBe(all.at(-1)?.ticks)
        },
      ),
    )
  })
})

describe('on a busy day', () => {
  test('memory is bounded, the volume stays exact and the edge is exact to the minute', () => {
    const window = new TickerWindow(undefined, 2_000)
    const stepMs = 2_000
    for (let atMs = 0; atMs <= 3 * windowMs; atMs += stepMs) window.add(atMs, 1 + (atMs % 97), 1)
    expect(window.state().entries.length).toBeLessThanOrEqual(2_000)
    const perMinute = 60_000 / stepMs
    const expected = windowMs / stepMs
    expect(Number(window.volumeLots(3 * windowMs))).toBeGreaterThanOrEqual(expected - perMinute)
    expect(Number(window.volumeLots(3 * windowMs))).toBeLessThanOrEqual(expected + perMinute)
  })

  test("a window made from another's state is the same", () => {
    const window = new TickerWindow(undefined, 50)
    for (let index = 0; index < 500; index++) window.add(index * 400_000, 1 + (index % 13), 1 + (index % 7))
    const copy = new TickerWindow(window.state(), 50)
    for (const laterMs of [0, 400_000, 40_000_000, windowMs])
      expect([copy.volumeLots(200_000_000 + laterMs), copy.priceTicks(200_000_000 + laterMs), copy.lastTicks]).toEqual([
        window.volumeLots(200_000_000 + laterMs),
        window.priceTicks(200_000_000 + laterMs),
        window.lastTicks,
      ])
  })
})
