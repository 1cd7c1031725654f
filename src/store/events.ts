import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { AlertsEvent } from './alerts/alerts.ts'
import type { ChartEvent } from './chart.ts'
import type { TickedEvent } from './clock.ts'
import type { Overlay } from './desk.ts'
import type { GatewayStoreEvent } from './gateway/gateway.ts'
import type { FillHistoryEvent, OrderHistoryEvent } from './history/history.ts'
import type { LadderEvent, SymbolEvent } from './ladder/ladder.ts'
import type { LockEvent } from './lock.ts'
import type { NotedEvent } from './log.ts'
import type { LooksEvent } from './looks/looks.ts'
import type { ModeEvent } from './mode.ts'
import type { MoveEvent } from './move/move.ts'
import type { CursorCameEvent, OwnDraftsEvent } from './orders/writes.ts'
import type { PaletteEvent } from './palette/palette.ts'
import type { SessionEvent } from './session.ts'
import type { OverlayEvent } from './slice.ts'
import type { TablesEvent } from './tables/tables.ts'
import type { TerminalEvent } from './terminal/terminal.ts'
import type { TicketEvent } from './ticket/ticket.ts'
import type { DepositEvent, DraftsEvent, TransferListEvent } from './transfers/transfers.ts'
import type { WithdrawalRulesEvent } from './transfers/withdraw.ts'
import type { FocusEvent, ResizedEvent, ViewEvent } from './view/view.ts'

/** What a person does, already read from keys. */
export type PersonEvent =
  | FocusEvent
  | LadderEvent
  | SymbolEvent
  | TicketEvent
  | OverlayEvent<Overlay>
  | ModeEvent
  | CursorCameEvent
  | Exclude<LockEvent, { type: 'lockAnswered' }>

/** What the desk itself does. */
export type DeskEvent = TickedEvent | ResizedEvent | Extract<LockEvent, { type: 'lockAnswered' }> | NotedEvent

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
