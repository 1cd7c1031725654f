import type { LadderPrices } from '../ladder/ladder.ts'

/** The layouts of panes, in the order of their key; each adapts to the terminal's size. */
export const layoutNames = ['trade', 'ladders', 'lists', 'chart', 'monitor'] as const
export type LayoutName = (typeof layoutNames)[number]

/** The display settings of one list. */
export type KeptTable = {
  sort: { column: string; direction: 'up' | 'down' } | null
  hiddenColumns: readonly string[]
}

/**
 * The display settings that a desk restores from the last one of the profile; never an unsent order or the mode.
 * Unknown names are ignored.
 */
export type KeptSession = {
  layout: string
  isZoomed: boolean
  symbol: string
  symbol2: string | null
  /** Ticks per row of the first and second ladder. */
  groupTicks: number
  groupTicks2: number
  /** Contents of their price columns; prices by default. */
  prices?: LadderPrices | undefined
  prices2?: LadderPrices | undefined
  theme: string
  /** Symbol → the size last sent, as typed; missing in older files. */
  sizes?: Readonly<Record<string, string>> | undefined
  /** The display settings of the chart; missing in older files. */
  chart?: { view: string; style: string; dots: string; length: string; width: number } | undefined
  /** By the name of the list's pane. */
  tables: Readonly<Record<string, KeptTable>>
}

/** A configuration line that rebinds an action; `place` is its position, as the start of a sentence. */
export type KeySetting = { action: string; keys: readonly string[]; place: string }

/** The rebound actions, by their name in the table of keys. */
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

/** The displayed name of a key: `Enter`, `Ctrl-U`, `j`. */
export function keyName(key: string): string {
  if (key.length === 1) return key
  const control = /^ctrl\+(.)$/.exec(key)
  if (control !== null) return `Ctrl-${(control[1] ?? '').toUpperCase()}`
  return keyNames[key] ?? (/^f\d+$/.test(key) ? key.toUpperCase() : key)
}

/** Names that sentences write in full. */
const longNames: Readonly<Record<string, string>> = { backspace: 'Backspace', delete: 'Delete', insert: 'Insert' }

/** The name of a key in sentences: `Backspace`, where tables have `Bksp`. */
export const keyInSentence = (key: string): string => longNames[key] ?? keyName(key)

/** Actions whose keys are named in sentences, with their default keys, which the table of keys takes from here. */
export const namedKeys = {
  alerts: 'A',
  askHalt: 'K',
  askUnsettled: 'u',
  buy: 'b',
  center: 'c',
  chooseSymbol: 'g',
  confirmMoveLimits: 'Y',
  confirmPlanLimits: 'Y',
  confirmSoftLimits: 'Y',
  confirmWithdrawLimits: 'Y',
  eraseInDeposit: 'backspace',
  eraseInSymbols: 'backspace',
  eraseInWithdraw: 'backspace',
  freeze: 'p',
  keepReviewed: 'ctrl+d',
  lastRow: 'end',
  moreChecks: 'end',
  moveSelected: 'm',
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

/** The key of an action in sentences: its binding, or else its default. */
export const keyOf = (rebound: ReboundKeys, action: NamedAction): string =>
  keyInSentence(rebound.get(action)?.[0] ?? namedKeys[action])

/** The keys that select a row of a list, for sentences: `j and k`. */
export const rowKeysOf = (rebound: ReboundKeys): string => `${keyOf(rebound, 'rowDown')} and ${keyOf(rebound, 'rowUp')}`
