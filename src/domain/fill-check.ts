import { type Book, sweep } from './book.ts'
import { block, type Check, pass, warn } from './check.ts'
import { formatQuantity, type Instrument } from './instrument.ts'
import type { OrderDraft } from './order.ts'

/**
 * What an order that never rests meets in the book. A market order against an empty side is blocked; for the others a
 * book that has too little is a warning, for it may have more in a moment.
 */
export function fillCheck(draft: OrderDraft, instrument: Instrument, book: Book): Check {
  const { type, side, timeInForce, orderQuantity, limitPrice, minQuantity, stopPrice } = draft
  const mayRest = type !== 'MARKET' && timeInForce !== 'IOC' && timeInForce !== 'FOK'
  if (mayRest || stopPrice !== null || orderQuantity.lte(0)) return pass('market')
  const { quantity } = sweep(book, side, orderQuantity, limitPrice)
  if (quantity.isZero() && type === 'MARKET')
    return block('market', `no ${side === 'BUY' ? 'sellers' : 'buyers'} in the book: nothing would fill`)
  if (quantity.gte(orderQuantity)) return pass('market')
  const holds = `the book holds ${quantity.isZero() ? 'nothing' : formatQuantity(quantity, instrument)}`
  const within = limitPrice === null ? '' : ' at that price'
  if (timeInForce === 'FOK') return warn('market', `${holds}${within}: FOK fills all or nothing, so nothing`)
  if (minQuantity?.gt(quantity) === true)
    return warn('market', `${holds}${within}, less than the minimum fill: nothing would fill`)
  return quantity.isZero()
    ? warn('market', `${holds}${within}: nothing would fill`)
    : warn('market', `${holds} only${within}: the rest is cancelled`)
}
