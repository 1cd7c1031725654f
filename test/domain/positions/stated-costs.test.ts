import { expect, test } from 'vitest'
import type { StatedCost } from '../../../src/domain/positions/position.ts'
import { changedCosts, costDay, costText, isSameCost } from '../../../src/domain/positions/stated-costs.ts'
import { amount } from '../../fakes/amounts.ts'

const cost = (quantity: string, change: Partial<StatedCost> = {}): StatedCost => ({
  ...{ currency: 'BTC', quantity: amount(quantity), usdEach: amount('60000'), atMs: Date.UTC(2026, 0, 5, 14) },
  ...change,
})
const [one, two, three] = [cost('1'), cost('2'), cost('3')]
const changed = (forget: readonly StatedCost[], state: StatedCost | null) => {
  const read = changedCosts([one, two, three], { forget, state })
  return read.ok ? read.value.map(costText) : read.error
}

test('a cost in the place of another stands where that one stood, of several where the first did', () => {
  expect(changed([], cost('9'))).toEqual([one, two, three, cost('9')].map(costText))
  expect(changed([cost('2.0')], cost('9'))).toEqual([one, cost('9'), three].map(costText))
  expect(changed([three, two], cost('9'))).toEqual([one, cost('9')].map(costText))
  expect(changed([one, three], null)).toEqual([two].map(costText))
})

test('one that is not stated any more changes nothing, not even of the others', () => {
  const costs = [one, two]
  expect(changedCosts(costs, { forget: [one, three], state: cost('9') })).toEqual({
    ok: false,
    error: '3 BTC at 60,000 USD each is no longer stated. Nothing was changed: look again.',
  })
  expect(costs).toEqual([one, two])
})

test('a cost is the same only when currency, moment, quantity and price are', () => {
  expect(isSameCost(one, cost('1.0', { usdEach: amount('60000.00') }))).toBe(true)
  const others: Partial<StatedCost>[] = [{ currency: 'ETH' }, { atMs: 0 }, { usdEach: amount('60001') }]
  for (const change of others) expect(isSameCost(one, cost('1', change))).toBe(false)
  expect(isSameCost(one, two)).toBe(false)
})

test('a cost reads with every digit, and is of a UTC day', () => {
  expect(costText(cost('0.5', { usdEach: amount('60000.125') }))).toBe('0.5 BTC at 60,000.125 USD each')
  expect(costDay(one)).toBe('2026-01-05')
})
