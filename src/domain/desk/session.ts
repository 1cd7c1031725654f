import type { LadderPrices } from '../market/ladder.ts'

/** The arrangements of panes there are, in the order a person walks them; each follows the terminal's size. */
export const layoutNames = ['trade', 'ladders', 'lists', 'chart', 'monitor'] as const
export type LayoutName = (typeof layoutNames)[number]

/** How one list was looked at. */
export type KeptTable = {
  sort: { column: string; direction: 'up' | 'down' } | null
  hiddenColumns: readonly string[]
}

/**
 * What a desk takes up again where the last one of the same profile left off: how things were looked at, and never an
 * order half written, never the mode. Names that the desk does not know any more are passed over.
 */
export type KeptSession = {
  layout: string
  isZoomed: boolean
  symbol: string
  symbol2: string | null
  /** Ticks in a row of the first and of the second ladder. */
  groupTicks: number
  groupTicks2: number
  /** What their columns of prices say; prices unless given. */
  prices?: LadderPrices | undefined
  prices2?: LadderPrices | undefined
  theme: string
  /** Symbol → the size sent last in it, as typed; left out by earlier desks. */
  sizes?: Readonly<Record<string, string>> | undefined
  /** How the chart was looked at; left out by earlier desks. */
  chart?: { view: string; style: string; dots: string; length: string; width: number } | undefined
  /** By the name of the list's pane. */
  tables: Readonly<Record<string, KeptTable>>
}

/**
 * A line of the configuration that binds an action to other keys; `place` is where it stands, to begin a sentence about
 * it with.
 */
export type KeySetting = { action: string; keys: readonly string[]; place: string }

/** Actions that have other keys than the usual ones, by the action's name in the table of keys. */
export type ReboundKeys = ReadonlyMap<string, readonly string[]>

export const noReboundKeys: ReboundKeys = new Map()

const keyNames: Readonly<Record<string, string>> = {
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift+tab': 'S-Tab',
  home: 'Home',
  end: 'End',
  pgup: 'PgUp',
  pgdn: 'PgDn',
  backspace: 'Bksp',
  delete: 'Del',
  insert: 'Ins',
  space: 'Space',
}

/** A key as people read it: `Enter`, `Ctrl-U`, `j`. */
export function keyName(key: string): string {
  const control = /^ctrl\+(.)$/.exec(key)
  if (control !== null) return `Ctrl-${(control[1] ?? '').toUpperCase()}`
  return keyNames[key] ?? (/^f\d+$/.test(key) ? key.toUpperCase() : key)
}

/** Names that a sentence writes in full. */
const longNames: Readonly<Record<string, string>> = { backspace: 'Backspace', delete: 'Delete', insert: 'Insert' }

/** A key as a sentence names it: `Backspace`, where tables of keys have `Bksp`. */
export const keyInSentence = (key: string): string => longNames[key] ?? keyName(key)

/** Actions that sentences of the desk name by their key, with the usual one: the table of keys takes it from here. */
export const namedKeys = {
  alerts: 'A',
  askHalt: 'K',
  askUnsettled: 'u',
  buy: 'b',
  center: 'c',
  chooseSymbol: 'g',
  confirmMoveLimits: 'Y',
  confirmSoftLimits: 'Y',
  confirmWithdrawLimits: 'Y',
  eraseInDeposit: 'backspace',
  eraseInSymbols: 'backspace',
  eraseInWithdraw: 'backspace',
  lastRow: 'end',
  nextAccount: 'a',
  nextSort: 'o',
  rowDown: 'j',
  rowUp: 'k',
  sell: 's',
  share: '%',
  takeRemedy: 'F',
  toggleArmed: 'L',
  turnSort: 'O',
  widenMove: 'a',
  withdrawReviewDown: 'down',
} as const
type NamedAction = keyof typeof namedKeys

/** The key of an action as a sentence names it: what it was bound to, else its usual one. */
export const keyOf = (rebound: ReboundKeys, action: NamedAction): string =>
  keyInSentence(rebound.get(action)?.[0] ?? namedKeys[action])

/** The keys that choose a row of a list, as a sentence names them: `j and k`. */
export const rowKeysOf = (rebound: ReboundKeys): string => `${keyOf(rebound, 'rowDown')} and ${keyOf(rebound, 'rowUp')}`
