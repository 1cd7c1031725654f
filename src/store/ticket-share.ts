import { readAmountText } from '../domain/amount-text.ts'
import type { Fees } from '../domain/balance.ts'
import type { Book } from '../domain/market/book.ts'
import { formatQuantity, type Instrument, lotsAround } from '../domain/market/instrument.ts'
import { Decimal, zero } from '../domain/money.ts'
import { affordableQuantity } from '../domain/orders/checks/funds-check.ts'
import { needsLimitPrice, needsStopPrice } from '../domain/orders/order-fields.ts'
import { priceUse, type TicketForm } from '../domain/orders/ticket.ts'
import type { DeskState } from './state.ts'

/**
 * What an amount buys from the book's asks, with the taker fee, on the lot: a market order pays more the deeper it
 * goes.
 */
function buysAtMarket(available: Decimal, book: Book, instrument: Instrument, { takerRate }: Fees): Decimal {
  const feeFactor = takerRate.plus(1)
  let left = available
  let quantity = zero
  for (const level of book.asks) {
    const costPerUnit = level.price.times(feeFactor)
    const taken = Decimal.min(level.quantity, left.div(costPerUnit))
    quantity = quantity.plus(taken)
    left = left.minus(taken.times(costPerUnit))
    if (taken.lt(level.quantity)) break
  }
  return lotsAround(quantity, instrument)[0]
}

/** The price the exchange would hold a buy at: its limit, else its stop price. */
function heldPrice(form: TicketForm, instrument: Instrument): Decimal | undefined {
  if (!needsLimitPrice(form.type) && !needsStopPrice(form.type)) return undefined
  const read = readAmountText(needsLimitPrice(form.type) ? form.priceText : form.stopText, priceUse(instrument))
  return read.ok ? read.value : undefined
}

/** All that the available balance allows, on the lot; null while something it depends on is missing. */
function mostQuantity(state: DeskState, form: TicketForm, share: Decimal, instrument: Instrument): Decimal | null {
  const { value: balances } = state.balances
  const { value: fees } = state.fees
  if (balances === null || fees === null) return null
  const currency = form.side === 'SELL' ? instrument.base : instrument.counter
  const available = (balances.find((each) => each.currency === currency)?.available ?? zero).times(share).div(100)
  if (form.side === 'SELL') return lotsAround(available, instrument)[0]
  if (form.type === 'MARKET') {
    const book = state.books.get(form.symbol)?.value
    return book === null || book === undefined ? null : buysAtMarket(available, book, instrument, fees)
  }
  const price = heldPrice(form, instrument)
  return price === undefined ? null : affordableQuantity(available, price, instrument, fees)
}

/**
 * A share of what is available (percent above 0, at most 100) as a quantity's text; null while it cannot be reckoned.
 */
export function shareText(state: DeskState, form: TicketForm, percent: Decimal, instrument: Instrument): string | null {
  const quantity = mostQuantity(state, form, percent, instrument)
  return quantity === null ? null : formatQuantity(quantity, instrument)
}
