import { type Balance, buyCostFactor, type Fees, knownAvailable } from '../balance.ts'
import type { UnreadableEntry } from '../listing.ts'
import { type Book, bestOpposite, midPrice, sweep } from '../market/book.ts'
import type { SymbolStatus } from '../market/instrument.ts'
import { type Decimal, zero } from '../money.ts'
import { draftNotional } from './notional.ts'
import type { OrderDraft } from './order.ts'
import { isStopReached } from './stop-trigger.ts'

/** The present book, account and last trade, for the summary of an order. */
export type SummaryMarket = {
  book: Book | null
  fees: Fees
  balances: readonly Balance[]
  /** Entries of the balances that cannot be read; none unless given. */
  unreadBalances?: readonly UnreadableEntry[] | undefined
  /** The symbol's currencies and status. */
  instrument: { base: string; counter: string; status: SymbolStatus }
  lastPrice: Decimal | null
}

/** The outlook of a pending stop. */
export type StopOutlook = {
  /** True when the last trade has already reached the stop price, so the order would trigger at once. */
  isReached: boolean
  /** Distance from the last trade to the stop price, as a signed fraction; null without a last trade. */
  distance: Decimal | null
  /** The summary of an order: its cost or proceeds, fills and effects. */
  amount: Decimal
  /** True: the limit holds it to that amount. False: an estimate, by what the book's depth would cost now. */
  isBound: boolean
}

/** What the ticket shows beside the checks; amounts in the counter currency unless named otherwise. */
export type TicketSummary = {
  /**
   * The part that fills now at the book's prices, plus the rest at its limit; all of it at the limit when nothing would
   * fill.
   */
  notional: Decimal
  /** The amount held for a buy at its limit, with fee, if over 1% more than its present cost; null otherwise. */
  most: Decimal | null
  /** True when it never rests in the book, so no maker fee applies. */
  isTaker: boolean
  makerFee: Decimal
  takerFee: Decimal
  /** Base quantity that would fill at once, its average price, and the number of price levels. */
  fillsNow: Decimal
  averagePrice: Decimal | null
  levelCount: number
  /** Base quantity that would rest in the book; zero for an order that cannot rest, or for a pending stop. */
  rests: Decimal
  /**
   * The part of the available balance it uses, by fills and as a hold: counter including the fee for a buy, base for a
   * sell.
   */
  spends: { currency: string; amount: Decimal; available: Decimal | null }
  /**
   * The whole order as a fraction of the available balance, whether it would fill or not; null when nothing is
   * available.
   */
  share: Decimal | null
  /** Distance of the limit price, or a market order's average, from the mid, as a signed fraction. */
  fromMid: Decimal | null
  /** Null for an order without a stop price. */
  stop: StopOutlook | null
}

const neverRests = ({ type, timeInForce }: OrderDraft): boolean =>
  type === 'MARKET' || timeInForce === 'IOC' || timeInForce === 'FOK'

const nothing = { quantity: zero, notional: zero, averagePrice: null, levelCount: 0 }

/** The fills at once: none while the symbol is not open, the stop is pending, or the order's conditions are not met. */
export function fillNow(
  draft: OrderDraft,
  {
    book,
    instrument,
    lastPrice,
  }: Pick<SummaryMarket, 'book' | 'lastPrice'> & {
    instrument: Pick<SummaryMarket['instrument'], 'status'>
  },
) {
  if (book === null || instrument.status !== 'open' || draft.postOnly) return nothing
  if (draft.stopPrice !== null && !isStopReached(draft, lastPrice)) return nothing
  const now = sweep(book, draft.side, draft.orderQuantity, draft.limitPrice)
  const least = draft.timeInForce === 'FOK' ? draft.orderQuantity : draft.minQuantity
  return least !== null && now.quantity.lt(least) ? nothing : now
}

/**
 * The average price of taking the quantity now, relative to the best price: the cost of depth, as a factor of 1 or
 * worse.
 */
function depthFactor(draft: OrderDraft, book: Book | null): Decimal | null {
  const best = book === null ? null : bestOpposite(book, draft.side)
  if (book === null || best === null || best.lte(0)) return null
  return sweep(book, draft.side, draft.orderQuantity, null).averagePrice?.div(best) ?? null
}

/** `notionalNow`: the order's notional if it trades at once. */
function stopOutlook(draft: OrderDraft, market: SummaryMarket, notionalNow: Decimal): StopOutlook | null {
  const { stopPrice, limitPrice, side, orderQuantity } = draft
  const { lastPrice, fees, book } = market
  if (stopPrice === null) return null
  const isReached = isStopReached(draft, lastPrice)
  const price = limitPrice ?? stopPrice.times(depthFactor(draft, book) ?? 1)
  const value = isReached ? notionalNow : price.times(orderQuantity)
  const fee = value.times(fees.takerRate)
  return {
    isReached,
    distance: lastPrice === null || lastPrice.lte(0) ? null : stopPrice.minus(lastPrice).div(lastPrice),
    amount: side === 'BUY' ? value.plus(fee) : value.minus(fee),
    isBound: limitPrice !== null && !isReached,
  }
}

/** A hold above the cost by less than this factor is not mentioned. */
const clearlyMore = '1.01'

/** Computes the summary of an order with the present market. Null when a price is needed and missing. */
export function ticketSummary(draft: OrderDraft, market: SummaryMarket): TicketSummary | null {
  const { book, fees, balances, instrument } = market
  const now = fillNow(draft, market)
  // A triggered stop acts as the order it becomes.
  const acting = isStopReached(draft, market.lastPrice) ? { ...draft, stopPrice: null } : draft
  const price = acting.limitPrice ?? acting.stopPrice
  const judged = draftNotional(acting, book) ?? draftNotional(draft, book)
  if (judged === null) return null
  const rests = neverRests(draft) || price === null ? zero : draft.orderQuantity.minus(now.quantity)
  const isBuy = draft.side === 'BUY'
  const currency = isBuy ? instrument.counter : instrument.base
  const bought = now.notional.plus(rests.times(price ?? zero))
  const amount = isBuy ? bought.times(buyCostFactor(fees)) : now.quantity.plus(rests)
  const available = knownAvailable(currency, balances, market.unreadBalances)
  const notional = now.quantity.plus(rests).isZero() ? judged : bought
  const needed = isBuy ? notional.times(buyCostFactor(fees)) : draft.orderQuantity
  const mid = book === null ? null : midPrice(book)
  const shown = draft.limitPrice ?? (draft.stopPrice === null ? now.averagePrice : null)
  const most = isBuy && judged.gt(notional.times(clearlyMore)) ? judged.times(buyCostFactor(fees)) : null
  return {
    notional,
    most,
    isTaker: neverRests(draft) || acting.type === 'STOP',
    makerFee: notional.times(fees.makerRate),
    takerFee: notional.times(fees.takerRate),
    fillsNow: now.quantity,
    averagePrice: now.averagePrice,
    levelCount: now.levelCount,
    rests,
    spends: { currency, amount, available },
    share: available?.gt(0) === true ? needed.div(available) : null,
    fromMid: mid === null || mid.lte(0) || shown === null ? null : shown.minus(mid).div(mid),
    stop: stopOutlook(draft, market, notional),
  }
}
