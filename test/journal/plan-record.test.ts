import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { type Plan, type PlanAsker, type PlanEvent, planNumber } from '../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../src/domain/plans/terms.ts'
import { planLineOf, readPlanLine, takePlanEvent } from '../../src/journal/plan-record.ts'
import { aDraft } from '../fakes/orders.ts'
import { atMs } from './scene.ts'

const d = (text: string) => new Decimal(text)
const exit = {
  stopPrice: d('63000'),
  stopLimit: d('62990'),
  targetPrice: d('66000.5'),
  nearBy: d('99'),
  backBy: d('198'),
}
const common = { symbol: 'BTC-USD', quantity: d('0.000000000000000001') }
const everyKind: PlanTerms[] = [
  { kind: 'oco', side: 'SELL', ...common, ...exit },
  { kind: 'oco', side: 'SELL', ...common, ...exit, stopLimit: null },
  { kind: 'bracket', side: 'BUY', ...common, ...exit, entryPrice: d('64000') },
  { kind: 'bracket', side: 'BUY', ...common, ...exit, entryPrice: null },
  { kind: 'trailing', side: 'SELL', ...common, trailBy: d('100'), stepBy: d('10'), stopPrice: d('63000') },
  { kind: 'trailing', side: 'SELL', ...common, trailBy: d('100'), stepBy: d('10'), stopPrice: null },
  { kind: 'scale', side: 'BUY', ...common, slices: [{ price: d('64000'), quantity: d('0.1') }], postOnly: true },
]
const [terms] = everyKind as [PlanTerms]
const by: PlanAsker = { person: 'ann', askedAs: 'x1', countedUsd: d('6400.5') }
const about = { planId: 'p12', atMs }
const ofOrder = { ...about, clientOrderId: 'c1' }

const everyEvent: PlanEvent[] = [
  ...everyKind.map((each): PlanEvent => ({ ...about, event: 'begun', terms: each })),
  { ...about, event: 'begun', terms, by },
  { ...about, event: 'begun', terms, by: { person: 'ann' } },
  { ...ofOrder, event: 'sending', role: 'stop', slice: null, draft: aDraft(), replaces: 'c0' },
  { ...ofOrder, event: 'sending', role: 'slice', slice: 3, draft: aDraft(), replaces: null },
  { ...ofOrder, event: 'canceling' },
  { ...ofOrder, event: 'notCanceled', reason: 'it is filled' },
  {
    ...{ ...ofOrder, event: 'seen', orderId: '7', standing: 'working', status: 'PART_FILLED', reason: 'listed' },
    ...{ filled: d('0.01'), quantity: d('0.1') },
  },
  {
    ...{ ...ofOrder, event: 'seen', orderId: null, standing: 'working', status: null, reason: null },
    ...{ filled: null, quantity: null },
  },
  {
    ...{
      ...ofOrder,
      event: 'seen',
      orderId: '7',
      standing: 'ended',
      status: null,
      reason: 'odd',
      isContradicted: true,
    },
    ...{ filled: null, quantity: null },
  },
  { ...about, event: 'swapped', tookMs: 0.5 },
  { ...about, event: 'edited', terms, by },
  { ...about, event: 'cancelAsked', how: 'takeBack', by },
  { ...about, event: 'cancelAsked', how: 'leave' },
  { ...about, event: 'resumed', by },
  { ...about, event: 'held', why: 'odd' },
  { ...about, event: 'said', why: 'the price is far', refused: 'x' },
  { ...about, event: 'said', why: 'the price is far', refused: null },
  ...(['done', 'canceled', 'left', 'nothing'] as const).map(
    (how): PlanEvent => ({ ...about, event: 'ended', how, why: '-' }),
  ),
]

test('a line of every kind comes back from JSON as it was, amounts exact', () => {
  for (const event of everyEvent) {
    const text = JSON.stringify(planLineOf(event))
    expect(text).toContain('"at":"2026-01-05T14:00:00.000Z"')
    expect(readPlanLine(JSON.parse(text))).toEqual(event)
  }
})

test('a line of before the mark says by its words that executions contradict a report', () => {
  const seen = { ...ofOrder, event: 'seen', orderId: '7', standing: 'ended', status: null, filled: null } as const
  const line = (reason: string) => JSON.parse(JSON.stringify(planLineOf({ ...seen, quantity: null, reason })))
  const written = line('reported as CANCELED with 0.5 of 2, while its executions come to 1')
  expect(written).not.toHaveProperty('isContradicted')
  expect(readPlanLine(written)).toMatchObject({ isContradicted: true })
  expect(readPlanLine(line('reported as CANCELED with 1 of 2, 4 open before'))).not.toHaveProperty('isContradicted')
})

test('a line that this program does not know is none', () => {
  const [line] = everyEvent.map(planLineOf)
  expect(readPlanLine(line)).toBeUndefined()
  const written = JSON.parse(JSON.stringify(line))
  expect(readPlanLine(written)).toEqual(everyEvent[0])
  for (const odd of [{ event: 'dreamt' }, { terms: { ...written.terms, kind: 'grid' } }, { at: 'soon' }, { planId: 7 }])
    expect(readPlanLine({ ...written, ...odd })).toBeUndefined()
  expect(readPlanLine(null)).toBeUndefined()
})

test('the number of a plan is what its name counts', () => {
  expect(planNumber('p12')).toBe(12)
})

test('a plan is of the person who began it, and what has no beginning makes none', () => {
  const plans = new Map<string, Plan>()
  takePlanEvent(plans, { ...about, event: 'held', why: 'odd' })
  expect(plans.size).toBe(0)
  takePlanEvent(plans, { ...about, event: 'begun', terms, by })
  takePlanEvent(plans, { ...about, event: 'held', why: 'odd' })
  takePlanEvent(plans, { ...about, planId: 'p13', event: 'begun', terms })
  expect([...plans.values()]).toMatchObject([
    { planId: 'p12', atMs, person: 'ann', terms, hold: 'odd' },
    { planId: 'p13', person: null, hold: null },
  ])
})
