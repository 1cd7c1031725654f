import type { DeskState } from '../../store/desk.ts'
import { activeLadder } from '../../store/ladder/ladder.ts'
import { isWallShown } from '../../store/order-form.ts'
import { listInFocus } from '../../store/tables/table-commands.ts'
import { sendsAtOnce } from '../../store/ticket/ticket-reading.ts'
import { type PaneName, paneRow } from '../../store/view/panes.ts'

type ScopeRow = {
  /** Its section in help and manual; unless given, one of its own, named after it, behind the others. */
  section?: string
  /** What the palette says about its actions while it is not active. */
  unavailable?: string
  /** Its name in a sentence about two conflicting keys; the scope's own name unless given. */
  place?: string
  /** The characters that its field takes; all unless given. */
  typed?: RegExp
}

/** A pane with keys of its own: `in the chart`. */
const ofPane = (name: PaneName, where = 'in') => {
  const { title } = paneRow(name)
  const place = `${where} the ${title.toLowerCase()}`
  return { section: title.toUpperCase(), unavailable: `works ${place}`, place }
}

/** Why an answer key does nothing: no question is open. */
export const isQuestion = 'answers a question'
const isAtLock = 'works at the lock screen'

/**
 * The scopes of keys, in the order of help and manual. `anywhere` and `desk` are active along with others, see
 * `activeScopes`.
 */
const table = {
  ladder: ofPane('ladder', 'on'),
  /** The ladder has a cursor. */
  pointed: { section: 'LADDER', unavailable: 'works while the ladder has a cursor' },
  orders: ofPane('orders'),
  unknownWrite: { section: 'ORDERS', unavailable: isQuestion },
  /** A list's rows, and the list as a whole. */
  rows: { section: 'LISTS', unavailable: 'works in a list', place: 'in the lists' },
  list: { section: 'LISTS', unavailable: 'works in a list', place: 'in the lists' },
  /** A filter is active. */
  filtered: { section: 'LISTS', unavailable: 'works in a list with a filter' },
  /** A row is selected or the list is scrolled. */
  held: { section: 'LISTS', unavailable: 'works in a list where a row is selected' },
  /** A filter is being typed. */
  filter: { section: 'LISTS', unavailable: 'works while a filter is typed' },
  /** The sort column is being chosen by its letter. */
  sorting: { section: 'LISTS', unavailable: 'works while a list is sorted', typed: /^[a-z]$/ },
  columns: { section: 'LISTS', unavailable: 'works while columns are chosen' },
  details: { section: 'LISTS', unavailable: 'works in the details of a row' },
  desk: { section: 'EVERYWHERE', place: 'on the desk' },
  anywhere: { section: 'EVERYWHERE', place: 'on the desk' },
  interrupt: { section: 'EVERYWHERE', place: 'everywhere' },
  chart: ofPane('chart'),
  /** The chart has a crosshair. */
  crosshair: { section: 'CHART', unavailable: 'works while the chart has a crosshair' },
  balances: ofPane('balances'),
  positions: ofPane('positions'),
  equity: ofPane('equity'),
  plans: ofPane('plans'),
  /** A plan is reviewed before it is placed, and confirmed before it ends or trades at once. */
  planReview: { section: 'PLANS', unavailable: 'works in the review of a plan' },
  planCancel: { section: 'PLANS', unavailable: isQuestion },
  planResume: { section: 'PLANS', unavailable: isQuestion },
  tickers: ofPane('tickers'),
  transfers: ofPane('transfers'),
  gateway: ofPane('gateway'),
  ticket: {
    section: 'TICKET',
    unavailable: 'works in a ticket',
    place: 'in the ticket',
    typed: /^[\p{Ll}\d.,]$|^space$/u,
  },
  /** A ticket whose order is sent without a review. */
  oneKey: { section: 'TICKET', unavailable: 'works in a ticket within the one-key cap', place: 'in the ticket' },
  review: {
    section: 'TICKET',
    unavailable: 'works in the review of an order',
    place: 'in the review of an order',
    typed: /^[\d.,]$/,
  },
  /** The user's order being moved, and the review of that move. */
  move: {
    section: 'MOVE',
    unavailable: 'works while an order moves',
    place: 'while an order moves',
    typed: /^[\d.,+\-t]$|^space$/,
  },
  moveReview: { section: 'MOVE', unavailable: 'works in the review of a move' },
  themes: { section: 'THEMES', unavailable: 'works in the theme list' },
  alerts: { section: 'ALERTS', unavailable: 'works in the list of alerts' },
  /** A withdrawal's form, its review, and the prompt for the secret that unlocks it. */
  withdraw: { section: 'WITHDRAW', unavailable: 'works in the form of a withdrawal' },
  withdrawReview: {
    section: 'WITHDRAW',
    unavailable: 'works in the review of a withdrawal',
    // An amount, and `all` or `max`.
    typed: /^[\d.,almx]$/,
  },
  withdrawSecret: { section: 'WITHDRAW', unavailable: 'works at the withdrawal lock' },
  /** The choice of a deposit's currency, and its address. */
  depositChoose: { section: 'DEPOSIT', unavailable: 'works in the deposit dialog' },
  deposit: { section: 'DEPOSIT', unavailable: 'works in the deposit dialog' },
  symbols: { section: 'SYMBOLS', unavailable: 'works while a symbol is chosen' },
  palette: { section: 'PALETTE', unavailable: 'works in this line' },
  confirmCancel: { section: 'PALETTE', unavailable: isQuestion },
  help: { section: 'HELP', unavailable: 'works in the help' },
  tour: { section: 'HELP', unavailable: 'works in the tour' },
  halt: { section: 'QUESTIONS', unavailable: isQuestion },
  /** The lock screen, while typing and at rest; `locked` in addition if only a secret opens it. */
  lockTyping: { section: 'QUESTIONS', unavailable: isAtLock },
  lock: { section: 'LOCK SCREEN', unavailable: isAtLock },
  locked: { section: 'LOCKED DESK', unavailable: isAtLock },
  confirmQuit: { section: 'QUIT', unavailable: isQuestion },
  small: { section: 'SMALL SCREEN', unavailable: 'works on a small screen', place: 'on a small screen' },
} as const satisfies Record<string, ScopeRow>

/** A scope of keys. */
export type Scope = keyof typeof table
export const scopeTable: Readonly<Record<Scope, ScopeRow>> = table
const isScope = (name: string): name is Scope => Object.hasOwn(table, name)
export const scopes: readonly Scope[] = Object.keys(table).filter(isScope)

type Situation = Pick<
  DeskState,
  | 'overlay'
  | 'ticket'
  | 'move'
  | 'focus'
  | 'screen'
  | 'ladder'
  | 'ladder2'
  | 'transferList'
  | 'gateway'
  | 'lock'
  | 'lockMethod'
  | 'tables'
  | 'alerts'
  | 'chart'
  | 'view'
>

/** The inputs that decide whether the ticket's order is sent without a review. */
type AtOnce = Parameters<typeof sendsAtOnce>[0]

/** Behind the lock screen: only unlocking and halting, plus quitting if no secret is set. */
function lockScopes({ overlay, lock: { kind }, lockMethod }: Situation): Scope[] {
  const leave: Scope = lockMethod === 'none' ? 'interrupt' : 'locked'
  if (overlay?.kind === 'halt') return ['halt', leave]
  if (kind === 'checking') return [leave]
  return [kind === 'typing' ? 'lockTyping' : 'lock', leave]
}

/**
 * Questions that fit on the page for a small screen. Whatever else is open is not drawn there and takes no keys until
 * the screen is larger.
 */
const onSmallScreen: ReadonlySet<string> = new Set(['halt', 'confirmQuit'])

/**
 * What is open but not drawn on the page for a small screen; null if nothing is. It gets its keys back on a larger
 * screen.
 */
export function hiddenOnSmall({ overlay, ticket, move }: Situation): 'dialog' | 'ticket' | 'move' | null {
  if (overlay !== null) return onSmallScreen.has(overlay.kind) ? null : 'dialog'
  if (ticket !== null && ticket.stage !== 'sending') return 'ticket'
  return move !== null && move.stage !== 'sending' ? 'move' : null
}

/**
 * The active scopes; the first one that knows a key wins. On a screen that is too small only cancels and quitting
 * remain.
 */
export function activeScopes(state: Situation & AtOnce, isTooSmall: boolean): Scope[] {
  const { overlay, ticket, move } = state
  if (state.lock.kind !== 'open') return lockScopes(state)
  if (overlay !== null && (!isTooSmall || onSmallScreen.has(overlay.kind))) return [overlay.kind, 'interrupt']
  if (isTooSmall) return ['orders', 'rows', 'small', 'interrupt']
  if (ticket?.stage === 'edit')
    return sendsAtOnce(state, ticket.form)
      ? ['oneKey', 'ticket', 'anywhere', 'interrupt']
      : ['ticket', 'anywhere', 'interrupt']
  if (ticket?.stage === 'review') return ['review', 'anywhere', 'interrupt']
  if (move?.stage === 'choose') return ['move', 'anywhere', 'interrupt']
  if (move?.stage === 'review') return ['moveReview', 'anywhere', 'interrupt']
  if (isWallShown(state)) return ['desk', 'anywhere', 'interrupt']
  const { keyScope } = paneRow(state.focus)
  const own: Scope[] = keyScope === null ? [] : [keyScope]
  const isFree = state.alerts.toasts.length === 0
  if (keyScope === 'ladder' && isFree && state[activeLadder(state)].cursorPrice !== null) own.push('pointed')
  if (keyScope === 'chart' && isFree && state.chart.markMs !== null) own.push('crosshair')
  const list = listInFocus(state)
  if (list === null) return [...own, 'desk', 'anywhere', 'interrupt']
  if (state.tables.typing === list) return ['filter', 'interrupt']
  if (state.tables.sorting === list) return ['sorting', 'interrupt']
  own.push('rows', 'list')
  // Esc first dismisses an alert, then drops the filter, then releases the list.
  const { filter, selectedKey, top } = state.tables.views[list]
  if (isFree && filter !== '') own.push('filtered')
  else if (isFree && (selectedKey !== null || top !== null)) own.push('held')
  return [...own, 'desk', 'anywhere', 'interrupt']
}
