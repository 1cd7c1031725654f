import { expect, test } from 'vitest'
import { emptyTicket } from '../../src/domain/orders/ticket.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { reduce } from '../../src/store/store.ts'
import { hangUpOf, usualTerminal } from '../../src/store/terminal.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { aDesk } from './desk.ts'

const atMs = deskNowMs
const moved = (state: DeskState, keyboard: 'here' | 'elsewhere') =>
  reduce(state, { type: 'keyboardMoved', keyboard, atMs })

test('the keyboard goes and comes back, and the same report twice is no news', () => {
  const away = moved(deskState(), 'elsewhere')
  expect(away.terminal).toMatchObject({ keyboard: 'elsewhere', backAtMs: null })
  expect(moved(away, 'elsewhere')).toBe(away)
  expect(moved(away, 'here').terminal).toMatchObject({ keyboard: 'here', backAtMs: atMs })
  // The first report of all is no return.
  expect(moved(deskState(), 'here').terminal.backAtMs).toBeNull()
  expect(away.mode.kind).toBe('ARMED')
})

test('the rule decides what a keyboard that is elsewhere means', () => {
  const safe = moved(deskState({ terminal: { ...usualTerminal, focusRule: 'safe' } }), 'elsewhere')
  expect(safe.mode.kind).toBe('SAFE')
  expect(safe.notice?.text).toContain('Keyboard focus lost')
  const ignoring = deskState({ terminal: { ...usualTerminal, focusRule: 'ignore' } })
  expect(moved(ignoring, 'elsewhere')).toBe(ignoring)
})

test('before the desk sleeps nothing is left that one key would send', () => {
  const form = emptyTicket({ symbol: 'BTC-USD' }, 'BUY')
  const review = { stage: 'review', form, field: 'quantity', reviewedAtMs: 0, confirmed: [], retyped: '' } as const
  const asked = deskState({ ticket: review, overlay: { kind: 'halt', symbol: 'BTC-USD', typed: 'AL' } })
  const leaving = reduce(asked, { type: 'leavingAsked', atMs })
  expect(leaving).toMatchObject({ ticket: { stage: 'edit' }, overlay: null, terminal: { presence: 'leaving' } })
  const back = reduce(leaving, { type: 'cameBack', awayMs: 61_000, hasStopped: true, atMs })
  expect(back).toMatchObject({ terminal: { presence: 'here', backAtMs: atMs } })
  expect(back.notice?.text).toContain('Back after 61 s suspended')
  const stayed = reduce(leaving, { type: 'cameBack', awayMs: 300, hasStopped: false, atMs })
  expect(stayed.notice?.text).toContain('Not suspended: no shell')
})

test('a desk that only watches takes nothing back at a hang-up', () => {
  const terminal = { ...usualTerminal, hangUp: 'cancel' } as const
  expect(hangUpOf(deskState({ terminal }))).toBe('cancel')
  expect(hangUpOf(deskState({ terminal, mode: { kind: 'MONITOR' } }))).toBe('keep')
})

test('while an order is in flight the terminal is not left: its answer would come to a desk that does not listen', () => {
  const { store, commands } = aDesk()
  commands.openTicket('BUY')
  store.dispatch({ type: 'ticketSending' })
  commands.leaveForShell()
  expect(store.getState().terminal.presence).toBe('here')
  expect(store.getState().notice?.text).toBe('Wait: an order has no answer yet.')
  store.dispatch({ type: 'ticketClosed' })
  commands.leaveForShell()
  expect(store.getState().terminal.presence).toBe('leaving')
})
