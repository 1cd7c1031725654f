import type { ReboundKeys } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { type Binding, type Run, withKeys } from '../tables/key-bindings.ts'
import type { Scope } from '../tables/key-scopes.ts'
import { chartKeys, deskKeys, equityKeys, haltKeys, lockKeys, viewKeys } from './desk-keys.ts'
import {
  balancesKeys,
  gatewayListsKeys,
  positionsKeys,
  tablesKeys,
  tickersKeys,
  transferListsKeys,
} from './list-keys.ts'
import { depositKeys, withdrawKeys } from './money-keys.ts'
import { alertsKeys, helpKeys, paletteKeys, symbolsKeys, themesKeys } from './overlay-keys.ts'
import { plansKeys } from './plan-keys.ts'
import { ladderKeys, moveKeys, ordersKeys, ticketKeys } from './trade-keys.ts'
import { unknownWriteKeys } from './unknown-write-keys.ts'

const rows = [
  ...ladderKeys,
  ...moveKeys,
  ...ordersKeys,
  ...unknownWriteKeys,
  ...tablesKeys,
  ...deskKeys,
  ...ticketKeys,
  ...symbolsKeys,
  ...helpKeys,
  ...paletteKeys,
  ...haltKeys,
  ...lockKeys,
  ...chartKeys,
  ...balancesKeys,
  ...positionsKeys,
  ...equityKeys,
  ...plansKeys,
  ...tickersKeys,
  ...viewKeys,
  ...themesKeys,
  ...alertsKeys,
  ...depositKeys,
  ...withdrawKeys,
  ...transferListsKeys,
  ...gatewayListsKeys,
]
export type ActionId = (typeof rows)[number]['action']

/**
 * The single table of actions, a row per action and scope: key handling, key line, help, palette, key settings and
 * manual are all made from it. Each file holds a group of scopes.
 */
export const keymap: readonly Binding<ActionId>[] = rows

/** What each action does, in whichever scope. */
export const actions: ReadonlyMap<string, Run> = new Map(rows.map(({ action, run }) => [action, run]))

/** The field that takes typed text in the given scopes, if there is one. */
export const fieldIn = (
  scopes: readonly Scope[],
  bindings: readonly Binding<ActionId>[],
): Binding<ActionId> | undefined =>
  bindings.find(({ takesText, scope }) => takesText === true && scopes.includes(scope))

/** A key's binding in the given scopes, or undefined. Any explicit binding precedes text input. */
export function findBinding(
  scopes: readonly Scope[],
  key: string,
  text: string | null,
  bindings: readonly Binding<ActionId>[] = keymap,
): Binding<ActionId> | undefined {
  for (const scope of scopes) {
    const bound = bindings.find((binding) => binding.scope === scope && binding.keys.includes(key))
    if (bound !== undefined) return bound
  }
  return text === null ? undefined : fieldIn(scopes, bindings)
}

/** An action's name in the configuration: `cancelAtCursor` is `cancel_at_cursor`. */
export const settingName = (action: string): string => action.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Keys with the same fixed meaning everywhere: Enter accepts, Esc cancels, Ctrl-C quits. */
export const fixedKeys: readonly string[] = ['enter', 'esc', 'ctrl+c']

/** Whether a binding's keys cannot be changed: it takes text, or has a key with a fixed meaning. */
export const isFixed = (binding: Binding): boolean =>
  binding.takesText === true || binding.keys.some((key) => fixedKeys.includes(key))

/** The key table with some actions rebound. Groups that the table writes as one text are then listed by their keys. */
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

/** This desk's key table; the same object for the same key settings. */
export function keymapOf({ reboundKeys }: Pick<DeskState, 'reboundKeys'>): readonly Binding<ActionId>[] {
  const known = made.get(reboundKeys)
  if (known !== undefined) return known
  const bindings = bindingsWith(keymap, reboundKeys)
  made.set(reboundKeys, bindings)
  return bindings
}

/**
 * The first words of a practice desk: what it is, and how to start. `address` is that of an exchange that its profile
 * calls practice, which the desk cannot verify; null for the built-in one.
 */
export const welcomeSentence = (reboundKeys: ReboundKeys, address: string | null): string => {
  const what =
    address === null
      ? 'Play money, your own exchange.'
      : `${address} is practice by its profile: nobody can check that.`
  return `${what} ${withKeys('{help} then {openTour}: a short tour. {buy} opens an order.', keymapOf({ reboundKeys }))}`
}
