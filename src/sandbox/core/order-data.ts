import type { OrderStatus, OrderType, Side, TimeInForce } from '../../domain/orders/order.ts'
import type { AccountId } from './commands.ts'

/** The amounts of a refused order as they were sent: they may lie off tick and lot. */
export type RefusedAmounts = { orderQty: string; price: string | null; stopPx: string | null }

/**
 * All there is to know of an order, in whole ticks and lots: what a view is made of, what the history keeps when it has
 * ended, what a snapshot writes. Plain JSON but for `cumTickLots`.
 */
export type OrderData = {
  readonly id: number
  readonly account: AccountId
  readonly clOrdId: string
  readonly symbol: string
  readonly side: Side
  readonly ordType: OrderType
  readonly timeInForce: TimeInForce
  readonly execInst: 'ALO' | null
  /** With GTD: the first moment at which the order is over. */
  readonly expiresAtMs: number | null
  /** Accepted or refused at. */
  readonly atMs: number
  readonly orderLots: number
  readonly limitTicks: number | null
  readonly stopTicks: number | null
  /** Fee rates in parts per million, those at acceptance: so the fee held for is the highest one charged. */
  readonly makerPpm: number
  readonly takerPpm: number
  readonly status: OrderStatus
  /** Why it was refused or cancelled; null when its owner cancelled it. */
  readonly text: string | null
  /** On an ended order: what was still open when it ended. */
  readonly openLots: number
  readonly cumLots: number
  /** Sum of ticks × lots over the fills. */
  readonly cumTickLots: bigint
  readonly lastTicks: number | null
  readonly lastLots: number | null
  /** Present on REJECTED orders only, whose lots and ticks mean nothing. */
  readonly refused: RefusedAmounts | null
}

/** One side's execution of a trade. `feeUnits` is in minor units of the counter currency. */
export type FillData = {
  readonly execId: number
  readonly tradeId: number
  readonly orderId: number
  readonly account: AccountId
  readonly symbol: string
  readonly side: Side
  readonly ticks: number
  readonly lots: number
  readonly feeUnits: bigint
  readonly atMs: number
}
