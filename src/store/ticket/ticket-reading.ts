import { mayPlace } from '../../domain/desk/mode.ts'
import { bestAsk, bestBid, bestOpposite } from '../../domain/market/book.ts'
import { formatPrice, roundToTick } from '../../domain/market/instrument.ts'
import { Decimal, zero } from '../../domain/money.ts'
import type { Side } from '../../domain/orders/order.ts'
import {
  type FormRemedy,
  readTicket,
  remedyOf,
  type TicketForm,
  type TicketReading,
} from '../../domain/orders/ticket.ts'
import { judgedNotional, usdRate } from '../../domain/usd-value.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeLadder, activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import type { ViewSlice } from '../view/view.ts'
import { type Checked, checkContext } from './check-context.ts'
import type { EntrySlice } from './ticket.ts'

/** `join`: rest with the best price of the own side, or at the ladder's cursor. `cross`: trade with the other side. */
export type EntryWay = 'join' | 'cross'

/** What is on screen when a ticket is asked for. */
export type EntryView = ViewSlice & LadderSlice & FeedsSlice

/**
 * The price a ticket opens with: the cursor's while the ladder has the focus, else that of the touch; null while there
 * is none. A scale that follows the market by itself has no cursor.
 */
export function entryPrice(state: EntryView, side: Side, way: EntryWay): Decimal | null {
  const isAtLadder = state.focus === 'ladder' || state.focus === 'ladder2'
  const cursor = isAtLadder && way === 'join' ? state[activeLadder(state)].cursorPrice : null
  if (cursor !== null) return cursor
  const book = state.books.get(activeSymbol(state))?.value ?? null
  if (book === null) return null
  if (way === 'cross') return bestOpposite(book, side)
  return side === 'BUY' ? bestBid(book) : bestAsk(book)
}

/** The same as the text of the price field, on the tick. */
export function entryPriceText(state: EntryView, side: Side, way: EntryWay): string {
  const price = entryPrice(state, side, way)
  const instrument = state.instruments.value?.get(activeSymbol(state))
  return price === null || instrument === undefined ? '' : formatPrice(roundToTick(price, side, instrument), instrument)
}

/** The order that a form comes to, and its checks. */
export const ticketReading = (state: Checked, form: TicketForm, nowMs: number = state.nowMs): TicketReading =>
  readTicket(form, checkContext(state, form.symbol, nowMs))

/** What one key may put into a field, for the first block that allows it to pass. */
export const ticketRemedy = (state: Checked, form: TicketForm, nowMs: number = state.nowMs): FormRemedy | null => {
  const context = checkContext(state, form.symbol, nowMs)
  return remedyOf(form, readTicket(form, context), context)
}

/**
 * Whether an order goes without a review: the person set a cap, its notional in USD is known and within it, and nothing
 * about it is unusual. A quantity that moves with the market or with a balance is reviewed, and so is a stop: what it
 * comes to is known only later.
 */
export function sendsAtOnce(
  state: Checked & Pick<EntrySlice, 'entry' | 'isReviewDue'>,
  form: TicketForm,
  nowMs: number = state.nowMs,
): boolean {
  const cap = state.entry.confirmAboveUsd
  if (cap === null || state.isReviewDue || !mayPlace(state.mode)) return false
  const context = checkContext(state, form.symbol, nowMs)
  const { draft, checks, size } = readTicket(form, context)
  if (draft === null || draft.stopPrice !== null || checks.some(({ level }) => level !== 'ok')) return false
  if (size !== null && (size.size.kind === 'share' || draft.limitPrice === null)) return false
  const { instrument, book, balances, openOrders } = context
  // Whether it would meet an own order is not judged without all of them.
  if (openOrders.kind !== 'fresh') return false
  if (instrument.kind !== 'fresh' || book.kind !== 'fresh' || balances.kind !== 'fresh') return false
  const rate = usdRate(instrument.value.counter, balances.value)
  const judged = judgedNotional(draft, book.value)
  if (rate === null || judged?.is !== 'whole') return false
  // A sale brings what the market pays, however low its limit is and however little of the book is seen.
  const market = draft.side === 'SELL' ? (bestBid(book.value) ?? bestAsk(book.value) ?? zero) : zero
  return Decimal.max(judged.notional, market.times(draft.orderQuantity)).times(rate).lte(cap)
}
