import type { FeedName } from '../desk-events.ts'
import type { Fill } from '../fill.ts'
import type { GatewayOrderState } from '../gateway/event.ts'
import type { Decimal } from '../money.ts'
import type { Order } from '../order.ts'
import type { DepositState, WithdrawalStatus } from '../transfer.ts'
import type { Quote } from './watch.ts'

/** A withdrawal or deposit whose state was `before` at the last look and is `after` now; null: it was not there. */
export type TransferChange = {
  id: string
  currency: string
  amount: Decimal
} /** `elsewhere`: it was not there, and this desk did not send it. */ & (
  | { kind: 'withdrawal'; before: WithdrawalStatus | null; after: WithdrawalStatus; origin: 'here' | 'elsewhere' }
  | { kind: 'deposit'; before: DepositState | null; after: DepositState }
)

/** A gateway order whose shown state was `before` and is `after` now; null: it was not there. */
export type GatewayOrderChange = {
  orderId: string
  before: GatewayOrderState | null
  after: GatewayOrderState
  /** Why it failed, where the service says so; from outside, so it may hold anything. */
  reason: string | null
}

/** What is told of an order that ended. */
export type EndedOrder = Pick<
  Order,
  'orderId' | 'clientOrderId' | 'side' | 'symbol' | 'status' | 'cumQuantity' | 'text'
>

/**
 * Something that happened and may be worth an alert. Each is told of once; what was there at the first look is none.
 */
export type AlertFact =
  | { kind: 'quote'; quote: Quote }
  | { kind: 'fills'; fills: readonly Fill[] }
  /** `isAsked`: this desk sent a cancel for it. */
  | { kind: 'orderEnded'; order: EndedOrder; isAsked: boolean }
  /** A feed's last answer has got older than its limit. */
  | { kind: 'staleFeed'; feed: FeedName; ageMs: number }
  | { kind: 'transfer'; change: TransferChange }
  | { kind: 'gatewayOrder'; change: GatewayOrderChange }
  /** An order that has not ended has waited too long. */
  | { kind: 'gatewayStuck'; orderId: string; state: GatewayOrderState; waitedMs: number }
  /** An event came whose id is known with another body: one of the two is not the gateway's. */
  | { kind: 'gatewayEventsDiffer'; orderId: string; eventId: string }
