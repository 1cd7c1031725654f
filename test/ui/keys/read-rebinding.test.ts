import { expect, test } from 'vitest'
import { bindingsWith, isFixed, keymap, keymapOf, settingName } from '../../../src/ui/keys/keymap.ts'
import { clashes, readKeyName, readRebinding } from '../../../src/ui/keys/rebinding.ts'

/** What the reader says of lines such as `buy = "I"`, each at a line of its own. */
function read(lines: Record<string, string | string[]>) {
  const settings = Object.entries(lines).map(([action, keys], at) => ({
    action,
    keys: typeof keys === 'string' ? [keys] : keys,
    place: `config.toml:${at + 2}:1`,
  }))
  return readRebinding(settings)
}
const issues = (lines: Record<string, string | string[]>): readonly string[] => {
  const rebinding = read(lines)
  return rebinding.ok ? [] : rebinding.issues
}

test('an action gets other keys, in the table that everything is made from', () => {
  const rebinding = read({ buy: 'I', cursor_down: ['N', 'ctrl-n'] })
  if (!rebinding.ok) throw new Error(rebinding.issues.join())
  const table = keymapOf({ reboundKeys: rebinding.value })
  expect(table.find(({ action }) => action === 'buy')?.keys).toEqual(['I'])
  expect(table.find(({ action }) => action === 'cursorDown')?.keys).toEqual(['N', 'ctrl+n'])
  expect(table.find(({ action }) => action === 'sell')?.keys).toEqual(['s'])
  expect(keymapOf({ reboundKeys: rebinding.value })).toBe(table)
})

test('a key that another action has in the same place is named with both', () => {
  expect(issues({ buy: 's' })).toEqual([
    'config.toml:2:1: keys.buy and keys.sell both want s on the ladder: give one of them another key',
  ])
  expect(issues({ buy: 'G', sell: 'G' })[0]).toContain('keys.sell and keys.buy both want G')
  // The same letter in another place is none of its business.
  expect(issues({ lock: 'N' })).toEqual([])
})

test('a key of an order that is moved takes none from what stays around it, halting before all', () => {
  for (const [key, other] of [
    ['K', 'ask_halt'],
    ['L', 'toggle_armed'],
    ['?', 'help'],
  ] as const) {
    for (const action of ['next_to_move', 'confirm_move_limits'])
      expect(issues({ [action]: key })).toEqual([
        `config.toml:2:1: keys.${action} and keys.${other} both want ${key} on the desk: give one of them another key`,
      ])
  }
  expect(issues({ move_up: 'F', next_to_move: 'N' })).toEqual([])
})

test('two that change places do not clash', () => {
  expect(issues({ buy: 's', sell: 'b' })).toEqual([])
})

test('unknown actions and keys say what may have been meant', () => {
  // The name of earlier versions.
  expect(issues({ centre: 'C' })).toEqual([])
  expect(issues({ centr: 'C' })).toEqual(['config.toml:2:1: keys has no action "centr", did you mean "center"?'])
  expect(issues({ center: 'pgupp' })).toEqual([
    'config.toml:2:1: keys.center: unknown key "pgupp", did you mean "pgup"?',
  ])
  expect(issues({ nonsense_of_all_sorts: 'x' })[0]).toContain('see pitdesk help keys')
})

test('Enter, Esc, Ctrl-C and typing stay what they are', () => {
  for (const action of ['send', 'close_overlay', 'quit_now', 'type_in_ticket', 'confirm_halt'])
    expect(issues({ [action]: 'F' })[0]).toContain('cannot be rebound')
  for (const key of ['enter', 'Esc', 'ctrl+c']) expect(issues({ center: key })[0]).toContain('is reserved')
})

test('a key that acts at once is no modified form of a harmless one, whichever of the two is changed', () => {
  expect(issues({ cancel_at_cursor: 'ctrl+x' })[0]).toContain('without Ctrl, Alt or Shift')
  expect(issues({ cancel_at_cursor: 'C' })[0]).toContain('differs only by Shift from keys.center with c')
  expect(issues({ choose_symbol: 'X' })[0]).toMatch(/keys\.\w+ with x differs only by Shift from keys.choose_symbol/)
})

test('no key takes a character away from a field', () => {
  expect(issues({ toggle_armed: '.' })[0]).toContain('where . is typed')
  expect(issues({ share: 'S' })).toEqual([])
})

test('every line that is wrong is told', () => {
  expect(issues({ buy: 's', centr: 'C', share: '1' })).toHaveLength(3)
})

test('the table as it comes has no clash that could be blamed on a person', () => {
  const free = keymap.filter((binding) => !isFixed(binding))
  for (const { action, keys } of free) {
    const same = new Map([[action, keys]])
    const table = bindingsWith(keymap, same)
    const others = keymap.filter((binding) => binding.action === action)
    // An action that stands in several places with different keys would get the first ones everywhere.
    if (others.every((binding) => binding.keys.join() === keys.join())) expect(clashes(table, same, keymap)).toEqual([])
  }
})

test('keys are read as people write them', () => {
  const names = {
    PgUp: 'pgup',
    'Ctrl-B': 'ctrl+b',
    'C-b': 'ctrl+b',
    escape: 'esc',
    ' f5 ': 'f5',
    K: 'K',
    'alt-X': 'alt+X',
  }
  for (const [written, name] of Object.entries(names)) expect(readKeyName(written)).toEqual({ ok: true, value: name })
  expect(readKeyName('ctrl+m')).toMatchObject({ ok: false })
  expect(readKeyName('\u001b[2Jboo')).toMatchObject({ ok: false })
})

test('an action has one name in files, and no two share it', () => {
  expect(settingName('cancelAtCursor')).toBe('cancel_at_cursor')
  const actions = [...new Set(keymap.map(({ action }) => action))]
  expect(new Set(actions.map(settingName)).size).toBe(actions.length)
})
