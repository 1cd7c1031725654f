import { expect, test } from 'vitest'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import { type DeskState, initialState } from '../../../src/store/desk.ts'
import { paletteWith } from '../../../src/store/palette.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { usualTerminal } from '../../../src/store/terminal.ts'
import { backMs, createInputGuard, pastedMs } from '../../../src/ui/keys/input-guard.ts'
import { burstMs } from '../../../src/ui/terminal/key-reader.ts'
import { characterKey, namedKey } from '../../../src/ui/terminal/key-sequences.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function guarded(change: Partial<DeskState> = {}) {
  const clock = new FakeClock(deskNowMs)
  const store = createDeskStore(deskState(change))
  const whyWait = createInputGuard(store, clock)
  const press = (key: string) => whyWait((key.length === 1 ? characterKey(key) : null) ?? namedKey(key))
  const paste = (text: string, isCut?: true) =>
    whyWait({ kind: 'paste', text, ...(isCut === undefined ? {} : { isCut }) })
  const event = (key: string, doubt?: 'rest') =>
    whyWait({ kind: 'key', key, text: key, ...(doubt === undefined ? {} : { doubt }) })
  return { clock, store, press, paste, event }
}

const orders = { focus: 'orders' } as const
const paste = /it came with other keys/

test('a key by itself is taken, and so is one that repeats', async () => {
  const { clock, press } = guarded(orders)
  expect([press('x'), press('x'), press('x')]).toEqual([null, null, null])
  await clock.advance(burstMs)
  expect(press('j')).toBeNull()
  await clock.advance(burstMs)
  expect(press('x')).toBeNull()
})

test('among keys that come all at once none cancels, confirms or arms, and what is harmless goes on', () => {
  const { press } = guarded({ ...orders, mode: { kind: 'SAFE' } })
  expect([press('a'), press('b')]).toEqual([null, null])
  expect(press('x')).toMatch(paste)
  expect(press('L')).toMatch(paste)
  expect(press('j')).toBeNull()
  const armed = guarded(orders)
  armed.press('j')
  // Towards SAFE is never held back.
  expect(armed.press('L')).toBeNull()
})

test('what the palette does at Enter waits as its own key would, and what is harmless there does not', async () => {
  const wanting = (line: string) => guarded({ ...orders, mode: { kind: 'SAFE' }, overlay: paletteWith(line) })
  const burst = wanting('toggle armed and safe')
  burst.press('m')
  expect(burst.press('enter')).toMatch(paste)
  await burst.clock.advance(burstMs)
  expect(burst.press('enter')).toBeNull()
  const after = wanting('toggle armed and safe')
  after.paste('toggle armed and safe')
  await after.clock.advance(pastedMs - 1)
  expect(after.press('enter')).toMatch(/right after a paste/)
  const said = wanting('arm')
  said.paste('arm')
  await said.clock.advance(pastedMs - 1)
  expect(said.press('enter')).toMatch(/right after a paste/)
  for (const line of ['zoom pane', 'symbol btc-usd']) {
    const harmless = wanting(line)
    harmless.press('m')
    expect(harmless.press('enter')).toBeNull()
  }
})

test('the key that answered a question does nothing behind it when it is pressed once more at once', async () => {
  const answered = (key = 'x') => {
    const target = { kind: 'orders', orderIds: ['1'], words: 'your order 1' } as const
    const desk = guarded({ ...orders, overlay: { kind: 'confirmCancel', target } })
    expect(desk.press(key)).toBeNull()
    desk.store.dispatch({ type: 'overlayClosed' })
    return desk
  }
  const again = answered()
  // Held back, it is waited for anew; another key in between shows that the pane is seen.
  for (const _ of [1, 2, 3]) {
    // Longer than it takes to press a key once more by mistake: 0.7 s, however it is set in the code.
    await again.clock.advance(699)
    expect(again.press('x')).toMatch(/just answered/)
  }
  await again.clock.advance(700)
  expect(again.press('x')).toBeNull()
  const between = answered()
  await between.clock.advance(burstMs)
  expect(between.press('j')).toBeNull()
  await between.clock.advance(burstMs)
  expect(between.press('x')).toBeNull()
  const other = answered('esc')
  await other.clock.advance(burstMs)
  expect(other.press('x')).toBeNull()
})

test('a burst lasts as long as its keys come close together', async () => {
  const { clock, press } = guarded(orders)
  press('a')
  for (const key of ['b', 'b', 'x']) {
    await clock.advance(burstMs - 1)
    expect(press(key)).toEqual(key === 'x' ? expect.stringMatching(paste) : null)
  }
})

test('a halt that was typed while the line stood still comes all at once and works; one within a paste does not', () => {
  const halt = { kind: 'halt', symbol: 'BTC-USD', typed: '' } as const
  const late = guarded()
  expect(late.press('K')).toBeNull()
  late.store.dispatch({ type: 'overlayOpened', overlay: halt })
  for (const key of ['A', 'L', 'L', 'enter']) expect(late.press(key)).toBeNull()
  const pasted = guarded()
  pasted.press('O')
  pasted.press('K')
  pasted.store.dispatch({ type: 'overlayOpened', overlay: halt })
  expect(pasted.press('enter')).toMatch(/Not halted/)
})

test('a halt that came together with other keys names what does it now: Enter again, for the question is open', async () => {
  const halt = { kind: 'halt', symbol: 'BTC-USD', typed: '' } as const
  for (const typed of ['', 'ALL', 'AL']) {
    const { clock, store, press } = guarded()
    press('O')
    press('K')
    store.dispatch({ type: 'overlayOpened', overlay: { ...halt, typed } })
    const next = typed === 'AL' ? 'Erase it, or type ALL.' : 'Enter again halts.'
    expect(press('enter')).toBe(`Not halted: keys came together. ${next}`)
    await clock.advance(1_000)
    expect(press('enter')).toBeNull()
  }
})

test('a key proves that the keyboard is here; what cannot be taken back waits a moment more', async () => {
  const terminal = { ...usualTerminal, keyboard: 'elsewhere' } as const
  const { clock, store, press } = guarded({ ...orders, terminal })
  expect(press('x')).toMatch(/focus just returned/)
  expect(store.getState().terminal.keyboard).toBe('here')
  expect(guarded({ mode: { kind: 'SAFE' }, terminal }).press('L')).toMatch(/focus just returned/)
  // Halting always works.
  expect(press('K')).toBeNull()
  await clock.advance(backMs)
  expect(press('x')).toBeNull()
})

test('q right after Esc leaves; after more of a sequence it is the end of it', async () => {
  const { clock, event, press } = guarded(orders)
  press('esc')
  await clock.advance(burstMs)
  expect(event('q', 'rest')).toBeNull()
  await clock.advance(burstMs)
  press('esc')
  await clock.advance(burstMs)
  expect(event('O', 'rest')).toBeNull()
  await clock.advance(burstMs)
  expect(event('q', 'rest')).toContain('Press it again')
  expect(event('q')).toBeNull()
})

test('where the terminal reports nothing, nothing is held back', () => {
  expect(
    initialState({ nowMs: 0, venue: { profileName: '', kind: 'practice' }, mode: { kind: 'ARMED' }, symbol: 'X' }),
  ).toMatchObject({ terminal: { keyboard: 'unknown', backAtMs: null } })
  expect(guarded(orders).press('x')).toBeNull()
})

const review = { stage: 'review', form: emptyTicket({ symbol: 'BTC-USD' }, 'BUY'), field: 'quantity' } as const
const underReview = { ticket: { ...review, reviewedAtMs: 0, confirmed: [], retyped: '' } } as const

test('what comes together with a paste does nothing at all: it broke out of its marks', () => {
  const { press, paste } = guarded(underReview)
  expect(paste('x')).toBeNull()
  expect([press('enter'), press('q'), press('K'), press('j')]).toEqual(
    Array(4).fill(expect.stringMatching(/with a paste/)),
  )
})

test('what cannot be taken back waits for a moment after a paste; leaving does too, and all else goes on', async () => {
  const { clock, press, paste } = guarded(orders)
  paste('0.05')
  await clock.advance(pastedMs - 1)
  expect(press('x')).toMatch(/right after a paste/)
  await clock.advance(burstMs)
  expect([press('j'), press('x')]).toEqual([null, expect.anything()])
  paste('0.05')
  await clock.advance(burstMs)
  expect(press('q')).toMatch(/right after a paste/)
  await clock.advance(pastedMs)
  expect(press('x')).toBeNull()
})

test('a paste whose end does not come holds such keys back until it comes, or Esc is pressed', async () => {
  const cut = guarded(orders)
  cut.paste('0.05', true)
  await cut.clock.advance(600_000)
  expect(cut.press('x')).toMatch(/a paste is open. Esc/)
  await cut.clock.advance(1_000)
  expect(cut.press('esc')).toBeNull()
  await cut.clock.advance(1_000)
  expect(cut.press('x')).toBeNull()
  const ended = guarded(orders)
  ended.paste('0.05', true)
  await ended.clock.advance(600_000)
  ended.paste('')
  await ended.clock.advance(pastedMs)
  expect(ended.press('x')).toBeNull()
})

test('right after a standstill no key sends, or brings the review that the next one would send', async () => {
  const atMs = deskNowMs
  const standstill = { fromMs: atMs - 60_000, toMs: atMs }
  const terminal = { ...usualTerminal, backAtMs: atMs }
  const { clock, press } = guarded({ ticket: { ...review, stage: 'edit' }, standstill, terminal })
  expect(press('enter')).toMatch(/stood still/)
  await clock.advance(backMs)
  expect(press('enter')).toBeNull()
})
