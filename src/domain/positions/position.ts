import type { Decimal } from '../money.ts'

/** How sales are matched with purchases: oldest first, newest first, or all at their average. */
export const costMethods = ['fifo', 'lifo', 'average'] as const
export type CostMethod = (typeof costMethods)[number]

/** The mark of a holding: the mid, the bid for a sale, or the ask for a purchase. */
export const markPrices = ['mid', 'bid', 'ask'] as const
export type MarkPrice = (typeof markPrices)[number]

/**
 * The value of one unit of a currency at a moment, and its source in words: `fill 8812`, `bar of BTC-USD, 12:03`,
 * `stated`. USD has the value 1.
 */
export type UsdValue = { usd: Decimal; source: string }

/** The value of a currency at a moment; null when unknown: nothing is guessed, and unknown is never 0. */
export type UsdAt = (currency: string, atMs: number) => UsdValue | null

/**
 * What a person says a transfer had cost, in USD for one unit. It counts for the oldest units of unknown cost that are
 * held at its moment.
 */
export type StatedCost = { currency: string; quantity: Decimal; usdEach: Decimal; atMs: number }

/** A stated cost, and the units that it counts for: less than it was stated for where no more were held. */
export type CountedCost = StatedCost & { counted: Decimal }

/** How units came in, or went out. */
export type Way = 'bought' | 'sold' | 'deposit' | 'withdrawal' | 'withdrawalFee' | 'tradeFee'

/**
 * Units of one currency that came in at one time and are still there. The cost is that of the whole lot, so that what
 * is taken out of it and what stays always add up to the last digit.
 */
export type Lot = {
  currency: string
  /** Of the execution or the deposit. */
  openedId: string
  openedBy: Way
  /** Null where the exchange does not say: counts as the oldest. */
  openedAtMs: number | null
  quantity: Decimal
  /** In USD, without fees; null: nobody knows. */
  costUsd: Decimal | null
  /** Where the cost is known from. */
  costSource: string | null
}

/** Units that went out, with the lot they came from: a line of `pitdesk pnl --lots`. */
export type Match = {
  currency: string
  /** The symbol of the execution; null for a transfer. */
  symbol: string | null
  quantity: Decimal
  openedId: string
  openedAtMs: number | null
  closedId: string
  closedBy: Way
  closedAtMs: number | null
  costUsd: Decimal | null
  /** What they brought in USD, without fees; for a withdrawal its cost: nothing is realized by it. */
  proceedsUsd: Decimal | null
  proceedsSource: string | null
  /** Proceeds − cost; null where either is unknown. */
  realizedUsd: Decimal | null
}

/** What came of a currency, or a symbol, in some time. */
export type Realized = {
  /** Gains and losses of all matches whose cost and proceeds are known, without fees. */
  realizedUsd: Decimal
  /** Fees of executions and of withdrawals, positive. */
  feesUsd: Decimal
  /** Proceeds of units whose cost nobody knows: neither a gain nor a loss. */
  proceedsOfUnknownCostUsd: Decimal
  /** Units that went out at a value that nobody knows. */
  quantityOfUnknownValue: Decimal
}

/** One currency of an account as it stands. */
export type Position = {
  currency: string
  quantity: Decimal
  /** Of the units whose cost is known. */
  costUsd: Decimal
  quantityOfKnownCost: Decimal
  /** Cost of one unit of known cost; null without any. For showing: sums are made of `costUsd`. */
  averageCostUsd: Decimal | null
  /** Units whose cost nobody knows. */
  quantityOfUnknownCost: Decimal
}
