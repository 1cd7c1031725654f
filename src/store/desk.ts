import type { Balance, Fees, Ticker } from '../domain/balance.ts'
import type { CallUse, NewsLevel } from '../domain/desk/events.ts'
import type { LockMethod, LockState } from '../domain/desk/lock.ts'
import { defaultIdleRules, type IdleRules, type Mode } from '../domain/desk/mode.ts'
import type { Practice } from '../domain/desk/practice-verb.ts'
import { type LayoutName, noReboundKeys, type ReboundKeys } from '../domain/desk/session.ts'
import { defaultLimits, defaultWithdrawalLimits, type Limits } from '../domain/limits.ts'
import type { Book, OrderByOrderBook } from '../domain/market/book.ts'
import type { Instrument } from '../domain/market/instrument.ts'
import type { SentOrder } from '../domain/orders/exposure.ts'
import { type DayFills, emptyDay, emptyFillSums, type Fill, type FillSums } from '../domain/orders/fills.ts'
import type { Order } from '../domain/orders/order.ts'
import { noOwnDrafts, type OwnDrafts } from '../domain/orders/own-draft.ts'
import type { Unsettled } from '../domain/orders/unknown-write.ts'
import { type FollowedTransfers, nothingFollowed } from '../domain/transfers/followed.ts'
import type { Deposit, WhitelistEntry, Withdrawal } from '../domain/transfers/transfer.ts'
import { type AlertsOverlay, type AlertsStart, type AlertsState, initialAlerts } from './alerts/alerts.ts'
import { type ChartState, initialChart, type PriceHistory } from './chart.ts'
import { emptyFeed, type Feed, nothingUnreadable, type UnreadableState } from './feeds/feed.ts'
import { type GatewayStart, type GatewayState, initialGateway, noGateway } from './gateway/gateway.ts'
import { emptyFillHistory, emptyOrderHistory, type FillHistory, type OrderHistory } from './history/history.ts'
import { emptyLadder, type LadderState } from './ladder/ladder.ts'
import { type Looks, usualLooks } from './looks/looks.ts'
import type { MoveState } from './move/move.ts'
import type { ConfirmCancelOverlay, PaletteOverlay, SentenceHistory } from './palette/palette.ts'
import { emptyTables, type ListPane, type TablesState } from './tables/tables.ts'
import { type TerminalState, usualTerminal } from './terminal/terminal.ts'
import type { TicketState } from './ticket/ticket.ts'
import { type DepositOverlay, type DraftsState, noDrafts, type TransferList } from './transfers/transfers.ts'
import type { WithdrawalRules, WithdrawOverlay } from './transfers/withdraw.ts'
import type { PaneName } from './view/panes.ts'

/** Where the desk is connected. PRACTICE and LIVE must be impossible to mistake for one another. */
export type Venue = { profileName: string; kind: 'practice' | 'live' }

export type { Unsettled } from '../domain/orders/unknown-write.ts'
export type { PaneName } from './view/panes.ts'

/**
 * `atMs` is by the wall clock. `isOfField`: about what is being filled in; as a notice it goes with the next change
 * there.
 */
export type LogLine = { atMs: number; level: NewsLevel; text: string; isOfField?: true; path?: string }

export type { TicketField, TicketState } from './ticket/ticket.ts'

/** At most one at a time. */
export type Overlay =
  | HelpOverlay
  | TourOverlay
  | PaletteOverlay
  | ConfirmCancelOverlay
  | { kind: 'symbols'; query: string; selected: number }
  /** Halting takes this symbol's orders back, or every symbol's once ALL is typed. */
  | { kind: 'halt'; symbol: string; typed: string }
  /**
   * Asks for a person's word on a write that the exchange's reports do not settle; `selected` of those that may be it.
   */
  | { kind: 'unsettled'; key: string; selected: number }
  | QuitOverlay
  | AlertsOverlay
  | DepositOverlay
  | WithdrawOverlay
  | { kind: 'columns'; pane: ListPane; selected: number }
  /** Every field of a row; `top` is the first line on screen. */
  | { kind: 'details'; pane: ListPane; key: string; top: number }
  /** The list of themes; the screen shows the selected one meanwhile. */
  | { kind: 'themes'; selected: string }

export type Screen = {
  columns: number
  rows: number
  ladderRowCount: number
  visiblePanes: readonly PaneName[]
  /** The arrangements that fit a terminal of this size. */
  layouts: readonly LayoutName[]
}

/**
 * How far other clocks are ahead of the desk's own time, in ms: the wall clock, and the exchange's. What is dated is
 * shown and compared by theirs; ages of what the desk has seen itself never are.
 */
export type Ahead = { wallMs: number; exchangeMs: number }

export type DeskState = {
  /**
   * The desk's own time as of the last tick (see `Clock`): ages are reckoned from it. Every `atMs` of the desk is in
   * it.
   */
  nowMs: number
  ahead: Ahead
  /** When the desk last stood still, as far as it noticed. */
  standstill: { fromMs: number; toMs: number } | null
  venue: Venue
  mode: Mode
  idleRules: IdleRules
  /** When a person last pressed a key. */
  lastKeyAtMs: number
  lock: LockState
  lockMethod: LockMethod
  /**
   * The order that the list's cursor came to by itself, as the one it stood on was canceled, and when; null before any.
   */
  cursorCame: { key: string; atMs: number } | null
  limits: Limits
  /** What this UTC day's fills come to. */
  filledToday: DayFills
  /** What the session's and the UTC day's fills come to, by symbol and side. */
  fillSums: FillSums
  /** What this desk sent lately, newest first. */
  sentOrders: readonly SentOrder[]
  /** What was asked for with each own order, also before this start: what the exchange does not report. */
  ownDrafts: OwnDrafts
  symbol: string
  /** Symbols shown before this one, newest first, bounded. */
  recentSymbols: readonly string[]
  /** What was said in the palette, oldest first, bounded. */
  sentences: SentenceHistory
  reboundKeys: ReboundKeys
  /** What can be done with the desk's own practice exchange; null where the desk trades on another one. */
  practice: Practice | null
  /** What the second ladder shows; null until it has been on screen. */
  symbol2: string | null
  instruments: Feed<ReadonlyMap<string, Instrument>>
  books: ReadonlyMap<string, Feed<Book>>
  /** Level 3 of the symbols whose ladders show it. */
  queues: ReadonlyMap<string, Feed<OrderByOrderBook>>
  tickers: Feed<ReadonlyMap<string, Ticker>>
  /** The last prices of every symbol since the desk started. */
  priceHistory: PriceHistory
  chart: ChartState
  looks: Looks
  /** Working orders, newest first. */
  orders: Feed<readonly Order[]>
  /** Orders that ended while this desk watched, newest first, bounded. */
  endedOrders: readonly Order[]
  fills: Feed<readonly Fill[]>
  balances: Feed<readonly Balance[]>
  fees: Feed<Fees>
  /** Newest first. */
  withdrawals: Feed<readonly Withdrawal[]>
  /** Newest first. */
  deposits: Feed<readonly Deposit[]>
  whitelist: Feed<readonly WhitelistEntry[]>
  /** What this machine has seen of withdrawals and deposits beyond what the exchange lists. */
  followed: FollowedTransfers
  gateway: GatewayState
  /** `skewMs`: how far the exchange's clock is ahead of the desk's time, by its last dates; null while it gave none. */
  connection: { roundTripMs: number | null; skewMs: number | null }
  unsettled: readonly Unsettled[]
  /** What of the feeds cannot be read. */
  unreadable: UnreadableState
  /** The list of the transfers pane that is in front. */
  transferList: TransferList
  /** Withdrawals prepared on this machine. */
  drafts: DraftsState
  /** What withdrawals are held against beside what is polled. */
  withdrawalRules: WithdrawalRules
  /** Oldest first, bounded. */
  log: readonly LogLine[]
  screen: Screen
  view: ViewState
  picture: Picture
  session: SessionState
  terminal: TerminalState
  focus: PaneName
  ladder: LadderState
  ladder2: LadderState
  tables: TablesState
  orderHistory: OrderHistory
  /** Fills from before those in `fills`, as far as somebody scrolled. */
  fillHistory: FillHistory
  ticket: TicketState | null
  /** An own order that is being moved to another price. */
  move: MoveState | null
  overlay: Overlay | null
  alerts: AlertsState
  /** The last thing the desk said about something a person did. */
  notice: LogLine | null
}

/** What a desk starts from; limits and idle rules are the defaults of its kind of venue unless given. */
export type DeskStart = {
  nowMs: number
  /** What the wall clock says then; the same unless given. */
  wallMs?: number
  venue: Venue
  mode: Mode
  symbol: string
  limits?: Limits
  idleRules?: IdleRules
  lockMethod?: LockMethod
  alerts?: AlertsStart
  looks?: Looks
  reboundKeys?: ReboundKeys
  practice?: Practice | null
  /** What an earlier run has seen of money under way. */
  followed?: FollowedTransfers
  gateway?: GatewayStart
  /** What a person set about the terminal; as usual unless given. */
  terminal?: TerminalState
}

/** What is on screen before anything has answered. */
export function initialState({ wallMs, ...start }: DeskStart): DeskState {
  const aheadMs = (wallMs ?? start.nowMs) - start.nowMs
  return {
    limits: defaultLimits[start.venue.kind],
    idleRules: defaultIdleRules[start.venue.kind],
    lockMethod: 'none',
    cursorCame: null,
    looks: usualLooks,
    reboundKeys: noReboundKeys,
    practice: null,
    terminal: usualTerminal,
    ...start,
    ahead: { wallMs: aheadMs, exchangeMs: aheadMs },
    standstill: null,
    lastKeyAtMs: start.nowMs,
    lock: { kind: 'open' },
    filledToday: emptyDay(start.nowMs + aheadMs),
    fillSums: emptyFillSums(start.nowMs),
    sentOrders: [],
    ownDrafts: noOwnDrafts,
    recentSymbols: [],
    sentences: [],
    instruments: emptyFeed,
    books: new Map(),
    symbol2: null,
    queues: new Map(),
    tickers: emptyFeed,
    priceHistory: new Map(),
    chart: initialChart,
    orders: emptyFeed,
    endedOrders: [],
    fills: emptyFeed,
    balances: emptyFeed,
    fees: emptyFeed,
    withdrawals: emptyFeed,
    deposits: emptyFeed,
    whitelist: emptyFeed,
    followed: start.followed ?? nothingFollowed,
    gateway: initialGateway(start.gateway ?? noGateway),
    connection: { roundTripMs: null, skewMs: null },
    unsettled: [],
    unreadable: nothingUnreadable,
    transferList: 'withdrawals',
    drafts: noDrafts,
    withdrawalRules: initialRules(start.venue),
    log: [],
    screen: {
      columns: 80,
      rows: 24,
      ladderRowCount: 9,
      visiblePanes: ['ladder', 'tickers', 'orders'],
      layouts: ['trade'],
    },
    view: initialView,
    picture: movingPicture,
    session: initialSession(start.nowMs),
    focus: 'ladder',
    ladder: emptyLadder(start.nowMs),
    ladder2: emptyLadder(start.nowMs),
    tables: emptyTables,
    orderHistory: emptyOrderHistory,
    fillHistory: emptyFillHistory,
    ticket: null,
    move: null,
    overlay: null,
    alerts: initialAlerts(start.alerts ?? {}, start.nowMs),
    notice: null,
  }
}

/** All keys: what is typed leaves only those it names, and `top` is the first line on screen. */
export type HelpOverlay = { kind: 'help'; query: string; top: number }

/** A few pages for the first time at the desk. */
export type TourOverlay = { kind: 'tour'; page: number }

/**
 * Before ending: what stays working and what has no known outcome; `cancelSentAtMs` once everything is being canceled
 * first.
 */
export type QuitOverlay = { kind: 'confirmQuit'; cancelSentAtMs: number | null }

/** How the panes stand: one of the arrangements, or the focused pane alone. */
export type ViewState = { layout: LayoutName; isZoomed: boolean }

export const initialView: ViewState = { layout: 'trade', isZoomed: false }

/** What the panes show: the desk as it goes on, or as it was when a person froze the picture. */
export type Picture = { kind: 'moving' } | { kind: 'frozen'; sinceMs: number; shown: DeskState }

export const movingPicture: Picture = { kind: 'moving' }

/** What happened since this desk started. */
export type SessionState = {
  startedAtMs: number
  /** Orders and withdrawals that the service refused. */
  rejectCount: number
  lastReject: { atMs: number; reason: string } | null
  /** Writes that had no answer, settled since or not. */
  unknownCount: number
  /** Null until the first answer. */
  calls: CallUse | null
}

export const initialSession = (startedAtMs: number): SessionState => ({
  startedAtMs,
  rejectCount: 0,
  lastReject: null,
  unknownCount: 0,
  calls: null,
})

export const initialRules = ({ kind }: Venue): WithdrawalRules => ({
  limits: defaultWithdrawalLimits[kind],
  memory: null,
  approver: null,
})
