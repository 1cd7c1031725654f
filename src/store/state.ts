import type { Balance, Fees, Ticker } from '../domain/balance.ts'
import type { Book } from '../domain/book.ts'
import type { NewsLevel } from '../domain/desk-events.ts'
import type { Fill } from '../domain/fill.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Mode } from '../domain/mode.ts'
import type { Decimal } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { TicketForm } from '../domain/ticket.ts'
import { emptyFeed, type Feed } from './feed.ts'

/** Where the desk is connected. PRACTICE and LIVE must be impossible to mistake for one another. */
export type Venue = { profileName: string; kind: 'practice' | 'live' }

export type PaneName = 'ladder' | 'orders' | 'fills' | 'balances' | 'tickers' | 'log'

/** A write whose outcome is not known yet: it stays on screen until it is settled. */
export type Unsettled = {
  /** The client order id for an order, else the order id or symbol of the cancel. */
  key: string
  kind: 'order' | 'cancel' | 'cancelAll'
  symbol: string | null
  sentence: string
  atMs: number
  /** What was sent, for the row in the orders pane. */
  order: Order | null
}

export type LogLine = { atMs: number; level: NewsLevel; text: string }

export type TicketField = 'side' | 'type' | 'quantity' | 'price' | 'stop' | 'timeInForce'

/** The ticket goes edit → review → sending; a review is armed a moment after it opened so that a repeat of Enter cannot send. */
export type TicketState =
  | { stage: 'edit'; form: TicketForm; field: TicketField }
  | {
      stage: 'review'
      form: TicketForm
      field: TicketField
      reviewedAtMs: number
    }
  | { stage: 'sending'; form: TicketForm; field: TicketField }

/** At most one at a time. */
export type Overlay =
  | { kind: 'help' }
  | { kind: 'symbols'; query: string; selected: number }
  | { kind: 'confirmCancelAll'; symbol: string }
  | { kind: 'confirmQuit' }

export type LadderState = {
  /** The middle of the price scale; null until the first book. */
  centrePrice: Decimal | null
  cursorPrice: Decimal | null
  groupTicks: number
  /** The last time a person moved anything here: the scale only re-centres by itself after hands-off. */
  touchedAtMs: number
}

export type Screen = {
  columns: number
  rows: number
  ladderRowCount: number
  visiblePanes: readonly PaneName[]
}

export type DeskState = {
  /** The desk's clock as of the last tick: ages are reckoned from it. */
  nowMs: number
  venue: Venue
  mode: Mode
  symbol: string
  instruments: Feed<ReadonlyMap<string, Instrument>>
  books: ReadonlyMap<string, Feed<Book>>
  tickers: Feed<ReadonlyMap<string, Ticker>>
  /** Working orders, newest first. */
  orders: Feed<readonly Order[]>
  /** Orders that ended while this desk watched, newest first, bounded. */
  endedOrders: readonly Order[]
  fills: Feed<readonly Fill[]>
  balances: Feed<readonly Balance[]>
  fees: Feed<Fees>
  connection: { roundTripMs: number | null; skewMs: number | null }
  unsettled: readonly Unsettled[]
  /** Oldest first, bounded. */
  log: readonly LogLine[]
  screen: Screen
  focus: PaneName
  ladder: LadderState
  /** Selected row of the panes that have rows, by the row's own id so that new data does not move it. */
  selectedOrderKey: string | null
  ticket: TicketState | null
  overlay: Overlay | null
  /** The last thing the desk said about something a person did. */
  notice: LogLine | null
}

/** What is on screen before anything has answered. */
export function initialState(start: { nowMs: number; venue: Venue; mode: Mode; symbol: string }): DeskState {
  return {
    ...start,
    instruments: emptyFeed,
    books: new Map(),
    tickers: emptyFeed,
    orders: emptyFeed,
    endedOrders: [],
    fills: emptyFeed,
    balances: emptyFeed,
    fees: emptyFeed,
    connection: { roundTripMs: null, skewMs: null },
    unsettled: [],
    log: [],
    screen: {
      columns: 80,
      rows: 24,
      ladderRowCount: 9,
      visiblePanes: ['ladder', 'tickers', 'orders'],
    },
    focus: 'ladder',
    ladder: {
      centrePrice: null,
      cursorPrice: null,
      groupTicks: 1,
      touchedAtMs: start.nowMs,
    },
    selectedOrderKey: null,
    ticket: null,
    overlay: null,
    notice: null,
  }
}
