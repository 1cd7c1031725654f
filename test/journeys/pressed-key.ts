import type { DeskState } from '../../src/store/desk.ts'
import { findBinding, keymapOf } from '../../src/ui/keys/keymap.ts'
import { isTooSmall } from '../../src/ui/panes/layout/layout.ts'
import { activeScopes } from '../../src/ui/tables/key-scopes.ts'
import { createKeyTokenizer } from '../../src/ui/terminal/key-tokenizer.ts'

/**
 * The line of the key table that a chunk of one key presses in this state: `ladder j`, and `symbols text` for a
 * character that is typed. Null for several keys at once, for a paste, and for a key without a meaning.
 */
export function pressedKey(chunk: string, state: DeskState): string | null {
  const tokenizer = createKeyTokenizer()
  const [event, ...more] = [...tokenizer.push(chunk), ...tokenizer.flush()]
  if (event === undefined || event.kind === 'paste' || more.length > 0) return null
  const binding = findBinding(activeScopes(state, isTooSmall(state)), event.key, event.text, keymapOf(state))
  if (binding === undefined) return null
  return `${binding.scope} ${binding.keys.includes(event.key) ? event.key : 'text'}`
}
