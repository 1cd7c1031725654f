import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, exactPlus, exactProduct, exactSum, zero } from '../../../src/domain/money.ts'
import type { Position } from '../../../src/domain/positions/position.ts'
import { changeBetween, standpointOf } from '../../../src/domain/positions/standpoint.ts'

type Held = { currency: string; units: number; usd: number | null }

const standing = (held: readonly Held[]) =>
  standpointOf(
    held.map(({ currency, units }): Position => {
      const quantity = new Decimal(units)
      const cost = { costUsd: quantity, averageCostUsd: new Decimal(1) }
      return { currency, quantity, quantityOfKnownCost: quantity, quantityOfUnknownCost: zero, ...cost }
    }),
    (currency) => {
      const usd = held.find((each) => each.currency === currency)?.usd ?? null
      return usd === null ? null : { usd: new Decimal(usd), source: 'test' }
    },
  )

test('a price that came since is no gain, and one that went no loss: the change is unknown', () => {
  const before = standing([
    { currency: 'USD', units: 100, usd: null },
    { currency: 'BTC', units: 2, usd: null },
    { currency: 'ETH', units: 1, usd: 30 },
  ])
  const after = standing([
    { currency: 'USD', units: 90, usd: null },
    { currency: 'BTC', units: 2, usd: 500 },
    { currency: 'ETH', units: 1, usd: null },
  ])
  for (const of of ['worthUsd', 'unrealizedUsd'] as const) {
    expect(before[of]).not.toBeNull()
    expect([changeBetween(before, after, of), changeBetween(after, before, of)]).toEqual([null, null])
  }
  expect(before.unvalued.length).toBe(after.unvalued.length)
})

const priced = fc.option(fc.integer({ min: 1, max: 9 }), { nil: null })
const holdings = fc.tuple(
  ...['BTC', 'DOGE', 'ETH', 'USD'].map((currency) =>
    fc.record({ currency: fc.constant(currency), units: fc.integer({ min: 0, max: 3 }), usd: priced }),
  ),
)

test('a change that is told is that of the same currencies, whatever is held and has a price', () => {
  let told = 0
  fc.assert(
    fc.property(holdings, holdings, (before, after) => {
      const lacking = (held: readonly Held[]) =>
        held.flatMap(({ currency, units, usd }) => (currency !== 'USD' && units > 0 && usd === null ? [currency] : []))
      const change = changeBetween(standing(before), standing(after), 'worthUsd')
      if (lacking(before).join() !== lacking(after).join()) expect(change).toBeNull()
      if (change === null) return
      told += 1
      const worth = (held: readonly Held[]) =>
        exactSum(
          held
            .filter(({ currency }) => !lacking(before).includes(currency))
            .map(({ currency, units, usd }) =>
              exactProduct(new Decimal(units), new Decimal(currency === 'USD' ? 1 : (usd ?? 0))),
            ),
        )
      expect(change.toFixed()).toBe(exactPlus(worth(after), worth(before).neg()).toFixed())
    }),
    { numRuns: 500 },
  )
  expect(told).toBeGreaterThan(20)
})
