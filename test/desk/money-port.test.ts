import { expect, test } from 'vitest'
import { queueParts } from '../../src/desk/money-port.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { deskState } from '../fakes/desk-state.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'

test('money leaves while the desk is armed, and at no other moment', () => {
  const store = createDeskStore(deskState({ mode: { kind: 'ARMED' } }))
  const unasked = () => Promise.reject(new Error('nothing is asked for'))
  const { stoppedNow = () => 'never asked' } = queueParts(
    {
      drafts: { read: unasked, update: unasked, alone: unasked },
      journal: createMemoryJournal(),
      clock: new FakeClock(),
      randomBytes: (count) => new Uint8Array(count),
    },
    {
      store,
      client: {
        fetchWhitelist: unasked,
        fetchAccounts: unasked,
        fetchWithdrawals: unasked,
        fetchSymbols: unasked,
        fetchTickers: unasked,
        fetchOrders: unasked,
        fetchOrderPage: unasked,
      },
      signal: new AbortController().signal,
    },
  )
  expect(stoppedNow()).toBeNull()
  for (const kind of ['HALTED', 'SAFE', 'MONITOR'] as const) {
    store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: 0 })
    expect(stoppedNow()).toContain(kind)
  }
  store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: 0 })
  expect(stoppedNow()).toBeNull()
})
