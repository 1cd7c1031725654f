import { expect, test } from 'vitest'
import { keptSession } from '../../src/store/kept-session.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { deskState } from '../fakes/desk-state.ts'

test('the size sent last in a symbol is kept, and a session of an earlier desk has none', () => {
  const store = createDeskStore(deskState({ lastSizes: new Map([['BTC-USD', '$500']]) }))
  const { sizes, ...earlier } = keptSession(store.getState())
  expect(sizes).toEqual({ 'BTC-USD': '$500' })
  const next = createDeskStore(deskState())
  next.dispatch({ type: 'sessionRestored', session: { ...earlier, sizes } })
  expect(next.getState().lastSizes).toEqual(new Map([['BTC-USD', '$500']]))
  next.dispatch({ type: 'sessionRestored', session: earlier })
  expect(next.getState().lastSizes).toEqual(new Map())
})
