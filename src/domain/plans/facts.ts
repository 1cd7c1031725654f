import type { Ticker } from '../balance.ts'
import { type Book, isCrossed, midPrice } from '../market/book.ts'
import { type Instrument, statusWords } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import type { OrderDraft, Side } from '../orders/order.ts'

/** Where the market is, for a plan: half-way between the best prices, and the last trade where it is known. */
export type PlanPrice =
  | { kind: 'known'; price: Decimal; last: Decimal | null }
  /** `why` is a clause, `sinceMs` by desk time. */
  | { kind: 'unknown'; why: string; sinceMs: number }

/** What is known when a plan decides. Times are of the wall clock, as in its record. */
export type PlanFacts = {
  nowMs: number
  /** Null: the symbol's rules are not known. */
  instrument: Instrument | null
  price: PlanPrice
  /** How long the price has been unknown, in ms; 0 while it is known. */
  blindMs: number
  /**
   * Every check of an order right before it goes, as if a person sent it: what stops it, in one clause; null when it
   * may go. `insteadOf`: the exchange's id of the order whose place it takes.
   */
  judge: (draft: OrderDraft, insteadOf: string | null) => string | null
  /** False while the plans' share of the calls is used up: what protects goes all the same, what improves waits. */
  hasBudget: boolean
}

/** A book or last price that is older than this says nothing of where the market is. */
export const priceFreshMs = 10_000

type Quotes = {
  instrument: Instrument | null
  book: { book: Book; atMs: number } | null
  ticker: { ticker: Ticker; atMs: number } | null
}

/** Where the market is by desk time `nowMs`, or why nobody knows, as a clause. */
export function readPrice({ instrument, book, ticker }: Quotes, nowMs: number): PlanPrice {
  const sinceMs = Math.max(book?.atMs ?? 0, ticker?.atMs ?? 0)
  const unknown = (why: string): PlanPrice => ({ kind: 'unknown', why, sinceMs })
  if (instrument === null) return unknown('the rules of the symbol are not loaded')
  if (instrument.status !== 'open') return unknown(`${instrument.symbol} ${statusWords[instrument.status]}`)
  const isFresh = (at: { atMs: number } | null) => at !== null && nowMs - at.atMs <= priceFreshMs
  const last = isFresh(ticker) ? (ticker?.ticker.lastPrice ?? null) : null
  const mid = book !== null && isFresh(book) && !isCrossed(book.book) ? midPrice(book.book) : null
  const price = mid ?? last
  if (price === null) return unknown(sinceMs === 0 ? 'no price has come yet' : 'book and last price are too old')
  return { kind: 'known', price, last }
}

/**
 * Whether the target is to rest, and not the stop. Near at `nearBy`; once it rests it stays until the price is beyond
 * `backBy`: what dances on the edge does not swap.
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
 * Where a trailing stop of an exit stands now: `trailBy` behind the worse of the last trade, which sets stops off, and
 * the middle of the book, on the tick and never looser than `before`; as it was where it would move by less than
 * `stepBy`.
 */
export function trailedStop(
  { trailBy, stepBy }: { trailBy: Decimal; stepBy: Decimal },
  side: Side,
  { price, last }: { price: Decimal; last: Decimal | null },
  before: Decimal | null,
  { tickSize }: Instrument,
): Decimal {
  const isSell = side === 'SELL'
  const from = last === null ? price : isSell ? Decimal.min(price, last) : Decimal.max(price, last)
  const at = isSell
    ? from.minus(trailBy).toNearest(tickSize, Decimal.ROUND_FLOOR)
    : from.plus(trailBy).toNearest(tickSize, Decimal.ROUND_CEIL)
  if (before === null) return at
  const tighter = isSell ? at.minus(before) : before.minus(at)
  return tighter.gte(stepBy) ? at : before
}
