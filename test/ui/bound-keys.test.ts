import { expect, test } from 'vitest'
import { namedKeys } from '../../src/domain/desk/session.ts'
import { Decimal } from '../../src/domain/money.ts'
import { initialAlerts } from '../../src/store/alerts/alerts.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { paletteWith } from '../../src/store/palette.ts'
import { noticeRow } from '../../src/ui/console/foot-rows.ts'
import { createInputGuard } from '../../src/ui/keys/input-guard.ts'
import { keymap } from '../../src/ui/keys/keymap.ts'
import { rowText } from '../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { noLimits } from '../fakes/limits.ts'
import { withdrawData, withdrawOverlays } from '../fakes/withdraw-overlays.ts'
import { aDesk, startMs } from '../store/desk.ts'
import { form } from './golden/desks.ts'
import { plainScreen } from './render-screen.tsx'

/** Every action that a sentence names, bound to another key. */
const reboundKeys = new Map([
  ['alerts', ['ctrl+g']],
  ['askHalt', ['H']],
  ['chooseSymbol', ['f']],
  ['confirmSoftLimits', ['!']],
  ['confirmWithdrawLimits', ['!']],
  ['clearPalette', ['ctrl+k']],
  ['eraseInDeposit', ['f2']],
  ['eraseInHelp', ['f3']],
  ['eraseInSymbols', ['f4']],
  ['eraseInWithdraw', ['f5']],
  ['helpDown', ['ctrl+n']],
  ['lastRow', ['G']],
  ['stepDown', ['f6']],
  ['stepUp', ['f7']],
])

const screen = (more: Partial<DeskState>, [columns, rows] = [120, 40]) =>
  plainScreen(deskState({ reboundKeys, ...more }), columns, rows).replace(/\s*[│║]\s*/g, ' ')

test('the key that the table of keys gives an action first is the one that sentences name', () => {
  for (const [action, key] of Object.entries(namedKeys))
    expect(keymap.find((binding) => binding.action === action)?.keys[0], action).toBe(key)
})

test('a symbol that the exchange does not list: the key that chooses another one', () => {
  expect(screen({ symbol: 'ABC-USD' })).toContain('does not list ABC-USD: f chooses')
})

test('a frozen screen: the key that makes it live again, however it was frozen', () => {
  const frozen = (keys: DeskState['reboundKeys']) => {
    const desk = aDesk('ARMED', { reboundKeys: keys })
    desk.commands.toggleFreeze()
    return desk.store.getState().notice?.text
  }
  expect(frozen(new Map())).toMatch(/ p resumes\.$/)
  expect(frozen(new Map([['freeze', ['f4']]]))).toMatch(/ F4 resumes\.$/)
})

test('alerts: the key that lists them, on the line of notices and in what is said of them', () => {
  const toast = { seq: 1, atMs: deskNowMs, isQuiet: false, kind: 'transfer', level: 'good', text: 'Paid.' } as const
  const alerts = { ...initialAlerts({}, 0, true), toasts: [toast, { ...toast, seq: 2 }] }
  const line = (more: Partial<DeskState>) => rowText(noticeRow(deskState({ alerts, reboundKeys, ...more }), 80))
  expect(line({ unknownWrites: [] })).toContain('+1 more, Ctrl-G lists')
  const notice = { atMs: deskNowMs + 1_000, level: 'info', text: 'Mode is SAFE.' } as const
  expect(line({ notice })).toContain('2 ALERTS: Ctrl-G')
  const desk = aDesk('ARMED', { reboundKeys })
  desk.store.dispatch({ type: 'alertsActed', act: { kind: 'remove', id: 5 }, atMs: startMs })
  expect(desk.store.getState().notice?.text).toBe('No alert 5: Ctrl-G lists them.')
})

test('a review: the key that confirms a soft limit', () => {
  const limits = { ...noLimits, orderNotionalUsd: { soft: new Decimal(1_000), hard: null } }
  const ticket = { stage: 'review', form, field: 'price', reviewedAtMs: deskNowMs, confirmed: [], retyped: '' } as const
  expect(screen({ ticket, limits })).toMatch(/USD: type !,/)
  expect(screen({ ...withdrawData(), overlay: withdrawOverlays.review })).toContain('more today: type !')
})

test('the help: the keys that show the rest of it', () => {
  expect(screen({ overlay: { kind: 'help', query: '', top: 0 } }, [80, 24])).toContain(
    'more below: Up, Ctrl-N, PgUp, PgDn',
  )
})

test('a halt that may have been pasted: the key that asks again, where the question is to be left first', async () => {
  const desk = aDesk('ARMED', { reboundKeys })
  const clock = new FakeClock(startMs)
  const whyNot = createInputGuard(desk.store, clock)
  desk.commands.askHalt()
  whyNot({ kind: 'paste', text: 'a', isCut: true })
  await clock.advance(5_000)
  expect(whyNot({ kind: 'key', key: 'enter', text: null })).toBe('Not halted: a paste is open. Esc, H, then Enter.')
})

test('lists that go on behind their last row: the key that goes there', () => {
  const older = { reach: 'some', call: { kind: 'resting' }, atMs: deskNowMs } as const
  const { orderHistory, fillHistory } = deskState()
  const more = { orderHistory: { ...orderHistory, ...older }, fillHistory: { ...fillHistory, ...older } }
  const alone = { layout: 'trade', isZoomed: true } as const
  for (const focus of ['orders', 'fills'] as const)
    expect(screen({ ...more, focus, view: alone })).toContain('more with G')
})

test('searches that find nothing: the key that takes letters back', () => {
  const query = 'zzz'
  const said = (overlay: NonNullable<DeskState['overlay']>, more = {}) => screen({ ...more, overlay })
  expect(said({ kind: 'symbols', query, selected: null })).toContain('No symbol matches. F4 deletes.')
  expect(said({ kind: 'depositChoose', query, selected: null })).toContain('No currency matches. F2 deletes.')
  expect(said({ kind: 'help', query, top: 0 })).toContain('No key does that. F3 deletes.')
  expect(said(paletteWith(query))).toContain('No match. Ctrl-K clears the line and lists all there is.')
  expect(said({ ...withdrawOverlays.currency, query }, withdrawData())).toContain('No currency matches. F5 deletes.')
  expect(said({ ...withdrawOverlays.beneficiary, query }, withdrawData())).toContain('No entry matches. F5 deletes.')
})

test('a ticket: the keys that change a choice', () => {
  expect(screen({ ticket: { stage: 'edit', form, field: 'type' } })).toContain('F7 F6 change')
})
