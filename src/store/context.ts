import type { Result } from '../base/result.ts'
import type { LockAnswer, LockMethod } from '../domain/desk/lock.ts'
import type { OrderDraft } from '../domain/orders/order.ts'
import type { Verdict } from '../domain/orders/unknown-write.ts'
import type { Period } from '../domain/statement/movement.ts'
import type { DraftContent, WithdrawalDraft } from '../domain/transfers/draft.ts'
import type { WithdrawalRule } from '../domain/transfers/withdrawal-checks.ts'
import type { DeskStore } from './desk.ts'
import type { ExportedRows, StatementForm } from './exports.ts'
import type { GatewayPort } from './gateway/gateway-commands.ts'
import type { OrderMove } from './move/move.ts'
import type { PracticeRequest } from './practice/practice-line.ts'

/** What every group of commands works with. `exit` ends the console and hands the terminal back. */
export type CommandContext = {
  store: DeskStore
  port: DeskPort
  exit: () => void
}

/**
 * What the desk's commands need from the services; compose connects the two. A write
 * returns at once; what became of it arrives in the store as events.
 */
export type DeskPort = {
  submitOrder(draft: OrderDraft): void
  cancelOrder(orderId: string): void
  /**
   * Cancels the order and, once that is certain, places what it has not filled. `moveClosed` is dispatched at its end.
   */
  moveOrder(move: OrderMove): void
  /** Null: every symbol. */
  cancelAll(symbol: string | null): void
  /** A person's word on an unsettled write that a question was put about; `id`: which of those listed it was. */
  decideUnsettled(key: string, verdict: Verdict, id: string | null): void
  /** An id for a draft that no other has. */
  newDraftId(): string
  /**
   * Keeps a withdrawal to be sent later: a new one, or other contents of one that has not left. It arrives as
   * `draftsChanged`.
   */
  saveDraft(draftId: string, content: DraftContent): void
  /** Gives up a draft that has not left. */
  dropDraft(draftId: string): void
  /**
   * Sends a draft once, after those that are being sent, judged again at that moment; `confirmed` are the soft limits a
   * person has agreed to exceed. What came of it arrives as events.
   */
  sendDraft(draftId: string, confirmed: readonly WithdrawalRule[]): void
  /** Holds what was typed in the form of a withdrawal against the second lock. */
  tryLock(typed: string, then: (answer: LockAnswer) => void): void
  /** A second person agrees to a draft as it was seen, by what only that person knows; the error is a sentence. */
  approveDraft(seen: WithdrawalDraft, typed: string, then: (answer: Result<null>) => void): void
  /** Holds what was typed at the lock screen against the lock; the answer arrives as an event. */
  openLock(typed: string): void
  /** Looks for a lock that was set up since the desk began; what cannot be trusted is an error. */
  renewLock(then: (method: Result<LockMethod>) => void): void
  /** Asks for a page of ended orders; it arrives as an event. */
  fetchOrderHistory(page: 'older' | 'newer'): void
  /** Asks for a page of fills from this execution backwards; it arrives as an event. */
  fetchFillHistory(execId: string): void
  /** Writes a list to a file of its own; where it is, or why it is not, is told in the notice. */
  exportRows(table: ExportedRows): void
  /** Writes the account's statement to a file of its own; where it is, or why it is not, is told in the notice. */
  exportStatement(period: Period, form: StatementForm): void
  /** Asks the desk's own practice exchange to do something; what it says arrives as notices. */
  runPractice(request: PracticeRequest): void
  /** Asks for the address that a currency is paid in to; it arrives as an event. */
  fetchDepositAddress(currency: string): void
  /** The gateway's inbox and practice deliveries. */
  readonly gateway: GatewayPort
  /** Hands text to the terminal's clipboard; false where there is no terminal that could take it. */
  copyText(text: string): boolean
  /** Polls now what the symbol's panes show, for example after a switch. */
  refresh(): void
  /** Desk time, and what the wall clock says: see `Clock`. */
  now(): number
  wallMs(): number
}
