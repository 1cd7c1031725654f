import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import {
  bareNews,
  bareToldMs,
  isBare,
  newsOf,
  type PlanNow,
  recordedNow,
  swapLengths,
} from '../../../src/domain/plans/news.ts'
import type { PlanMove } from '../../../src/domain/plans/next-step.ts'
import { begunPlan, type Plan, type PlanEvent, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import { planTable } from '../../../src/domain/plans/plan-table.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { ocoTerms, planAfter, protectedPlan } from '../../fakes/plans.ts'

const d = (text: string | number) => new Decimal(text)
const bare = planAfter('p1', ocoTerms)
const { plan: safe } = protectedPlan('p1')
const now = (change: Partial<PlanNow> = {}): PlanNow => ({
  ...{ plan: safe, state: 'protected', why: 'The stop rests', refused: null },
  ...change,
})
const wait: PlanMove = { kind: 'wait', why: '' }
const end = (how: 'done' | 'left'): PlanMove => ({ kind: 'end', how, why: '' })
const told = (before: PlanNow | null, after: PlanNow, move: PlanMove = wait): string | null => {
  const news = newsOf(before, after, move, 7)
  if (news !== null) expect(news).toMatchObject({ planId: 'p1', atMs: 7 })
  return news === null ? null : `${news.level}: ${news.text}`
}
const sinceText = new Date(bare.bareSinceMs ?? 0).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
const since = `protected since ${sinceText}.`

test('a plan that comes to stand elsewhere is told of, one that waits on for something else is not', () => {
  expect(told(null, now())).toBe('info: Plan p1: The stop rests.')
  expect(told(now(), now())).toBeNull()
  expect(told(now(), now({ why: 'The stop rests elsewhere' }))).toBeNull()
  expect(told(now({ state: 'entering' }), now())).toBe('info: Plan p1: The stop rests.')
  expect(told(now(), now({ why: 'Too far', refused: 'too far' }))).toBe('warn: Plan p1: Too far.')
  expect(told(now({ refused: 'too far' }), now({ refused: 'too large' }))).toBe('warn: Plan p1: The stop rests.')
  // One that goes on with the market is told once.
  expect(told(now({ refused: '1,639.48 USD is too much' }), now({ refused: '640.1 USD is too much' }))).toBeNull()
  expect(told(now({ refused: 'too far' }), now())).toBe('info: Plan p1: The stop rests.')
  expect(told(now(), now({ state: 'unsettled', why: 'Sent' }))).toBe('warn: Plan p1: Sent.')
  expect(told(now(), now({ state: 'held', why: 'Held: look' }))).toBe('bad: Plan p1: Held: look.')
  expect(
    told(null, now(), { kind: 'step', step: { do: 'cancel', order: safe.orders[0] as never }, why: '' }),
  ).toBeNull()
})

test('what is bare is told with since when, perhaps where that is not certain', () => {
  const open = (change: Partial<PlanNow> = {}) => now({ plan: bare, state: 'unprotected', why: 'No stop', ...change })
  expect(told(null, open())).toBe(`bad: Plan p1: No stop. Not ${since}`)
  expect(told(open({ refused: 'too far' }), open())).toBe(`bad: Plan p1: No stop. Not ${since}`)
  expect(told(now(), open({ state: 'unsettled', why: 'Sent' }))).toBe(`bad: Plan p1: Sent. Perhaps not ${since}`)
  expect(told(now(), open({ state: 'held', why: 'Held' }))).toBe(`bad: Plan p1: Held. Not ${since}`)
  expect(told(open(), open({ why: 'Other' }))).toBeNull()
  expect(told(now(), open({ plan: { ...bare, bareSinceMs: null } }))).toBe('info: Plan p1: No stop.')
})

test('an end is told once, as good where nothing is left, and as bad where orders or a position are', () => {
  const over = now({ state: 'over', why: 'All of it has left' })
  expect(told(now(), over, end('done'))).toBe('good: Plan p1 has ended: All of it has left.')
  expect(told(now(), over, end('left'))).toBe('bad: Plan p1 has ended: All of it has left.')
  expect(told(now(), { ...over, plan: bare }, end('done'))).toBe('bad: Plan p1 has ended: All of it has left.')
  const ended = now({ state: 'ended', why: 'All of it has left' })
  expect(told(null, ended)).toBe('good: Plan p1 has ended: All of it has left.')
  expect(told(ended, now({ state: 'ended', why: 'otherwise told' }))).toBeNull()
  expect(told(ended, over, end('done'))).toBeNull()
  // One that could not be written down yet is not told again, unless it is another.
  expect(told(over, over, end('done'))).toBeNull()
  expect(told({ ...over, why: 'Nothing filled' }, over, end('done'))).toContain('has ended: All of it has left.')
})

test('what is bare for a while is told with why, or that a step has no answer', () => {
  const of = (plan: Plan, isBusy: boolean) =>
    bareNews(now({ plan, why: 'Not protected: the desk is halted' }), isBusy, 9)
  expect(of(bare, false)).toEqual({
    ...{ planId: 'p1', level: 'bad', atMs: 9 },
    text: `Plan p1: Not protected: the desk is halted. Not ${since}`,
  })
  expect(of(bare, true)).toEqual({
    ...{ planId: 'p1', level: 'bad', atMs: 9 },
    text: `Plan p1: one of its steps has no answer yet. Perhaps not ${since}`,
  })
  expect(of(safe, false).text).toContain('Not protected since 1970-01-01 00:00:00 UTC.')
  expect(bareToldMs).toBe(5_000)
})

test('bare is what no leg is certain to rest for', () => {
  expect([isBare(bare), isBare(safe)]).toEqual([true, false])
  const canceling: PlanEvent = { event: 'canceling', planId: 'p1', atMs: 9, clientOrderId: 'own-stop' }
  expect(isBare(withPlanEvent(safe, canceling))).toBe(true)
  expect(isBare(withPlanEvent(bare, { event: 'ended', planId: 'p1', atMs: 9, how: 'done', why: '' }))).toBe(false)
})

test('by its record alone a plan stands where the table says, in the words of the table', () => {
  const means = (state: PlanNow['state']) => planTable.find((row) => row.state === state)?.means
  expect(recordedNow(bare, 9)).toEqual({
    ...{ plan: bare, state: 'unprotected', refused: null },
    why: 'No leg protects all there is',
  })
  const sent = recordedNow(
    withPlanEvent(safe, { event: 'canceling', planId: 'p1', atMs: 9, clientOrderId: 'own-stop' }),
    9,
  )
  expect(sent).toMatchObject({
    state: 'unsettled',
    why: expect.stringMatching(/^The outcome of an order is unknown/),
  })
  expect(sent.why.toLowerCase()).toBe(means('unsettled')?.toLowerCase())
  const taken = withPlanEvent(safe, {
    ...{ event: 'seen', planId: 'p1', atMs: 9, clientOrderId: 'own-stop', orderId: '1', standing: 'ended' },
    ...{ status: 'CANCELED', filled: d(0), quantity: null, reason: null },
  })
  expect(recordedNow(taken, 9)).toMatchObject({
    ...{ state: 'held', why: 'Held: the stop 1 was canceled or moved by hand. Resume or cancel it' },
  })
  expect(recordedNow({ ...safe, hold: 'look' }, 9)).toMatchObject({
    state: 'held',
    why: 'Held: look. Resume or cancel it',
  })
  expect(recordedNow({ ...sent.plan, hold: 'look' }, 9)).toMatchObject({ state: 'unsettled', why: sent.why })
  // What was said before a plan was held, or ended, says nothing of it any more.
  const said = { why: 'w', refused: 'r' }
  expect(recordedNow({ ...safe, said }, 9)).toEqual({ plan: { ...safe, said }, state: 'protected', ...said })
  expect(recordedNow({ ...safe, said, hold: 'look' }, 9)).toMatchObject({
    why: 'Held: look. Resume or cancel it',
    refused: null,
  })
  const over = { ...safe, said, ended: { how: 'done', why: 'all has left', atMs: 9 } } as const
  expect(recordedNow(over, 9)).toMatchObject({ state: 'ended', why: 'All has left', refused: null })
  expect(recordedNow({ ...over, hold: 'look' }, 9)).toMatchObject({ state: 'ended', why: 'All has left' })
})

test('a bracket that waits for its price is not looked for one by its record', () => {
  const bracket: PlanTerms = {
    ...(ocoTerms as PlanTerms & { kind: 'oco' }),
    kind: 'bracket',
    side: 'BUY',
    entryPrice: d(64_000),
  }
  expect(recordedNow(begunPlan('p1', bracket, 5), 9)).toMatchObject({ why: 'The entry is to be placed, or rests' })
})

test('the middle of the lengths of swaps is the lower one of two, and the longest of all plans is told', () => {
  const of = (...swaps: readonly (readonly number[])[]) => swapLengths(swaps.map((each) => ({ ...bare, swaps: each })))
  expect(of([30, 4], [200])).toEqual({ count: 3, medianMs: 30, longestMs: 200 })
  expect(of([9, 100, 20, 3])).toEqual({ count: 4, medianMs: 9, longestMs: 100 })
  expect(of([7])).toEqual({ count: 1, medianMs: 7, longestMs: 7 })
  expect([of(), of([], [])]).toEqual([null, null])
})
