import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { CancelOutcome, OrderOutcome } from '../../../src/domain/orders/order-outcome.ts'
import type { PlanStep } from '../../../src/domain/plans/next-step.ts'
import { begunPlan, type PlanEvent, type PlanOrder, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import type { NotSent } from '../../../src/domain/write-outcome.ts'
import { takeStep } from '../../../src/services/plans/plan-steps.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const d = (text: string | number) => new Decimal(text)
const whole = aDraft({ orderQuantity: d(2), stopPrice: d(95), limitPrice: null })
/** The stop as the plan wrote it down: reports of its end are held against that. */
const was = { clientOrderId: 's1', symbol: 'BTC-USD', side: whole.side, limitPrice: null, orderQuantity: d(2) }
const rest = { ...whole, orderQuantity: d('1.5') }
const found = anOrder({ clientOrderId: 'new', orderId: '8' })
type Outcome = OrderOutcome | CancelOutcome | NotSent
const notSent: NotSent = { kind: 'notSent', reason: 'a limit' }
const rejected: Outcome = { kind: 'rejected', clientOrderId: 'new', reason: 'too small' }
// Nothing here asks why no answer came.
const unknownCause = { cause: null as never }

/** A plan whose stop `s1` rests, and what one step of it did, in the order in which it happened. */
async function stepped(
  step: (order: PlanOrder) => PlanStep,
  outcome: Outcome,
  change: { disk?: boolean; order?: Partial<PlanOrder>; now?: Partial<PlanOrder> | null } = {},
) {
  const about = { planId: 'p1', atMs: 0, clientOrderId: 's1' }
  const legs = { stopLimit: null, stopPrice: d(95), targetPrice: d(105), nearBy: d(1), backBy: d(2) }
  const terms: PlanTerms = { kind: 'oco', side: 'SELL', symbol: 'BTC-USD', quantity: d(2), ...legs }
  const seen = { standing: 'working', status: 'OPEN', filled: d('0.5'), quantity: null, reason: null } as const
  const before: PlanEvent[] = [
    { event: 'sending', ...about, role: 'stop', slice: null, draft: whole, replaces: null },
    { event: 'seen', ...about, orderId: '7', ...seen },
  ]
  const plan = before.reduce(withPlanEvent, begunPlan('p1', terms, 0))
  const [rests] = plan.orders
  if (rests === undefined) throw new Error('no order')
  const clock = new FakeClock(5_000)
  const done: unknown[] = []
  const lines: PlanEvent[] = []
  const called = async (...call: unknown[]) => {
    done.push(call)
    await clock.sleep(0)
    clock.standStill(40)
    return outcome
  }
  const now = change.now === undefined ? { standing: 'sent' as const } : change.now
  const isDone = await takeStep(plan, step({ ...rests, ...change.order }), {
    orders: {
      submit: (async (...call: unknown[]) => called('submit', ...call)) as never,
      cancel: (async (...call: unknown[]) => called('cancel', ...call)) as never,
      move: (async (...call: unknown[]) => called('move', ...call)) as never,
    },
    clock,
    clientOrderId: 'new',
    async keep(event) {
      done.push(['keep', event.event])
      lines.push(event)
      return change.disk ?? true
    },
    learn(event) {
      done.push(['learn', event.event])
      lines.push(event)
    },
    report: (order, quantity) => done.push(['report', order.orderId, quantity]),
    answered: (id) => done.push(['answered', id]),
    besides: ['b1'],
    orderNow: () => (now === null ? null : { ...rests, orderId: null, ...now }),
  })
  return { isDone, done, lines, last: lines.at(-1) }
}

const placing = (): PlanStep => ({ do: 'place', role: 'stop', slice: 3, draft: whole })
const canceling = (order: PlanOrder): PlanStep => ({ do: 'cancel', order })
const replacing = (order: PlanOrder): PlanStep => ({
  ...{ do: 'replace', order, role: 'target', draft: whole, rest, isSwap: true },
})
const accepted: Outcome = { kind: 'accepted', order: found }

test('what the disk does not take is not sent, whatever the step', async () => {
  for (const step of [placing, canceling, replacing]) {
    const { isDone, done } = await stepped(step, accepted, { disk: false })
    expect(isDone).toBe(false)
    expect(done).toHaveLength(1)
  }
})

test('an order without an id of the exchange is neither canceled nor replaced', async () => {
  for (const step of [canceling, replacing])
    expect(await stepped(step, accepted, { order: { orderId: null } })).toMatchObject({ isDone: false, done: [] })
})

test('an order is on the record with its id before it leaves, and its report counts after', async () => {
  const { isDone, done, lines } = await stepped(placing, accepted)
  expect(isDone).toBe(true)
  expect(done).toEqual([
    ['keep', 'sending'],
    ['submit', whole, { clientOrderId: 'new', besides: ['b1'] }],
    ['report', '8', null],
  ])
  expect(lines).toEqual([
    {
      ...{ event: 'sending', planId: 'p1', atMs: 5_000, clientOrderId: 'new', role: 'stop', slice: 3 },
      ...{ draft: whole, replaces: null },
    },
  ])
})

test('an order that was not placed is told apart: refused by the exchange, or never sent; without an answer it stays open', async () => {
  const of = { event: 'seen', planId: 'p1', atMs: 5_040, clientOrderId: 'new', standing: 'notPlaced', orderId: null }
  expect((await stepped(placing, rejected)).last).toEqual({
    ...{ ...of, status: 'REJECTED', filled: null, quantity: null, reason: 'too small' },
  })
  expect((await stepped(placing, notSent)).last).toEqual({
    ...{ ...of, status: null, filled: null, quantity: null, reason: 'a limit' },
  })
  const unknown: Outcome = { kind: 'unknown', clientOrderId: 'new', reason: 'reset', ...unknownCause }
  expect((await stepped(placing, unknown)).lines).toHaveLength(1)
  // A report that came meanwhile knows better.
  expect((await stepped(placing, rejected, { now: { standing: 'working' } })).lines).toHaveLength(1)
  expect((await stepped(placing, rejected, { now: { standing: 'sent', orderId: '8' } })).lines).toHaveLength(1)
  expect((await stepped(placing, rejected, { now: null })).lines).toHaveLength(1)
})

const canceled: Outcome = { kind: 'canceled', orderId: '7', order: anOrder({ orderId: '7' }), isOwn: true }
const ended: Outcome = { kind: 'ended', orderId: '7', order: anOrder({ orderId: '7' }) }
const refused: Outcome = { kind: 'refused', orderId: '7', reason: 'not now' }

test('a cancel is on the record before it leaves; its end counts, its refusal only where no other is under way', async () => {
  const { isDone, done } = await stepped(canceling, canceled)
  expect(isDone).toBe(true)
  expect(done).toEqual([
    ['keep', 'canceling'],
    ['cancel', '7', { was }],
    ['report', '7', null],
  ])
  expect((await stepped(canceling, ended)).done.at(-1)).toEqual(['report', '7', null])
  const asked = { now: { cancelingSinceMs: 5_000 } }
  for (const outcome of [refused, notSent])
    expect((await stepped(canceling, outcome, asked)).last).toEqual({
      ...{ event: 'notCanceled', planId: 'p1', atMs: 5_040, clientOrderId: 's1', reason: outcome.reason },
    })
  // It was seen to end meanwhile, or is no open plan's any more.
  expect((await stepped(canceling, refused, { now: null })).lines).toHaveLength(1)
  expect((await stepped(canceling, refused, { now: { cancelingSinceMs: null } })).lines).toHaveLength(1)
  const unknown: Outcome = { kind: 'unknown', orderId: '7', reason: 'reset', ...unknownCause }
  expect((await stepped(canceling, unknown, asked)).lines).toHaveLength(1)
  // The one before it may still arrive.
  const again = { order: { cancelingSinceMs: 1 }, ...asked }
  expect((await stepped(canceling, refused, again)).lines).toHaveLength(1)
  expect((await stepped(canceling, canceled, again)).done.at(-1)).toEqual(['report', '7', null])
  expect((await stepped(canceling, ended, again)).done.at(-1)).toEqual(['report', '7', null])
})

test('one leg in the place of the other: on the record as both, sent once, and told how long neither was certain', async () => {
  const { isDone, done, lines } = await stepped(replacing, accepted)
  expect(isDone).toBe(true)
  expect(done).toEqual([
    ['keep', 'sending'],
    ['move', { orderId: '7', was, whole, rest, fromStop: d(95) }, { clientOrderId: 'new', besides: ['b1'] }],
    ['report', '8', null],
    ['learn', 'swapped'],
  ])
  expect(lines).toEqual([
    {
      ...{ event: 'sending', planId: 'p1', atMs: 5_000, clientOrderId: 'new', role: 'target', slice: null },
      ...{ draft: rest, replaces: 's1' },
    },
    { event: 'swapped', planId: 'p1', atMs: 5_040, tookMs: 40 },
  ])
  const moving = (order: PlanOrder): PlanStep => ({ ...replacing(order), isSwap: false }) as PlanStep
  expect((await stepped(moving, accepted)).lines).toHaveLength(1)
})

test('a swap that went wrong half-way says which half: nothing is forgotten, and nothing taken for certain', async () => {
  const now = { standing: 'sent' as const, cancelingSinceMs: 5_000 }
  const seen = async (outcome: Outcome) =>
    (await stepped(replacing, outcome, { now })).done.slice(2).map((each) => (each as unknown[]).slice(0, 2))
  expect(await seen(rejected)).toEqual([['learn', 'seen']])
  expect((await stepped(replacing, rejected, { now })).last).toMatchObject({ status: 'REJECTED', reason: 'too small' })
  expect(await seen(notSent)).toEqual([
    ['learn', 'seen'],
    ['answered', 's1'],
  ])
  expect((await stepped(replacing, notSent, { now })).last).toMatchObject({ status: null, reason: 'a limit' })
  // Of the new order nothing is known.
  expect(await seen({ kind: 'unknown', clientOrderId: 'new', reason: 'reset', ...unknownCause })).toEqual([])
  // Of the cancel nothing is known: the new order never left.
  const half: Outcome = { kind: 'unknown', orderId: '7', reason: 'reset', ...unknownCause }
  expect(await seen(half)).toEqual([['learn', 'seen']])
  expect((await stepped(replacing, half, { now })).last).toMatchObject({ status: null, reason: 'reset' })
  expect(await seen(refused)).toEqual([
    ['learn', 'seen'],
    ['learn', 'notCanceled'],
  ])
  expect((await stepped(replacing, refused, { now })).lines[1]).toMatchObject({ reason: 'not now', status: null })
  expect(await seen(ended)).toEqual([
    ['learn', 'seen'],
    ['report', '7'],
  ])
  expect((await stepped(replacing, ended, { now })).last).toMatchObject({ reason: 'the order had ended' })
})
