import { footEntriesOf, type KeyEntry, type KeySection, sectionsOf } from '../key-help.ts'
import type { Binding, Scope } from './binding.ts'
import { keymap } from './keymap.ts'

/** Every key of the desk as it comes, by where it acts: what the manual lists. */
export const keySections: readonly KeySection[] = sectionsOf(keymap)

/**
 * The keys of these scopes for a line: scope by scope, and within one in the order of the table; as they come unless
 * given.
 */
export const footEntries = (scopes: readonly Scope[], bindings: readonly Binding[] = keymap): KeyEntry[] =>
  footEntriesOf(bindings, scopes)
