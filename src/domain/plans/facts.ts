import { type Book, isCrossed, midPrice } from '../market/book.ts'
import { type Instrument, statusWords } from '../market/instrument.ts'
import type { Ticker } from '../market/ticker.ts'
import { Decimal } from '../money.ts'
import type { OrderDraft } from '../orders/order.ts'
import type { Side } from '../side.ts'

/** The market price for a plan: the mid, and the last trade if known. */
export type PlanPrice =
  | { kind: 'known'; price: Decimal; last: Decimal | null }
  /** `why` is a clause; `sinceMs` is desk time. */
  | { kind: 'unknown'; why: string; sinceMs: number }

/** The data for a plan's decision. Times are of the wall clock, as in its record. */
export type PlanFacts = {
  nowMs: number
  /** Null when the symbol's rules are not loaded. */
  instrument: Instrument | null
  price: PlanPrice
  /** Time the price has been unknown, in ms; 0 while it is known. */
  blindMs: number
  /**
   * Runs all checks of an order right before it is sent, as for a user's: the blocking clauses, or null. `insteadOf` is
   * the exchange's id of the order it replaces.
   */
  judge: (draft: OrderDraft, insteadOf: string | null) => string | null
  /** False while the plans' share of the calls is used up: orders that protect are still sent, improvements wait. */
  hasBudget: boolean
}

const notLookedFor = 'it is not looked for here'

/** The data for a decision by a plan's record alone, where no market is looked at. */
export const recordFacts = (nowMs: number): PlanFacts => ({
  nowMs,
  instrument: null,
  price: { kind: 'unknown', why: notLookedFor, sinceMs: nowMs },
  blindMs: 0,
  judge: () => null,
  hasBudget: false,
})

/** Why a trailing stop stays where it is, as a clause; null while it follows, and where no market is looked at. */
export function stillBecause(price: PlanPrice): string | null {
  if (price.kind === 'known') return price.last === null ? 'the last trade is not known' : null
  return price.why === notLookedFor ? null : price.why
}

/** A book or last price older than this does not give a market price. */
export const priceFreshMs = 10_000

type Quotes = {
  instrument: Instrument | null
  book: { book: Book; atMs: number } | null
  ticker: { ticker: Ticker; atMs: number } | null
}

/** Why nothing can be reckoned for a symbol without its rules, as a clause. */
export const noRules = 'the rules of the symbol are not loaded'

/** The market price at desk time `nowMs`, or why it is unknown, as a clause. */
export function readPrice({ instrument, book, ticker }: Quotes, nowMs: number): PlanPrice {
  const sinceMs = Math.max(book?.atMs ?? 0, ticker?.atMs ?? 0)
  const unknown = (why: string): PlanPrice => ({ kind: 'unknown', why, sinceMs })
  if (instrument === null) return unknown(noRules)
  if (instrument.status !== 'open') return unknown(`${instrument.symbol} ${statusWords[instrument.status]}`)
  const isFresh = (at: { atMs: number } | null) => at !== null && nowMs - at.atMs <= priceFreshMs
  const last = isFresh(ticker) ? (ticker?.ticker.lastPrice ?? null) : null
  const mid = book !== null && isFresh(book) && !isCrossed(book.book) ? midPrice(book.book) : null
  const price = mid ?? last
  if (price === null) {
    if (sinceMs === 0) return unknown('no price has come yet')
    const hasFresh = isFresh(book) || isFresh(ticker)
    return unknown(hasFresh ? 'it has no last price, and no bid and ask to go by' : 'book and last price are too old')
  }
  return { kind: 'known', price, last }
}

/**
 * True when the target shall rest instead of the stop: when the price is within `nearBy`, and then until it is beyond
 * `backBy`, so that a price at the edge causes no repeated swaps.
 */
export function isTargetNear(
  { targetPrice, nearBy, backBy }: { targetPrice: Decimal; nearBy: Decimal; backBy: Decimal },
  side: Side,
  price: Decimal,
  isAtTarget: boolean,
): boolean {
  const away = side === 'SELL' ? targetPrice.minus(price) : price.minus(targetPrice)
  return isAtTarget ? away.lt(backBy) : away.lte(nearBy)
}

/**
 * The present price of a trailing stop: `trailBy` behind the worse of the last trade, which triggers stops, and the
 * mid, rounded to the tick and never looser than `before`; unchanged if it would move by less than `stepBy`, and while
 * the last trade is unknown: a far order in a thin book moves the mid, and a stop beyond the last trade goes off.
 */
export function trailedStop(
  { trailBy, stepBy }: { trailBy: Decimal; stepBy: Decimal },
  side: Side,
  { price, last }: { price: Decimal; last: Decimal | null },
  before: Decimal | null,
  { tickSize }: Instrument,
): Decimal {
  if (before !== null && last === null) return before
  const isSell = side === 'SELL'
  const from = last === null ? price : isSell ? Decimal.min(price, last) : Decimal.max(price, last)
  const at = isSell
    ? from.minus(trailBy).toNearest(tickSize, Decimal.ROUND_FLOOR)
    : from.plus(trailBy).toNearest(tickSize, Decimal.ROUND_CEIL)
  if (before === null) return at
  const tighter = isSell ? at.minus(before) : before.minus(at)
  return tighter.gte(stepBy) ? at : before
}
