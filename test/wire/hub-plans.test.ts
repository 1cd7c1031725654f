import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { isBare, type PlanNow } from '../../src/domain/plans/news.ts'
import type { Plan, PlanOrder } from '../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../src/domain/plans/terms.ts'
import {
  readHubPlans,
  readNewPlan,
  readPlanCancel,
  readPlanEdit,
  readPlanResume,
  writeHubPlans,
  writeNewPlan,
  writePlanEdit,
  writePlanResume,
} from '../../src/wire/hub-plans.ts'
import { aDraft } from '../fakes/orders.ts'
import { heldPlan, protectedPlan } from '../fakes/plans.ts'

const amounts = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => new Decimal(digits.toString()).div(new Decimal(10).pow(scale)))
const maybe = fc.option(amounts)
const common = {
  symbol: fc.constantFrom('BTC-USD', 'ETH-EUR'),
  side: fc.constantFrom('BUY', 'SELL'),
  quantity: amounts,
}
const legs = { ...common, stopPrice: amounts, stopLimit: maybe, targetPrice: amounts, nearBy: amounts, backBy: amounts }
const anyTerms: fc.Arbitrary<PlanTerms> = fc.oneof(
  fc.record({ kind: fc.constant('oco'), ...legs }),
  fc.record({ kind: fc.constant('bracket'), ...legs, entryPrice: maybe }),
  fc.record({ kind: fc.constant('trailing'), ...common, trailBy: amounts, stepBy: amounts, stopPrice: maybe }),
  fc.record({
    ...{ kind: fc.constant('scale'), ...common, postOnly: fc.boolean() },
    slices: fc.array(fc.record({ price: amounts, quantity: amounts }), { minLength: 1, maxLength: 5 }),
  }),
)
const moments = fc.integer({ min: 0, max: 4_000_000_000_000 })
const anyOrder: fc.Arbitrary<PlanOrder> = fc.record({
  clientOrderId: fc.constantFrom('c1', 'c2'),
  orderId: fc.option(fc.constant('9007199254740993')),
  role: fc.constantFrom('entry', 'stop', 'target', 'slice'),
  slice: fc.option(fc.nat(9)),
  draft: amounts.map((limitPrice) => aDraft({ limitPrice })),
  isQuantityKnown: fc.boolean(),
  standing: fc.constantFrom('sent', 'working', 'ended', 'notPlaced'),
  status: fc.constantFrom(null, 'OPEN', 'FILLED', 'REJECTED'),
  filled: maybe,
  cancelingSinceMs: fc.option(moments),
  cancelTries: fc.nat(5),
  isOwnEnd: fc.boolean(),
  reason: fc.constantFrom(null, 'no "funds"'),
  isAcknowledged: fc.boolean(),
  atMs: moments,
})
const anyPlan: fc.Arbitrary<PlanNow> = fc
  .record({
    terms: anyTerms,
    orders: fc.array(anyOrder, { maxLength: 3 }),
    person: fc.constantFrom(null, 'anna'),
    atMs: moments,
    hold: fc.constantFrom(null, 'odd'),
    cancel: fc.constantFrom(null, 'takeBack', 'leave'),
    endedAtMs: fc.option(moments),
    uncoveredSinceMs: fc.option(moments),
    bareSinceMs: fc.option(moments),
    swaps: fc.array(fc.nat(500), { maxLength: 3 }),
    refused: fc.constantFrom(null, 'no funds'),
  })
  .map(({ endedAtMs, refused, ...rest }) => {
    const why = 'Fully exited: 1'
    const ended = endedAtMs === null ? null : ({ how: 'done', why, atMs: endedAtMs } as const)
    const own = { troubles: {}, said: null, seed: null, dueSinceMs: rest.atMs }
    const plan = { planId: 'p1', ...rest, ended, ...own }
    // One that is bare always says since when.
    const bareSinceMs = plan.bareSinceMs ?? (isBare(plan) ? plan.uncoveredSinceMs : null)
    return { plan: { ...plan, bareSinceMs }, state: 'held', why, refused }
  })

test('what a hub says of its plans a desk reads, to the last digit', () => {
  fc.assert(
    fc.property(fc.array(anyPlan, { maxLength: 4 }), (plans) => {
      expect(readHubPlans(writeHubPlans({ version: '1.2', plans }))).toEqual({
        ok: true,
        value: { version: '1.2', plans },
      })
    }),
  )
  expect(readHubPlans(writeHubPlans({ version: '1.2', plans: null }))).toEqual({
    ok: true,
    value: { version: '1.2', plans: null },
  })
})

test('a hub that does not tell since when a plan is bare is read as of the time without a stop, where nothing rests', () => {
  const ofOlderHub = (plan: Plan) => {
    const written = writeHubPlans({ version: '1', plans: [{ plan, state: 'held', why: 'Held', refused: null }] })
    const read = readHubPlans(written.replace(/"bareSinceMs":"?\d+"?,/, ''))
    return read.ok ? read.value.plans?.map((now) => [now.plan.uncoveredSinceMs, now.plan.bareSinceMs]) : read.error
  }
  const { plan } = heldPlan()
  expect(ofOlderHub(plan)).toEqual([[plan.uncoveredSinceMs, plan.uncoveredSinceMs]])
  expect(ofOlderHub(protectedPlan().plan)).toEqual([[null, null]])
})

test('what a desk asks for a hub reads', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      expect(readNewPlan(writeNewPlan({ askedAs: 'a-1', terms }))).toEqual({
        ok: true,
        value: { askedAs: 'a-1', terms },
      })
      expect(readNewPlan(writeNewPlan({ askedAs: 'a-1', terms, after: 7 }))).toEqual({
        ok: true,
        value: { askedAs: 'a-1', terms, after: 7 },
      })
      expect(readPlanEdit(writePlanEdit(terms))).toEqual({ ok: true, value: { terms } })
      expect(readPlanEdit(writePlanEdit(terms, terms))).toEqual({ ok: true, value: { terms, seen: terms } })
      expect(readPlanResume(writePlanResume(terms) ?? '')).toEqual({ ok: true, value: { seen: terms } })
    }),
  )
})

const body = (fields: object, askedAs: unknown = 'a1') =>
  JSON.stringify({
    askedAs,
    terms: { kind: 'trailing', symbol: 'BTC-USD', side: 'SELL', quantity: '1', trailBy: '1', stepBy: '1', ...fields },
  })

test.each([
  [body({ kind: 'twap' }), 'must be one of'],
  [body({ quantity: true }), 'must be a number'],
  [body({ trailBy: null }), 'field "trailBy" is missing'],
  [body({ kind: 'oco', stopPrice: '1' }), 'field "targetPrice" is missing'],
  [body({ kind: 'scale' }), 'field "slices" is missing'],
  [body({ kind: 'scale', slices: [] }), 'field "slices" is missing'],
  [body({ kind: 'scale', slices: Array.from({ length: 201 }, () => ({ price: '1', quantity: '1' })) }), 'at most 200'],
  [body({}, ''), 'must be 1 to 64 letters'],
  [body({}, 'x y'), 'must be 1 to 64 letters'],
  [body({}, null), 'is missing'],
  ['{"askedAs":"a1"}', 'terms'],
  ['[]', 'must be an object'],
])('%s is not taken', (json, error) => {
  expect(readNewPlan(json)).toEqual({ ok: false, error: expect.stringContaining(error) })
})

test('how a plan ends has to be said', () => {
  expect(readPlanCancel('{"how":"leave"}')).toEqual({ ok: true, value: 'leave' })
  for (const json of ['{}', '{"how":"all"}', '']) expect(readPlanCancel(json).ok).toBe(false)
})
