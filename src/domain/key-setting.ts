/**
 * A line of the configuration that binds an action to other keys; `place` is where it stands, to begin a sentence about
 * it with.
 */
export type KeySetting = { action: string; keys: readonly string[]; place: string }

/** Actions that have other keys than the usual ones, by the action's name in the table of keys. */
export type ReboundKeys = ReadonlyMap<string, readonly string[]>

export const noReboundKeys: ReboundKeys = new Map()

/** The key of an action as a sentence names it: what it was bound to, else its usual one. */
export const keyOf = (rebound: ReboundKeys, action: string, usual: string): string => rebound.get(action)?.[0] ?? usual

/** The keys that choose a row of a list, as a sentence names them: `j and k`. */
export const rowKeysOf = (rebound: ReboundKeys): string =>
  `${keyOf(rebound, 'rowDown', 'j')} and ${keyOf(rebound, 'rowUp', 'k')}`
