import { expect, test } from 'vitest'
import { cancelAllHeld } from '../../src/desk/halt-cancel.ts'
import type { Mode } from '../../src/domain/desk/mode.ts'
import type { CancelAllOutcome } from '../../src/domain/orders/order-outcome.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aDesk } from '../store/desk.ts'

const tally = { before: null, canceled: 0, otherwise: [] }
const canceled = (symbol: string | null): CancelAllOutcome => ({ kind: 'canceled', symbol, tally })

/** Cancels all on a desk in this mode, over an exchange that is not there until `state.isThere`. */
function canceling(kind: Mode['kind']) {
  const { store } = aDesk(kind)
  const [clock, ended, state] = [new FakeClock(), new AbortController(), { isThere: false, tries: 0, isOver: false }]
  const orders = {
    cancelAll: (symbol: string | null) => {
      state.tries += 1
      const atMs = clock.now()
      const none = { kind: 'notSent', reason: 'no hub leads' } as const
      store.dispatch({ type: 'cancelAllSent', symbol, atMs })
      if (!state.isThere) store.dispatch({ type: 'cancelNotSent', reason: none.reason, all: { symbol }, atMs })
      else store.dispatch({ type: 'cancelAllOutcome', outcome: canceled(symbol), atMs })
      return Promise.resolve(state.isThere ? canceled(symbol) : none)
    },
  }
  const over = cancelAllHeld(null, { orders, store, clock, signal: ended.signal }).then(() => {
    state.isOver = true
  })
  return { store, clock, state, over, end: () => ended.abort() }
}

test('a halt whose cancel does not leave says so as long as that is so, and cancels once somebody answers', async () => {
  const { store, clock, state, over } = canceling('HALTED')
  await clock.advance(2_000)
  await clock.advance(4_000)
  expect(state).toEqual({ isThere: false, tries: 3, isOver: false })
  store.dispatch({ type: 'noted', level: 'good', text: 'The exchange answers again after 9 s.', atMs: clock.now() })
  expect(store.getState().unsentHalt).toEqual({ symbol: null })
  const told = store.getState().log.filter(({ text }) => text.includes('NOT sent'))
  expect(told.map(({ text }) => text)).toEqual([
    'HALTED, but its cancel is NOT sent: no hub leads. Orders may still work in every symbol: the desk tries again.',
  ])
  state.isThere = true
  await clock.advance(6_000)
  await over
  expect(state.tries).toBe(4)
  expect(store.getState().unsentHalt).toBeNull()
})

test('it is not tried again once the desk is armed, or ends, or where nobody halted', async () => {
  const armed = canceling('HALTED')
  await armed.clock.advance(1_000)
  armed.store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: 1 })
  expect(armed.store.getState().unsentHalt).toBeNull()
  await armed.clock.advance(5_000)
  const ended = canceling('HALTED')
  ended.end()
  const safe = canceling('SAFE')
  await Promise.all([armed.over, ended.over, safe.over])
  expect([armed.state.tries, ended.state.tries, safe.state.tries]).toEqual([1, 1, 1])
  expect(safe.store.getState().unsentHalt).toBeNull()
})
