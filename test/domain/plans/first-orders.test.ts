import { expect, test } from 'vitest'
import { defaultLimits } from '../../../src/domain/limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { CheckContext } from '../../../src/domain/orders/checks/pre-trade.ts'
import { alikePlanChecks, begunMeanwhile, firstOrderChecks } from '../../../src/domain/plans/first-orders.ts'
import { begunPlan, type Plan } from '../../../src/domain/plans/plan.ts'
import { type PlanTerms, slicesOf } from '../../../src/domain/plans/terms.ts'
import { World } from '../../services/plans/scene.ts'

const d = (text: string) => new Decimal(text)
const none = { soft: null, hard: null }

/** Buys 0.1 BTC in five orders from 63,900 down: some 6,370 USD in all. */
function aScale(world: World): PlanTerms {
  const asked = { side: 'BUY', quantity: d('0.1'), fromPrice: d('63900'), toPrice: d('63500'), count: 5 } as const
  const slices = slicesOf(asked, world.instrument())
  if (!slices.ok) throw new Error(slices.error)
  return { kind: 'scale', symbol: 'BTC-USD', side: 'BUY', quantity: d('0.1'), slices: slices.value, postOnly: false }
}

/** The rules that block a scale under limits; of an account with the two orders that the world keeps. */
function blocksOf(limits: Partial<CheckContext['limits']>): string[] {
  const world = new World()
  const context = world.context(new Map(), null)
  const unlimited = { ...defaultLimits.practice, orderNotionalUsd: none, dayNotionalUsd: none, openOrders: none }
  const price = { kind: 'known', price: d('64000'), last: null } as const
  const facts = { nowMs: 0, instrument: world.instrument(), price, blindMs: 0, hasBudget: true, judge: () => null }
  const checks = firstOrderChecks(aScale(world), facts, { ...context, limits: { ...unlimited, ...limits } })
  return checks.flatMap(({ level, rule, text }) => (level === 'block' ? [`${rule}: ${text}`] : []))
}

test('all orders of a scale count against the limit of open orders', () => {
  expect(blocksOf({ openOrders: { soft: null, hard: 7 } })).toEqual([])
  expect(blocksOf({ openOrders: { soft: null, hard: 6 } })).toEqual([
    'openOrders: 7 open orders with this one are over the hard limit 6',
  ])
})

test('the sum of a scale counts against the limits of an order and of a day', () => {
  const usd = (amount: string) => ({ soft: null, hard: d(amount) })
  // The orders that the world keeps count in the day: 89,820,000 USD.
  expect(blocksOf({ orderNotionalUsd: usd('7000'), dayNotionalUsd: usd('89827000') })).toEqual([])
  expect(blocksOf({ orderNotionalUsd: usd('6000') })).toEqual([expect.stringMatching(/^orderValue: /)])
  expect(blocksOf({ dayNotionalUsd: usd('89822000') })).toEqual([expect.stringMatching(/^dayValue: /)])
})

test('a plan like one that was begun a moment ago is asked about, and no other', () => {
  const world = new World()
  const open = [begunPlan('p3', aScale(world), 10_000)]
  const alike = (terms: PlanTerms, nowMs: number) => alikePlanChecks(terms, open, { nowMs, withinMs: 5_000 })
  expect(alike(aScale(world), 12_000)).toEqual([
    { rule: 'duplicate', level: 'ask', text: 'plan p3 is the same, begun 2 s ago' },
  ])
  expect(alike(aScale(world), 15_000)).toEqual([])
  expect(alike({ ...aScale(world), quantity: d('0.2') }, 12_000)).toEqual([])
})

test('a plan that has ended, began later than now, or too long ago is not like a new one; how a record orders its terms is no matter', () => {
  const world = new World()
  const terms = aScale(world)
  const alike = (change: Partial<Plan>, nowMs = 12_000) =>
    alikePlanChecks(terms, [{ ...begunPlan('p3', terms, 10_000), ...change }], { nowMs, withinMs: 5_000 }).length
  expect([alike({}), alike({}, 10_000), alike({}, 14_999), alike({}, 15_000), alike({}, 9_999)]).toEqual([
    1, 1, 1, 0, 0,
  ])
  expect(alike({ ended: { how: 'done', why: '', atMs: 11_000 } })).toBe(0)
  const recorded = Object.fromEntries(Object.entries(terms).toReversed()) as PlanTerms
  expect(alike({ terms: recorded })).toBe(1)
  const [first, ...others] = terms.kind === 'scale' ? terms.slices : []
  const reordered = { ...terms, slices: [...others, first] } as PlanTerms
  expect(alike({ terms: reordered })).toBe(0)
})

test('a plan equal to one that was begun after its check is refused, also once that has ended, and no other is', () => {
  const world = new World()
  const terms = aScale(world)
  const begun = (change: Partial<Plan> = {}) => [
    begunPlan('p8', { ...terms, quantity: d('0.2') }, 10_000),
    { ...begunPlan('p10', terms, 10_000), ...change },
  ]
  const refusal = 'plan p10 is the same, begun after this one was checked'
  expect([0, 9, 10, 11].map((after) => begunMeanwhile(terms, begun(), after))).toEqual([refusal, refusal, null, null])
  expect(begunMeanwhile(terms, begun({ ended: { how: 'done', why: '', atMs: 11_000 } }), 9)).toBe(refusal)
  expect(begunMeanwhile({ ...terms, quantity: d('0.3') }, begun(), 0)).toBeNull()
})
