import { expect, test } from 'vitest'
import { type DeskState, initialState } from '../../../src/store/state.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { usualTerminal } from '../../../src/store/terminal/terminal-state.ts'
import { backMs, createWariness, crowdMs } from '../../../src/ui/keys/wariness.ts'
import { characterKey, namedKey } from '../../../src/ui/terminal/key-sequences.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function wary(change: Partial<DeskState> = {}) {
  const clock = new FakeClock()
  const store = createDeskStore(deskState(change))
  const whyWait = createWariness(store, clock)
  const press = (key: string) => whyWait((key.length === 1 ? characterKey(key) : null) ?? namedKey(key))
  return { clock, store, press }
}

const orders = { focus: 'orders' } as const
const paste = /as a paste does/

test('a key by itself is taken, and so is one that repeats', async () => {
  const { clock, press } = wary(orders)
  expect([press('x'), press('x'), press('x')]).toEqual([null, null, null])
  await clock.advance(crowdMs)
  expect(press('j')).toBeNull()
  await clock.advance(crowdMs)
  expect(press('x')).toBeNull()
})

test('among keys that come all at once none cancels, confirms or arms, and what is harmless goes on', () => {
  const { press } = wary({ ...orders, mode: { kind: 'SAFE' } })
  expect([press('a'), press('b')]).toEqual([null, null])
  expect(press('x')).toMatch(paste)
  expect(press('L')).toMatch(paste)
  expect(press('j')).toBeNull()
  const armed = wary(orders)
  armed.press('j')
  // Towards SAFE is never held back.
  expect(armed.press('L')).toBeNull()
})

test('a crowd lasts as long as its keys come close together', async () => {
  const { clock, press } = wary(orders)
  press('a')
  for (const key of ['b', 'b', 'x']) {
    await clock.advance(crowdMs - 1)
    expect(press(key)).toEqual(key === 'x' ? expect.stringMatching(paste) : null)
  }
})

test('a halt that was typed while the line stood still comes all at once and works; one within a paste does not', () => {
  const halt = { kind: 'halt', symbol: 'BTC-USD', typed: '' } as const
  const late = wary()
  expect(late.press('K')).toBeNull()
  late.store.dispatch({ type: 'overlayOpened', overlay: halt })
  for (const key of ['A', 'L', 'L', 'enter']) expect(late.press(key)).toBeNull()
  const pasted = wary()
  pasted.press('O')
  pasted.press('K')
  pasted.store.dispatch({ type: 'overlayOpened', overlay: halt })
  expect(pasted.press('enter')).toMatch(/Not halted/)
})

test('a key proves that the keyboard is here; what cannot be taken back waits a moment more', async () => {
  const terminal = { ...usualTerminal, keyboard: 'elsewhere' } as const
  const { clock, store, press } = wary({ ...orders, terminal })
  expect(press('x')).toMatch(/only just come back/)
  expect(store.getState().terminal.keyboard).toBe('here')
  await clock.advance(backMs)
  expect(press('x')).toBeNull()
})

test('where the terminal reports nothing, nothing is held back', () => {
  expect(
    initialState({ nowMs: 0, venue: { profileName: '', kind: 'practice' }, mode: { kind: 'ARMED' }, symbol: 'X' }),
  ).toMatchObject({ terminal: { keyboard: 'unknown', backAtMs: null } })
  expect(wary(orders).press('x')).toBeNull()
})
