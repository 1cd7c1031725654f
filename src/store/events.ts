import type { CallUse, FeedEvent, NewsLevel, WriteEvent } from '../domain/desk/events.ts'
import type { LockAnswer, LockMethod } from '../domain/desk/lock.ts'
import type { Mode } from '../domain/desk/mode.ts'
import type { AlertsEvent } from './alerts/alerts-state.ts'
import type { ChartEvent } from './chart.ts'
import type { GatewayStoreEvent } from './gateway/gateway-events.ts'
import type { FillHistoryEvent } from './history/fill-history.ts'
import type { OrderHistoryEvent } from './history/order-history.ts'
import type { SessionEvent } from './kept-session.ts'
import type { LooksEvent } from './looks.ts'
import type { MoveEvent } from './move/move-state.ts'
import type { OwnDraftsEvent } from './own-drafts.ts'
import type { PaletteEvent } from './palette/palette.ts'
import type { Overlay, PaneName, Screen } from './state.ts'
import type { TablesEvent } from './tables/table-events.ts'
import type { TerminalEvent } from './terminal/terminal-state.ts'
import type { TicketEvent } from './ticket-state.ts'
import type { DepositEvent } from './transfers/deposit-state.ts'
import type { DraftsEvent } from './transfers/drafts.ts'
import type { TransferListEvent } from './transfers/transfer-list.ts'
import type { WithdrawalRulesEvent } from './transfers/withdrawal-rules.ts'
import type { ViewEvent } from './view.ts'

/** What a person does, already read from keys. */
export type PersonEvent =
  | { type: 'paneFocused'; pane: PaneName }
  | { type: 'cursorMoved'; rows: number; atMs: number }
  | { type: 'ladderCentred'; atMs: number }
  | { type: 'groupChanged'; step: 1 | -1; atMs: number }
  /** Level 2 or level 3 in the active ladder. */
  | { type: 'ladderViewToggled'; atMs: number }
  | TicketEvent
  | { type: 'symbolChosen'; symbol: string; atMs: number }
  | { type: 'overlayOpened'; overlay: Overlay }
  | { type: 'overlayClosed' }
  | { type: 'modeChanged'; mode: Mode; atMs: number }
  /** Any key: what counts as activity. */
  | { type: 'keyPressed'; atMs: number; wallMs?: number }
  | { type: 'lockCovered'; sentence: string; atMs: number }
  /** A cancel came too soon after the cursor had come to an order by itself. */
  | { type: 'cursorCame'; key: string; atMs: number }
  /** A lock was set up while the desk ran. */
  | { type: 'lockFound'; method: LockMethod }
  | { type: 'lockTyped'; length: number }
  | { type: 'lockChecking' }

/** What the desk itself does. */
export type DeskEvent =
  /**
   * `wallMs`: what the wall clock says; left out where it runs with the desk's time. `calls`: how the desk's budget of
   * calls is used just now, also while nothing answers.
   */
  | { type: 'ticked'; nowMs: number; wallMs?: number; calls?: CallUse }
  | { type: 'resized'; screen: Screen }
  | { type: 'lockAnswered'; answer: LockAnswer; atMs: number }
  /** `isOfField`: it is about what is being filled in, and is over once that changes. */
  /** `path` is in the text, and may be shortened where there is no room: whole it stands in the log. */
  | { type: 'noted'; level: NewsLevel; text: string; atMs: number; isOfField?: true; path?: string }

export type StoreEvent =
  | FeedEvent
  | WriteEvent
  | PersonEvent
  | DeskEvent
  | PaletteEvent
  | AlertsEvent
  | ChartEvent
  | TablesEvent
  | TransferListEvent
  | GatewayStoreEvent
  | OrderHistoryEvent
  | FillHistoryEvent
  | LooksEvent
  | ViewEvent
  | SessionEvent
  | MoveEvent
  | OwnDraftsEvent
  | DepositEvent
  | WithdrawalRulesEvent
  | DraftsEvent
  | TerminalEvent
