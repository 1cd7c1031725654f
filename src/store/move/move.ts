import type { Decimal } from '../../domain/money.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { Order, OrderDraft } from '../../domain/orders/order.ts'

/** An own order on its way to another price: choose → review → sending. `order` is as it was when it was picked up. */
export type MoveState =
  | { stage: 'choose'; order: Order; price: Decimal }
  | {
      stage: 'review'
      order: Order
      price: Decimal
      reviewedAtMs: number
      /** Rules whose soft limits the person has confirmed for this move. */
      confirmed: readonly CheckRule[]
    }
  | { stage: 'sending'; order: Order; price: Decimal }

/** What goes out: the new order in whole, from which what has filled is left out, and what of it is open now. */
export type OrderMove = { orderId: string; whole: OrderDraft; rest: OrderDraft }

export type MoveEvent =
  | { type: 'moveOpened'; order: Order; price: Decimal; atMs: number }
  /** Rows of the ladder that shows the order, up to higher prices. */
  | { type: 'movePriceStepped'; rows: number; atMs: number }
  | { type: 'moveReviewed'; atMs: number }
  | { type: 'moveConfirmed'; rules: readonly CheckRule[] }
  | { type: 'moveBackToChoose' }
  | { type: 'moveSending' }
  | { type: 'moveClosed' }

/** A move under review is looked at again before it goes: what covers the screen takes it a step back. */
export const withoutMoveReview = (move: MoveState | null): MoveState | null =>
  move?.stage === 'review' ? { stage: 'choose', order: move.order, price: move.price } : move

/** `move`: an own order that is being moved to another price. */
export type MoveSlice = { move: MoveState | null }

export type MovePort = {
  /**
   * Cancels the order and, once that is certain, places what it has not filled. `moveClosed` is dispatched at its end.
   */
  moveOrder(move: OrderMove): void
}
