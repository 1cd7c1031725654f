import { availableOf, type Balance, buyCostFactor, type Fees } from '../../balance.ts'
import { type Book, sweep } from '../../market/book.ts'
import { baseOf, counterOf, formatQuantity, type Instrument } from '../../market/instrument.ts'
import { Decimal, formatGrouped, zero } from '../../money.ts'
import type { Side } from '../../side.ts'
import { type Order, type OrderDraft, openAtMost, orderNames } from '../order.ts'
import { type OwnDrafts, ownDraft } from '../own-draft.ts'
import { isMarketAtOnce, triggered, triggerState } from '../stop-trigger.ts'
import { block, type Check, pass, warn, withRemedy } from './check.ts'

/** The amount an order holds of a balance when accepted; a buy is held with the taker fee. */
type Hold = { currency: string; amount: Decimal }

/**
 * The notional of a buy: at its limit or stop price, a market order's by the present book. Null for a market order
 * without a book, or with an empty opposite side.
 */
function reckonedNotional(draft: OrderDraft, book: Book | null): Decimal | null {
  const price = draft.limitPrice ?? draft.stopPrice
  if (price !== null) return price.times(draft.orderQuantity)
  return book === null ? null : sweep(book, draft.side, draft.orderQuantity, null).notional
}

/** The amount and currency an order needs: base for a sell, counter including the taker fee for a buy. */
export function requiredHold(draft: OrderDraft, instrument: Instrument, book: Book | null, fees: Fees): Hold | null {
  if (draft.side === 'SELL') return { currency: instrument.base, amount: draft.orderQuantity }
  const notional = reckonedNotional(draft, book)
  return notional === null
    ? null
    : {
        currency: instrument.counter,
        amount: notional.times(buyCostFactor(fees)),
      }
}

/** The largest quantity in whole lots that the available amount pays for at `price` with the taker fee. */
export function affordableQuantity(available: Decimal, price: Decimal, instrument: Instrument, fees: Fees): Decimal {
  if (price.lte(0)) return zero
  return available.div(price.times(buyCostFactor(fees))).toNearest(instrument.lotSize, Decimal.ROUND_FLOOR)
}

const isBeyond = ({ side, orderQuantity }: OrderDraft, book: Book): boolean =>
  sweep(book, side, orderQuantity, null).quantity.lt(orderQuantity)

/** What an open order holds for its unfilled part; null when its report does not tell. */
function holdOf(order: Order, drafts: OwnDrafts, fees: Fees): Hold | null {
  const draft = ownDraft(order, drafts)
  const quantity = openAtMost(order, draft?.orderQuantity ?? null)
  if (order.side === 'SELL') return quantity === null ? null : { currency: baseOf(order.symbol), amount: quantity }
  const price = order.limitPrice ?? draft?.limitPrice ?? draft?.stopPrice ?? null
  if (quantity === null || price === null) return null
  return { currency: counterOf(order.symbol), amount: price.times(quantity).times(buyCostFactor(fees)) }
}

/** Maximum orders named in a block's sentence. */
const namedMax = 3

/** `; 0.5 BTC held by your 2 sell orders 41, 42: cancel them to free it`; empty where none of them holds anything. */
function heldText({ currency }: Hold, side: Side, decimals: number | null, context: FundsContext): string {
  const { orders, drafts, balances, fees } = context
  const holders = orders.flatMap((order) => {
    const hold = order.side === side ? holdOf(order, drafts, fees) : null
    return hold !== null && hold.currency === currency && hold.amount.gt(0) ? [{ order, amount: hold.amount }] : []
  })
  const balance = balances.find((each) => each.currency === currency)
  const held = balance === undefined ? zero : balance.balance.minus(balance.available)
  // An unanswered order may hold nothing, so this never exceeds the amount held.
  const sum = Decimal.min(
    held,
    holders.reduce((total, { amount }) => total.plus(amount), zero),
  )
  if (sum.lte(0)) return ''
  const amount = decimals === null ? sum.toFixed() : formatGrouped(sum, decimals)
  const names = orderNames(
    holders.toSorted((left, right) => right.amount.cmp(left.amount)).map(({ order }) => order),
    namedMax,
  )
  const word = side.toLowerCase()
  const [which, them] = holders.length === 1 ? [`${word} order`, 'it'] : [`${holders.length} ${word} orders`, 'them']
  return `; ${amount} ${currency} held by your ${which} ${names}: cancel ${them} to free it`
}

/** The data of the funds check: fresh account data, and the known working orders. */
type FundsContext = {
  book: Book | null
  lastPrice: Decimal | null
  balances: readonly Balance[]
  fees: Fees
  orders: readonly Order[]
  drafts: OwnDrafts
}

/**
 * Checks the available funds. A market order warns where others block, because the exchange fills what the balance pays
 * for. A stop is held at its trigger, and a buy that may trigger at once also costs what the book asks.
 */
export function fundsCheck(draft: OrderDraft, instrument: Instrument, context: FundsContext): Check {
  const check = presentFunds(draft, instrument, context)
  const { book, lastPrice } = context
  if (check.level !== 'ok' || triggerState(draft, lastPrice, book) === 'pending') return check
  return presentFunds(triggered(draft), instrument, context)
}

/** Checks the funds for the order as it is now: at its price, or a market order's cost by the book. */
function presentFunds(draft: OrderDraft, instrument: Instrument, context: FundsContext): Check {
  const hold = requiredHold(draft, instrument, context.book, context.fees)
  if (hold === null) return block('funds', 'no book, so no cost yet: wait')
  const available = availableOf(hold.currency, context.balances)
  if (hold.amount.lte(available)) return pass('funds')
  if (draft.side === 'SELL') {
    const most = available.toNearest(instrument.lotSize, Decimal.ROUND_FLOOR)
    const needed = `needs ${hold.amount} ${hold.currency}, available ${available}`
    const text = `${needed}: at most ${formatQuantity(most, instrument)}${heldText(hold, 'SELL', null, context)}`
    return withRemedy(block('funds', text), 'quantity', most)
  }
  const decimals = instrument.counterScale
  const price = draft.limitPrice ?? draft.stopPrice
  // A market order larger than the book has a price for the visible part only.
  const isPart = price === null && context.book !== null && isBeyond(draft, context.book)
  const needed = `${isPart ? 'at least ' : ''}${formatGrouped(hold.amount, decimals)} ${hold.currency}`
  const shortfall = `needs ${needed} with fee, available ${formatGrouped(available, decimals)}`
  const held = heldText(hold, 'BUY', decimals, context)
  if (price === null) {
    return available.gt(0)
      ? warn('funds', `${shortfall}: fills only what that pays for${held}`)
      : block('funds', `${shortfall}${held}`)
  }
  const most = affordableQuantity(available, price, instrument, context.fees)
  const text = `${shortfall}: at most ${formatQuantity(most, instrument)}${held}`
  return withRemedy(block('funds', text), 'quantity', most)
}

/**
 * Checks what an order that cannot rest would fill. An empty opposite side blocks a market order; for others a too
 * small book warns, because it may have more in a moment. A stop that triggers at once is the market order it becomes.
 */
export function fillCheck(
  draft: OrderDraft,
  instrument: Instrument,
  { book, lastPrice }: { book: Book; lastPrice: Decimal | null },
): Check {
  if (isMarketAtOnce(draft, lastPrice, book)) return fillCheck(triggered(draft), instrument, { book, lastPrice })
  const { type, side, timeInForce, orderQuantity, limitPrice, minQuantity, stopPrice } = draft
  const mayRest = type !== 'MARKET' && timeInForce !== 'IOC' && timeInForce !== 'FOK'
  if (mayRest || stopPrice !== null || orderQuantity.lte(0)) return pass('market')
  const { quantity } = sweep(book, side, orderQuantity, limitPrice)
  if (quantity.isZero() && type === 'MARKET')
    return block('market', `no ${side === 'BUY' ? 'sellers' : 'buyers'} in the book: nothing would fill`)
  if (quantity.gte(orderQuantity)) return pass('market')
  const holds = `the book holds ${quantity.isZero() ? 'nothing' : formatQuantity(quantity, instrument)}`
  const within = limitPrice === null ? '' : ' at that price'
  if (timeInForce === 'FOK') return warn('market', `${holds}${within}: FOK would fill nothing`)
  if (minQuantity?.gt(quantity) === true)
    return warn('market', `${holds}${within}, less than the minimum fill: nothing would fill`)
  return quantity.isZero()
    ? warn('market', `${holds}${within}: nothing would fill`)
    : warn('market', `${holds} only${within}: the rest is canceled`)
}
