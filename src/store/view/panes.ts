import type { FeedName } from '../../domain/desk/feeds.ts'
import { gatewayLists, type ListPane, transferLists } from './lists.ts'

type PaneRow = {
  pane: string
  /** The key that focuses it, shown before its title; with several characters it is not a key. */
  digit: string
  title: string
  /** The title for little room. */
  short?: string
  /** Its feeds: polled faster while it is on screen. */
  feeds: readonly FeedName[]
  /** Its lists, shown one at a time. */
  lists: readonly ListPane[]
  /** The scope of its own keys, beside those of its list. */
  keyScope: string | null
}

/** Every pane, in the order of Tab. Its component is in `ui/panes/pane-by-name.tsx`. */
const rows = [
  {
    pane: 'ladder',
    digit: '1',
    title: 'Ladder',
    feeds: ['book', 'orders', 'instruments'],
    lists: [],
    keyScope: 'ladder',
  },
  {
    pane: 'ladder2',
    digit: '1b',
    title: 'Ladder',
    feeds: ['book', 'orders', 'instruments'],
    lists: [],
    keyScope: 'ladder',
  },
  { pane: 'orders', digit: '2', title: 'Orders', feeds: ['orders'], lists: ['orders'], keyScope: 'orders' },
  { pane: 'fills', digit: '3', title: 'Fills', feeds: ['fills'], lists: ['fills'], keyScope: null },
  {
    pane: 'balances',
    digit: '4',
    title: 'Balances',
    short: 'Bal',
    feeds: ['balances'],
    lists: ['balances'],
    keyScope: 'balances',
  },
  {
    pane: 'transfers',
    digit: '5',
    title: 'Transfers',
    short: 'Transf',
    feeds: ['withdrawals', 'deposits', 'whitelist'],
    lists: transferLists,
    keyScope: 'transfers',
  },
  {
    pane: 'gateway',
    digit: '6',
    title: 'Gateway',
    short: 'Gate',
    feeds: [],
    lists: gatewayLists,
    keyScope: 'gateway',
  },
  { pane: 'log', digit: '7', title: 'Log', feeds: [], lists: ['log'], keyScope: null },
  {
    pane: 'chart',
    digit: '8',
    title: 'Chart',
    feeds: ['tickers', 'book', 'instruments', 'fills'],
    lists: [],
    keyScope: 'chart',
  },
  {
    pane: 'tickers',
    digit: '9',
    title: 'Tickers',
    short: 'Tick',
    feeds: ['tickers', 'instruments'],
    lists: ['tickers'],
    keyScope: 'tickers',
  },
  { pane: 'session', digit: '0', title: 'Session', short: 'Sess', feeds: ['fees', 'fills'], lists: [], keyScope: null },
  {
    pane: 'positions',
    digit: 'P',
    title: 'Positions',
    short: 'Pos',
    feeds: ['fills', 'balances', 'tickers', 'instruments'],
    lists: ['positions'],
    keyScope: 'positions',
  },
  {
    pane: 'equity',
    digit: '$',
    title: 'Equity',
    short: 'Eq',
    feeds: ['balances', 'tickers', 'instruments', 'deposits', 'withdrawals'],
    lists: [],
    keyScope: 'equity',
  },
  {
    pane: 'plans',
    digit: 'T',
    title: 'Plans',
    short: 'Plan',
    feeds: ['orders', 'book', 'instruments'],
    lists: ['plans'],
    keyScope: 'plans',
  },
] as const satisfies readonly PaneRow[]

export type PaneName = (typeof rows)[number]['pane']
/** A pane's scope of keys. */
export type PaneScope = Exclude<(typeof rows)[number]['keyScope'], null>
export type Pane = PaneRow & { pane: PaneName; keyScope: PaneScope | null }

export const paneTable: readonly Pane[] = rows

const byName = new Map<string, Pane>(paneTable.map((row) => [row.pane, row]))

export function paneRow(name: PaneName): Pane {
  const row = byName.get(name)
  if (row === undefined) throw new Error(`There is no pane ${name}.`)
  return row
}

/** The pane that shows a list. */
export function paneOfList(list: ListPane): PaneName {
  const row = paneTable.find(({ lists }) => lists.includes(list))
  if (row === undefined) throw new Error(`No pane shows the list ${list}.`)
  return row.pane
}

/** `1 Ladder`: a pane's name in titles and tabs. */
export function paneTitle(name: PaneName): string {
  const { digit, title } = paneRow(name)
  return `${digit} ${title}`
}

/** `4 Bal`: the same for little room. */
export function shortTitle(name: PaneName): string {
  const { digit, title, short } = paneRow(name)
  return `${digit} ${short ?? title}`
}

/** `2 Orders`, or `5 Transfers, deposits` for one of several lists of a pane. */
export const listTitle = (list: ListPane): string => {
  const pane = paneOfList(list)
  return pane === list ? paneTitle(pane) : `${paneTitle(pane)}, ${list}`
}

/** The panes that not every desk has. */
type PanesThere = { hasSecondLadder: boolean; hasGateway: boolean }

/** The pane `step` places after `name`; both ends wrap, and missing panes are skipped. */
export function paneAfter(name: PaneName, step: 1 | -1, { hasSecondLadder, hasGateway }: PanesThere): PaneName {
  const panes = paneTable.filter(
    ({ pane }) => pane === name || ((pane !== 'ladder2' || hasSecondLadder) && (pane !== 'gateway' || hasGateway)),
  )
  const at = panes.findIndex(({ pane }) => pane === name)
  return panes.at((at + step) % panes.length)?.pane ?? name
}
