import { nearestName } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'

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
