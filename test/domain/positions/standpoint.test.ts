import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, exactPlus, exactProduct, exactSum, zero } from '../../../src/domain/money.ts'
import type { Position } from '../../../src/domain/positions/position.ts'
import {
  changeBetween,
  changeOf,
  nothingHeld,
  standpointOf,
  sumOfKnown,
  valuedAtOneEnd,
} from '../../../src/domain/positions/standpoint.ts'

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

const part = (quantityOfKnownCost: string, quantityOfUnknownCost: string, currency = 'BTC'): Position => ({
  ...{ currency, quantity: new Decimal(quantityOfKnownCost).plus(quantityOfUnknownCost) },
  quantityOfKnownCost: new Decimal(quantityOfKnownCost),
  quantityOfUnknownCost: new Decimal(quantityOfUnknownCost),
  ...{ costUsd: new Decimal(quantityOfKnownCost).times(100), averageCostUsd: null },
})
const at150 = () => ({ usd: new Decimal(150), source: 'test' })

test('a gain is told of what has a known cost and a price, and is unclear where either lacks', () => {
  const standing = (position: Position, markOf: Parameters<typeof standpointOf>[1] = at150) => {
    const { byCurrency, unrealizedUsd, unclearCount, worthUsd, unvalued } = standpointOf([position], markOf)
    const own = byCurrency.get(position.currency)
    const amounts = [own?.unrealizedUsd, own?.worthUsd, unrealizedUsd, worthUsd].map((each) => each?.toString() ?? '?')
    return [own?.mark?.source ?? 'no mark', own?.isUnclear, ...amounts, unclearCount, unvalued.join()]
  }
  expect(standing(part('2', '0'))).toEqual(['test', false, '100', '300', '100', '300', 0, ''])
  expect(standing(part('2', '1'))).toEqual(['test', true, '100', '450', '100', '450', 1, ''])
  expect(standing(part('0', '1'))).toEqual(['test', true, '?', '150', '?', '150', 1, ''])
  expect(standing(part('2', '0'), () => null)).toEqual(['no mark', true, '?', '?', '?', '?', 1, 'BTC'])
  // Of what is worth itself, and of nothing, there is nothing to know.
  expect(standing(part('2', '1', 'USD'))).toEqual(['no mark', false, '0', '3', '0', '3', 0, ''])
  expect(standing(part('0', '0'))).toEqual(['no mark', false, '0', '0', '0', '0', 0, ''])
})

test('a sum is of what is known; of nothing it is zero, and of unknown things alone unknown', () => {
  expect(sumOfKnown([])?.toString()).toBe('0')
  expect(sumOfKnown([null, null])).toBeNull()
  expect(sumOfKnown([null, new Decimal(2), new Decimal(3)])?.toString()).toBe('5')
  expect(changeOf(new Decimal(2), new Decimal(5))?.toString()).toBe('3')
  expect([changeOf(null, zero), changeOf(zero, null)]).toEqual([null, null])
  const { byCurrency, unrealizedUsd, unclearCount, worthUsd, unvalued } = nothingHeld
  expect([byCurrency.size, unrealizedUsd?.toString(), unclearCount, worthUsd?.toString(), unvalued]).toEqual([
    ...[0, '0', 0, '0', []],
  ])
})

test('dollars and what is used up do not make a sum known of which nothing is', () => {
  const standing = standpointOf([part('3', '0', 'USD'), part('2', '0'), part('0', '0', 'ETH')], () => null)
  expect([standing.unrealizedUsd, standing.worthUsd?.toString()]).toEqual([null, '3'])
  const coins = standpointOf([part('2', '0'), part('0', '0', 'ETH')], () => null)
  expect([coins.unrealizedUsd, coins.worthUsd]).toEqual([null, null])
})

test('what has a price at one end only is named in order', () => {
  const at = (...unvalued: string[]) => ({ ...nothingHeld, unvalued })
  expect(valuedAtOneEnd(at('ETH', 'BTC'), at('DOGE', 'BTC', 'ADA'))).toEqual(['ADA', 'DOGE', 'ETH'])
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
