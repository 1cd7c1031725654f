import type { Verdict } from '../domain/orders/unknown-write.ts'
import type { AlertCommands } from './alerts/alert-commands.ts'
import type { ExportCommands, StatementCommands } from './exports.ts'
import type { GatewayCommands } from './gateway/gateway-commands.ts'
import type { HelpCommands } from './help.ts'
import type { FillHistoryCommands, OrderHistoryCommands } from './history/history-commands.ts'
import type { LooksCommands } from './looks/looks-commands.ts'
import type { MoveCommands } from './move/move-commands.ts'
import type { PaletteCommands } from './palette/palette-commands.ts'
import type { PracticeCommands } from './practice/practice-commands.ts'
import type { SymbolsCommands } from './symbols.ts'
import type { TableCommands, TransferListCommands } from './tables/table-commands.ts'
import type { TerminalCommands } from './terminal/reduce-terminal.ts'
import type { TicketCommands } from './ticket/ticket-commands.ts'
import type { TicketEditCommands } from './ticket/ticket-edit-commands.ts'
import type { DepositCommands } from './transfers/deposit-commands.ts'
import type { WithdrawCommands } from './transfers/withdraw-commands.ts'
import type { PaneName } from './view/view.ts'
import type { ChartCommands, LadderCommands, PictureCommands } from './view/view-commands.ts'

/**
 * What a person may do, one function for each act; keys, palette and tests all go through these. A command that is not
 * possible just now says why in the state's `notice` and changes nothing. Groups of commands that belong to one thing
 * have a file and a type of their own and are joined here.
 */
export type Commands = CoreCommands &
  TicketCommands &
  TicketEditCommands &
  HelpCommands &
  SymbolsCommands &
  PaletteCommands &
  PracticeCommands &
  QuitCommands &
  AlertCommands &
  DepositCommands &
  WithdrawCommands &
  TransferListCommands &
  GatewayCommands &
  PictureCommands &
  LooksCommands &
  ChartCommands &
  LadderCommands &
  MoveCommands &
  TableCommands &
  TerminalCommands &
  ExportCommands &
  StatementCommands &
  OrderHistoryCommands &
  FillHistoryCommands

/** The commands of ladder, lock and overlays. */
export type CoreCommands = {
  focusPane(pane: PaneName): void
  /** Positive is up the screen, to higher prices. */
  moveCursor(rows: number): void
  centreLadder(): void
  changeGroup(step: 1 | -1): void
  cancelSelectedOrder(): void
  /** Cancels every own order in the cursor's row. */
  cancelAtCursor(): void
  /** Opens the question that halts the desk. */
  askHalt(): void
  /** One letter of the word that takes back the orders of every symbol. */
  typeIntoHalt(text: string): void
  eraseInHalt(): void
  clearHalt(): void
  /** HALTED, and this symbol's orders are taken back, or every symbol's when ALL is typed. */
  confirmHalt(): void
  /** Covers the screen and makes the desk SAFE. */
  lock(): void
  /** Begins to type what opens the lock; without a lock set up it opens at once. */
  beginUnlock(): void
  typeIntoLock(text: string): void
  eraseInLock(): void
  clearLock(): void
  submitLock(): void
  /** Typing → covered. */
  leaveLock(): void
  /** Says that a locked desk is not left by a key. */
  refuseToLeave(): void
  /** Puts the question about the chosen unsettled write, or about the first one that has one. */
  askUnsettled(): void
  /** Chooses another write to settle, or another of those listed that may be it. */
  moveInUnsettled(rows: number): void
  /** A person's answer to it. */
  sayUnsettled(verdict: Verdict): void
  closeOverlay(): void
  toggleArmed(): void
  /** Any key counts as activity, whatever it means. */
  keyPressed(): void
  /** Says in the notice why what a person did was not done. */
  explain(text: string): void
}

export type QuitCommands = {
  /** Ends at once where nothing stays behind that this desk could still do something about, else asks. */
  quit(): void
  /** Ends, whatever stays working. */
  confirmQuit(): void
  /** Cancels every working order, and ends once the exchange lists none any more. */
  cancelAndQuit(): void
}
