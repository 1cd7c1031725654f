import { expect, test } from 'vitest'
import { createDeskStore } from '../../src/store/store.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { aDraft } from '../fakes/orders.ts'

const draft = aDraft()
const atMs = deskNowMs

test('a session counts what was refused and what had no answer, and keeps the last refusal', () => {
  const store = createDeskStore(deskState())
  store.dispatchAll([
    {
      type: 'orderOutcome',
      draft,
      outcome: { kind: 'rejected', clientOrderId: 'a', reason: 'Insufficient Balance' },
      atMs,
    },
    {
      type: 'orderOutcome',
      draft,
      outcome: { kind: 'unknown', clientOrderId: 'b', reason: 'no answer', cause: 'noAnswer' },
      atMs,
    },
    { type: 'cancelOutcome', outcome: { kind: 'unknown', orderId: '7', reason: 'no answer', cause: 'noAnswer' }, atMs },
  ])
  expect(store.getState().session).toMatchObject({
    rejectCount: 1,
    unknownCount: 2,
    lastReject: { atMs, reason: 'Insufficient Balance' },
  })
})

test('how the calls go comes with the answers; an answer that tells nothing leaves it', () => {
  const store = createDeskStore(deskState())
  const calls = { perSecond: 4.2, perSecondMax: 20, pausedMs: 0, retryCount: 3 }
  store.dispatch({ type: 'answered', roundTripMs: 5, skewMs: null, calls })
  const { session } = store.getState()
  expect(session.calls).toBe(calls)
  store.dispatch({ type: 'answered', roundTripMs: 5, skewMs: null })
  expect(store.getState().session).toBe(session)
})

test('how the calls go comes with the time too: in an outage no answer would tell it', () => {
  const store = createDeskStore(deskState())
  const calls = (perSecond: number, pausedMs = 0) => ({ perSecond, perSecondMax: 20, pausedMs, retryCount: 3 })
  store.dispatch({ type: 'answered', roundTripMs: 5, skewMs: null, calls: calls(6, 9_000) })
  store.dispatch({ type: 'ticked', nowMs: deskNowMs + 500, calls: calls(1.4, 4_000) })
  const { session } = store.getState()
  expect(session.calls).toEqual(calls(1.4, 4_000))
  store.dispatch({ type: 'ticked', nowMs: deskNowMs + 1_000, calls: calls(1.4, 4_000) })
  expect(store.getState().session).toBe(session)
})
