import { readTypedAmount } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { type Book, bestAsk, bestBid, bestOpposite, takesNow } from '../../domain/market/book.ts'
import { formatPrice, roundToTick } from '../../domain/market/instrument.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import { usdSources } from '../../domain/orders/checks/value-checks.ts'
import { judgedNotional } from '../../domain/orders/notional.ts'
import { hasSameTerms, type OrderDraft } from '../../domain/orders/order.ts'
import { lastPriceIn } from '../../domain/orders/stop-trigger.ts'
import {
  type FormRemedy,
  isBracket,
  readTicket,
  remedyOf,
  type TicketForm,
  type TicketReading,
} from '../../domain/orders/ticket.ts'
import type { Side } from '../../domain/side.ts'
import { apartText, limitUsd } from '../../domain/usd-worth.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeLadder, activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import type { ViewSlice } from '../view/view.ts'
import { type Checked, checkContext, journalBlocks } from './check-context.ts'
import type { EntrySlice, TicketSlice } from './ticket.ts'

/** `join`: rest at the best price of the own side, or at the cursor. `cross`: trade with the other side. */
export type EntryWay = 'join' | 'cross'

/** The screen when a ticket is opened. */
export type EntryView = ViewSlice & LadderSlice & FeedsSlice

/**
 * The initial price of a ticket, whichever pane has the focus: that of the ladder's cursor if set, else of the touch;
 * null without one. Crossing ignores the cursor.
 */
function entryPrice(state: EntryView, side: Side, way: EntryWay): Decimal | null {
  const { cursorPrice } = state[activeLadder(state)]
  if (cursorPrice !== null && way === 'join') return cursorPrice
  const book = state.books.get(activeSymbol(state))?.value ?? null
  if (book === null) return null
  if (way === 'cross') return bestOpposite(book, side)
  return side === 'BUY' ? bestBid(book) : bestAsk(book)
}

/** The initial price of a ticket as the field's text, on the tick. */
export function entryPriceText(state: EntryView, side: Side, way: EntryWay): string {
  const price = entryPrice(state, side, way)
  const instrument = state.instruments.value?.get(activeSymbol(state))
  return price === null || instrument === undefined ? '' : formatPrice(roundToTick(price, side, instrument), instrument)
}

/** The order of a form, with its checks, including those against the journal. */
export function ticketReading(state: Checked, form: TicketForm, nowMs: number = state.nowMs): TicketReading {
  const reading = readTicket(form, checkContext(state, form.symbol, nowMs))
  const duplicates = reading.draft === null ? [] : duplicateBlocks(state, reading.draft)
  return { ...reading, checks: [...journalBlocks(state), ...reading.checks, ...duplicates] }
}

/** Blocks a duplicate of an order whose outcome is unknown: it would be refused at sending. */
function duplicateBlocks({ sentOrders, unknownWrites, openElsewhere }: Checked, draft: OrderDraft): Check[] {
  const own = [
    ...sentOrders.filter(({ stage }) => stage === 'unknown'),
    ...unknownWrites.flatMap((write) =>
      write.draft === undefined ? [] : { clientOrderId: write.key, draft: write.draft },
    ),
  ].find((sent) => hasSameTerms(sent.draft, draft))
  const other = own ?? openElsewhere.find((sent) => hasSameTerms(sent.draft, draft))
  if (other === undefined) return []
  const next = own === undefined ? 'another process has yet to resolve it' : 'wait until it is resolved'
  return [block('duplicate', `possible duplicate: outcome of ${other.clientOrderId} unknown: ${next}`)]
}

/** The value that one key may put into a field to pass the first block that has one. */
export const ticketRemedy = (state: Checked, form: TicketForm, nowMs: number = state.nowMs): FormRemedy | null => {
  const context = checkContext(state, form.symbol, nowMs)
  return remedyOf(form, readTicket(form, context), context)
}

/** The state for the decision about one-key sending. */
type OneKeyNeeds = Checked & TicketSlice & Pick<EntrySlice, 'entry' | 'isReviewDue' | 'isOpenedTaking'>

/** True when a form's order would take from a book at once; false for an incomplete form. */
export function takesFrom({ type, side, priceText }: TicketForm, book: Book | null): boolean {
  if (book === null || type === 'STOP' || type === 'STOPLIMIT') return false
  const price = type === 'MARKET' ? null : readTypedAmount(priceText)
  return price !== undefined && takesNow(book, side, price)
}

/** Why one key does not send an order that has come to cross the book. */
export const takingText = 'it would fill now, unlike when the ticket opened'

/**
 * For one-key sending: the order would take from the book now, but did not when its ticket opened, which the user has
 * not seen yet.
 */
export const isTakingNew = (state: OneKeyNeeds, form: TicketForm): boolean =>
  state.entry.confirmAboveUsd !== null &&
  !state.isOpenedTaking &&
  takesFrom(form, state.books.get(form.symbol)?.value ?? null)

/** Why an order is not known to be within the cap; null when it is. */
function whyNotWithin(cap: Decimal, draft: OrderDraft, context: CheckContext): string | null {
  const { instrument, book, balances, openOrders } = context
  // A self-match cannot be excluded without all own orders.
  if (openOrders.kind !== 'fresh') return 'your orders are not loaded in full'
  if (instrument.kind !== 'fresh' || book.kind !== 'fresh' || balances.kind !== 'fresh') return 'data is not fresh'
  const { counter } = instrument.value
  const prices = usdSources(context.tickers, balances.value)
  const rate = limitUsd(counter, prices)
  const judged = judgedNotional(draft, book.value, lastPriceIn(context.tickers, draft.symbol))
  if (rate === null) return apartText(counter, prices) ?? `${counter} has no rate in USD`
  if (judged?.is !== 'whole') return 'the book is too short to know its notional'
  // A sale yields the market price, however low its limit and however little of the book is seen.
  const market = draft.side === 'SELL' ? (bestBid(book.value) ?? bestAsk(book.value) ?? zero) : zero
  const isWithin = Decimal.max(judged.notional, market.times(draft.orderQuantity)).times(rate).lte(cap)
  return isWithin ? null : `notional over the one-key cap of ${cap.toFixed()} USD`
}

/**
 * Why an order is reviewed before sending; null when one key sends it. The user set a cap, the notional in USD is known
 * and within it, and nothing is unusual. Reviewed are quantities that move with the market or a balance, stops, whose
 * notional is known only later, and orders that have come to take from the book.
 */
export function whyReviewed(state: OneKeyNeeds, form: TicketForm, nowMs: number = state.nowMs): string | null {
  const cap = state.entry.confirmAboveUsd
  if (cap === null || !mayPlace(state.mode)) return 'one-key sending is off'
  if (isBracket(form)) return 'a plan is always reviewed'
  if (state.ticket?.drafted !== undefined) return 'a draft is always reviewed'
  if (state.isReviewDue) return 'the mode changed with the ticket open'
  if (isTakingNew(state, form)) return takingText
  const context = checkContext(state, form.symbol, nowMs)
  const { draft, checks, size } = ticketReading(state, form, nowMs)
  if (draft === null) return 'the order is not complete'
  if (draft.stopPrice !== null) return 'a stop is always reviewed'
  if (checks.some(({ level }) => level !== 'ok')) return 'a check asks or warns'
  if (size?.size.kind === 'share') return 'a share of the balance moves with it'
  if (size !== null && draft.limitPrice === null) return 'money at the market moves with its price'
  return whyNotWithin(cap, draft, context)
}

/** True when an order is sent without a review: see `whyReviewed`. */
export const sendsAtOnce = (state: OneKeyNeeds, form: TicketForm): boolean => whyReviewed(state, form) === null
