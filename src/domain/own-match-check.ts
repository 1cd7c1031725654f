import { type Book, sweep } from './book.ts'
import { type Check, pass, warn } from './check.ts'
import { formatPrice, type Instrument } from './instrument.ts'
import { Decimal } from './money.ts'
import { isWorking, type Order, type OrderDraft, opposite } from './order.ts'

/** The worst price at which the order would trade at once; null when it would not. */
function reach({ side, orderQuantity, limitPrice, stopPrice }: OrderDraft, book: Book): Decimal | null {
  if (stopPrice !== null) return null
  return limitPrice ?? sweep(book, side, orderQuantity, null).worstPrice
}

/**
 * Whether an order would meet one of the account's own: the exchange cancels what is left of the new one there. A
 * warning, for what stands before the own order may be enough.
 */
export function ownMatchCheck(
  draft: OrderDraft,
  instrument: Instrument,
  book: Book,
  openOrders: readonly Order[],
): Check {
  const worst = reach(draft, book)
  const isBuy = draft.side === 'BUY'
  const prices = openOrders.flatMap(({ symbol, side, limitPrice, status }) =>
    symbol === draft.symbol && side === opposite(draft.side) && status !== 'PENDING' && isWorking({ status })
      ? (limitPrice ?? [])
      : [],
  )
  const met = worst === null ? [] : prices.filter((price) => (isBuy ? price.lte(worst) : price.gte(worst)))
  if (met.length === 0) return pass('ownMatch')
  const first = isBuy ? Decimal.min(...met) : Decimal.max(...met)
  return warn(
    'ownMatch',
    `meets your own ${opposite(draft.side)} at ${formatPrice(first, instrument)}: the rest is cancelled`,
  )
}
