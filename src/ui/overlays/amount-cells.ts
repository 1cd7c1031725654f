import { formatPrice, formatQuantity, type Instrument } from '../../domain/instrument.ts'
import { type Order, openQuantity } from '../../domain/order.ts'

/** What is open of an order and its price, as a question about it lists them; the type stands for a price there is not. */
export function amountCells(order: Order, instrument: Instrument | undefined): { quantity: string; price: string } {
  const open = openQuantity(order)
  const quantity = open === null ? '?' : instrument === undefined ? open.toFixed() : formatQuantity(open, instrument)
  const { limitPrice } = order
  if (limitPrice === null) return { quantity, price: order.type }
  return { quantity, price: instrument === undefined ? limitPrice.toFixed() : formatPrice(limitPrice, instrument) }
}
