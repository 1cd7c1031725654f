import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { isBare, newsOf, type PlanNow, recordedNow, swapLengths } from '../../../src/domain/plans/news.ts'
import {
  endedOtherwise,
  isFilledByExecutions,
  seenOf,
  toldByExecutions,
} from '../../../src/domain/plans/order-report.ts'
import {
  begunPlan,
  draftsOf,
  isTakenBack,
  needsWord,
  openOf,
  outdated,
  type Plan,
  type PlanEvent,
  type PlanOrder,
  planRoles,
  standings,
  sumsOf,
  withPlanEvent,
} from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const d = (text: string | number) => new Decimal(text)
const legs = { stopPrice: d(95), stopLimit: null, targetPrice: d(105), nearBy: d(1), backBy: d(2) }
const common = { symbol: 'BTC-USD', quantity: d(2) }
const oco: PlanTerms = { ...common, kind: 'oco', side: 'SELL', ...legs }
const bracket: PlanTerms = { ...common, kind: 'bracket', side: 'BUY', entryPrice: d(100), ...legs }
const about = (atMs: number) => ({ planId: 'p1', atMs })
/** What is known besides a report: nothing. */
const toldAt = (atMs: number) => ({ ...about(atMs), quantity: null, isBack: false, told: d(0) })
const sending = (
  clientOrderId: string,
  role: PlanOrder['role'],
  quantity: number,
  atMs = 1,
  replaces: string | null = null,
) =>
  ({
    ...{ event: 'sending', ...about(atMs), clientOrderId, role, slice: null, replaces },
    draft: aDraft({ orderQuantity: d(quantity), ...(role === 'stop' ? { type: 'STOP', limitPrice: null } : {}) }),
  }) satisfies PlanEvent
const seen = (clientOrderId: string, more: Partial<Extract<PlanEvent, { event: 'seen' }>> = {}, atMs = 2) =>
  ({
    ...{ event: 'seen', ...about(atMs), clientOrderId, orderId: `x${clientOrderId}`, standing: 'working' },
    ...{ status: 'OPEN', filled: d(0), quantity: null, reason: null },
    ...more,
  }) satisfies PlanEvent
const planOf = (terms: PlanTerms, ...events: readonly PlanEvent[]): Plan =>
  events.reduce(withPlanEvent, begunPlan('p1', terms, 0))
const orderOf = (plan: Plan, clientOrderId: string): PlanOrder => {
  const order = plan.orders.find((each) => each.clientOrderId === clientOrderId)
  if (order === undefined) throw new Error(`no order ${clientOrderId}`)
  return order
}

test('what has no stop is told since the first moment, and not any more once one rests for all of it', () => {
  expect(planOf(oco).uncoveredSinceMs).toBe(0)
  expect(planOf(bracket).uncoveredSinceMs).toBeNull()
  const entered = planOf(bracket, sending('e1', 'entry', 2), seen('e1', { filled: d(1) }, 7))
  expect(entered.uncoveredSinceMs).toBe(7)
  const part = withPlanEvent(entered, sending('s1', 'stop', 1, 8))
  expect(part.uncoveredSinceMs).toBe(7)
  const rests = withPlanEvent(part, seen('s1', { status: 'PENDING' }, 9))
  expect(rests.uncoveredSinceMs).toBeNull()
  // A cancel under way makes it uncertain again.
  expect(withPlanEvent(rests, { event: 'canceling', ...about(10), clientOrderId: 's1' }).uncoveredSinceMs).toBe(10)
})

test('what is bare is so since the moment at which no leg rested any more, and not since the stop made way', () => {
  expect([planOf(oco).bareSinceMs, planOf(bracket).bareSinceMs]).toEqual([0, null])
  const entered = planOf(bracket, sending('e1', 'entry', 2), seen('e1', { filled: d(1) }, 7))
  expect(entered.bareSinceMs).toBe(7)
  const atTarget = [
    ...[sending('s1', 'stop', 1, 8), seen('s1', { status: 'PENDING' }, 9)],
    ...[
      { ...sending('t1', 'target', 1, 20), replaces: 's1' },
      seen('s1', { standing: 'ended', status: 'CANCELED' }, 21),
    ],
  ]
  const swapping = atTarget.reduce<Plan>(withPlanEvent, entered)
  expect(swapping.bareSinceMs).toBe(20)
  const rests = withPlanEvent(swapping, seen('t1', { status: 'OPEN', quantity: d(1) }, 22))
  expect([rests.uncoveredSinceMs, rests.bareSinceMs]).toEqual([20, null])
  const lost = withPlanEvent(rests, seen('t1', { standing: 'ended', status: 'CANCELED' }, 900))
  expect([lost.uncoveredSinceMs, lost.bareSinceMs]).toEqual([20, 900])
})

test('the sums of a plan: what came, what left, what rests, and for how much of it that is certain', () => {
  const plan = planOf(
    bracket,
    ...[sending('e1', 'entry', 2), seen('e1', { filled: d('1.5') })],
    ...[sending('s1', 'stop', 1), seen('s1', { filled: d('0.25') })],
    ...[sending('t1', 'target', 0.5), seen('t1')],
    ...[sending('s2', 'stop', 0.125)],
  )
  expect(sumsOf(plan)).toEqual({
    ...{ entered: d('1.5'), exited: d('0.25'), left: d('1.25'), covered: d('1.375'), certain: d('1.25') },
    ...{ stopped: d('0.75'), isAtTarget: true },
  })
  expect(sumsOf(planOf(oco))).toMatchObject({ entered: d(2), left: d(2), covered: d(0), isAtTarget: false })
})

test('an order that replaces another counts as its cancel, where that one rests', () => {
  const plan = planOf(oco, sending('s1', 'stop', 2), seen('s1'), sending('t1', 'target', 2, 5, 's1'))
  expect(orderOf(plan, 's1')).toMatchObject({ cancelingSinceMs: 5, cancelTries: 1 })
  const never = planOf(oco, sending('s1', 'stop', 2), sending('t1', 'target', 2, 5, 's1'))
  expect(orderOf(never, 's1')).toMatchObject({ cancelingSinceMs: null, cancelTries: 0 })
})

test('a cancel counts its tries, and starts anew where it had no effect, with its trouble', () => {
  const canceling = (atMs: number): PlanEvent => ({ event: 'canceling', ...about(atMs), clientOrderId: 's1' })
  const twice = planOf(oco, sending('s1', 'stop', 2), seen('s1'), canceling(5), canceling(6))
  expect(orderOf(twice, 's1')).toMatchObject({ cancelingSinceMs: 6, cancelTries: 2 })
  // A report that it rests says nothing against a cancel that is under way.
  expect(orderOf(withPlanEvent(twice, seen('s1', {}, 7)), 's1').cancelingSinceMs).toBe(6)
  const not = (atMs: number): PlanEvent => ({ event: 'notCanceled', ...about(atMs), clientOrderId: 's1', reason: 'no' })
  const once = withPlanEvent(twice, not(8))
  expect(orderOf(once, 's1')).toMatchObject({ cancelingSinceMs: null, cancelTries: 0 })
  expect(once.troubles.cancel).toEqual({ reason: 'no', count: 1, atMs: 8 })
  expect(withPlanEvent(once, not(9)).troubles.cancel).toEqual({ reason: 'no', count: 2, atMs: 9 })
  // The end that it asked for is its own, and ends the trouble.
  const ended = [canceling(10), seen('s1', { standing: 'ended', status: 'CANCELED' }, 11)].reduce(withPlanEvent, once)
  expect(ended.troubles.cancel).toBeUndefined()
  expect(orderOf(ended, 's1')).toMatchObject({ isOwnEnd: true, cancelingSinceMs: null, standing: 'ended' })
})

test('troubles count in a row by role, from when it was sent where it never left, and end with what rests', () => {
  const never = (id: string) => seen(id, { standing: 'notPlaced', status: null, filled: null, orderId: null }, 50)
  const once = planOf(oco, sending('s1', 'stop', 2, 5), never('s1'))
  expect(once.troubles).toEqual({ stop: { reason: 'it was not placed', count: 1, atMs: 5 } })
  const twice = [sending('s2', 'stop', 2, 60), { ...never('s2'), reason: 'no' }].reduce(withPlanEvent, once)
  expect(twice.troubles).toEqual({ stop: { reason: 'no', count: 2, atMs: 60 } })
  expect([sending('s3', 'stop', 2), seen('s3')].reduce(withPlanEvent, twice).troubles).toEqual({})
  const expired = planOf(
    oco,
    sending('s1', 'stop', 2),
    seen('s1'),
    seen('s1', { standing: 'ended', status: 'EXPIRED' }, 9),
  )
  expect(expired.troubles).toEqual({ stop: { reason: 'it was EXPIRED', count: 1, atMs: 9 } })
  const filled = planOf(
    oco,
    sending('s1', 'stop', 2),
    seen('s1', { standing: 'ended', status: 'FILLED', filled: d(2) }),
  )
  expect(filled.troubles).toEqual({})
  // The same end once more is no second trouble.
  expect(withPlanEvent(expired, seen('s1', { standing: 'ended', status: 'EXPIRED' }, 10)).troubles.stop?.count).toBe(1)
  expect(withPlanEvent(expired, { event: 'edited', ...about(10), terms: oco }).troubles).toEqual({})
  expect(withPlanEvent(expired, { event: 'resumed', ...about(10) }).troubles).toEqual({})
})

test('a report of an order that the plan does not know changes nothing; one with a quantity corrects the order', () => {
  const plan = planOf(oco, sending('s1', 'stop', 2))
  expect(withPlanEvent(plan, seen('other'))).toEqual(plan)
  const corrected = withPlanEvent(plan, seen('s1', { quantity: d(1), orderId: null }))
  expect(orderOf(corrected, 's1').draft.orderQuantity).toEqual(d(1))
  expect(orderOf(withPlanEvent(corrected, seen('s1')), 's1').orderId).toBe('xs1')
  expect(orderOf([seen('s1'), seen('s1', { orderId: null })].reduce(withPlanEvent, plan), 's1').orderId).toBe('xs1')
})

test('a person’s word and what is said stand on the plan; a hundred swaps are kept', () => {
  const plan = planOf(oco)
  expect(withPlanEvent(plan, { event: 'begun', ...about(1), terms: bracket })).toEqual(plan)
  expect(withPlanEvent(plan, { event: 'cancelAsked', ...about(1), how: 'leave' }).cancel).toBe('leave')
  const held = withPlanEvent(plan, { event: 'held', ...about(1), why: 'look' })
  expect(held.hold).toBe('look')
  expect(withPlanEvent(held, { event: 'resumed', ...about(1) }).hold).toBeNull()
  const said = withPlanEvent(plan, { event: 'said', ...about(1), why: 'w', refused: 'r' })
  expect(said.said).toEqual({ why: 'w', refused: 'r' })
  expect(withPlanEvent(said, { event: 'said', ...about(1), why: 'w', refused: null }).said).toBeNull()
  expect(withPlanEvent(plan, { event: 'ended', ...about(3), how: 'done', why: 'w' }).ended).toEqual({
    ...{ how: 'done', why: 'w', atMs: 3 },
  })
  const swaps = Array.from({ length: 101 }, (_, tookMs): PlanEvent => ({ event: 'swapped', ...about(1), tookMs }))
  const many = swaps.reduce(withPlanEvent, plan)
  expect([many.swaps.length, many.swaps[0], many.swaps.at(-1)]).toEqual([100, 1, 100])
  expect(swapLengths([many, plan])).toEqual({ count: 100, medianMs: 50, longestMs: 100 })
  expect(swapLengths([plan])).toBeNull()
})

const ended = (more: Partial<PlanOrder>): PlanOrder => ({
  ...orderOf(planOf(oco, sending('s1', 'stop', 2), seen('s1')), 's1'),
  ...{ standing: 'ended', status: 'CANCELED' },
  ...more,
})

test('a cancel is a person’s unless the plan asked for it, the market is named, or the stop had been set off', () => {
  expect(isTakenBack(ended({}))).toBe(true)
  expect(isTakenBack(ended({ reason: 'by user' }))).toBe(true)
  for (const reason of ['no liquidity', 'Self-match', 'selfmatch', 'insufficient funds', 'BALANCE too low'])
    expect(isTakenBack(ended({ reason }))).toBe(false)
  expect(isTakenBack(ended({ isOwnEnd: true }))).toBe(false)
  expect(isTakenBack(ended({ filled: d('0.1') }))).toBe(false)
  // One with a limit rests after that.
  expect(isTakenBack(ended({ filled: d('0.1'), draft: aDraft({ type: 'STOPLIMIT' }) }))).toBe(true)
  expect(isTakenBack(ended({ filled: d('0.1'), role: 'target' }))).toBe(true)
  expect(isTakenBack(ended({ filled: null }))).toBe(true)
  expect(isTakenBack(ended({ status: 'EXPIRED' }))).toBe(false)
  expect(isTakenBack(ended({ standing: 'working' }))).toBe(false)
})

test('what waits for a person’s word: ends that the plan did not ask for, and not twice', () => {
  expect(needsWord(ended({}))).toBe(true)
  expect(needsWord(ended({ isAcknowledged: true }))).toBe(false)
  expect(needsWord(ended({ status: 'FILLED', filled: null }))).toBe(true)
  expect(needsWord(ended({ role: 'entry' }))).toBe(false)
  expect(needsWord(ended({ role: 'entry', filled: null }))).toBe(true)
  expect(needsWord(ended({ role: 'stop', status: 'EXPIRED' }))).toBe(false)
  const slice = (more: Partial<PlanOrder>) => needsWord(ended({ role: 'slice', ...more }))
  expect(slice({})).toBe(true)
  expect(slice({ status: 'EXPIRED' })).toBe(true)
  expect(slice({ status: 'EXPIRED', isOwnEnd: true })).toBe(false)
  expect(slice({ status: 'FILLED' })).toBe(false)
  expect(slice({ standing: 'notPlaced', status: 'REJECTED' })).toBe(true)
  expect(slice({ standing: 'notPlaced', status: null })).toBe(false)
  expect(slice({ standing: 'working' })).toBe(false)
  const asked = planOf(oco, sending('s1', 'stop', 2), seen('s1'), seen('s1', { standing: 'ended', status: 'CANCELED' }))
  expect(orderOf(withPlanEvent(asked, { event: 'resumed', ...about(9) }), 's1').isAcknowledged).toBe(true)
})

const before = orderOf(planOf(oco, sending('s1', 'stop', 2), seen('s1', { filled: d('0.5') })), 's1')
const report = (change: Partial<Order>) =>
  anOrder({
    ...{ clientOrderId: 's1', orderId: 'xs1', cumQuantity: d('0.5'), leavesQuantity: null, status: 'OPEN' },
    ...{ symbol: before.draft.symbol, side: before.draft.side },
    ...change,
  })
const says = (change: Partial<Order>, of: Partial<PlanOrder> = {}) =>
  seenOf({ ...before, ...of }, report(change), toldAt(9))

test('a report is news only where it says something new, and never takes a fill away', () => {
  expect(says({})).toBeNull()
  expect(says({ cumQuantity: d('0.75') })).toEqual({
    ...{ event: 'seen', ...about(9), clientOrderId: 's1', orderId: 'xs1', standing: 'working', status: 'OPEN' },
    ...{ filled: d('0.75'), quantity: null, reason: null },
  })
  expect(says({ cumQuantity: d('0.25') })).toBeNull()
  expect(says({ cumQuantity: null })).toBeNull()
  expect(says({ status: 'PART_FILLED', cumQuantity: d('0.25') })).toMatchObject({ filled: d('0.5') })
  expect(says({}, { orderId: null })).toMatchObject({ orderId: 'xs1' })
  expect(says({ orderId: null })).toBeNull()
  // Nor does an end of another kind: what has left would be sold once more.
  for (const status of ['CANCELED', 'EXPIRED', 'REJECTED'] as const)
    expect(says({ status, cumQuantity: d(0) })).toMatchObject({ standing: 'ended', status, filled: d('0.5') })
  expect(says({ status: 'CANCELED', text: 'by user' })).toMatchObject({
    standing: 'ended',
    reason: 'by user',
    filled: d('0.5'),
  })
})

test('an end without a sum leaves the fill unknown, but a whole fill is one; an unknown fill may become known', () => {
  expect(says({ status: 'CANCELED', cumQuantity: null })).toMatchObject({ standing: 'ended', filled: null })
  expect(says({ status: 'FILLED', cumQuantity: null })).toMatchObject({ standing: 'ended', filled: d(2) })
  expect(says({ status: 'FILLED', cumQuantity: d(2) })).toMatchObject({ filled: d(2) })
  expect(says({ status: 'REJECTED', cumQuantity: null })).toMatchObject({ standing: 'ended', filled: d('0.5') })
  const unknown = { standing: 'ended', status: 'CANCELED', filled: null } as const
  expect(says({ status: 'CANCELED', cumQuantity: d(1) }, unknown)).toMatchObject({ filled: d(1) })
  expect(says({ status: 'CANCELED', cumQuantity: null }, unknown)).toBeNull()
  expect(says({ status: 'OPEN', cumQuantity: d(1) }, unknown)).toBeNull()
})

test('a FILLED that tells of less than was placed is believed to have ended, and no sum of it', () => {
  for (const filled of ['0', '1.999'])
    expect(says({ status: 'FILLED', cumQuantity: d(filled) })).toMatchObject({
      ...{ standing: 'ended', filled: null, reason: `reported as FILLED with ${filled} of 2` },
    })
  // Of one that took another's place the report is held against what it was placed with.
  const smaller = report({ status: 'FILLED', cumQuantity: d(1) })
  expect(seenOf(before, smaller, { ...toldAt(9), quantity: d(1) })).toMatchObject({ filled: d(1), reason: null })
  const unknown = { standing: 'ended', status: 'FILLED', filled: null } as const
  expect(says({ status: 'FILLED', cumQuantity: d(0) }, unknown)).toBeNull()
  expect(says({ status: 'FILLED', cumQuantity: d(2) }, unknown)).toMatchObject({ filled: d(2), reason: null })
})

test('a report whose quantities cannot be those of the order, or of another market, is never a fill', () => {
  const canceled = (filled: number, open: number | null, more: Partial<Order> = {}) =>
    says({ status: 'CANCELED', cumQuantity: d(filled), leavesQuantity: open === null ? null : d(open), ...more })
  expect(canceled(1, 1)).toMatchObject({ filled: d(1), reason: null })
  expect(canceled(1, 4)).toMatchObject({
    ...{ standing: 'ended', filled: null, reason: 'reported as CANCELED with 1 of 2, 4 open before' },
  })
  expect(canceled(5, null)).toMatchObject({ filled: null, reason: 'reported as CANCELED with 5 of 2' })
  expect(says({ status: 'FILLED', cumQuantity: d(5) })).toMatchObject({ standing: 'ended', filled: null })
  expect(says({ status: 'PART_FILLED', cumQuantity: d(5) })).toBeNull()
  expect(canceled(-1, 3)).toMatchObject({ filled: null, reason: 'reported as CANCELED with -1 of 2, 3 open before' })
  expect(says({ status: 'REJECTED', cumQuantity: d(-1) })).toMatchObject({ standing: 'ended', filled: null })
  expect(says({ status: 'FILLED', cumQuantity: d(2), symbol: 'ETH-BTC' })).toBeNull()
  expect(says({ status: 'FILLED', cumQuantity: d(2), side: before.draft.side === 'BUY' ? 'SELL' : 'BUY' })).toBeNull()
  expect(canceled(1, 4, { status: 'EXPIRED' })).toMatchObject({ standing: 'ended', filled: null })
  // A stop that never triggered may be reported with zeros, and no other order.
  const stop = orderOf(planOf(oco, sending('s1', 'stop', 2), seen('s1')), 's1')
  const zeros = report({ type: 'STOP', status: 'CANCELED', cumQuantity: d(0), leavesQuantity: d(0) })
  expect(seenOf(stop, zeros, toldAt(9))).toMatchObject({ standing: 'ended', filled: d(0), reason: null })
  for (const odd of [{ type: 'LIMIT' }, { cumQuantity: d(1) }, { leavesQuantity: d(1) }] as const)
    expect(seenOf(stop, { ...zeros, ...odd }, toldAt(9))).toMatchObject({ standing: 'ended', filled: null })
})

test('an end that tells of less than its executions is believed to have ended, and no sum of it', () => {
  const executed = (change: Partial<Order>, of: Partial<PlanOrder> = {}) =>
    seenOf({ ...before, ...of }, report(change), { ...toldAt(9), told: d(1) })
  const unknown = { standing: 'ended', status: null, filled: null } as const
  for (const of of [{}, unknown])
    expect(executed({ status: 'CANCELED' }, of)).toMatchObject({
      ...{ standing: 'ended', filled: null },
      reason: 'reported as CANCELED with 0.5 of 2, while its executions come to 1',
      isContradicted: true,
    })
  expect(executed({ status: 'CANCELED', cumQuantity: d(1) })).toMatchObject({ filled: d(1), reason: null })
  // While it works the list may be behind.
  expect(executed({})).toBeNull()
})

test('executions beyond what an order ended with leave open how it ended, and say what contradicts it', () => {
  const ended = { ...before, standing: 'ended', status: 'CANCELED', filled: d('0.5') } as const
  expect(endedOtherwise(ended, d(1), 'p1', 9)).toEqual({
    ...{ event: 'seen', planId: 'p1', atMs: 9, clientOrderId: 's1', orderId: before.orderId },
    ...{ standing: 'ended', status: null, filled: null, quantity: null },
    reason: 'reported as CANCELED with 0.5, while its executions come to 1',
    isContradicted: true,
  })
  expect(endedOtherwise({ ...ended, status: null, filled: null }, d(1), 'p1', 9).reason).toBe(
    'reported as ended with no sum, while its executions come to 1',
  )
})

test('executions that come to all of an order tell how it ended where no report does, and none contradicts them', () => {
  const all = before.draft.orderQuantity
  const unknown = { ...before, standing: 'ended', status: null, filled: null, reason: 'no report' } as const
  expect(toldByExecutions(unknown, all, 'p1', 9)).toEqual({
    ...{ event: 'seen', planId: 'p1', atMs: 9, clientOrderId: 's1', orderId: before.orderId },
    ...{ standing: 'ended', status: 'FILLED', filled: all, quantity: null, reason: null },
  })
  const odd = endedOtherwise({ ...unknown, status: 'CANCELED', filled: d('0.5') }, all, 'p1', 9)
  const contradicted = withPlanEvent({ ...begunPlan('p1', oco, 1), orders: [before] }, odd)
  const others = [
    [unknown, all.minus('0.5')],
    [orderOf(contradicted, 's1'), all],
    [{ ...unknown, isQuantityKnown: false }, all],
    [{ ...unknown, isAcknowledged: true }, all],
    [{ ...unknown, filled: d('0.5') }, all],
    [{ ...unknown, standing: 'working' }, all],
  ] as const
  for (const [order, told] of others) expect(isFilledByExecutions(order, told)).toBe(false)
  expect(isFilledByExecutions(unknown, all)).toBe(true)
  // A later report that the executions do not contradict counts again.
  const after = orderOf(withPlanEvent(contradicted, { ...odd, reason: 'no report', isContradicted: undefined }), 's1')
  expect(isFilledByExecutions(after, all)).toBe(true)
  // What a service says of an order decides nothing by its words.
  expect(isFilledByExecutions({ ...unknown, reason: odd.reason }, all)).toBe(true)
  expect(toldByExecutions({ ...unknown, filled: d('0.5') }, all, 'p1', 9)).toMatchObject({ filled: null, status: null })
})

test('an end that was reported is final, and a refused copy says nothing of the order itself', () => {
  const over = { standing: 'ended', status: 'CANCELED' } as const
  expect(says({ status: 'OPEN', cumQuantity: d(1) }, over)).toBeNull()
  expect(says({ status: 'FILLED', cumQuantity: d(2) }, over)).toBeNull()
  // Of one that turns out to work on, what earlier reports said has filled is forgotten.
  const back = report({ status: 'OPEN', cumQuantity: null })
  expect(seenOf({ ...before, ...over }, back, { ...toldAt(9), isBack: true })).toMatchObject({
    standing: 'working',
    filled: d(0),
  })
  expect(seenOf({ ...before, ...over }, back, { ...toldAt(9), isBack: true, told: d(1) })).toMatchObject({
    filled: d(1),
  })
  // One that was only reckoned to have ended is put right by the first report.
  expect(says({ status: 'OPEN' }, { standing: 'ended', status: null })).toMatchObject({ standing: 'working' })
  expect(says({ status: 'REJECTED', orderId: 'copy' })).toBeNull()
})

test('plans that ended leave the record once there are more than two hundred, the oldest ends first, a hundred stay', () => {
  const plans = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...begunPlan(`p${at}`, oco, at),
      ended: { how: 'done' as const, why: '', atMs: 10_000 - at },
    }))
  const open = begunPlan('open', oco, 0)
  expect(outdated([...plans(200), open])).toEqual([])
  const gone = outdated([open, ...plans(201)])
  expect(gone.map(({ planId }) => planId)).toEqual(Array.from({ length: 101 }, (_, at) => `p${200 - at}`))
})

test('what its orders asked for is known by their ids', () => {
  const plan = planOf(oco, sending('s1', 'stop', 2), sending('t1', 'target', 1))
  expect([...draftsOf([plan])].map(([id, draft]) => [id, draft.orderQuantity.toNumber()])).toEqual([
    ['s1', 2],
    ['t1', 1],
  ])
})

test('a plan is bare while neither leg is certain to rest for all of it, and not once it has ended', () => {
  expect(isBare(planOf(oco))).toBe(true)
  expect(isBare(planOf(oco, sending('t1', 'target', 2), seen('t1')))).toBe(false)
  expect(isBare(planOf(oco, { event: 'ended', ...about(1), how: 'left', why: '' }))).toBe(false)
})

test('news are told once, louder the more is at risk', () => {
  const now = (change: Partial<PlanNow> = {}, plan = planOf(bracket)): PlanNow => ({
    ...{ plan, state: 'entering', why: 'the entry rests', refused: null },
    ...change,
  })
  const wait = { kind: 'wait', why: '' } as const
  const news = (from: PlanNow | null, to: PlanNow, move: Parameters<typeof newsOf>[2] = wait) =>
    newsOf(from, to, move, 5)
  expect(news(null, now())).toEqual({ planId: 'p1', level: 'info', text: 'Plan p1: the entry rests.', atMs: 5 })
  expect(news(now(), now())).toBeNull()
  expect(news(now(), now({ why: 'at another price' }))).toBeNull()
  expect(news(now(), now({ refused: 'no funds' }))?.level).toBe('warn')
  expect(news(now(), now({ state: 'unsettled' }))?.level).toBe('warn')
  expect(news(now(), now({ state: 'held', why: 'Held: look' }))).toMatchObject({
    level: 'bad',
    text: 'Plan p1: Held: look.',
  })
  const bare = planOf(oco)
  const since = 'protected since 1970-01-01 00:00:00 UTC.'
  expect(news(null, now({ state: 'unprotected', why: 'no stop' }, bare))).toMatchObject({
    ...{ level: 'bad', text: `Plan p1: no stop. Not ${since}` },
  })
  expect(news(null, now({ state: 'unsettled', why: 'sent' }, bare))).toMatchObject({
    text: `Plan p1: sent. Perhaps not ${since}`,
  })
  expect(news(now({}, bare), now({ why: 'other' }, bare))).toBeNull()
  expect(news(null, now(), { kind: 'end', how: 'done', why: '' })).toMatchObject({
    ...{ level: 'good', text: 'Plan p1 has ended: the entry rests.' },
  })
  expect(news(null, now(), { kind: 'end', how: 'left', why: '' })?.level).toBe('bad')
  expect(news(null, now({}, bare), { kind: 'end', how: 'done', why: '' })?.level).toBe('bad')
  expect(news(now({ state: 'ended' }), now({ state: 'ended', why: 'x' }))).toBeNull()
  expect(news(null, now(), { kind: 'step', step: { do: 'cancel', order: before }, why: '' })).toBeNull()
})

test('a plan that another process runs is shown by its record, with what that process said', () => {
  expect(recordedNow(planOf(oco), 9)).toMatchObject({
    ...{ state: 'unprotected', why: 'No leg protects all there is', refused: null },
  })
  const said = planOf(oco, { event: 'said', ...about(1), why: 'w', refused: 'r' })
  expect(recordedNow(said, 9)).toMatchObject({ why: 'w', refused: 'r' })
  const held = withPlanEvent(said, { event: 'held', ...about(1), why: 'look' })
  expect(recordedNow(held, 9)).toMatchObject({ state: 'held', why: 'Held: look. Resume or cancel it', refused: null })
  const over = withPlanEvent(said, { event: 'ended', ...about(1), how: 'done', why: 'all left' })
  expect(recordedNow(over, 9)).toMatchObject({ state: 'ended', why: 'All left', refused: null })
})

test('what can still fill of an order is all of it while no report says how much has', () => {
  const working = orderOf(planOf(oco, sending('s1', 'stop', 2), seen('s1', { filled: d('0.5') })), 's1')
  expect(openOf(working)).toEqual(d('1.5'))
  expect(openOf({ ...working, filled: null })).toEqual(d(2))
  expect([openOf({ ...working, standing: 'ended' }), openOf({ ...working, standing: 'notPlaced' })]).toEqual([
    d(0),
    d(0),
  ])
  expect(openOf({ ...working, standing: 'sent' })).toEqual(d('1.5'))
})

test('a record knows orders of a plan by these roles and standings', () => {
  expect(planRoles).toEqual(['entry', 'stop', 'target', 'slice'])
  expect(standings).toEqual(['sent', 'working', 'ended', 'notPlaced'])
})

test('what is given is bare from the beginning, what is to be entered is not', () => {
  const trailing: PlanTerms = {
    ...common,
    kind: 'trailing',
    side: 'SELL',
    trailBy: d(3),
    stepBy: d(1),
    stopPrice: null,
  }
  const scale: PlanTerms = { ...common, kind: 'scale', side: 'BUY', slices: [], postOnly: false }
  const since = (terms: PlanTerms) => begunPlan('p1', terms, 4).uncoveredSinceMs
  expect([since(oco), since(trailing), since(bracket), since(scale)]).toEqual([4, 4, null, null])
})

test('what was not placed counts once however often it is told, and an end without a status is one', () => {
  const never = seen('s1', { standing: 'notPlaced', status: null, filled: null, orderId: null })
  expect(planOf(oco, sending('s1', 'stop', 2), never, never).troubles.stop?.count).toBe(1)
  expect(planOf(oco, sending('s1', 'stop', 2), seen('s1'), never).troubles).toEqual({})
  const end = seen('s1', { standing: 'ended', status: null }, 9)
  expect(planOf(oco, sending('s1', 'stop', 2), seen('s1'), end).troubles).toEqual({
    stop: { reason: 'it was ended', count: 1, atMs: 9 },
  })
})

test('an order that fills at once ends the trouble of its role; only the end that was asked for ends that of cancels', () => {
  const never = seen('s1', { standing: 'notPlaced', status: null, filled: null, orderId: null })
  const filled = seen('s2', { standing: 'ended', status: 'FILLED', filled: d(2) })
  expect(planOf(oco, sending('s1', 'stop', 2), never, sending('s2', 'stop', 2), filled).troubles).toEqual({})
  const notCanceled: PlanEvent = { event: 'notCanceled', ...about(5), clientOrderId: 's1', reason: 'no' }
  const both = planOf(oco, sending('s1', 'stop', 1), seen('s1'), notCanceled, sending('s2', 'stop', 1))
  const after = (...events: readonly PlanEvent[]) => events.reduce(withPlanEvent, both).troubles.cancel?.count
  const canceling: PlanEvent = { event: 'canceling', ...about(6), clientOrderId: 's1' }
  expect([after(), after(seen('s2')), after(filled), after(canceling, seen('s1'))]).toEqual([1, 1, 1, 1])
  expect(after(canceling, seen('s1', { standing: 'ended', status: 'CANCELED' }))).toBeUndefined()
})

test('a target that was canceled by hand waits for a word as a stop does', () => {
  expect([needsWord(ended({ role: 'target' })), needsWord(ended({ role: 'target', isOwnEnd: true }))]).toEqual([
    ...[true, false],
  ])
})

test('a report without a sum says nothing of an end whose fill is not known, or of an order that rests as it did', () => {
  const unknown = { standing: 'ended', status: 'CANCELED', filled: null } as const
  expect(says({ status: 'EXPIRED', cumQuantity: null }, unknown)).toBeNull()
  expect(says({ cumQuantity: null }, { filled: null })).toBeNull()
  expect(says({ cumQuantity: d(0) }, { filled: null })).toMatchObject({ standing: 'working', filled: d(0) })
})

test('a replacement counts as what was placed of it: until that is known a report says no more than that it is there', () => {
  const swapped = planOf(
    oco,
    ...[sending('s1', 'stop', 2), seen('s1'), sending('t1', 'target', 2, 5, 's1')],
    seen('s1', { standing: 'ended', status: 'CANCELED', filled: d('0.5') }),
  )
  const told = (plan: Plan, change: Partial<Order>, quantity: Decimal | null = null) =>
    seenOf(orderOf(plan, 't1'), report({ clientOrderId: 't1', orderId: 'xt1', ...change }), { ...toldAt(9), quantity })
  expect(orderOf(swapped, 't1')).toMatchObject({ isQuantityKnown: false, draft: { orderQuantity: d(2) } })
  // Neither that it rests nor how it ended is held against a quantity that nobody knows.
  for (const status of ['OPEN', 'PENDING', 'PART_FILLED', 'FILLED', 'CANCELED', 'EXPIRED'] as const)
    expect(told(swapped, { status, cumQuantity: d('1.5'), leavesQuantity: d(0), text: 'why' })).toEqual({
      ...{ event: 'seen', ...about(9), clientOrderId: 't1', orderId: 'xt1', standing: 'sent', status: null },
      ...{ filled: d(0), quantity: null, reason: null },
    })
  expect(told(swapped, { orderId: null })).toBeNull()
  expect(told(swapped, { side: before.draft.side === 'BUY' ? 'SELL' : 'BUY' })).toBeNull()
  const there = withPlanEvent(swapped, seen('t1', { orderId: 'xt1', standing: 'sent', status: null }))
  expect(orderOf(there, 't1')).toMatchObject({ orderId: 'xt1', standing: 'sent', isQuantityKnown: false })
  expect([told(there, {}), told(there, { orderId: null })]).toEqual([null, null])
  // Its answer or the journal says how much, also where that is all of it; from then on every report counts.
  for (const quantity of [d('1.5'), d(2)]) {
    const known = told(there, { cumQuantity: d(0), leavesQuantity: quantity }, quantity)
    expect(known).toMatchObject({ standing: 'working', filled: d(0), quantity })
    if (known === null) throw new Error('no news')
    const working = withPlanEvent(there, known)
    expect(orderOf(working, 't1')).toMatchObject({ isQuantityKnown: true, draft: { orderQuantity: quantity } })
    expect(told(working, { status: 'FILLED', cumQuantity: quantity })).toMatchObject({
      ...{ standing: 'ended', filled: quantity, quantity: null },
    })
  }
})

test('one that was taken for not placed is looked for when it turns up; one that a person was asked about counts as it is', () => {
  const swapped = planOf(oco, sending('s1', 'stop', 2), seen('s1'), sending('t1', 'target', 2, 5, 's1'))
  const after = (more: Parameters<typeof seen>[1]) => orderOf(withPlanEvent(swapped, seen('t1', more)), 't1')
  const turnedUp = report({ clientOrderId: 't1', orderId: 'xt1', cumQuantity: d(0) })
  const never = { orderId: null, standing: 'notPlaced', status: null, filled: null } as const
  expect(seenOf(after(never), turnedUp, toldAt(9))).toMatchObject({ orderId: 'xt1', standing: 'sent', filled: d(0) })
  // The exchange's order of that name was looked at, and is none of the plan.
  expect(seenOf(after({ ...never, orderId: 'xt1' }), turnedUp, toldAt(9))).toBeNull()
  const odd = { orderId: null, standing: 'ended', status: null, filled: null } as const
  expect(seenOf(after(odd), turnedUp, toldAt(9))).toMatchObject({ standing: 'working', quantity: null })
  expect(after({ ...odd, quantity: d(1) })).toMatchObject({ isQuantityKnown: true, draft: { orderQuantity: d(1) } })
  // A record of before told of a replacement that rests without its quantity.
  expect(after({})).toMatchObject({ standing: 'working', isQuantityKnown: true })
  expect(orderOf(swapped, 's1').isQuantityKnown).toBe(true)
})
