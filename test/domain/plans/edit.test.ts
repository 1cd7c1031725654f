import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { editComplaint } from '../../../src/domain/plans/edit.ts'
import { begunPlan, type PlanEvent, type PlanRole, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { aDraft } from '../../fakes/orders.ts'

const d = (text: string | number) => new Decimal(text)
const legs = { stopPrice: d(95), stopLimit: null, targetPrice: d(105), nearBy: d(1), backBy: d(2) }
const common = { symbol: 'BTC-USD', quantity: d(2) }
const oco: PlanTerms = { ...common, kind: 'oco', side: 'SELL', ...legs }
const bracket: Extract<PlanTerms, { kind: 'bracket' }> = {
  ...{ ...common, kind: 'bracket', side: 'BUY', entryPrice: d(100) },
  ...legs,
}
const market = { ...bracket, entryPrice: null }
const order = (
  role: PlanRole,
  draft: Partial<OrderDraft>,
  seen: Partial<Extract<PlanEvent, { event: 'seen' }>> | null = {},
): PlanEvent[] => {
  const of = { planId: 'p1', atMs: 1, clientOrderId: role }
  const sending: PlanEvent = {
    ...{ event: 'sending', ...of, role, slice: null, replaces: null },
    draft: aDraft({ limitPrice: null, ...draft }),
  }
  const report = { orderId: 'x1', standing: 'working', status: 'OPEN', filled: d(0), quantity: null } as const
  return seen === null ? [sending] : [sending, { event: 'seen', ...of, ...report, reason: null, ...seen }]
}
const complaint = (before: PlanTerms, lines: readonly PlanEvent[], after: PlanTerms) =>
  editComplaint(lines.reduce(withPlanEvent, begunPlan('p1', before, 0)), after, anInstrument())
const entry = (filled: number, standing: 'working' | 'ended' = 'working') =>
  order('entry', { orderQuantity: d(2), limitPrice: d(100) }, { filled: d(filled), standing })

test('an edit asks for no less than has traded, and one that leaves the quantity as it is can always be', () => {
  expect(complaint(bracket, entry(1), { ...bracket, quantity: d('0.9999') })).toBe(
    '1.0000 of it has filled already: nothing was changed.',
  )
  expect(complaint(bracket, entry(1), { ...bracket, quantity: d(1) })).toBeNull()
  const out = order('stop', { orderQuantity: d(2) }, { filled: d('0.5') })
  expect(complaint(oco, out, { ...oco, quantity: d('0.4') })).toMatch(/^0\.5000 of it has filled already/)
  expect(complaint(oco, out, { ...oco, quantity: d('0.5') })).toBeNull()
  // More has filled than is asked by now: an edit to less was on its way. Stop and target go on all the same.
  const less = { ...bracket, quantity: d('0.5') }
  const higher = { ...less, stopPrice: d(96) }
  expect(complaint(less, entry(1, 'ended'), higher)).toBeNull()
  expect(complaint(less, entry(1), higher)).toBeNull()
  expect(complaint(less, entry(1), { ...higher, quantity: d('0.75') })).toMatch(/has filled already/)
})

test('an entry that has ended, or is about to be taken back, keeps its terms; what it has filled can still get another stop', () => {
  const ended = 'Its entry has ended, and keeps its price and quantity: nothing was changed.'
  for (const change of [{ quantity: d(3) }, { entryPrice: d(99) }])
    expect(complaint(bracket, entry(1, 'ended'), { ...bracket, ...change })).toBe(ended)
  const closing = [...entry(1), ...order('stop', { orderQuantity: d(1) }, { filled: d('0.5') })]
  for (const change of [{ quantity: d(3) }, { entryPrice: d(99) }])
    expect(complaint(bracket, closing, { ...bracket, ...change })).toBe(
      'An exit has filled, so the rest of its entry is being canceled: nothing was changed.',
    )
  expect(complaint(bracket, closing, { ...bracket, stopPrice: d(96) })).toBeNull()
  // One that never was at the exchange is placed with the new terms.
  const never = order('entry', {}, { orderId: null, standing: 'notPlaced', status: null, filled: null })
  expect(complaint(bracket, never, { ...bracket, quantity: d(3) })).toBeNull()
  expect(complaint(bracket, [], { ...market, quantity: d(3) })).toBeNull()
})

test('an entry at a price does not become a market order, and a market order under way cannot be changed', () => {
  expect(complaint(bracket, entry(0), market)).toBe(
    'Its entry rests at a price and cannot become a market order: cancel it and make another.',
  )
  for (const seen of [{}, null])
    expect(complaint(market, order('entry', { type: 'MARKET' }, seen), { ...market, quantity: d(3) })).toBe(
      'Its entry is a market order under way, which cannot be changed: nothing was changed.',
    )
  expect(complaint(market, order('entry', { type: 'MARKET' }), { ...market, stopPrice: d(96) })).toBeNull()
  expect(complaint(market, order('entry', { type: 'MARKET' }), bracket)).toBeNull()
})
