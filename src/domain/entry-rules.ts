import type { Decimal } from './money.ts'
import type { SwapRules } from './plans/terms.ts'

/** The user's settings for order entry. */
export type EntryRules = Partial<SwapRules> & {
  /**
   * Orders worth at most this are sent without review when nothing about them is unusual; null to review every order.
   */
  confirmAboveUsd: Decimal | null
  /** Symbol → its ticket's preset sizes, as typed; `default` is for all other symbols. */
  sizes: ReadonlyMap<string, readonly string[]>
}

export const usualEntry: EntryRules = { confirmAboveUsd: null, sizes: new Map() }

/** Number of preset sizes with a key. */
export const presetsMax = 4

/** The preset sizes of a symbol, in the order of their keys. */
export const presetsOf = ({ sizes }: EntryRules, symbol: string): readonly string[] =>
  sizes.get(symbol) ?? sizes.get('default') ?? []
