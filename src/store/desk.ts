import type { LockMethod } from '../domain/desk/lock.ts'
import type { Practice } from '../domain/desk/practice-verb.ts'
import type { FollowedTransfers } from '../domain/transfers/followed.ts'
import { type AlertsOverlay, type AlertsSlice, type AlertsStart, initialAlerts } from './alerts/alerts.ts'
import { type ChartSlice, initialChart } from './chart.ts'
import { type ClockSlice, startClock } from './clock.ts'
import type { StoreEvent } from './events.ts'
import { type FeedsSlice, startFeeds } from './feeds/feeds.ts'
import { type GatewaySlice, type GatewayStart, initialGateway, noGateway } from './gateway/gateway.ts'
import type { HelpOverlay, TourOverlay } from './help.ts'
import { emptyHistory, type HistorySlice } from './history/history.ts'
import { type LadderSlice, startLadders } from './ladder/ladder.ts'
import { type LockSlice, startLock } from './lock.ts'
import { emptyLog, type LogSlice } from './log.ts'
import { type Looks, type LooksSlice, type ThemesOverlay, usualLooks } from './looks/looks.ts'
import { type ModeSlice, type ModeStart, startMode } from './mode.ts'
import type { MoveSlice } from './move/move.ts'
import type { HaltOverlay } from './orders/cancel-commands.ts'
import type { UnknownWriteOverlay } from './orders/resolve-commands.ts'
import { nothingWritten, type WritesSlice } from './orders/writes.ts'
import type { ConfirmCancelOverlay, PaletteOverlay, PaletteSlice } from './palette/palette.ts'
import type { PracticeSlice } from './practice/practice-line.ts'
import type { QuitOverlay } from './quit.ts'
import { initialSession, type SessionSlice } from './session.ts'
import type { SymbolsOverlay } from './symbols.ts'
import { emptyTables, type TableOverlay, type TablesSlice } from './tables/tables.ts'
import { type TerminalSlice, type TerminalState, usualTerminal } from './terminal/terminal.ts'
import type { TicketSlice } from './ticket/ticket.ts'
import { type DepositOverlay, startTransfers, type TransfersSlice } from './transfers/transfers.ts'
import type { WithdrawOverlay } from './transfers/withdraw.ts'
import { startView, type ViewSlice } from './view/view.ts'

/** At most one at a time. */
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

/** Everything the desk knows: each slice owns some of the names. */
export type DeskState = ClockSlice &
  LogSlice &
  ModeSlice &
  ViewSlice &
  LadderSlice &
  ChartSlice &
  FeedsSlice &
  WritesSlice &
  TicketSlice &
  MoveSlice &
  LockSlice &
  TablesSlice &
  HistorySlice &
  GatewaySlice &
  PracticeSlice &
  LooksSlice &
  TransfersSlice &
  PaletteSlice &
  AlertsSlice &
  TerminalSlice &
  SessionSlice & {
    overlay: Overlay | null
    picture: Picture
  }

/** What a desk starts from; limits and idle rules are the defaults of its kind of venue unless given. */
export type DeskStart = ModeStart & {
  nowMs: number
  /** What the wall clock says then; the same unless given. */
  wallMs?: number
  symbol: string
  lockMethod?: LockMethod
  alerts?: AlertsStart
  looks?: Looks
  practice?: Practice | null
  /** What an earlier run has seen of money under way. */
  followed?: FollowedTransfers
  gateway?: GatewayStart
  /** What a person set about the terminal; as usual unless given. */
  terminal?: TerminalState
}

/** What is on screen before anything has answered. */
export function initialState(start: DeskStart): DeskState {
  const { nowMs, wallMs = nowMs } = start
  return {
    ...startClock(nowMs, wallMs),
    ...emptyLog,
    ...startMode(start, nowMs),
    ...startView,
    ...startLadders(start.symbol, nowMs),
    ...startFeeds(nowMs, wallMs),
    ...nothingWritten,
    ...startLock(start.lockMethod),
    ...emptyHistory,
    ...startTransfers(start.venue, start.followed),
    chart: initialChart,
    ticket: null,
    move: null,
    tables: emptyTables,
    gateway: initialGateway(start.gateway ?? noGateway),
    practice: start.practice ?? null,
    looks: start.looks ?? usualLooks,
    sentences: [],
    alerts: initialAlerts(start.alerts ?? {}, nowMs),
    terminal: start.terminal ?? usualTerminal,
    session: initialSession(nowMs),
    overlay: null,
    picture: movingPicture,
  }
}

/** What the panes show: the desk as it goes on, or as it was when a person froze the picture. */
export type Picture = { kind: 'moving' } | { kind: 'frozen'; sinceMs: number; shown: DeskState }

export const movingPicture: Picture = { kind: 'moving' }

/** The desk's one store: read it, subscribe to it, and change it by events only. */
export type DeskStore = {
  getState(): DeskState
  getInitialState(): DeskState
  subscribe(listener: (state: DeskState, before: DeskState) => void): () => void
  dispatch(event: StoreEvent): void
  /** Several events with one notification: what services brought since the last commit. */
  dispatchAll(events: readonly StoreEvent[]): void
}
