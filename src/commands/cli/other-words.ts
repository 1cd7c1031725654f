import type { CommandRow } from './command.ts'

/**
 * Other words that users type for commands, each with likely command lines, as typed after `pitdesk`. None is a command
 * or verb itself. No word leads to a command with another effect: changing an order means a cancel and a new one.
 */
export const otherWords: Readonly<Record<string, readonly string[]>> = {
  panic: ['order cancel-all --every-symbol', 'firm halt'],
  kill: ['order cancel-all --every-symbol', 'firm halt'],
  stop: ['order cancel-all --every-symbol', 'plan cancel', 'firm halt'],
  cancelall: ['order cancel-all --every-symbol'],
  flat: ['order cancel-all', 'order place'],
  flatten: ['order cancel-all', 'order place'],
  close: ['order cancel-all', 'order place'],
  long: ['order place buy'],
  short: ['order place sell'],
  trade: ['order place', 'trades'],
  plans: ['plan list'],
  positions: ['pnl'],
  position: ['pnl'],
  pos: ['pnl'],
  profit: ['pnl'],
  executions: ['fills'],
  bal: ['balances'],
  account: ['balances'],
  funds: ['balances'],
  wallet: ['balances', 'deposit-address'],
  price: ['tickers', 'book'],
  prices: ['tickers', 'history export'],
  quote: ['tickers', 'book'],
  quotes: ['tickers'],
  last: ['tickers'],
  ladder: ['book', 'desk'],
  depth: ['book'],
  orderbook: ['book'],
  markets: ['symbols', 'tickers'],
  market: ['symbols', 'tickers'],
  instruments: ['symbols'],
  pairs: ['symbols'],
  address: ['deposit-address'],
  beneficiaries: ['whitelist'],
  transfer: ['withdraw'],
  transfers: ['deposits', 'withdrawals'],
  payout: ['withdraw'],
  pay: ['withdraw'],
  log: ['journal'],
  alerts: ['watch', 'help alerts'],
  limits: ['firm me', 'help configuration'],
  status: ['doctor'],
  check: ['doctor'],
  health: ['doctor'],
  whoami: ['firm me'],
  config: ['doctor', 'help configuration'],
  settings: ['doctor', 'help configuration'],
  practice: ['sandbox'],
  demo: ['sandbox', 'desk'],
  start: ['desk'],
  open: ['desk'],
  version: ['--version'],
  symbol: ['symbols', 'desk --symbol'],
  deposit: ['deposit-address', 'deposits'],
  reverse: ['order place'],
  flip: ['order place'],
  move: ['order cancel', 'order place'],
  'order list': ['orders'],
  'order history': ['orders', 'journal'],
  'order status': ['order show'],
  'order new': ['order place'],
  'order add': ['order place'],
  'order delete': ['order cancel'],
  'order remove': ['order cancel'],
  'order kill': ['order cancel'],
  'order edit': ['order cancel', 'order place'],
  'order amend': ['order cancel', 'order place'],
  'order modify': ['order cancel', 'order place'],
  'order replace': ['order cancel', 'order place'],
  'orders cancel': ['order cancel'],
  'orders cancel-all': ['order cancel-all'],
  'orders place': ['order place'],
  'orders show': ['order show'],
  'orders drafts': ['order drafts'],
  'plan new': ['plan add'],
  'plan start': ['plan add', 'plan resume'],
  'plan stop': ['plan cancel'],
  'plan end': ['plan cancel'],
  'plan delete': ['plan cancel'],
  'plan remove': ['plan cancel'],
  'plan change': ['plan edit'],
  'plan modify': ['plan edit'],
}

/** Other names of commands, which do the same. */
export const sameCommands: ReadonlyMap<string, string> = new Map([['plan place', 'plan add']])

/** A likely command line, and its command; null for a flag such as `--version`. */
export type Meant = { row: CommandRow | null; line: string }

/** The likely meanings of what was typed, in lower case; none for an unlisted word. */
export const calledOtherwise = (typed: string, rows: readonly CommandRow[]): Meant[] =>
  (Object.hasOwn(otherWords, typed) ? (otherWords[typed] ?? []) : []).map((line) => {
    const named = rows.filter(({ name }) => line === name || line.startsWith(`${name} `))
    return { row: named.toSorted((left, right) => right.name.length - left.name.length)[0] ?? null, line }
  })
