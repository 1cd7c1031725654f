import type { Decimal } from '../money.ts'

/** How sales are matched with purchases: oldest first, newest first, or all at their average. */
export const costMethods = ['fifo', 'lifo', 'average'] as const
export type CostMethod = (typeof costMethods)[number]

/** The mark of a holding: the mid, the bid for a sale, or the ask for a purchase. */
export const markPrices = ['mid', 'bid', 'ask'] as const
export type MarkPrice = (typeof markPrices)[number]

/**
 * What a person says a transfer had cost, in USD for one unit. It counts for the oldest units of unknown cost that are
 * held at its moment.
 */
export type StatedCost = { currency: string; quantity: Decimal; usdEach: Decimal; atMs: number }

/** A stated cost, and the units it applies to: fewer than stated when no more were held. */
export type CountedCost = StatedCost & { counted: Decimal }

/** How units came in or went out. */
export type Way = 'bought' | 'sold' | 'deposit' | 'withdrawal' | 'withdrawalFee' | 'tradeFee'

/**
 * Units of one currency that came in together and are still held. The cost is that of the whole lot, so that parts
 * taken out and the rest always sum exactly.
 */
export type Lot = {
  currency: string
  /** Id of the execution or deposit. */
  openedId: string
  openedBy: Way
  /** Null when not reported; counts as the oldest. */
  openedAtMs: number | null
  quantity: Decimal
  /** In USD, without fees; null when unknown. */
  costUsd: Decimal | null
  /** The source of the cost. */
  costSource: string | null
}

/** Units that went out, matched with their lot: a line of `pitdesk pnl --lots`. */
export type Match = {
  currency: string
  /** The execution's symbol; null for a transfer. */
  symbol: string | null
  quantity: Decimal
  openedId: string
  openedAtMs: number | null
  closedId: string
  closedBy: Way
  closedAtMs: number | null
  costUsd: Decimal | null
  /** Proceeds in USD, without fees; for a withdrawal its cost, because nothing is realized. */
  proceedsUsd: Decimal | null
  proceedsSource: string | null
  /** Proceeds − cost; null when either is unknown. */
  realizedUsd: Decimal | null
}

/** The results of a currency or symbol in some period. */
export type Realized = {
  /** Gains and losses of matches with known cost and proceeds, without fees. */
  realizedUsd: Decimal
  /** Fees of executions and withdrawals, positive. */
  feesUsd: Decimal
  /** Proceeds of units of unknown cost, neither gain nor loss. */
  proceedsOfUnknownCostUsd: Decimal
  /** Units that went out at an unknown value. */
  quantityOfUnknownValue: Decimal
}

/** The present position of a currency. */
export type Position = {
  currency: string
  quantity: Decimal
  /** Cost of the units with a known cost. */
  costUsd: Decimal
  quantityOfKnownCost: Decimal
  /** Average cost per unit of known cost; null without any. For display only; sums use `costUsd`. */
  averageCostUsd: Decimal | null
  /** Units of unknown cost. */
  quantityOfUnknownCost: Decimal
}
