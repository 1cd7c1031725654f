import { mayCancel, mayPlace } from '../../domain/desk/mode.ts'
import type { DeskState } from '../../store/desk.ts'
import { ordersAtCursor, workingOrder } from '../../store/orders/order-selectors.ts'
import type { Binding, Scope } from './binding.ts'
import { activeScopes } from './scopes.ts'

type Condition = (state: DeskState) => string | null

const toPlace: Condition = ({ mode }) => {
  if (mayPlace(mode)) return null
  return mode.kind === 'MONITOR' ? 'this desk only watches' : `the desk is ${mode.kind}: arm it first`
}
const toCancel: Condition = ({ mode }) => (mayCancel(mode) ? null : 'this desk only watches')

/** What must be so for an action to do anything, where that is more than the place it acts in. */
const conditions: Readonly<Record<string, Condition>> = {
  buy: toPlace,
  sell: toPlace,
  cancelAtCursor: (state) =>
    toCancel(state) ?? (ordersAtCursor(state).length === 0 ? 'no order of yours rests in the row' : null),
  cancelSelected: (state) =>
    toCancel(state) ??
    (workingOrder(state, state.tables.views.orders.selectedKey ?? '') === undefined
      ? 'no working order is chosen'
      : null),
  askHalt: toCancel,
  toggleArmed: ({ mode }) => (mode.kind === 'MONITOR' ? 'this desk only watches' : null),
  dismissToasts: ({ alerts }) => (alerts.toasts.length === 0 ? 'no alert is on the screen' : null),
  askUnsettled: ({ unsettled }) => (unsettled.length === 0 ? 'nothing is unsettled' : null),
}

/** Where an action acts that does not act here. */
const places: Readonly<Partial<Record<Scope, string>>> = {
  ladder: 'it acts on the ladder',
  orders: 'it acts in the orders',
  transfers: 'it acts in the transfers',
  gateway: 'it acts in the gateway',
  chart: 'it acts in the chart',
  rows: 'it acts in a list',
  list: 'it acts in a list',
  filtered: 'it acts in a list with a filter',
  held: 'it acts in a list where a row is selected',
  filter: 'it acts while a filter is typed',
  columns: 'it acts while columns are chosen',
  details: 'it acts in the details of a row',
  ticket: 'it acts in a ticket',
  review: 'it acts in the review of an order',
  help: 'it acts in the help',
  tour: 'it acts in the tour',
  alerts: 'it acts in the list of alerts',
  depositChoose: 'it acts where money is paid in',
  deposit: 'it acts where money is paid in',
  withdraw: 'it acts in the form of a withdrawal',
  withdrawReview: 'it acts in the review of a withdrawal',
  withdrawSecret: 'it acts where a withdrawal asks for a secret',
  tickers: 'it acts in the tickers',
  move: 'it acts while an order is moved',
  moveReview: 'it acts in the review of a move',
  themes: 'it acts while themes are looked at',
  palette: 'it acts in this line',
  confirmCancel: 'it answers a question',
  halt: 'it answers a question',
  unsettled: 'it answers a question',
  confirmQuit: 'it answers a question',
  small: 'it acts on a small screen',
  symbols: 'it acts while a symbol is chosen',
  lock: 'it acts at the lock screen',
  lockTyping: 'it acts at the lock screen',
  locked: 'it acts at the lock screen',
}

/** Why this binding's action does nothing on the desk as it is, an open palette apart; null when it does something. */
export function whyNot({ scope, action }: Binding, state: DeskState): string | null {
  const scopes = activeScopes({ ...state, overlay: null }, false)
  if (!scopes.includes(scope)) return places[scope] ?? 'it acts elsewhere'
  return conditions[action]?.(state) ?? null
}
