import type { DutyRole } from '../domain/desk/duties.ts'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { LockMethod } from '../domain/desk/lock.ts'
import type { Practice } from '../domain/desk/practice-verb.ts'
import type { EntryRules } from '../domain/entry-rules.ts'
import type { FollowedTransfers } from '../domain/transfers/followed.ts'
import { type AccountEvent, type AccountsSlice, startAccounts } from './accounts.ts'
import {
  type AlertsEvent,
  type AlertsOverlay,
  type AlertsSlice,
  type AlertsStart,
  initialAlerts,
} from './alerts/alerts.ts'
import { type BarsEvent, type BarsSlice, startBars } from './bars.ts'
import { type ChartEvent, type ChartSlice, initialChart } from './chart.ts'
import { type ClockSlice, startClock, type TickedEvent } from './clock.ts'
import type { CostsEvent, CostsSlice } from './costs.ts'
import { type DutiesEvent, type DutiesSlice, startDuties } from './duties.ts'
import { type EquityEvent, type EquitySlice, startEquity } from './equity.ts'
import { type FeedsSlice, startFeeds } from './feeds/feeds.ts'
import {
  type GatewaySlice,
  type GatewayStart,
  type GatewayStoreEvent,
  initialGateway,
  noGateway,
} from './gateway/gateway.ts'
import type { HelpOverlay, TourOverlay } from './help.ts'
import { emptyHistory, type FillHistoryEvent, type HistorySlice, type OrderHistoryEvent } from './history/history.ts'
import type { KeptSessionEvent } from './kept-session.ts'
import { type LadderEvent, type LadderSlice, type SymbolEvent, startLadders } from './ladder/ladder.ts'
import { type LockEvent, type LockSlice, startLock } from './lock.ts'
import { emptyLog, type LogSlice, type NotedEvent } from './log.ts'
import { type Looks, type LooksEvent, type LooksSlice, type ThemesOverlay, usualLooks } from './looks.ts'
import { type ModeEvent, type ModeSlice, type ModeStart, startMode } from './mode.ts'
import type { MoveEvent, MoveSlice } from './move/move.ts'
import { type OrderDraftsEvent, type OrderDraftsSlice, startOrderDrafts } from './order-drafts/order-drafts.ts'
import type { ConfirmCancelOverlay } from './orders/cancel-question.ts'
import type { HaltOverlay, UnknownWriteOverlay } from './orders/order-commands.ts'
import type { PaletteEvent, PaletteOverlay, PaletteSlice } from './palette.ts'
import { type PlansEvent, type PlansOverlay, type PlansSlice, startPlans } from './plans/plans.ts'
import { type PositionsEvent, type PositionsSlice, startPositions } from './positions.ts'
import type { PracticeSlice } from './practice/practice.ts'
import type { QuitOverlay } from './quit.ts'
import { initialSession, type SessionSlice } from './session.ts'
import type { OverlayEvent } from './slice.ts'
import type { SymbolsOverlay } from './symbols.ts'
import { emptyTables, type TableOverlay, type TablesEvent, type TablesSlice } from './tables/tables.ts'
import { type TerminalEvent, type TerminalSlice, type TerminalState, usualTerminal } from './terminal.ts'
import { type EntrySlice, startTicket, type TicketEvent, type TicketSlice } from './ticket/ticket.ts'
import {
  type DepositEvent,
  type DepositOverlay,
  type DraftsEvent,
  startTransfers,
  type TransferListEvent,
  type TransfersSlice,
} from './transfers/transfers.ts'
import type { WithdrawalRulesEvent, WithdrawOverlay } from './transfers/withdraw.ts'
import {
  type FocusEvent,
  type ResizedEvent,
  startView,
  type ViewEvent,
  type ViewSlice,
  viewOfNobody,
} from './view/view.ts'
import { nothingWritten, type OwnDraftsEvent, type WritesSlice } from './writes/writes.ts'

/** The dialog on screen, at most one at a time. */
export type Overlay =
  | HelpOverlay
  | TourOverlay
  | PaletteOverlay
  | ConfirmCancelOverlay
  | SymbolsOverlay
  | HaltOverlay
  | UnknownWriteOverlay
  | QuitOverlay
  | AlertsOverlay
  | DepositOverlay
  | WithdrawOverlay
  | TableOverlay
  | ThemesOverlay
  | PlansOverlay

/** The whole state of the desk: each slice owns some of the names. */
export type DeskState = ClockSlice &
  LogSlice &
  ModeSlice &
  ViewSlice &
  LadderSlice &
  ChartSlice &
  FeedsSlice &
  BarsSlice &
  AccountsSlice &
  EquitySlice &
  PositionsSlice &
  PlansSlice &
  WritesSlice &
  TicketSlice &
  EntrySlice &
  MoveSlice &
  LockSlice &
  TablesSlice &
  HistorySlice &
  GatewaySlice &
  PracticeSlice &
  LooksSlice &
  TransfersSlice &
  OrderDraftsSlice &
  PaletteSlice &
  AlertsSlice &
  TerminalSlice &
  CostsSlice &
  DutiesSlice &
  SessionSlice & {
    overlay: Overlay | null
    picture: Picture
  }

/** The start of a desk; limits and idle rules default to those of its kind of venue. */
export type DeskStart = ModeStart & {
  nowMs: number
  /** Wall clock time then; equal to `nowMs` unless given. */
  wallMs?: number
  symbol: string
  lockMethod?: LockMethod
  alerts?: AlertsStart
  looks?: Looks
  practice?: Practice | null
  /** Money in transit as seen by an earlier run. */
  followed?: FollowedTransfers
  gateway?: GatewayStart
  /** The user's settings of the terminal; the usual ones unless given. */
  terminal?: TerminalState
  /** The user's settings for entering orders. */
  entry?: EntryRules
  /** A desk with a screen unless given. */
  role?: DutyRole
}

/** The state before any answer. */
export function initialState(start: DeskStart): DeskState {
  const { nowMs, wallMs = nowMs } = start
  return {
    ...startClock(nowMs, wallMs),
    ...emptyLog,
    ...startMode(start, nowMs),
    ...(start.role === 'watch' ? viewOfNobody : startView),
    ...startLadders(start.symbol, nowMs),
    ...startFeeds(nowMs, wallMs),
    ...startAccounts,
    ...startEquity,
    ...startPositions,
    ...startPlans,
    ...nothingWritten,
    ...startLock(start.lockMethod),
    ...emptyHistory,
    ...startTransfers(start.venue, start.followed),
    ...startOrderDrafts,
    chart: initialChart,
    ...startBars,
    ...startTicket(start.entry),
    move: null,
    tables: emptyTables,
    gateway: initialGateway(start.gateway ?? noGateway),
    practice: start.practice ?? null,
    looks: start.looks ?? usualLooks,
    sentences: [],
    statedCosts: [],
    alerts: initialAlerts(start.alerts ?? {}, nowMs, (start.gateway ?? noGateway).isSet),
    terminal: start.terminal ?? usualTerminal,
    ...startDuties(start.role),
    session: initialSession(nowMs),
    overlay: null,
    picture: movingPicture,
  }
}

/** What the panes show: the present state, or the one at which the user froze the screen. */
export type Picture = { kind: 'moving' } | { kind: 'frozen'; sinceMs: number; shown: DeskState }

export const movingPicture: Picture = { kind: 'moving' }

/** The desk's store: read it, subscribe to it, and change it only by events. */
export type DeskStore = {
  getState(): DeskState
  getInitialState(): DeskState
  subscribe(listener: (state: DeskState, before: DeskState) => void): () => void
  dispatch(event: StoreEvent): void
  /** Several events with one notification: those of services since the last commit. */
  dispatchAll(events: readonly StoreEvent[]): void
}

/** The user's acts, as read from keys. */
export type PersonEvent =
  | FocusEvent
  | LadderEvent
  | SymbolEvent
  | TicketEvent
  | OverlayEvent<Overlay>
  | ModeEvent
  | Exclude<LockEvent, { type: 'lockAnswered' }>

/** The desk's own events. */
export type DeskEvent = TickedEvent | ResizedEvent | Extract<LockEvent, { type: 'lockAnswered' }> | NotedEvent

export type StoreEvent =
  | FeedEvent
  | WriteEvent
  | PersonEvent
  | DeskEvent
  | PaletteEvent
  | AlertsEvent
  | BarsEvent
  | ChartEvent
  | AccountEvent
  | EquityEvent
  | PositionsEvent
  | PlansEvent
  | TablesEvent
  | TransferListEvent
  | GatewayStoreEvent
  | OrderHistoryEvent
  | FillHistoryEvent
  | LooksEvent
  | ViewEvent
  | KeptSessionEvent
  | MoveEvent
  | OwnDraftsEvent
  | DepositEvent
  | WithdrawalRulesEvent
  | DraftsEvent
  | OrderDraftsEvent
  | TerminalEvent
  | CostsEvent
  | DutiesEvent
