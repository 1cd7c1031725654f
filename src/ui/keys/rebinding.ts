import type { ReboundKeys } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import type { Binding } from './binding.ts'
import { type ActionId, keymap } from './keymap.ts'

/** An action as the configuration names it: `cancelAtCursor` is `cancel_at_cursor`. */
export const settingName = (action: string): string => action.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Keys that mean the same everywhere and stay so: Enter takes, Esc leaves, Ctrl-C ends. */
export const fixedKeys: readonly string[] = ['enter', 'esc', 'ctrl+c']

/** Whether a binding may get other keys: one that takes text, or that holds a key with a fixed meaning, may not. */
export const isFixed = (binding: Binding): boolean =>
  binding.takesText === true || binding.keys.some((key) => fixedKeys.includes(key))

/**
 * The table of keys with some actions bound anew. Lines that the table writes together are then written by their keys.
 */
export function bindingsWith<Id extends string>(
  table: readonly Binding<Id>[],
  rebound: ReboundKeys,
): readonly Binding<Id>[] {
  if (rebound.size === 0) return table
  const isChanged = (binding: Binding<Id>) => rebound.has(binding.action) && !isFixed(binding)
  const lineOf = ({ scope, label }: Binding<Id>) => `${scope} ${label}`
  const changedLines = new Set(table.filter(isChanged).map(lineOf))
  return table.map((binding) => {
    if (!changedLines.has(lineOf(binding))) return binding
    const { shown: _shown, ...rest } = binding
    return isChanged(binding) ? { ...rest, keys: rebound.get(binding.action) ?? binding.keys } : rest
  })
}

const made = new WeakMap<ReboundKeys, readonly Binding<ActionId>[]>()

/** The keys as they are bound on this desk; the same table as long as the same actions are bound anew. */
export function keymapOf({ reboundKeys }: Pick<DeskState, 'reboundKeys'>): readonly Binding<ActionId>[] {
  const known = made.get(reboundKeys)
  if (known !== undefined) return known
  const bindings = bindingsWith(keymap, reboundKeys)
  made.set(reboundKeys, bindings)
  return bindings
}
