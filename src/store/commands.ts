import { type AccountCommands, createAccountCommands } from './accounts.ts'
import { type AlertCommands, createAlertCommands } from './alerts/alerts.ts'
import { type ChartCommands, createChartCommands } from './chart.ts'
import { type CostsCommands, type CostsPort, createCostsCommands } from './costs.ts'
import type { DeskStore } from './desk.ts'
import { createEquityCommands, type EquityCommands } from './equity.ts'
import {
  createExportCommands,
  createStatementCommands,
  type ExportCommands,
  type ExportPort,
  type StatementCommands,
} from './exports.ts'
import { createGatewayCommands, type GatewayCommands, type GatewayPort } from './gateway/gateway-commands.ts'
import { createHelpCommands, type HelpCommands } from './help.ts'
import {
  createFillHistoryCommands,
  createOrderHistoryCommands,
  type FillHistoryCommands,
  type HistoryPort,
  lookAtOrderHistory,
  type OrderHistoryCommands,
} from './history/history.ts'
import { createKeptSessionCommands, type KeptSessionCommands } from './kept-session.ts'
import { createLadderCommands, type LadderCommands } from './ladder/ladder.ts'
import { createLockCommands, type LockCommands, type LockPort } from './lock.ts'
import { createLogCommands, type LogCommands } from './log.ts'
import { createLooksCommands, type LooksCommands } from './looks.ts'
import { createModeCommands, type ModeCommands, type WallPort } from './mode.ts'
import type { MovePort } from './move/move.ts'
import { createMoveCommands, type MoveCommands } from './move/move-commands.ts'
import { createOrderDraftCommands, type OrderDraftCommands } from './order-drafts/order-draft-commands.ts'
import type { OrderDraftsPort } from './order-drafts/order-drafts.ts'
import { type CancelPort, type CancelQuestionCommands, createCancelQuestionCommands } from './orders/cancel-question.ts'
import {
  type CancelCommands,
  createCancelCommands,
  createHaltCommands,
  createResolveCommands,
  type HaltCommands,
  type ResolveCommands,
  type UnknownWritePort,
} from './orders/order-commands.ts'
import { createPaletteCommands, type PaletteCommands } from './palette.ts'
import { createPlanCommands, type PlanCommands } from './plans/plan-commands.ts'
import type { PlansPort } from './plans/plans.ts'
import { createPositionCommands, type PositionCommands } from './positions.ts'
import { createPracticeCommands, type PracticeCommands, type PracticePort } from './practice/practice.ts'
import { createQuitCommands, type QuitCommands } from './quit.ts'
import type { RefreshPort } from './slice.ts'
import { createSymbolsCommands, type SymbolsCommands } from './symbols.ts'
import {
  createTableCommands,
  createTransferListCommands,
  type TableCommands,
  type TransferListCommands,
} from './tables/table-commands.ts'
import { createTerminalCommands, type TerminalCommands } from './terminal.ts'
import type { TicketPort } from './ticket/ticket.ts'
import { createTicketCommands, type TicketCommands } from './ticket/ticket-commands.ts'
import { createTicketEditCommands, type TicketEditCommands } from './ticket/ticket-edit-commands.ts'
import { createDepositCommands, type DepositCommands, type DepositPort } from './transfers/deposit-commands.ts'
import { createWithdrawCommands, type DraftsPort, type WithdrawCommands } from './transfers/withdraw-commands.ts'
import type { SecretPort } from './transfers/withdraw-lock-commands.ts'
import { createViewCommands, type ViewCommands } from './view/view-commands.ts'

/**
 * The services behind the commands; `desk/desk.ts` connects them. A write returns at once, and its outcome arrives in
 * the store as events.
 */
export type DeskPort = TicketPort &
  MovePort &
  CancelPort &
  UnknownWritePort &
  DraftsPort &
  OrderDraftsPort &
  SecretPort &
  LockPort &
  HistoryPort &
  ExportPort &
  CostsPort &
  PracticePort &
  DepositPort &
  RefreshPort &
  WallPort & {
    /** The gateway's inbox and practice deliveries. */
    readonly gateway: GatewayPort
    /** Runs plans; without it none can be made. */
    readonly plans?: PlansPort
    /** Desk time: see `Clock`. */
    now(): number
  }

/** The context of all commands. `exit` ends the desk and restores the terminal. */
export type CommandContext = {
  store: DeskStore
  port: DeskPort
  exit: () => void
}

/**
 * The user's acts, one function each, used by keys, palette and tests. A command that is impossible now changes nothing
 * and says why in the state's `notice`. Each slice has a type of its own, joined here.
 */
export type Commands = OverlayCommands &
  ViewCommands &
  KeptSessionCommands &
  LadderCommands &
  ModeCommands &
  LogCommands &
  CancelCommands &
  HaltCommands &
  LockCommands &
  ResolveCommands &
  TicketCommands &
  TicketEditCommands &
  HelpCommands &
  SymbolsCommands &
  PaletteCommands &
  CancelQuestionCommands &
  PracticeCommands &
  QuitCommands &
  AlertCommands &
  DepositCommands &
  WithdrawCommands &
  TransferListCommands &
  GatewayCommands &
  LooksCommands &
  ChartCommands &
  AccountCommands &
  EquityCommands &
  PositionCommands &
  MoveCommands &
  TableCommands &
  TerminalCommands &
  ExportCommands &
  StatementCommands &
  CostsCommands &
  PlanCommands &
  OrderDraftCommands &
  OrderHistoryCommands &
  FillHistoryCommands

type OverlayCommands = { closeOverlay(): void }

const createOverlayCommands = ({ store }: CommandContext): OverlayCommands => ({
  closeOverlay: () => store.dispatch({ type: 'overlayClosed' }),
})

/** Creates all commands over one store and one set of services. */
export function createCommands(context: CommandContext): Commands {
  const ticket = createTicketCommands(context)
  return {
    ...createViewCommands(context, (pane) => {
      if (pane === 'orders') lookAtOrderHistory(context)
    }),
    ...createKeptSessionCommands(context),
    ...createModeCommands(context),
    ...createLogCommands(context),
    ...createTicketEditCommands(context),
    ...ticket,
    ...createCancelCommands(context),
    ...createHaltCommands(context),
    ...createLockCommands(context),
    ...createResolveCommands(context),
    ...createTableCommands(context),
    ...createTransferListCommands(context),
    ...createGatewayCommands(context),
    ...createExportCommands(context),
    ...createStatementCommands(context),
    ...createCostsCommands(context),
    ...createPlanCommands(context),
    ...createOrderDraftCommands(context, ticket),
    ...createOrderHistoryCommands(context),
    ...createFillHistoryCommands(context),
    ...createOverlayCommands(context),
    ...createQuitCommands(context),
    ...createHelpCommands(context),
    ...createSymbolsCommands(context),
    ...createPaletteCommands(context),
    ...createCancelQuestionCommands(context),
    ...createPracticeCommands(context),
    ...createChartCommands(context),
    ...createAccountCommands(context),
    ...createEquityCommands(context),
    ...createPositionCommands(context),
    ...createLooksCommands(context),
    ...createAlertCommands(context),
    ...createDepositCommands(context),
    ...createWithdrawCommands(context),
    ...createLadderCommands(context),
    ...createMoveCommands(context),
    ...createTerminalCommands(context),
  }
}
