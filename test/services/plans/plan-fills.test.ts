import { expect, test } from 'vitest'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Plan, PlanOrder } from '../../../src/domain/plans/plan.ts'
import { PlanFills } from '../../../src/services/plans/plan-fills.ts'
import { amount } from '../../fakes/amounts.ts'
import { protectedPlan } from '../../fakes/plans.ts'

const { plan } = protectedPlan('p1', 'own-stop')
const [stop] = plan.orders
if (stop === undefined) throw new Error('the plan has no stop')
const withStop = (change: Partial<PlanOrder>): Plan => ({ ...plan, orders: [{ ...stop, ...change }] })
const canceled = withStop({ standing: 'ended', status: 'CANCELED', filled: amount('0.01') })

const fill = (execId: string, quantity: string, change: Partial<Fill> = {}): Fill => ({
  ...{ orderId: stop.orderId ?? '', tradeId: execId, execId, symbol: 'BTC-USD', side: 'SELL', price: amount('63000') },
  ...{ quantity: amount(quantity), fee: amount('0'), timestampMs: 1, ...change },
})

test('executions beyond what an order ended with are told of, those of others and of none are not', () => {
  const fills = new PlanFills([])
  const told = (...list: Fill[]) => fills.take(list, [canceled]).map((each) => each.told.toFixed())
  expect(told()).toEqual([])
  expect(told(fill('1', '0.01'))).toEqual([])
  expect(told(fill('2', '0.02', { orderId: 'another' }))).toEqual([])
  expect(told(fill('3', '0.02'))).toEqual(['0.03'])
  // Heard again it is the same one, and no news without one of its own in the list.
  expect(told(fill('3', '0.02'))).toEqual(['0.03'])
  expect(told(fill('4', '0.01', { orderId: 'another' }))).toEqual([])
  expect(fills.of('own-stop').toFixed()).toBe('0.03')
  expect(new PlanFills([]).take([fill('1', '0.05')], [withStop({ orderId: null })])).toEqual([])
})

test('what is known of an order is forgotten with its plan', () => {
  const fills = new PlanFills([])
  fills.take([fill('1', '0.03')], [canceled])
  expect([fills.isNew(stop), fills.isNew(stop)]).toEqual([true, false])
  fills.take([fill('2', '0.01')], [withStop({ clientOrderId: 'later', orderId: 'x-later' })])
  expect([fills.of('own-stop').toFixed(), fills.isNew(stop)]).toEqual(['0', true])
})

test('the first list is waited for 3 s after a start where an order had ended with a part left', () => {
  const waits = (before: Plan, afterMs = 2_999) => new PlanFills([before]).mayTellMore(before, afterMs)
  expect([waits(canceled), waits(canceled, 3_000)]).toEqual([true, false])
  expect(waits(withStop({ standing: 'ended', status: 'FILLED', filled: stop.draft.orderQuantity }))).toBe(false)
  expect(waits(withStop({ standing: 'ended', filled: null }))).toBe(false)
  expect(waits(plan)).toBe(false)
  const heard = new PlanFills([canceled])
  heard.take([], [])
  expect(heard.mayTellMore(canceled, 0)).toBe(false)
  expect(new PlanFills([]).mayTellMore(canceled, 0)).toBe(false)
})

test('an order of whose end nobody tells is told of once its executions come to all of it, whatever list comes then', () => {
  const fills = new PlanFills([])
  const all = stop.draft.orderQuantity
  const unknown = withStop({ standing: 'ended', status: null, filled: null })
  expect(fills.take([fill('1', all.minus('0.01').toFixed())], [unknown])).toEqual([])
  expect(fills.take([fill('2', '0.01')], [plan])).toEqual([])
  const told = fills.take([fill('3', '0.01', { orderId: 'another' })], [unknown])
  expect(told.map((each) => each.told.toFixed())).toEqual([all.toFixed()])
})
