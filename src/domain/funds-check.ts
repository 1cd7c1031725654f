import type { Balance, Fees } from './balance.ts'
import { type Book, sweep } from './book.ts'
import { block, type Check, pass, warn } from './check.ts'
import { formatQuantity, type Instrument } from './instrument.ts'
import { Decimal, formatGrouped, zero } from './money.ts'
import type { OrderDraft } from './order.ts'

/** What an order would take from a balance when it is accepted: the exchange holds a buy with the taker fee. */
export type Hold = { currency: string; amount: Decimal }

/**
 * The price a buy without a limit is reckoned at: what the book asks for the quantity now. Null without a price, or
 * with an empty opposite side.
 */
function reckonedNotional(draft: OrderDraft, book: Book | null): Decimal | null {
  const price = draft.limitPrice ?? draft.stopPrice
  if (price !== null) return price.times(draft.orderQuantity)
  return book === null ? null : sweep(book, draft.side, draft.orderQuantity, null).notional
}

/** The amount and currency the order needs: base for a sell; for a buy the counter amount with the taker fee. */
export function requiredHold(draft: OrderDraft, instrument: Instrument, book: Book | null, fees: Fees): Hold | null {
  if (draft.side === 'SELL') return { currency: instrument.base, amount: draft.orderQuantity }
  const notional = reckonedNotional(draft, book)
  return notional === null
    ? null
    : {
        currency: instrument.counter,
        amount: notional.times(fees.takerRate.plus(1)),
      }
}

/** The largest quantity on the lot that the available amount pays for at `price` with the taker fee. */
export function affordableQuantity(available: Decimal, price: Decimal, instrument: Instrument, fees: Fees): Decimal {
  if (price.lte(0)) return zero
  return available.div(price.times(fees.takerRate.plus(1))).toNearest(instrument.lotSize, Decimal.ROUND_FLOOR)
}

const isBeyond = ({ side, orderQuantity }: OrderDraft, book: Book): boolean =>
  sweep(book, side, orderQuantity, null).quantity.lt(orderQuantity)

/** Funds against the need. A market order warns where others block: the exchange fills what the balance pays for. */
export function fundsCheck(
  draft: OrderDraft,
  instrument: Instrument,
  context: { book: Book | null; balances: readonly Balance[]; fees: Fees },
): Check {
  const hold = requiredHold(draft, instrument, context.book, context.fees)
  if (hold === null) return block('funds', 'the cost cannot be reckoned without a book: wait for it')
  const available = context.balances.find((balance) => balance.currency === hold.currency)?.available ?? zero
  if (hold.amount.lte(available)) return pass('funds')
  if (draft.side === 'SELL') {
    const most = available.toNearest(instrument.lotSize, Decimal.ROUND_FLOOR)
    return block(
      'funds',
      `needs ${hold.amount} ${hold.currency}, available ${available}: at most ${formatQuantity(most, instrument)}`,
    )
  }
  const decimals = instrument.counterScale
  const price = draft.limitPrice ?? draft.stopPrice
  // Of a market order larger than the book only what is seen has a price.
  const isPart = price === null && context.book !== null && isBeyond(draft, context.book)
  const shortfall = `needs ${isPart ? 'at least ' : ''}${formatGrouped(hold.amount, decimals)} ${hold.currency} with fee, available ${formatGrouped(available, decimals)}`
  if (price === null) {
    return available.gt(0) ? warn('funds', `${shortfall}: fills only what that pays for`) : block('funds', shortfall)
  }
  const most = affordableQuantity(available, price, instrument, context.fees)
  return block('funds', `${shortfall}: at most ${formatQuantity(most, instrument)}`)
}
