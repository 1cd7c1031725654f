import type { CommandRow } from './command.ts'

/**
 * What people type for commands that are called something else, with what they may mean, as it is typed behind
 * `pitdesk`. Nothing in it is a command, or a verb of one. No row leads to a command that does something else than the
 * word says: for a change of an order there is a cancel and a new one.
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
  'plan new': ['plan add'],
  'plan start': ['plan add', 'plan resume'],
  'plan stop': ['plan cancel'],
  'plan end': ['plan cancel'],
  'plan delete': ['plan cancel'],
  'plan remove': ['plan cancel'],
  'plan change': ['plan edit'],
  'plan modify': ['plan edit'],
}

/** A command line that may be meant, and the command that it is of; null for what is none, as `--version`. */
export type Meant = { row: CommandRow | null; line: string }

/** What people who type this, in small letters, mean by it; none where nobody calls anything so. */
export const calledOtherwise = (typed: string, rows: readonly CommandRow[]): Meant[] =>
  (Object.hasOwn(otherWords, typed) ? (otherWords[typed] ?? []) : []).map((line) => {
    const named = rows.filter(({ name }) => line === name || line.startsWith(`${name} `))
    return { row: named.toSorted((left, right) => right.name.length - left.name.length)[0] ?? null, line }
  })
