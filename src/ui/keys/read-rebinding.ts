import { nearestName, suggestion } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { type KeySetting, noReboundKeys, type ReboundKeys } from '../../domain/desk/session.ts'
import type { Binding } from '../tables/key-bindings.ts'
import { bindingsWith, fixedKeys, isFixed, keymap, settingName } from './keymap.ts'
import { clashes } from './rebinding-clashes.ts'

/** Keys that have a name instead of a character. */
export const namedKeys: readonly string[] = [
  ...['up', 'down', 'left', 'right', 'home', 'end', 'pgup', 'pgdn'],
  ...['enter', 'esc', 'tab', 'shift+tab', 'backspace', 'delete', 'insert', 'space'],
  ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
]

/** Control characters that terminals send for other keys, and what they are then. */
const taken: Readonly<Record<string, string>> = {
  'ctrl+m': 'enter',
  'ctrl+i': 'tab',
  'ctrl+h': 'backspace',
  'ctrl+[': 'esc',
}

/**
 * A key as a person writes it in a file, as the table of keys names it: one character as it is typed, a name such as
 * `pgup` or `f5` whatever the case, or with `ctrl+` or `alt+` before it (a hyphen does as well).
 */
export function readKeyName(written: string): Result<string> {
  const text = written.trim()
  if ([...text].length === 1) return ok(text)
  const lower = text
    .toLowerCase()
    .replace(/^(ctrl|alt|shift)-/, '$1+')
    .replace(/^c[-+]/, 'ctrl+')
    .replace(/^escape$/, 'esc')
  if (namedKeys.includes(lower)) return ok(lower)
  const control = /^ctrl\+([a-z\\\]^_[]|space|up|down|left|right|home|end|pgup|pgdn)$/.exec(lower)
  if (control !== null) {
    const other = taken[lower]
    return other === undefined ? ok(lower) : err(`a terminal sends ${lower} as ${other}: choose another key`)
  }
  // The character after Alt keeps its case.
  const alt = /^alt[-+](.+)$/i.exec(text)
  if (alt !== null && [...(alt[1] ?? '')].length === 1) return ok(`alt+${alt[1]}`)
  const near = nearestName(lower, [...namedKeys, 'ctrl+a', 'alt+a'])
  const hint = near === null ? '' : `, did you mean "${near}"?`
  return err(
    `there is no key "${plainText(text).slice(0, 24)}"${hint || ': write one character, or a name such as "pgup", "f5", "ctrl+b"'}`,
  )
}

/** What is wrong with the keys that a person chose: a sentence each, beginning with its place in the file. */
export type Rebinding = { ok: true; value: ReboundKeys } | { ok: false; issues: readonly string[] }

type Read = { action: string; keys: readonly string[] } | { issue: string }

/** One line of the configuration: a known action that may be bound anew, and keys that there are. */
function readLine({ action, keys, place }: KeySetting, table: readonly Binding[]): Read {
  const wanted = action.replaceAll('-', '_')
  const bindings = table.filter((binding) => settingName(binding.action) === wanted || binding.action === action)
  const [first] = bindings
  if (first === undefined) {
    const names = [
      ...new Set(table.filter((binding) => !isFixed(binding)).map((binding) => settingName(binding.action))),
    ]
    const hint = suggestion(wanted, names) || ': see pitdesk help keys'
    return { issue: `${place}: keys has no action "${plainText(action).slice(0, 60)}"${hint}` }
  }
  const name = settingName(first.action)
  if (bindings.some(isFixed))
    return {
      issue: `${place}: keys.${name} cannot be bound anew: typing, Enter, Esc and Ctrl-C mean the same everywhere`,
    }
  const read: string[] = []
  for (const key of keys) {
    const named = readKeyName(key)
    if (!named.ok) return { issue: `${place}: keys.${name}: ${named.error}` }
    if (fixedKeys.includes(named.value))
      return { issue: `${place}: keys.${name}: ${named.value} is kept for taking and leaving: choose another key` }
    read.push(named.value)
  }
  return { action: first.action, keys: [...new Set(read)] }
}

/**
 * Holds the keys a person chose against the table of keys. The error names every line that is wrong: an action or a key
 * that there is not, a key that two actions would have in the same place, and one that would make a slip of the finger
 * dangerous.
 */
export function readRebinding(settings: readonly KeySetting[], table: readonly Binding[] = keymap): Rebinding {
  // Holding every key of the table against every other takes a while, and most people keep the keys as they are.
  if (settings.length === 0) return { ok: true, value: noReboundKeys }
  const read = settings.map((line) => readLine(line, table))
  const issues = read.flatMap((each) => ('issue' in each ? [each.issue] : []))
  const lines = read.flatMap((each) => ('issue' in each ? [] : [each]))
  const rebound: ReboundKeys = new Map(lines.map(({ action, keys }) => [action, keys]))
  const placeOf = (action: string) =>
    settings.find((line) => settingName(line.action) === settingName(action))?.place ?? 'keys'
  const wrong = clashes(bindingsWith(table, rebound), rebound, table).map(
    ({ action, sentence }) => `${placeOf(action)}: ${sentence}`,
  )
  const all = [...issues, ...wrong]
  return all.length === 0 ? { ok: true, value: rebound } : { ok: false, issues: all }
}
