import type { Balance, Fees, Ticker } from '../domain/balance.ts'
import type { Book } from '../domain/book.ts'
import type { CheckRule } from '../domain/check.ts'
import { type DayFills, emptyDay } from '../domain/day-fills.ts'
import type { NewsLevel } from '../domain/desk-events.ts'
import type { Fill } from '../domain/fill.ts'
import type { Instrument } from '../domain/instrument.ts'
import { defaultLimits, type Limits } from '../domain/limits.ts'
import type { LockMethod, LockState } from '../domain/lock.ts'
import { defaultIdleRules, type IdleRules, type Mode } from '../domain/mode.ts'
import type { Decimal } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { SentOrder } from '../domain/sent-order.ts'
import type { TicketForm } from '../domain/ticket.ts'
import type { Unsettled } from '../domain/unsettled.ts'
import { emptyFeed, type Feed } from './feed.ts'

/** Where the desk is connected. PRACTICE and LIVE must be impossible to mistake for one another. */
export type Venue = { profileName: string; kind: 'practice' | 'live' }

export type PaneName = 'ladder' | 'orders' | 'fills' | 'balances' | 'tickers' | 'log'

export type { Unsettled } from '../domain/unsettled.ts'

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
      /** Rules whose soft limits the person has confirmed for this order. */
      confirmed: readonly CheckRule[]
    }
  | { stage: 'sending'; form: TicketForm; field: TicketField }

/** At most one at a time. */
export type Overlay =
  | { kind: 'help' }
  | { kind: 'symbols'; query: string; selected: number }
  /** Halting takes this symbol's orders back, or every symbol's once ALL is typed. */
  | { kind: 'halt'; symbol: string; typed: string }
  /** Asks for a person's word on a write that the exchange's reports do not settle. */
  | { kind: 'unsettled'; key: string }
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
  idleRules: IdleRules
  /** When a person last pressed a key. */
  lastKeyAtMs: number
  lock: LockState
  lockMethod: LockMethod
  limits: Limits
  /** What this UTC day's fills come to. */
  filledToday: DayFills
  /** What this desk sent lately, newest first. */
  sentOrders: readonly SentOrder[]
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

/** What a desk starts from; limits and idle rules are the defaults of its kind of venue unless given. */
export type DeskStart = {
  nowMs: number
  venue: Venue
  mode: Mode
  symbol: string
  limits?: Limits
  idleRules?: IdleRules
  lockMethod?: LockMethod
}

/** What is on screen before anything has answered. */
export function initialState(start: DeskStart): DeskState {
  return {
    limits: defaultLimits[start.venue.kind],
    idleRules: defaultIdleRules[start.venue.kind],
    lockMethod: 'none',
    ...start,
    lastKeyAtMs: start.nowMs,
    lock: { kind: 'open' },
    filledToday: emptyDay(start.nowMs),
    sentOrders: [],
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
