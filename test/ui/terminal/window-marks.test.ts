import { expect, test } from 'vitest'
import type { DeskState } from '../../../src/store/desk.ts'
import { createWindowMarks, showsProgress, windowTitle } from '../../../src/ui/terminal/window-marks.ts'
import { deskState } from '../../fakes/desk-state.ts'

const utf8 = { TERM: 'xterm-256color', LANG: 'en_US.UTF-8' }
const venue = { profileName: 'main', kind: 'live' } as const

test('the title says venue, mode, profile and symbol', () => {
  const state = deskState({ venue, mode: { kind: 'ARMED' } })
  expect(windowTitle(state, utf8)).toBe('LIVE ARMED main · BTC-USD')
  expect(windowTitle(state, { ...utf8, LANG: 'C' })).toBe('LIVE ARMED main - BTC-USD')
  expect(windowTitle({ ...state, lock: { kind: 'locked', wrongCount: 0 } as never }, utf8)).toBe(
    'LIVE ARMED main · locked',
  )
  const practice = { ...state, venue: { profileName: 'practice', kind: 'practice' } } as const
  expect(windowTitle(practice, utf8)).toBe('PRACTICE ARMED · BTC-USD')
})

test('nothing in a name steers the terminal', () => {
  const profileName = `a\u001b]2;evil\u0007\u009c\u202e${'x'.repeat(500)}`
  const title = windowTitle(deskState({ venue: { profileName, kind: 'live' }, symbol: 'B\u0007\u001b\\' }), utf8)
  expect(title).not.toMatch(/\p{C}/u)
  expect(title.length).toBeLessThanOrEqual(80)
})

/** Marks of a desk that a test changes. */
function marked(env: Readonly<Record<string, string>>, more: Partial<DeskState> = {}) {
  let state = deskState({ venue, mode: { kind: 'SAFE' }, unknownWrites: [], ...more })
  const marks = createWindowMarks(env, () => state)
  const change = (next: Partial<DeskState>) => {
    state = { ...state, ...next }
    return marks.change()
  }
  return { marks, change, terminal: state.terminal }
}

test('the title is put by, follows what changes, and is put back; nothing is written without the screen', () => {
  const { marks, change } = marked(utf8)
  expect([change({ symbol: 'ETH-USD' }), marks.end()]).toEqual(['', ''])
  expect(marks.begin()).toBe('\u001b[22;2t\u001b]2;LIVE SAFE main · ETH-USD\u0007')
  expect(change({ symbol: 'ETH-USD' })).toBe('')
  expect(change({ mode: { kind: 'ARMED' } })).toBe('\u001b]2;LIVE ARMED main · ETH-USD\u0007')
  expect(marks.end()).toBe('\u001b[23;2t')
  expect([change({ mode: { kind: 'SAFE' } }), marks.end()]).toEqual(['', ''])
})

test('a halt is a fault and an unknown write is work, where the terminal shows it; the end takes it off', () => {
  const env = { ...utf8, WT_SESSION: 'x' }
  const { marks, change } = marked(env)
  marks.begin()
  const { unknownWrites } = deskState()
  expect(unknownWrites.length).toBeGreaterThan(0)
  expect(change({ unknownWrites })).toBe('\u001b]9;4;3;0\u001b\\')
  expect(change({ mode: { kind: 'HALTED' } })).toContain('\u001b]9;4;2;100\u001b\\')
  expect(marks.end()).toBe('\u001b]9;4;0;0\u001b\\\u001b[23;2t')
  const quiet = marked(utf8)
  quiet.marks.begin()
  expect(quiet.change({ unknownWrites })).toBe('')
  const asked = marked(utf8, { terminal: { ...quiet.terminal, hasProgress: true, isTitled: false } })
  expect([asked.marks.begin(), asked.change({ unknownWrites })]).toEqual(['', '\u001b]9;4;3;0\u001b\\'])
  const still = marked(env, { looks: { ...deskState().looks, isMotionReduced: true } })
  still.marks.begin()
  expect(still.change({ unknownWrites })).toBe('\u001b]9;4;4;100\u001b\\')
})

test('only terminals that are known to show progress do so unasked', () => {
  for (const [env, shows] of [
    [{ WT_SESSION: '1' }, true],
    [{ ConEmuANSI: 'ON' }, true],
    [{ TERM: 'xterm-ghostty' }, true],
    [{ TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809-5046fc22' }, false],
    [{ TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20250601-000000-aaaaaaaa' }, true],
    [{ TERM: 'xterm-256color' }, false],
    [{ WT_SESSION: '1', TMUX: '/tmp/x' }, false],
    [{ WT_SESSION: '1', TERM: 'screen' }, false],
  ] as const)
    expect([env, showsProgress(env)]).toEqual([env, shows])
})

test('a terminal that would print them gets none', () => {
  for (const TERM of ['dumb', 'linux']) {
    const { marks, change } = marked({ ...utf8, TERM, WT_SESSION: '1' })
    expect([marks.begin(), change({ mode: { kind: 'HALTED' } }), marks.end()]).toEqual(['', '', ''])
  }
})
