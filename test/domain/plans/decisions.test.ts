import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { type PlanFacts, recordFacts } from '../../../src/domain/plans/facts.ts'
import { alignLegs, pauseAfter, placeLeg, viewOf } from '../../../src/domain/plans/next-step.ts'
import { begunPlan, type PlanEvent, type PlanRole, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import { decide } from '../../../src/domain/plans/plan-table.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { aDraft } from '../../fakes/orders.ts'

const d = (text: string | number) => new Decimal(text)
const instrument = anInstrument()
const begunMs = 1_000_000
const now = begunMs + 600_000
const legs = { stopPrice: d(95), stopLimit: null, targetPrice: d(105), nearBy: d(1), backBy: d(2) }
const common = { symbol: 'BTC-USD', quantity: d(2) }
const oco: PlanTerms = { ...common, kind: 'oco', side: 'SELL', ...legs }
const bracket: PlanTerms = { ...common, kind: 'bracket', side: 'BUY', entryPrice: d(100), ...legs }
const trailing: PlanTerms = { ...common, kind: 'trailing', side: 'SELL', stopPrice: null, trailBy: d(3), stepBy: d(1) }
const scale: PlanTerms = {
  ...{ ...common, kind: 'scale', side: 'BUY', postOnly: true },
  slices: [
    { price: d(99), quantity: d(1) },
    { price: d(98), quantity: d(1) },
  ],
}

type Line = (atMs?: number) => PlanEvent
const about = (atMs: number) => ({ planId: 'p1', atMs })
const sending =
  (
    clientOrderId: string,
    role: PlanRole,
    draft: Partial<OrderDraft>,
    more: { slice?: number; replaces?: string } = {},
  ) =>
  (atMs = begunMs): PlanEvent => ({
    ...{ event: 'sending', ...about(atMs), clientOrderId, role, draft: aDraft({ limitPrice: null, ...draft }) },
    ...{ slice: more.slice ?? null, replaces: more.replaces ?? null },
  })
type Seen = Partial<Extract<PlanEvent, { event: 'seen' }>>
const seen =
  (clientOrderId: string, more: Seen = {}) =>
  (atMs = begunMs): PlanEvent => ({
    ...{ event: 'seen', ...about(atMs), clientOrderId, orderId: `x${clientOrderId}`, standing: 'working' },
    ...{ status: 'OPEN', filled: d(0), quantity: null, reason: null },
    ...more,
  })
const canceling =
  (clientOrderId: string) =>
  (atMs = begunMs): PlanEvent => ({ event: 'canceling', ...about(atMs), clientOrderId })
const notCanceled =
  (clientOrderId: string, reason = 'not now') =>
  (atMs = begunMs): PlanEvent => ({ event: 'notCanceled', ...about(atMs), clientOrderId, reason })
const cancelAsked =
  (how: 'takeBack' | 'leave') =>
  (atMs = begunMs): PlanEvent => ({ event: 'cancelAsked', ...about(atMs), how })

const planOf = (terms: PlanTerms, ...lines: readonly Line[]) =>
  lines.reduce((plan, line) => withPlanEvent(plan, line()), begunPlan('p1', terms, begunMs))
const factsOf = (change: Partial<PlanFacts> & { at?: number } = {}): PlanFacts => {
  const { at = 100, ...more } = change
  return {
    ...{ nowMs: now, instrument, price: { kind: 'known', price: d(at), last: d(at) }, blindMs: 0, hasBudget: true },
    judge: () => null,
    ...more,
  }
}
const blind = (blindMs: number): Partial<PlanFacts> => ({
  ...{ price: { kind: 'unknown', why: 'nobody says', sinceMs: 0 }, blindMs },
})
/** The moment in which the plan is asked for. */
const atOnce = { nowMs: begunMs }
/** What a plan of these lines does next. */
const next = (terms: PlanTerms, lines: readonly Line[], change: Parameters<typeof factsOf>[0] = {}) =>
  decide(planOf(terms, ...lines), factsOf(change))

const stopAt = (quantity: number, stopPrice = 95, id = 's1') => [
  sending(id, 'stop', { side: 'SELL', type: 'STOP', orderQuantity: d(quantity), stopPrice: d(stopPrice) }),
  seen(id, { status: 'PENDING' }),
]
const targetAt = (quantity: number, id = 't1') => [
  sending(id, 'target', { side: 'SELL', orderQuantity: d(quantity), limitPrice: d(105) }),
  seen(id),
]
const entryAt = (filled: number, more: Seen = {}) => [
  sending('e1', 'entry', { orderQuantity: d(2), limitPrice: d(100) }),
  seen('e1', { filled: d(filled), ...more }),
]

test('an OCO places its stop for all there is, or its target where the price is near it', () => {
  const stop = next(oco, [])
  expect(stop).toEqual({
    ...{ state: 'unprotected', kind: 'step', why: 'Places the stop for 2.0000' },
    step: {
      ...{ do: 'place', role: 'stop', slice: null },
      draft: {
        ...{ symbol: 'BTC-USD', side: 'SELL', type: 'STOP', orderQuantity: d(2), limitPrice: null, stopPrice: d(95) },
        ...{ timeInForce: 'GTC', expireDate: null, minQuantity: null, postOnly: false },
      },
    },
  })
  expect(next({ ...oco, stopLimit: d(94) }, [])).toMatchObject({
    step: { draft: { type: 'STOPLIMIT', stopPrice: d(95), limitPrice: d(94) } },
  })
  expect(next(oco, [], { at: 104 })).toMatchObject({
    ...{ why: 'Places the target for 2.0000' },
    step: { role: 'target', draft: { type: 'LIMIT', side: 'SELL', limitPrice: d(105), stopPrice: null } },
  })
})

test('where the target is refused the stop goes instead; where that is refused too it is told, with when to look again', () => {
  const refusing = (roles: readonly string[]) => ({
    judge: ({ stopPrice }: OrderDraft) => (roles.includes(stopPrice === null ? 'target' : 'stop') ? 'too far' : null),
  })
  expect(next(oco, [], { at: 104, ...refusing(['target']) })).toMatchObject({ step: { role: 'stop' } })
  expect(next(oco, [], refusing(['stop']))).toEqual({
    ...{ state: 'unprotected', kind: 'wait', refused: 'too far' },
    why: 'Not protected: the stop for 2.0000 cannot be placed: too far',
  })
  const placed = [
    sending('s1', 'stop', { stopPrice: d(95), orderQuantity: d(2) }),
    seen('s1', { standing: 'notPlaced', status: null, filled: null, reason: 'it never left', orderId: null }),
  ]
  expect(next(oco, placed, { nowMs: begunMs + 1_999 })).toEqual({
    ...{ state: 'unprotected', kind: 'wait', refused: 'it never left', untilMs: begunMs + 2_000 },
    why: 'Not protected: the stop for 2.0000 cannot be placed: it never left',
  })
  expect(next(oco, placed, { nowMs: begunMs + 2_000 })).toMatchObject({ kind: 'step' })
})

test('without the rules of the symbol nothing is placed', () => {
  expect(next(oco, [], { instrument: null })).toEqual({
    ...{ state: 'unprotected', kind: 'wait', why: 'Not protected: the rules of the symbol are not loaded' },
  })
})

test('the stop gives way to the target near it, and comes back when the price is away or nobody knows it', () => {
  const far = next(oco, stopAt(2))
  expect(far).toEqual({
    ...{
      state: 'protected',
      kind: 'wait',
      why: 'The stop rests at 95.00; at 104.00 the target at 105.00 takes its place',
    },
  })
  const near = next(oco, stopAt(2), { at: 104.5 })
  expect(near).toMatchObject({
    ...{ state: 'protected', why: 'The price at 104.50 is near the target' },
    step: {
      do: 'replace',
      role: 'target',
      isSwap: true,
      order: { clientOrderId: 's1' },
      draft: { limitPrice: d(105) },
    },
  })
  const rests = next(oco, targetAt(2), { at: 104 })
  expect(rests).toEqual({ state: 'atTarget', kind: 'wait', why: 'The target rests at 105.00, no stop' })
  expect(next(oco, targetAt(2), { at: 103 })).toMatchObject({
    ...{ why: 'The price at 103.00 is away from the target' },
    step: { do: 'replace', role: 'stop', isSwap: true, draft: { stopPrice: d(95), orderQuantity: d(2) } },
  })
  expect(next(oco, targetAt(2), blind(9_999))).toMatchObject({ kind: 'wait', state: 'atTarget' })
  expect(next(oco, targetAt(2), blind(10_000))).toMatchObject({
    ...{ why: 'The price is unknown: nobody says', step: { role: 'stop', isSwap: true } },
  })
  expect(next(oco, stopAt(2), blind(0))).toMatchObject({ state: 'protected', kind: 'wait' })
})

test('what earns keeps its pace and its share of the calls; what protects does not wait for either', () => {
  const swap = (nowMs: number, hasBudget = true) => next(oco, stopAt(2), { at: 104.5, nowMs, hasBudget })
  expect(swap(begunMs + 4_999)).toEqual({
    ...{ state: 'protected', kind: 'wait', untilMs: begunMs + 5_000 },
    why: 'The price at 104.50 is near the target; moves every 5 s at most',
  })
  expect(swap(begunMs + 5_000)).toMatchObject({ kind: 'step' })
  // A clock that was set back keeps nothing waiting.
  expect(swap(begunMs - 1)).toMatchObject({ kind: 'step' })
  expect(swap(now, false)).toMatchObject({
    ...{ kind: 'wait', why: 'The price at 104.50 is near the target; waits for the call budget' },
  })
  const back = next(oco, targetAt(2), { at: 100, nowMs: begunMs + 1, hasBudget: false })
  expect(back).toMatchObject({ kind: 'step', step: { role: 'stop' } })
})

test('a swap that a check refuses leaves what rests, and says why; one that was refused waits, longer each time', () => {
  const swap = (lines: readonly Line[], change: Partial<PlanFacts> = {}) =>
    next(oco, [...stopAt(2), ...lines], { at: 104.5, ...change })
  expect(swap([], { judge: (_draft, insteadOf) => (insteadOf === 'xs1' ? 'too large' : null) })).toMatchObject({
    kind: 'wait',
    ...{ why: 'The price at 104.50 is near the target, but the stop xs1 stays: too large', refused: 'too large' },
  })
  const refusedAt = begunMs + 20_000
  const refused = [() => notCanceled('s1')(refusedAt)]
  expect(swap(refused, { nowMs: refusedAt + 1_999 })).toEqual({
    ...{ state: 'protected', kind: 'wait', refused: 'not now', untilMs: refusedAt + 2_000 },
    why: 'The price at 104.50 is near the target, later: not now',
  })
  expect(swap(refused, { nowMs: refusedAt + 2_000 })).toMatchObject({ kind: 'step' })
  const unnamed = [sending('s1', 'stop', { orderQuantity: d(2), stopPrice: d(95) }), seen('s1', { orderId: null })]
  expect(next(oco, unnamed, { at: 104.5 })).toMatchObject({ why: 'stop s1 has no id of the exchange yet' })
})

test('pauses double from two seconds to five minutes, and a clock that was set back ends them', () => {
  const until = (count: number, nowMs = 0) => pauseAfter({ reason: 'no', count, atMs: 0 }, nowMs)?.untilMs ?? null
  expect([1, 2, 3, 8, 9, 20].map((count) => until(count))).toEqual([2_000, 4_000, 8_000, 256_000, 300_000, 300_000])
  expect([until(1, 1_999), until(1, 2_000), until(1, -1)]).toEqual([2_000, null, null])
  expect(pauseAfter(undefined, 0)).toBeNull()
  expect(pauseAfter({ reason: 'no', count: 1, atMs: 5 }, 6)).toEqual({ untilMs: 2_005, reason: 'no' })
})

test('fills of the entry are protected as they come, once they are enough for an order', () => {
  expect(next(bracket, [], atOnce)).toMatchObject({
    ...{ state: 'entering', why: 'Places the entry' },
    step: {
      do: 'place',
      role: 'entry',
      draft: { side: 'BUY', type: 'LIMIT', orderQuantity: d(2), limitPrice: d(100) },
    },
  })
  expect(next({ ...bracket, entryPrice: null }, [], atOnce)).toMatchObject({
    step: { draft: { type: 'MARKET', timeInForce: 'IOC', limitPrice: null } },
  })
  expect(next(bracket, entryAt(0))).toEqual({ state: 'entering', kind: 'wait', why: 'The entry rests at 100.00' })
  expect(next(bracket, entryAt(0.0009))).toEqual({
    ...{ state: 'entering', kind: 'wait' },
    why: 'The entry rests at 100.00; 0.0009 is below the minimum and not protected',
  })
  expect(next(bracket, entryAt(0.001))).toMatchObject({
    ...{ state: 'unprotected', step: { role: 'stop', draft: { side: 'SELL', orderQuantity: d('0.001') } } },
  })
  // More is protected by an order of its own, up to four of them, and then by the newest.
  expect(next(bracket, [...entryAt(1), ...stopAt(0.5)])).toMatchObject({
    step: { do: 'place', role: 'stop', draft: { orderQuantity: d('0.5') } },
  })
  const four = ['s1', 's2', 's3', 's4'].flatMap((id) => stopAt(0.2, 95, id))
  expect(next(bracket, [...entryAt(1), ...four])).toMatchObject({
    ...{ why: '0.2000 more is to be protected' },
    step: { do: 'replace', order: { clientOrderId: 's4' }, role: 'stop', rest: { orderQuantity: d('0.4') } },
  })
  expect(next(bracket, [...entryAt(1), ...four.slice(0, 6)])).toMatchObject({ step: { do: 'place' } })
})

test('too little for an order waits while more may come, and goes to what rests once none can', () => {
  const more = [...entryAt(1.0005), ...stopAt(1)]
  expect(next(bracket, more)).toEqual({
    ...{ state: 'protected', kind: 'wait' },
    why: 'The stop rests at 95.00; at 104.00 the target at 105.00 takes its place; 0.0005 is below the minimum and not protected',
  })
  const ended = [...entryAt(1.0005, { standing: 'ended', status: 'EXPIRED' }), ...stopAt(1)]
  expect(next(bracket, ended)).toMatchObject({
    ...{ state: 'unprotected', step: { do: 'replace', rest: { orderQuantity: d('1.0005') } } },
  })
  const alone = entryAt(0.0005, { standing: 'ended', status: 'EXPIRED' })
  expect(next(bracket, alone)).toEqual({
    ...{ state: 'over', kind: 'end', how: 'done' },
    why: '0.0005 is left: below the minimum, no order can protect it',
  })
})

test('rules that change do not make too little of what was enough: a plan tries to protect it, and does not end', () => {
  const larger = { instrument: anInstrument({ minQuantity: d(1_000) }) }
  const refused = { ...larger, judge: () => 'below the minimum' }
  expect(next(oco, [], { ...larger, ...atOnce })).toMatchObject({
    state: 'unprotected',
    step: { do: 'place', role: 'stop' },
  })
  const whole = entryAt(2, { standing: 'ended', status: 'FILLED' })
  expect(next(bracket, whole, refused)).toMatchObject({
    state: 'unprotected',
    kind: 'wait',
    refused: 'below the minimum',
  })
  // A stop of 0.5 was taken once: as much is protected again.
  const again = [...stopAt(0.5), seen('s1', { standing: 'ended', status: 'EXPIRED' })]
  const part = entryAt(0.5, { standing: 'ended', status: 'EXPIRED' })
  expect(next(bracket, [...part, ...again], refused)).toMatchObject({ state: 'unprotected', kind: 'wait' })
  expect(next(bracket, part, refused)).toMatchObject({ state: 'over', kind: 'end' })
})

test('a leg is placed on the tick of now: a plan begun on a finer one does not stay bare', () => {
  const coarser = { instrument: anInstrument({ tickSize: d(1) }) }
  const finely = { stopPrice: d('95.5'), stopLimit: d('94.5'), targetPrice: d('104.5'), nearBy: d(1), backBy: d(2) }
  const sold: PlanTerms = { ...oco, ...finely }
  const bought: PlanTerms = {
    ...oco,
    side: 'BUY',
    ...finely,
    stopPrice: d('104.5'),
    stopLimit: null,
    targetPrice: d('95.5'),
  }
  const stopOf = (stopPrice: number, limitPrice: number | null) => ({
    state: 'unprotected',
    step: { do: 'place', draft: { stopPrice: d(stopPrice), limitPrice: limitPrice === null ? null : d(limitPrice) } },
  })
  // Away from the market: no stop triggers earlier than asked, and no target is worse.
  expect(next(sold, [], { ...coarser, ...atOnce })).toMatchObject(stopOf(95, 94))
  expect(next(bought, [], { ...coarser, ...atOnce })).toMatchObject(stopOf(105, null))
  expect(next(sold, [], { ...coarser, ...atOnce, at: 104 })).toMatchObject({
    step: { role: 'target', draft: { stopPrice: null, limitPrice: d(105) } },
  })
  // A tick of half the price is a slip of the rules: the price stays, and the check of the order refuses it.
  const absurd = { instrument: anInstrument({ tickSize: d(50) }) }
  expect(next(sold, [], { ...absurd, ...atOnce })).toMatchObject({ step: { draft: { stopPrice: d('95.5') } } })
})

test('what rests at a price of an earlier tick is not moved for it', () => {
  const coarser = { instrument: anInstrument({ tickSize: d(1) }) }
  const sold: PlanTerms = { ...oco, stopPrice: d('95.5') }
  // What rests is named, not what would be placed.
  const why = expect.stringMatching(/^The stop rests at 95\.50;/)
  expect(next(sold, stopAt(2, 95.5), coarser)).toMatchObject({ state: 'protected', kind: 'wait', why })
  expect(next(sold, stopAt(2, 95), coarser)).toMatchObject({ state: 'protected', kind: 'wait' })
  // The finer tick is back: so is the price that was asked for.
  expect(next(sold, stopAt(2, 95))).toMatchObject({ step: { do: 'replace', draft: { stopPrice: d('95.5') } } })
})

test('a leg has as much as lot and maximum of now allow, and what is left over is told as not protected', () => {
  const half: PlanTerms = { ...oco, quantity: d('1.5') }
  const coarser = { instrument: anInstrument({ lotSize: d(1) }) }
  expect(next(half, [], { ...coarser, ...atOnce })).toMatchObject({ step: { draft: { orderQuantity: d(1) } } })
  const refused = { ...coarser, judge: () => 'not a whole lot' }
  expect(next(half, stopAt(1), refused)).toMatchObject({
    state: 'unprotected',
    kind: 'wait',
    refused: 'not a whole lot',
  })
  const smaller = { instrument: anInstrument({ maxQuantity: d(1) }) }
  expect(next(half, [], { ...smaller, ...atOnce })).toMatchObject({ step: { draft: { orderQuantity: d(1) } } })
  expect(next(half, stopAt(1), smaller)).toMatchObject({ step: { do: 'place', draft: { orderQuantity: d('0.5') } } })
})

test('a trailing stop says when it does not follow, and why', () => {
  const why = (change: Parameters<typeof factsOf>[0]) => next(trailing, stopAt(2, 97), change).why
  expect(why({})).toBe('The stop rests at 97.00 and follows the price')
  expect(why(blind(1_000))).toBe('The stop rests at 97.00, it does not move now: nobody says')
  expect(why({ price: { kind: 'known', price: d(100), last: null } })).toBe(
    'The stop rests at 97.00, it does not move now: the last trade is not known',
  )
  expect(decide(planOf(trailing, ...stopAt(2, 97)), recordFacts(now)).why).toBe(
    'The stop rests at 97 and follows the price',
  )
})

test('an exit that fills takes back what is left of the entry; where that must wait the legs do not', () => {
  const lines = [...entryAt(1), ...stopAt(1), seen('s1', { status: 'PART_FILLED', filled: d('0.5') })]
  expect(next(bracket, lines)).toMatchObject({
    ...{ state: 'closing', why: 'An exit has filled: cancels the rest of the entry' },
    step: { do: 'cancel', order: { clientOrderId: 'e1' } },
  })
  const refused = [...lines, () => notCanceled('e1')(now - 1)]
  expect(next(bracket, refused)).toMatchObject({
    state: 'closing',
    kind: 'wait',
    why: expect.stringMatching(/^The stop/),
  })
  const filled = [...entryAt(1), ...stopAt(1), seen('s1', { standing: 'ended', status: 'FILLED', filled: d(1) })]
  expect(next(bracket, [...filled, () => notCanceled('e1')(now - 1)])).toMatchObject({
    ...{ state: 'closing', kind: 'wait', refused: 'not now', untilMs: now - 1 + 2_000 },
    why: 'An exit has filled: cancels the rest of the entry, but the cancel was refused: not now',
  })
})

test('an entry goes to the price that a person wants by now, and its legs with it', () => {
  const moved = { ...bracket, entryPrice: d(99) }
  expect(next(moved, entryAt(0))).toMatchObject({
    ...{ state: 'entering', why: 'The entry goes to its new price' },
    step: { do: 'replace', role: 'entry', isSwap: false, draft: { limitPrice: d(99), orderQuantity: d(2) } },
  })
  expect(next(moved, [...entryAt(1), ...stopAt(1)])).toMatchObject({ state: 'entering', kind: 'step' })
  expect(next({ ...oco, stopPrice: d(96) }, stopAt(2))).toMatchObject({
    ...{
      why: 'The stop goes to 96.00',
      step: { do: 'replace', role: 'stop', isSwap: false, rest: { stopPrice: d(96) } },
    },
  })
  expect(next({ ...oco, targetPrice: d(106) }, targetAt(2), { at: 105 })).toMatchObject({
    ...{ why: 'The target goes to 106.00', step: { role: 'target', rest: { limitPrice: d(106) } } },
  })
})

test('more that rests than is left is taken off the newest order, or that one whole', () => {
  const both = [...stopAt(1), ...stopAt(1.5, 95, 's2')]
  expect(next(oco, both)).toMatchObject({
    ...{ state: 'excess', why: '0.5000 more rests than is left to protect' },
    step: {
      do: 'replace',
      order: { clientOrderId: 's2' },
      rest: { orderQuantity: d(1) },
      draft: { orderQuantity: d(1) },
    },
  })
  const little = [...stopAt(2), ...stopAt(0.0015, 95, 's2')]
  expect(next(oco, little)).toMatchObject({
    ...{ state: 'excess', step: { do: 'cancel', order: { clientOrderId: 's2' } } },
  })
  const least = [...stopAt(2), ...stopAt(0.001, 95, 's2'), ...stopAt(0.001, 95, 's3')]
  expect(next(oco, least.slice(0, 4))).toMatchObject({ step: { do: 'cancel', order: { clientOrderId: 's2' } } })
})

test('a trailing stop follows the price by its steps, in its pace, and never back', () => {
  expect(next(trailing, [])).toMatchObject({ step: { role: 'stop', draft: { type: 'STOP', stopPrice: d(97) } } })
  expect(next(trailing, [], blind(0))).toMatchObject({
    ...{ kind: 'wait', why: 'Not protected: nobody says', refused: 'nobody says' },
  })
  expect(next({ ...trailing, stopPrice: d(94) }, [], blind(0))).toMatchObject({ step: { draft: { stopPrice: d(94) } } })
  const at = (price: number, change: Partial<PlanFacts> = {}) => next(trailing, stopAt(2, 97), { at: price, ...change })
  expect(at(100.5)).toEqual({ state: 'protected', kind: 'wait', why: 'The stop rests at 97.00 and follows the price' })
  expect(at(90)).toMatchObject({ kind: 'wait' })
  expect(at(101)).toMatchObject({ why: 'The stop goes to 98.00', step: { do: 'replace', rest: { stopPrice: d(98) } } })
  expect(at(101, { nowMs: begunMs + 1 })).toEqual({
    ...{ state: 'protected', kind: 'wait', why: 'moves every 5 s at most', untilMs: begunMs + 5_000 },
  })
  expect(at(101, { hasBudget: false })).toMatchObject({ kind: 'wait', why: 'waits for the call budget' })
  // What it had at the exchange counts, also where that order is gone: it never gets looser.
  const gone = [...stopAt(2, 99), canceling('s1'), seen('s1', { standing: 'ended', status: 'CANCELED' })]
  expect(next(trailing, gone)).toMatchObject({ step: { draft: { stopPrice: d(99) } } })
  const buying = { ...trailing, side: 'BUY' as const }
  expect(next(buying, [])).toMatchObject({ step: { draft: { side: 'BUY', stopPrice: d(103) } } })
  expect(next(buying, [...stopAt(1, 102), ...stopAt(1, 101, 's2')], { at: 100 })).toMatchObject({
    why: 'The stop goes to 101.00',
  })
})

test('nothing is sent while an outcome is not known, but a cancel again: after 2, 4 and 8 seconds, of what is seen to rest', () => {
  const sent = [sending('s1', 'stop', { orderQuantity: d(2), stopPrice: d(95) })]
  expect(next(oco, sent)).toEqual({
    ...{ state: 'unsettled', kind: 'wait' },
    why: 'The outcome of the stop s1 is not known: looking for it, nothing is sent until then',
  })
  const again = (tries: number, afterMs: number, more: readonly Line[] = []) =>
    next(oco, [...stopAt(2), ...Array.from({ length: tries }, () => canceling('s1')), ...more], {
      nowMs: begunMs + afterMs,
    })
  expect(again(1, 1_999)).toEqual({
    ...{ state: 'unsettled', kind: 'wait' },
    why: 'The end of the stop xs1 has not been seen: looking for it, nothing is sent until then',
  })
  expect(again(1, 2_000)).toMatchObject({
    ...{ state: 'unsettled', why: 'The end of the stop xs1 has not been seen: cancels it once more' },
    step: { do: 'cancel', order: { clientOrderId: 's1' } },
  })
  expect([again(2, 3_999).kind, again(2, 4_000).kind, again(3, 7_999).kind, again(3, 8_000).kind]).toEqual([
    ...['wait', 'step', 'wait', 'step'],
  ])
  expect(again(4, 900_000).kind).toBe('wait')
  expect(again(1, 2_000, [sending('s2', 'stop', {})])).toMatchObject({ kind: 'wait', state: 'unsettled' })
})

test('a person ends a plan: its orders are taken back, what protects last, or left where they are', () => {
  const lines = [...entryAt(1), ...stopAt(0.5), ...targetAt(0.5)]
  const taken = (done: readonly string[]) =>
    next(bracket, [
      ...[...lines, cancelAsked('takeBack')],
      ...done.flatMap((id) => [canceling(id), seen(id, { standing: 'ended', status: 'CANCELED', filled: null })]),
    ])
  expect(taken([])).toMatchObject({
    ...{ state: 'ending', why: 'Ended by a user: cancels its orders' },
    step: { do: 'cancel', order: { clientOrderId: 'e1' } },
  })
  expect(taken(['e1'])).toMatchObject({ step: { order: { clientOrderId: 't1' } } })
  expect(taken(['e1', 't1'])).toMatchObject({ step: { order: { clientOrderId: 's1' } } })
  expect(next(oco, [cancelAsked('takeBack')])).toEqual({
    ...{ state: 'ending', kind: 'end', how: 'canceled', why: 'Ended by a user; 2.0000 stays without a stop' },
  })
  expect(next(oco, [...stopAt(2), cancelAsked('leave')])).toEqual({
    ...{ state: 'ending', kind: 'end', how: 'left', why: 'Ended by a user; left at the exchange: xs1' },
  })
  expect(next(scale, [cancelAsked('leave')])).toMatchObject({ how: 'canceled', why: 'Ended by a user' })
  const refused = [...stopAt(2), cancelAsked('takeBack'), () => notCanceled('s1')(now)]
  expect(next(oco, refused)).toEqual({
    ...{ state: 'ending', kind: 'wait', refused: 'not now', untilMs: now + 2_000 },
    why: 'Ended by a user: cancels its orders, but the cancel was refused: not now',
  })
  const unnamed = [sending('s1', 'stop', {}), seen('s1', { orderId: null }), cancelAsked('takeBack')]
  expect(next(oco, unnamed)).toMatchObject({
    why: 'Ended by a user: cancels its orders, but s1 has no id of the exchange yet',
  })
})

test('what the plan did not do itself holds it, with what happened', () => {
  const held = (terms: PlanTerms, lines: readonly Line[]) => {
    const move = next(terms, lines)
    expect(move).toMatchObject({ state: 'held', kind: 'wait' })
    return move.why
  }
  const end = (id: string, more: Seen) => seen(id, { standing: 'ended', status: 'CANCELED', ...more })
  expect(held(oco, [...stopAt(2), end('s1', {})])).toBe(
    'Held: the stop xs1 was canceled or moved by hand. Resume or cancel it',
  )
  expect(held(oco, [...stopAt(2), end('s1', { reason: 'by user' })])).toBe(
    'Held: the stop xs1 was canceled or moved by hand (by user). Resume or cancel it',
  )
  expect(held(oco, [...stopAt(2), end('s1', { filled: null, reason: null })])).toBe(
    'Held: how much of the stop xs1 has filled is not known. Resume or cancel it',
  )
  expect(held(oco, [...stopAt(2), end('s1', { filled: null, reason: 'lost' })])).toBe(
    'Held: how much of the stop xs1 has filled is not known: lost. Resume or cancel it',
  )
  expect(held(oco, [...stopAt(3), seen('s1', { standing: 'ended', status: 'FILLED', filled: d(3) })])).toBe(
    'Held: its exits have filled 1.0000 more than it had. Resume or cancel it',
  )
  const slice = sending('c1', 'slice', { orderQuantity: d(1), limitPrice: d(99) }, { slice: 0 })
  const no: Seen = { standing: 'notPlaced', status: 'REJECTED', filled: null, orderId: null }
  expect(held(scale, [slice, seen('c1', { ...no, reason: 'too small' })])).toBe(
    'Held: the slice c1 was refused: too small. Resume or cancel it',
  )
  expect(held(scale, [slice, seen('c1', { ...no })])).toBe(
    'Held: the slice c1 was refused: no reason given. Resume or cancel it',
  )
  expect(held(scale, [slice, seen('c1', { standing: 'ended', status: 'EXPIRED' })])).toBe(
    'Held: the slice xc1 was EXPIRED: no reason given. Resume or cancel it',
  )
  expect(held(bracket, [sending('e1', 'entry', {}), seen('e1', { ...no, reason: 'no funds' })])).toBe(
    'Held: the entry was refused: no funds. Resume or cancel it',
  )
  expect(held(oco, [() => ({ event: 'held', planId: 'p1', atMs: now, why: 'look' })])).toBe(
    'Held: look. Resume or cancel it',
  )
})

test('a scale places its orders one after the other, waits while they rest, and says what has filled', () => {
  expect(next(scale, [], atOnce)).toMatchObject({
    ...{ state: 'working', why: 'Places the order 1 of the scale' },
    step: {
      ...{ do: 'place', role: 'slice', slice: 0 },
      draft: { side: 'BUY', type: 'LIMIT', orderQuantity: d(1), limitPrice: d(99), postOnly: true, timeInForce: 'GTC' },
    },
  })
  const first = [sending('c1', 'slice', { orderQuantity: d(1) }, { slice: 0 }), seen('c1', { filled: d('0.25') })]
  expect(next(scale, first, atOnce)).toMatchObject({ step: { slice: 1, draft: { limitPrice: d(98) } } })
  const both = [...first, sending('c2', 'slice', { orderQuantity: d(1) }, { slice: 1 }), seen('c2')]
  expect(next(scale, both)).toEqual({ state: 'working', kind: 'wait', why: '2 orders rest, 1.7500 open' })
  const filled = ['c1', 'c2'].map((id) => seen(id, { standing: 'ended', status: 'FILLED', filled: d(1) }))
  expect(next(scale, [...both, ...filled])).toEqual({
    ...{ state: 'over', kind: 'end', how: 'done', why: '2.0000 of 2.0000 filled' },
  })
  expect(next(scale, [], { ...atOnce, judge: () => 'too many' })).toEqual({
    ...{
      state: 'working',
      kind: 'wait',
      refused: 'too many',
      why: 'The order 1 of the scale cannot be placed: too many',
    },
  })
  const never = seen('c1', {
    standing: 'notPlaced',
    status: null,
    filled: null,
    orderId: null,
    reason: 'it never left',
  })
  const paused = [sending('c1', 'slice', {}, { slice: 0 }), never]
  expect(next(scale, paused, { nowMs: begunMs + 1_999 })).toEqual({
    ...{ state: 'working', kind: 'wait', refused: 'it never left', untilMs: begunMs + 2_000 },
    why: 'The order 1 of the scale was not placed: it never left',
  })
})

test('a plan ends when all has left, or nothing came, and does nothing after', () => {
  const out = [...stopAt(2), seen('s1', { standing: 'ended', status: 'FILLED', filled: d(2) })]
  expect(next(oco, out)).toEqual({ state: 'over', kind: 'end', how: 'done', why: 'Fully exited: 2.0000' })
  expect(next(bracket, entryAt(0, { standing: 'ended', status: 'EXPIRED' }))).toEqual({
    ...{ state: 'over', kind: 'end', how: 'nothing', why: 'Entry ended without a fill' },
  })
  const ended: Line = () => ({ event: 'ended', planId: 'p1', atMs: now, how: 'done', why: 'All of it has left' })
  expect(next(oco, [ended])).toEqual({ state: 'ended', kind: 'wait', why: 'All of it has left' })
})

test('a plan that buys back mirrors one that sells', () => {
  const buying: PlanTerms = { ...oco, side: 'BUY', stopPrice: d(105), targetPrice: d(95) }
  const stop = [sending('s1', 'stop', { side: 'BUY', orderQuantity: d(2), stopPrice: d(105) }), seen('s1')]
  expect(next(buying, stop)).toMatchObject({
    why: 'The stop rests at 105.00; at 96.00 the target at 95.00 takes its place',
  })
  expect(next(buying, stop, { at: 96 })).toMatchObject({
    step: { role: 'target', rest: { side: 'BUY', limitPrice: d(95) } },
  })
  const selling: PlanTerms = { ...bracket, side: 'SELL', stopPrice: d(105), targetPrice: d(95) }
  expect(next(selling, entryAt(1))).toMatchObject({ step: { role: 'stop', draft: { side: 'BUY', stopPrice: d(105) } } })
})

test('what grows keeps its kind: a little more goes to a target that rests', () => {
  const ended = [...entryAt(1.0005, { standing: 'ended', status: 'EXPIRED' }), ...targetAt(1)]
  expect(next(bracket, ended, { at: 104.5 })).toMatchObject({
    ...{ state: 'unprotected', why: '0.0005 more is to be protected' },
    step: { do: 'replace', role: 'target', isSwap: false, rest: { limitPrice: d(105), orderQuantity: d('1.0005') } },
  })
})

test('an entry at the market that has no end yet is waited for, without a price', () => {
  expect(next({ ...bracket, entryPrice: null }, entryAt(0))).toEqual({
    ...{ state: 'entering', kind: 'wait', why: 'The entry rests' },
  })
})

test('a scale of which nothing filled has done nothing', () => {
  const ended = [0, 1].flatMap((slice) => [
    sending(`c${slice}`, 'slice', { orderQuantity: d(1) }, { slice }),
    ...[seen(`c${slice}`), canceling(`c${slice}`), seen(`c${slice}`, { standing: 'ended', status: 'CANCELED' })],
  ])
  expect(next(scale, ended)).toEqual({ state: 'over', kind: 'end', how: 'nothing', why: '0.0000 of 2.0000 filled' })
})

test('a stop that never rested is no bound for the next one', () => {
  const never = [
    sending('s1', 'stop', { orderQuantity: d(2), stopPrice: d(99) }),
    seen('s1', { standing: 'notPlaced', status: null, filled: null, orderId: null, reason: 'it never left' }),
  ]
  expect(next(trailing, never)).toMatchObject({ step: { role: 'stop', draft: { stopPrice: d(97) } } })
})

test('a cancel is sent once more only of an order that the exchange has named', () => {
  const unnamed = [sending('s1', 'stop', { orderQuantity: d(2) }), seen('s1', { orderId: null }), canceling('s1')]
  expect(next(oco, unnamed)).toMatchObject({ state: 'unsettled', kind: 'wait' })
  // One that rests without a cancel is none that a cancel is sent of.
  const beside = [...stopAt(1), ...stopAt(1, 95, 's2'), canceling('s2')]
  expect(next(oco, beside)).toMatchObject({ step: { do: 'cancel', order: { clientOrderId: 's2' } } })
})

test('a trailing stop without the rules of its symbol stays where it is', () => {
  expect(next(trailing, stopAt(2, 97), { at: 110, instrument: null })).toMatchObject({
    state: 'protected',
    kind: 'wait',
  })
})

test('while nobody knows the price no stop is given up for a target, whatever rests beside it', () => {
  const mixed = [...stopAt(1), ...targetAt(1)]
  expect(next(oco, mixed, blind(9_999))).toEqual({
    ...{ state: 'atTarget', kind: 'wait', why: 'The price is unknown: nobody says; what rests stays' },
  })
  expect(next(oco, mixed, blind(10_000))).toMatchObject({
    ...{ why: 'The price is unknown: nobody says', step: { do: 'replace', role: 'stop', order: { role: 'target' } } },
  })
  expect(next(oco, mixed, { at: 104 })).toMatchObject({
    step: { do: 'replace', role: 'target', order: { role: 'stop' } },
  })
})

test('where target and stop are both refused, the pause of the target is a moment to look again', () => {
  const never = [
    sending('t1', 'target', { orderQuantity: d(2) }),
    seen('t1', { standing: 'notPlaced', status: null, filled: null, orderId: null, reason: 'it never left' }),
  ]
  const both = next(oco, never, { at: 104, nowMs: begunMs + 1_999, judge: () => 'too far' })
  expect(both).toStrictEqual({
    ...{ state: 'unprotected', kind: 'wait', refused: 'too far', untilMs: begunMs + 2_000 },
    why: 'Not protected: the stop for 2.0000 cannot be placed: too far',
  })
  expect(next(oco, never, { at: 104, nowMs: begunMs + 1_999 })).toStrictEqual({
    ...{ state: 'unprotected', kind: 'step', why: 'Places the stop for 2.0000' },
    step: expect.objectContaining({ do: 'place', role: 'stop' }),
  })
})

test('a scale has no legs that could be placed or moved', () => {
  const view = viewOf(planOf(scale), factsOf())
  const none = { kind: 'wait', why: 'Not protected: it has no stop', refused: 'it has no stop' }
  expect([placeLeg(view), alignLegs(view)]).toEqual([none, none])
})

test('a trailing stop that was never sent is not written down before the rules of the symbol are known', () => {
  expect(alignLegs(viewOf(planOf(trailing), factsOf({ instrument: null })))).toMatchObject({
    refused: 'the rules of the symbol are not loaded',
  })
})

test('an entry that moves keeps no target waiting: only legs have a pace', () => {
  const lines = [...stopAt(2), () => sending('e1', 'entry', { orderQuantity: d(2), limitPrice: d(100) })(now - 1)]
  const entered = [...lines, seen('e1', { filled: d(2), standing: 'ended', status: 'FILLED' })]
  expect(next(bracket, entered, { at: 104.5 })).toMatchObject({ kind: 'step', step: { role: 'target' } })
})

test('an order without an id of the exchange keeps what is to be done with it waiting, and is named', () => {
  const unnamed = [sending('s1', 'stop', { orderQuantity: d(2), stopPrice: d(95) }), seen('s1', { orderId: null })]
  expect(next(oco, unnamed, { at: 104.5 })).toEqual({
    ...{ state: 'protected', kind: 'wait', why: 'stop s1 has no id of the exchange yet' },
  })
  expect(next(oco, [...unnamed, cancelAsked('takeBack')])).toEqual({
    ...{ state: 'ending', kind: 'wait' },
    why: 'Ended by a user: cancels its orders, but s1 has no id of the exchange yet',
  })
  expect(next(oco, [...stopAt(2), cancelAsked('takeBack')])).toMatchObject({ kind: 'step', step: { do: 'cancel' } })
})

test('a cancel is sent once more of the order that still rests, not of one whose end was seen before it was asked for', () => {
  const lines = [
    ...[...stopAt(1), seen('s1', { standing: 'ended', status: 'FILLED', filled: d(1) }), canceling('s1')],
    ...[...stopAt(1, 95, 's2'), canceling('s2')],
  ]
  expect(next(oco, lines)).toMatchObject({ state: 'unsettled', step: { do: 'cancel', order: { clientOrderId: 's2' } } })
  // One that was only reckoned to have ended, and rests after all, has no cancel under way any more.
  const back = [
    ...[...stopAt(1), canceling('s1'), seen('s1', { standing: 'ended', status: null }), seen('s1')],
    ...[...stopAt(1, 95, 's2'), () => canceling('s2')(now - 1)],
  ]
  expect(next(oco, back)).toMatchObject({ state: 'unsettled', kind: 'wait' })
})

test('an entry that cannot go for ten seconds is held, whatever held it up: nobody asked for it at another time', () => {
  const after = (lines: readonly Line[], nowMs: number, terms: PlanTerms = bracket) => next(terms, lines, { nowMs })
  const late = (why: string) => ({ state: 'held', kind: 'wait', why: `Held: ${why}. Resume or cancel it` })
  for (const terms of [bracket, { ...bracket, entryPrice: null }]) {
    expect(after([], begunMs + 10_000, terms)).toMatchObject({ kind: 'step' })
    expect(after([], begunMs + 10_001, terms)).toEqual(late('the entry could not be placed for 10 s'))
  }
  // The clock was set back: how long it has waited is not known.
  expect(after([], begunMs - 10_001)).toMatchObject({ state: 'held' })
  const word = (event: 'resumed' | 'edited'): Line[] => [
    () => (event === 'resumed' ? { event, ...about(now) } : { event, ...about(now), terms: bracket }),
  ]
  for (const event of ['resumed', 'edited'] as const) {
    expect(after(word(event), now + 10_000)).toMatchObject({ state: 'entering', step: { role: 'entry' } })
    expect(after(word(event), now + 10_001)).toMatchObject({ state: 'held' })
  }
  // One that never got there, and of which that took long to find out, is not sent at another price.
  const never: Seen = { standing: 'notPlaced', status: null, filled: null, orderId: null, reason: 'it never left' }
  const lost = [sending('e1', 'entry', { orderQuantity: d(2) }), seen('e1', never)]
  expect(after(lost, begunMs + 10_000)).toMatchObject({ kind: 'step' })
  expect(after(lost, begunMs + 10_001)).toEqual(late('the entry could not be placed for 10 s (it never left)'))
  // What rests, or has, is not asked for any more.
  expect(after(entryAt(0), now)).toMatchObject({ state: 'entering', kind: 'wait' })
  expect(after(entryAt(1), now)).toMatchObject({ step: { role: 'stop' } })
})

test('whose end is asked for while an order is unknown cancels at once what opens, and keeps its stops until then', () => {
  const asked: Line = () => ({ event: 'cancelAsked', ...about(now), how: 'takeBack' })
  const rests = [sending('c1', 'slice', { orderQuantity: d(1) }, { slice: 0 }), seen('c1')]
  const unknown = sending('c2', 'slice', { orderQuantity: d(1) }, { slice: 1 })
  expect(next(scale, [...rests, unknown])).toMatchObject({ state: 'unsettled', kind: 'wait' })
  expect(next(scale, [...rests, unknown, asked])).toMatchObject({
    ...{ state: 'unsettled', kind: 'step', why: 'Ended by a user: cancels its orders' },
    step: { do: 'cancel', order: { clientOrderId: 'c1' } },
  })
  const left: Line = () => ({ event: 'cancelAsked', ...about(now), how: 'leave' })
  expect(next(scale, [...rests, unknown, left])).toMatchObject({ state: 'unsettled', kind: 'wait' })
  // A stop protects what the unknown order may have filled.
  const stops = [...stopAt(1), sending('t1', 'target', { orderQuantity: d(1), limitPrice: d(105) })]
  expect(next(oco, [...stops, asked])).toMatchObject({ state: 'unsettled', kind: 'wait' })
})

test('each order of a scale has its ten seconds from when the one before it rests', () => {
  const first = (atMs: number) => [
    sending('c1', 'slice', { orderQuantity: d(1) }, { slice: 0 }),
    () => seen('c1')(atMs),
    // What fills of it later is no progress of the others.
    () => seen('c1', { filled: d('0.25') })(now),
  ]
  const at = (nowMs: number) => next(scale, first(begunMs + 60_000), { nowMs })
  expect(at(begunMs + 70_000)).toMatchObject({ step: { slice: 1 } })
  expect(at(begunMs + 70_001)).toEqual({
    ...{ state: 'held', kind: 'wait' },
    why: 'Held: the next order of the scale could not be placed for 10 s. Resume or cancel it',
  })
})

test('an end without a status is told as an end', () => {
  const slice = sending('c1', 'slice', { orderQuantity: d(1), limitPrice: d(99) }, { slice: 0 })
  expect(next(scale, [slice, seen('c1', { standing: 'ended', status: null })])).toMatchObject({
    ...{ state: 'held', why: 'Held: the slice xc1 was ended: no reason given. Resume or cancel it' },
  })
})

test('a refused entry holds the plan until a person has looked; another refusal, or an end, does not', () => {
  const no: Seen = { standing: 'notPlaced', status: 'REJECTED', filled: null, orderId: null, reason: 'no funds' }
  const refused = [sending('e1', 'entry', { orderQuantity: d(2) }), seen('e1', no)]
  expect(next(bracket, refused)).toMatchObject({ state: 'held', why: expect.stringContaining('the entry was refused') })
  const resumed: Line = () => ({ event: 'resumed', ...about(now) })
  expect(next(bracket, [...refused, resumed])).toMatchObject({ state: 'entering', step: { role: 'entry' } })
  const expired = [...entryAt(1, { standing: 'ended', status: 'EXPIRED' }), sending('s1', 'stop', { stopPrice: d(95) })]
  expect(next(bracket, [...expired, seen('s1', no)])).toMatchObject({ state: 'unprotected', step: { role: 'stop' } })
})

test('an entry that the exchange took, and turned away later, is over: nothing is at risk without it', () => {
  expect(next(bracket, entryAt(0, { standing: 'ended', status: 'REJECTED', reason: 'no funds' }))).toMatchObject({
    ...{ state: 'over', kind: 'end', how: 'nothing' },
  })
})

test('what rests beyond what is left comes off a target that rests alone, and of three orders off the newest', () => {
  expect(next(oco, targetAt(3), { at: 104 })).toMatchObject({
    ...{ state: 'excess', why: '1.0000 more rests than is left to protect' },
    step: { do: 'replace', role: 'target', rest: { orderQuantity: d(2), limitPrice: d(105) } },
  })
  const three = [...stopAt(1), ...stopAt(1, 95, 's2'), ...stopAt(0.5, 95, 's3')]
  expect(next(oco, three)).toMatchObject({ state: 'excess', step: { do: 'cancel', order: { clientOrderId: 's3' } } })
})

test('a market entry that a person gives a price goes to it', () => {
  const market = [sending('e1', 'entry', { orderQuantity: d(2), type: 'MARKET' }), seen('e1')]
  expect(next({ ...bracket, entryPrice: d(99) }, market)).toMatchObject({
    ...{
      state: 'entering',
      why: 'The entry goes to its new price',
      step: { rest: { type: 'LIMIT', limitPrice: d(99) } },
    },
  })
})

test('a target goes on while the end of the entry must wait, as a stop does', () => {
  const lines = [...entryAt(1), ...targetAt(1), seen('t1', { status: 'PART_FILLED', filled: d('0.5') })]
  expect(next(bracket, [...lines, () => notCanceled('e1')(now - 1)], { at: 105 })).toEqual({
    ...{ state: 'closing', kind: 'wait', why: 'The target rests at 105.00, no stop' },
  })
})

test('each order that a plan leaves at the exchange is named', () => {
  expect(next(oco, [...stopAt(1), ...targetAt(1), cancelAsked('leave')])).toMatchObject({
    ...{ how: 'left', why: 'Ended by a user; left at the exchange: xs1, xt1' },
  })
})

test('while an entry cannot go to its new terms its legs go on; why it cannot is told, and of a leg that cannot first', () => {
  const larger = { ...bracket, quantity: d(3) }
  const lines = [...entryAt(1), ...stopAt(1)]
  const refusing = (...sides: readonly string[]): Partial<PlanFacts> => ({
    judge: ({ side }) => (sides.includes(side) ? `no ${side}` : null),
  })
  expect(next({ ...larger, stopPrice: d(96) }, lines, refusing('BUY'))).toMatchObject({
    ...{ state: 'entering', why: 'The stop goes to 96.00' },
    step: { do: 'replace', role: 'stop', order: { clientOrderId: 's1' }, rest: { orderQuantity: d(1) } },
  })
  expect(next(larger, lines, { at: 104.5, ...refusing('BUY') })).toMatchObject({
    ...{ state: 'entering', step: { do: 'replace', role: 'target', isSwap: true } },
  })
  expect(next(larger, lines, refusing('BUY'))).toEqual({
    ...{ state: 'entering', kind: 'wait', refused: 'no BUY' },
    why: 'The entry goes to its new terms, 2.0000 open, but the entry xe1 stays: no BUY',
  })
  expect(next({ ...larger, stopPrice: d(96) }, lines, refusing('BUY', 'SELL'))).toMatchObject({
    ...{ kind: 'wait', refused: 'no SELL', why: 'The stop goes to 96.00, but the stop xs1 stays: no SELL' },
  })
  expect(next(larger, entryAt(0), refusing('BUY'))).toMatchObject({ kind: 'wait', refused: 'no BUY' })
  // Where both can go, the entry does first.
  expect(next({ ...larger, stopPrice: d(96) }, lines)).toMatchObject({ kind: 'step', step: { role: 'entry' } })
})

test('an entry of which too little would rest is taken back, with what has filled, what was asked, and why', () => {
  const taken = (quantity: string | number, filled = 1) => {
    const move = next({ ...bracket, quantity: d(quantity) }, [...entryAt(filled), ...stopAt(filled)])
    expect(move).toMatchObject({ step: { do: 'cancel', order: { clientOrderId: 'e1' } } })
    return move.why
  }
  expect(taken('1.0009')).toBe('The entry has filled 1.0000, the 0.0009 left is below the minimum: cancels the rest')
  expect(taken(1)).toBe('The entry has filled 1.0000, as asked: cancels the rest')
  expect(taken('0.75')).toBe('The entry has filled 1.0000, and 0.7500 was asked: cancels the rest')
  expect(next({ ...bracket, quantity: d('1.001') }, [...entryAt(1), ...stopAt(1)])).toMatchObject({
    step: { do: 'replace', rest: { orderQuantity: d('0.001') } },
  })
})

test('a refused rest of an entry holds nothing back: what has filled before is protected', () => {
  const lines = [
    ...[...entryAt(0.5), ...stopAt(0.5)],
    sending('e2', 'entry', { orderQuantity: d(1), limitPrice: d(100) }, { replaces: 'e1' }),
    seen('e1', { standing: 'ended', status: 'CANCELED', filled: d(1.5) }),
    seen('e2', { standing: 'notPlaced', status: 'REJECTED', filled: null, orderId: null, reason: 'too small' }),
  ]
  expect(next(bracket, lines)).toMatchObject({
    ...{ state: 'unprotected', step: { do: 'place', role: 'stop', draft: { orderQuantity: d(1) } } },
  })
  expect(next(bracket, [...lines, ...stopAt(1, 95, 's2')])).toMatchObject({ state: 'protected', kind: 'wait' })
  const none = [seen('e1', { standing: 'ended', status: 'CANCELED', filled: d(0) })]
  const bare = [...entryAt(0), ...lines.slice(4, 5), ...none, ...lines.slice(6)]
  expect(next(bracket, bare)).toMatchObject({ state: 'held', why: expect.stringContaining('the entry was refused') })
})

test('a stop that has triggered and rests at its limit protects nothing: that is told, and nothing is placed for it', () => {
  const limited: PlanTerms = { ...oco, stopLimit: d(94) }
  const stop = { side: 'SELL', type: 'STOPLIMIT', orderQuantity: d(2), stopPrice: d(95), limitPrice: d(94) } as const
  const resting = (more: Seen) => [sending('s1', 'stop', stop), seen('s1', more)]
  const gone = { at: 90 }
  expect(next(limited, resting({ status: 'PENDING' }), gone)).toMatchObject({ state: 'protected', kind: 'wait' })
  expect(planOf(limited, ...resting({ status: 'PENDING' })).bareSinceMs).toBeNull()
  for (const status of ['OPEN', 'PART_FILLED'] as const) {
    const lines = resting({ status, filled: d(status === 'OPEN' ? 0 : 0.5) })
    const left = status === 'OPEN' ? '2.0000' : '1.5000'
    expect(next(limited, lines, gone)).toEqual({
      ...{ state: 'unprotected', kind: 'wait' },
      why: `The stop has triggered and rests at its limit 94.00: ${left} is not sold yet`,
    })
    expect(planOf(limited, ...lines).bareSinceMs).toBe(begunMs)
  }
  // Other terms are a user's wish all the same.
  const lower: PlanTerms = { ...limited, stopPrice: d(85), stopLimit: d(84) }
  expect(next(lower, resting({ status: 'OPEN' }), gone)).toMatchObject({
    ...{ kind: 'step', step: { do: 'replace', role: 'stop' } },
  })
  // A stop without a limit takes what there is: what is said of it is no rest.
  const open = [sending('s1', 'stop', { ...stop, type: 'STOP', limitPrice: null }), seen('s1', { status: 'OPEN' })]
  expect(next(oco, open, gone)).toMatchObject({ state: 'protected' })
})

test('a triggered stop at its limit that is canceled by hand holds the plan', () => {
  const limited: PlanTerms = { ...oco, stopLimit: d(94) }
  const stop = { side: 'SELL', type: 'STOPLIMIT', orderQuantity: d(2), stopPrice: d(95), limitPrice: d(94) } as const
  const canceled = seen('s1', { standing: 'ended', status: 'CANCELED', filled: d(0.5) })
  const lines = [sending('s1', 'stop', stop), seen('s1', { status: 'PART_FILLED', filled: d(0.5) }), canceled]
  expect(next(limited, lines, { at: 90 })).toMatchObject({
    ...{ state: 'held', why: 'Held: the stop xs1 was canceled or moved by hand. Resume or cancel it' },
  })
})

test('beside a stop at its limit the rest of the entry is canceled once some of it has traded', () => {
  const limited: PlanTerms = { ...bracket, stopLimit: d(94) }
  const stop = { side: 'SELL', type: 'STOPLIMIT', orderQuantity: d(1), stopPrice: d(95), limitPrice: d(94) } as const
  const lines = [...entryAt(1), sending('s1', 'stop', stop), seen('s1', { status: 'PART_FILLED', filled: d(0.5) })]
  expect(next(limited, lines, { at: 90 })).toMatchObject({
    kind: 'step',
    step: { do: 'cancel', order: { role: 'entry' } },
  })
})
