import type { CallUse, FeedEvent, NewsLevel, WriteEvent } from '../domain/desk/events.ts'
import type { LockAnswer, LockMethod } from '../domain/desk/lock.ts'
import type { Mode } from '../domain/desk/mode.ts'
import type { KeptSession, LayoutName } from '../domain/desk/session.ts'
import type { OwnDrafts } from '../domain/orders/own-draft.ts'
import type { AlertsEvent } from './alerts/alerts.ts'
import type { ChartEvent } from './chart.ts'
import type { Overlay } from './desk.ts'
import type { GatewayStoreEvent } from './gateway/gateway.ts'
import type { FillHistoryEvent, OrderHistoryEvent } from './history/history.ts'
import type { LooksEvent } from './looks/looks.ts'
import type { MoveEvent } from './move/move.ts'
import type { PaletteEvent } from './palette/palette.ts'
import type { TablesEvent } from './tables/tables.ts'
import type { TerminalEvent } from './terminal/terminal.ts'
import type { TicketEvent } from './ticket/ticket.ts'
import type { DepositEvent, DraftsEvent, TransferListEvent } from './transfers/transfers.ts'
import type { WithdrawalRulesEvent } from './transfers/withdraw.ts'
import type { PaneName, Screen } from './view/view.ts'

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

export type ViewEvent =
  | { type: 'layoutChosen'; layout: LayoutName }
  | { type: 'zoomToggled' }
  | { type: 'pictureFrozen'; atMs: number }
  | { type: 'pictureWentOn'; atMs: number }

export type SessionEvent =
  | { type: 'sessionRestored'; session: KeptSession }
  /** Back to how a desk starts that never was used; the mode and what is typed stay. */
  | { type: 'sessionReset' }

/** What earlier desks sent, from the journal. */
export type OwnDraftsEvent = { type: 'ownDraftsRead'; drafts: OwnDrafts }
