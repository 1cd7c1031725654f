import { expect, test } from 'vitest'
import type { SentOrder } from '../../../src/domain/orders/exposure.ts'
import { withSentOrder } from '../../../src/store/writes/sent-orders.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const noonMs = Date.UTC(2026, 0, 5, 12)
const sent = (clientOrderId: string, change: Partial<SentOrder> = {}): SentOrder => ({
  ...{ clientOrderId, draft: aDraft(), atMs: noonMs, stage: 'taken' as const },
  ...change,
})
const stages = (orders: readonly SentOrder[]) => orders.map(({ clientOrderId, stage }) => `${clientOrderId} ${stage}`)

test('of thousands of sent orders the newest 500 are remembered, and every one without an outcome', () => {
  const many = Array.from({ length: 600 }, (_, at) => sent(`o${at}`, at === 599 ? { stage: 'unknown' } : {}))
  const after = withSentOrder(many, { type: 'orderSent', draft: aDraft(), clientOrderId: 'new', atMs: noonMs + 1 })
  expect(after).toHaveLength(502)
  expect(stages([after[0], after[500], after[501]].flatMap((order) => order ?? []))).toEqual([
    'new inFlight',
    'o499 taken',
    'o599 unknown',
  ])
})

test('an outcome is that of the order it names, and of no other', () => {
  const two = [sent('a', { stage: 'inFlight' }), sent('b', { stage: 'inFlight' })]
  const of = (outcome: Extract<Parameters<typeof withSentOrder>[1], { type: 'orderOutcome' }>['outcome']) =>
    stages(withSentOrder(two, { type: 'orderOutcome', draft: aDraft(), outcome, atMs: noonMs }))
  const accepted = { kind: 'accepted', order: anOrder({ clientOrderId: 'b' }) } as const
  expect(of(accepted)).toEqual(['a inFlight', 'b taken'])
  const reason = { clientOrderId: 'a', reason: 'no' }
  expect(of({ kind: 'rejected', ...reason })).toEqual(['a refused', 'b inFlight'])
  expect(of({ kind: 'unknown', ...reason, cause: 'noAnswer' })).toEqual(['a unknown', 'b inFlight'])
  const unknown = [sent('a', { stage: 'unknown' }), sent('b', { stage: 'unknown' })]
  const settled = { type: 'writeResolved', key: 'a', id: '7', sentence: '', level: 'info', atMs: noonMs } as const
  expect(stages(withSentOrder(unknown, settled))).toEqual(['a taken', 'b unknown'])
})

test('what did not leave is refused: that very order, and not one like it that did', () => {
  const draft = aDraft()
  const orders = [sent('a', { draft, stage: 'inFlight' }), sent('b', { stage: 'inFlight' }), sent('c', { draft })]
  const after = withSentOrder(orders, { type: 'orderNotSent', draft, reason: 'no', atMs: noonMs })
  expect(stages(after)).toEqual(['a refused', 'b inFlight', 'c taken'])
  expect(withSentOrder(orders, { type: 'cancelSent', orderId: '1', atMs: noonMs })).toBe(orders)
})

test('what was sent is remembered until it has an outcome and an hour has passed', () => {
  const draft = aDraft()
  const sentAt = (clientOrderId: string, atMs: number) => ({ type: 'orderSent', draft, clientOrderId, atMs }) as const
  const first = withSentOrder([], sentAt('a', noonMs))
  expect(first).toMatchObject([{ clientOrderId: 'a', stage: 'inFlight' }])
  const outcome = { kind: 'accepted', order: anOrder({ clientOrderId: 'a' }) } as const
  const taken = withSentOrder(first, { type: 'orderOutcome', draft, outcome, atMs: noonMs })
  expect(taken).toMatchObject([{ clientOrderId: 'a', stage: 'taken' }])
  expect(withSentOrder(taken, sentAt('b', noonMs + 3_600_000)).map((each) => each.clientOrderId)).toEqual(['b'])
  expect(withSentOrder(first, sentAt('b', noonMs + 3_600_000)).map((each) => each.clientOrderId)).toEqual(['b', 'a'])
  const refused = { kind: 'rejected', clientOrderId: 'a', reason: 'Insufficient Balance' } as const
  expect(withSentOrder(first, { type: 'orderOutcome', draft, outcome: refused, atMs: noonMs })).toMatchObject([
    { stage: 'refused' },
  ])
  expect(withSentOrder(first, { type: 'orderNotSent', draft, reason: 'no', atMs: noonMs })).toMatchObject([
    { stage: 'refused' },
  ])
})
