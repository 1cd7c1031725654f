import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/base/text/time-text.ts'
import {
  asRecorded,
  begun,
  type DraftRecord,
  draftStateName,
  dropped,
  isEnded,
  markedSending,
  mayAdd,
  nextDraftStates,
  waitingMax,
  whyNotADraft,
} from '../../../src/domain/draft.ts'
import {
  aged,
  type DraftedOrder,
  draftedOrderId,
  draftIdOf,
  isListed,
  lifeBounds,
  lifeMaxMs,
  lifeMinMs,
  newDraftedOrder,
  type OrderSentAs,
  readLife,
} from '../../../src/domain/orders/drafted-order.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { aDraft } from '../../fakes/orders.ts'

const records: DraftRecord<OrderSentAs>[] = [
  { kind: 'none' },
  { kind: 'open', atMs: 2, journalKey: 'draftabc234' },
  { kind: 'taken', atMs: 2, as: { orderId: '7' } },
  { kind: 'notTaken', atMs: 2, reason: 'Insufficient Balance' },
]

type Act = (draft: DraftedOrder) => DraftedOrder
const kept = (draft: DraftedOrder, after: { ok: true; value: DraftedOrder } | { ok: false }) =>
  after.ok ? after.value : draft
const act = fc.oneof(
  fc.constantFrom<Act[]>(
    (draft) => kept(draft, markedSending(draft, whyNotADraft(draft), 1)),
    (draft) => kept(draft, begun(draft)),
    (draft) => kept(draft, dropped(draft, 1)),
    ...records.map(
      (record): Act =>
        (draft) =>
          asRecorded(draft, record),
    ),
  ),
  // The wall clock says whatever it likes, at any time.
  fc.integer({ min: -3 * dayMs, max: 3 * dayMs }).map(
    (nowMs): Act =>
      (draft) =>
        aged(draft, nowMs),
  ),
)

test('whatever is done and whatever the clock says, a draft comes only to states that may follow, and none revives', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 14 }), (acts) => {
      let draft = anOrderDraft()
      let isOver = false
      for (const each of acts) {
        const before = draft
        draft = each(draft)
        if (draft.state.kind !== before.state.kind)
          expect(nextDraftStates[before.state.kind]).toContain(draft.state.kind)
        isOver ||= draft.state.kind !== 'draft' && draft.state.kind !== 'sending'
        if (isOver) expect(whyNotADraft(draft)).not.toBeNull()
        expect({ ...draft, state: null }).toEqual({ ...before, state: null })
      }
    }),
    { numRuns: 500 },
  )
})

test('by no clock a draft can be sent for more than a day from when it was made, or before it was', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -5 * dayMs, max: 5 * dayMs }),
      fc.integer({ min: 0, max: 10 * dayMs }),
      (nowMs, lifeMs) => {
        const draft = newDraftedOrder({ order: aDraft(), by: 'script', reason: null, lifeMs }, 'a2', 0)
        const isOpen = !isEnded(aged(draft, nowMs))
        if (isOpen) expect(nowMs >= -60_000 && nowMs < dayMs && nowMs < draft.lifeMs).toBe(true)
        expect(isOpen || nowMs < -60_000 || nowMs >= Math.min(draft.lifeMs, dayMs)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test('a draft that says it lives longer than a day is expired after one all the same', () => {
  for (const lifeMs of [2 * dayMs, Number.MAX_SAFE_INTEGER]) {
    const draft = anOrderDraft({ lifeMs })
    expect([dayMs - 1, dayMs, 30 * dayMs].map((nowMs) => isEnded(aged(draft, nowMs)))).toEqual([false, true, true])
  }
})

test('an expired draft says so, is listed for a day, and is not sent', () => {
  const over = aged(anOrderDraft(), hourMs)
  expect([draftStateName(over.state), whyNotADraft(over)]).toEqual(['expired', 'it expired: make a new one'])
  expect([hourMs, hourMs + dayMs - 1, hourMs + dayMs].map((nowMs) => isListed(over, nowMs))).toEqual([
    true,
    true,
    false,
  ])
  expect(isListed(anOrderDraft(), 30 * dayMs)).toBe(true)
  expect(markedSending(over, whyNotADraft(over), 5).ok).toBe(false)
})

test('what a maker says is one line without control characters, and short', () => {
  const made = newDraftedOrder(
    { order: aDraft(), by: 'mcp \u001b[2Jevil\u202e\n', reason: ` buy\u0007\nnow ${'x'.repeat(900)}`, lifeMs: 1 },
    'a2',
    0,
  )
  expect(made.by).toBe('mcp [2Jevil')
  expect(made.reason).toMatch(/^buy now x+$/)
  expect(made.reason?.length).toBe(200)
  expect(made.lifeMs).toBe(60_000)
  expect(newDraftedOrder({ order: aDraft(), by: ' \u0000 ', reason: '  ', lifeMs: 1 }, 'a2', 0)).toMatchObject({
    ...{ by: 'unknown', reason: null },
  })
})

test('the id of a draft is in its client order id, and in no other one', () => {
  expect(draftedOrderId('abcdefghjkmn')).toMatch(/^[A-Za-z0-9]{1,20}$/)
  expect(draftIdOf(draftedOrderId('abc234'))).toBe('abc234')
  for (const other of ['abc234', 'draft', 'Draftabc', 'draftABC', 'draftabcABC', 'p1draftabc'])
    expect(draftIdOf(other)).toBeNull()
})

test('only so many drafts wait, however many have ended', () => {
  const many = (count: number, draft: DraftedOrder) => Array.from({ length: count }, () => draft)
  const ended = many(1_000, aged(anOrderDraft(), hourMs))
  expect(mayAdd([...ended, ...many(waitingMax - 1, anOrderDraft())]).ok).toBe(true)
  expect(mayAdd(many(waitingMax, anOrderDraft()))).toEqual({
    ok: false,
    error: expect.stringContaining('wait already'),
  })
})

test.each([
  ['2h', 2 * hourMs],
  ['1m', 60_000],
  ['59s', undefined],
  ['1h30', undefined],
  ['45m', 45 * 60_000],
  ['24h', dayMs],
  ['1d', dayMs],
  ['25h', undefined],
  ['2d', undefined],
  ['90', undefined],
  ['2H', undefined],
  ['30s', undefined],
  ['soon', undefined],
])('a life of %s', (text, lifeMs) => {
  expect(readLife(text)).toBe(lifeMs)
})

test('the bounds of a life as they are said are those that hold, and its examples are within', () => {
  const said = lifeBounds.match(/\d+[mhd]/g) ?? []
  expect(said.slice(0, 2).map(readLife)).toEqual([lifeMinMs, lifeMaxMs])
  expect(said.slice(2).map(readLife)).toEqual([90 * 60_000, 2 * hourMs, dayMs])
})

test('an order without a time in force is kept with the one that its type takes first; one that has it keeps it', () => {
  const kept = (order: Partial<OrderDraft>) =>
    newDraftedOrder({ ...anOrderDraft(), order: aDraft(order) }, 'a2', 0).order.timeInForce
  expect(kept({ timeInForce: null })).toBe('GTC')
  expect(kept({ type: 'MARKET', limitPrice: null, timeInForce: null })).toBe('IOC')
  expect(kept({ timeInForce: 'FOK' })).toBe('FOK')
})

test('a clock that was put right by a minute since a draft was made leaves it, one set back by more does not', () => {
  const draft = anOrderDraft({ createdAtMs: 10 * hourMs })
  const at = (nowMs: number) => draftStateName(aged(draft, nowMs).state)
  expect([10 * hourMs - 60_000, 10 * hourMs - 60_001].map(at)).toEqual(['draft', 'expired'])
})
