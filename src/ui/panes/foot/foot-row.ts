import { type Mode, mayCancel } from '../../../domain/desk/mode.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { KeyEntry } from '../../key-help.ts'
import type { Binding, Scope } from '../../keys/binding.ts'
import { type ActionId, keymap } from '../../keys/keymap.ts'
import { unofferedActions } from '../../keys/offered.ts'
import { keymapOf } from '../../keys/rebinding.ts'
import { activeScopes } from '../../keys/scopes.ts'
import { footEntries } from '../../keys/shown-keys.ts'
import { keepSame, rememberLast } from '../../tables/remember.ts'
import { fitRow, type Row, rowWidth, span } from '../../text/row.ts'

/** The mode's key says what it would do now. */
function labelOf(entry: KeyEntry, mode: Mode): string {
  if (entry.label !== 'arm/safe') return entry.label
  return mode.kind === 'ARMED' ? 'safe' : 'arm'
}

/** Keys that stay on the line however short it is: help, what is dangerous, and arming while nothing can be sent. */
function isKept(entry: KeyEntry, mode: Mode): boolean {
  if (entry.label === 'keys' || entry.isDanger) return true
  return entry.label === 'arm/safe' && mode.kind !== 'ARMED'
}

const entryRow = (entry: KeyEntry, mode: Mode): Row => [
  span('  '),
  span(entry.keys, 'key'),
  span(` ${labelOf(entry, mode)}`, entry.isDanger ? 'warn' : 'label'),
]

/** The keys that act now, made from the key table; short of room the later ones are left out and `?` shows them all. */
export function footRow(scopes: readonly Scope[], mode: Mode, width: number, bindings = keymap): Row {
  const entries = footEntries(scopes, bindings).map((entry) => ({
    entry,
    row: entryRow(entry, mode),
    isShown: isKept(entry, mode),
  }))
  let left = width + 1 - entries.reduce((sum, { row, isShown }) => sum + (isShown ? rowWidth(row) : 0), 0)
  for (const isLast of [false, true]) {
    for (const each of entries) {
      if (each.isShown || each.entry.isLast !== isLast || rowWidth(each.row) > left) continue
      each.isShown = true
      left -= rowWidth(each.row)
    }
  }
  const shown = entries.filter(({ isShown }) => isShown)
  const line = shown.flatMap(({ row }) => row)
  // The first entry's gap becomes the margin that all lines of the screen have.
  return fitRow([span(' '), ...line.slice(1)], width)
}

/** What a desk that only watches cannot do in any of its moments, and so does not offer. */
const writes: readonly ActionId[] = ['buy', 'sell', 'cancelAtCursor', 'cancelSelected', 'askHalt', 'toggleArmed']

/**
 * Whether a key is worth naming on this desk now. Keys that depend on where the cursor stands stay: the line must not
 * flicker.
 */
function isOffered({ action }: Binding<ActionId>, mode: Mode, unoffered: readonly ActionId[]): boolean {
  return !unoffered.includes(action) && (mayCancel(mode) || !writes.includes(action))
}

/**
 * The same keys in the same mode are the same line: it is asked for at every change of the desk, and changes with what
 * a person does.
 */
const lineOf = rememberLast(
  (
    scopes: readonly Scope[],
    mode: Mode,
    unoffered: readonly ActionId[],
    width: number,
    table: readonly Binding<ActionId>[],
  ) =>
    footRow(
      scopes,
      mode,
      width,
      table.filter((binding) => isOffered(binding, mode, unoffered)),
    ),
)
const unofferedOf = keepSame<ActionId>()
const scopesOf = keepSame<Scope>()

/** The line of keys at the foot of the screen: what acts now, as it is bound, as much as fits. */
export const footLine = (state: DeskState, width: number, isTooSmall = false): Row =>
  lineOf(
    scopesOf(activeScopes(state, isTooSmall)),
    state.mode,
    unofferedOf(unofferedActions(state)),
    width,
    keymapOf(state),
  )
