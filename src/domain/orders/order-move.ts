import { err, ok, type Result } from '../../base/result.ts'
import { readShortAmount } from '../amount-text.ts'
import type { Balance, Fees } from '../balance.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal, zero } from '../money.ts'
import { asking, type Check, mapKnown } from './checks/check.ts'
import { requiredHold } from './checks/funds-check.ts'
import type { CheckContext } from './checks/pre-trade.ts'
import {
  isPending,
  isWorking,
  type Order,
  type OrderDraft,
  openAtMost,
  orderName,
  orderQuantity,
  unansweredOrder,
} from './order.ts'
import { noOwnDrafts, type OwnDrafts, ownDraft } from './own-draft.ts'
import { priceUse, quantityUse } from './ticket.ts'

/** Terms that order reports omit, as sent by this desk; `isKnown` is false when another desk sent the order. */
export type OrderTerms = Pick<OrderDraft, 'timeInForce' | 'expireDate' | 'postOnly'> & {
  askedQuantity: Decimal | null
  isKnown: boolean
}

/** The terms an order was sent with; GTC when unknown. */
export function orderTerms(order: Order, drafts: OwnDrafts): OrderTerms {
  const draft = ownDraft(order, drafts)
  if (draft === null)
    return {
      timeInForce: 'GTC',
      expireDate: null,
      postOnly: false,
      askedQuantity: null,
      isKnown: false,
    }
  const { timeInForce, expireDate, postOnly, orderQuantity: askedQuantity } = draft
  return { timeInForce, expireDate, postOnly, askedQuantity, isKnown: true }
}

/** An order at another price: the whole order, and its open part, the maximum a move may place. */
type MovedDrafts = { whole: OrderDraft; rest: OrderDraft }

/** The maximum open quantity of an order, and its whole quantity. */
type MoveQuantities = { open: Decimal; whole: Decimal }

/**
 * An order's quantities, completed from its terms where the report omits them; null when unknown, since it is then
 * unknown how much a move would place.
 */
export function moveQuantities(order: Order, { askedQuantity }: OrderTerms): MoveQuantities | null {
  const open = openAtMost(order, askedQuantity)
  const whole = orderQuantity(order) ?? askedQuantity
  return open === null || whole === null ? null : { open, whole }
}

/**
 * The quantities with another open quantity, if requested. It was requested when the order was `picked` up, so fills
 * since then are part of it and the order never fills more than requested.
 */
export function changedQuantities(now: MoveQuantities, picked: MoveQuantities, asked: Decimal | null): MoveQuantities {
  if (asked === null) return now
  const whole = picked.whole.minus(picked.open).plus(asked)
  return { whole, open: Decimal.max(zero, whole.minus(now.whole.minus(now.open))) }
}

/** A read amount above zero, or a clause about what is wrong with it. */
function aboveZero(name: string, read: ReturnType<typeof readShortAmount>): Result<Decimal> {
  if (read.ok) return read.value.gt(0) ? read : err(`${name} must be above zero`)
  return err(read.error.kind === 'currency' ? read.error.text : `${name} ${read.error.text}`)
}

/**
 * Reads a new price: a price, also `64k`, or ticks from the present one, `+2t` and `-3t`. A sign without `t` is
 * refused, because it could mean ticks or money.
 */
export function readMovePrice(text: string, from: Decimal, instrument: Instrument): Result<Decimal> {
  const typed = text.trim()
  const ticks = /^([+-])\s*(\d{1,6})\s*t(?:icks?)?$/i.exec(typed)
  if (ticks !== null) {
    const price = from.plus(instrument.tickSize.times(`${ticks[1]}${ticks[2]}`))
    return price.gt(0) ? ok(price) : err('price must be above zero')
  }
  if (/^[+-]\s*[.,]?\d/.test(typed))
    return err(`"${typed}" can be read in two ways: write ${typed.slice(0, 8)}t for ticks, or the price`)
  return aboveZero('price', readShortAmount(typed, priceUse(instrument)))
}

/** Reads the new open quantity of an order. */
export const readMoveQuantity = (text: string, instrument: Instrument): Result<Decimal> =>
  aboveZero('quantity', readShortAmount(text, quantityUse(instrument)))

/**
 * The prices an order is moved from: its limit, or the trigger of a pending stop, with its limit if any. Null when it
 * has neither, or its trigger is unknown here.
 */
export function standsAt(order: Order, drafts: OwnDrafts): MovePrices | null {
  if (!isPending(order))
    return order.limitPrice === null || !isWorking(order) ? null : { price: order.limitPrice, limit: null }
  const draft = ownDraft(order, drafts)
  if (draft === null || draft.stopPrice === null) return null
  return { price: draft.stopPrice, limit: draft.limitPrice }
}

/** New prices of an order: its limit, or its trigger with its limit if any. */
export type MovePrices = { price: Decimal; limit: Decimal | null }

/** Builds an order at another price; a pending stop gets another trigger. */
export function movedDrafts(
  order: Order,
  { price, limit }: MovePrices,
  terms: OrderTerms,
  { open, whole }: MoveQuantities,
): MovedDrafts {
  const { timeInForce, expireDate, postOnly } = terms
  const prices: Pick<OrderDraft, 'type' | 'limitPrice' | 'stopPrice'> = isPending(order)
    ? { type: limit === null ? 'STOP' : 'STOPLIMIT', limitPrice: limit, stopPrice: price }
    : { type: 'LIMIT', limitPrice: price, stopPrice: null }
  const rest: OrderDraft = {
    symbol: order.symbol,
    side: order.side,
    ...prices,
    orderQuantity: open,
    timeInForce,
    expireDate,
    minQuantity: null,
    postOnly,
  }
  return { rest, whole: { ...rest, orderQuantity: whole } }
}

/** The balances after an order is canceled: the amount it holds becomes available, up to the balance. */
function released(
  balances: readonly Balance[],
  order: Order,
  market: { instrument: Instrument; fees: Fees },
  drafts: OwnDrafts,
): Balance[] {
  const { instrument, fees } = market
  // A pending stop is unfilled, and only its terms tell its size and prices.
  const terms = orderTerms(order, isPending(order) ? drafts : noOwnDrafts)
  const quantities = moveQuantities(order, terms)
  const at = standsAt(order, drafts)
  // What is not known of its hold does not become available.
  if (quantities === null || at === null) return [...balances]
  const { rest } = movedDrafts(order, at, terms, quantities)
  const hold = requiredHold(rest, instrument, null, fees)
  return balances.map((balance) =>
    hold === null || balance.currency !== hold.currency
      ? balance
      : { ...balance, available: Decimal.min(balance.balance, balance.available.plus(hold.amount)) },
  )
}

/** What the checks of an order may rest on that takes the place of `order`: as if that one were canceled already. */
export function contextWithout(context: CheckContext, order: Order): CheckContext {
  const { instrument, balances, fees, openOrders } = context
  const isOther = (other: { clientOrderId: string }) => other.clientOrderId !== order.clientOrderId
  return {
    ...context,
    openOrders: mapKnown(openOrders, (orders) => orders.filter(isOther)),
    recentOrders: context.recentOrders.filter(isOther),
    balances:
      balances.kind === 'fresh' && fees.kind === 'fresh' && instrument.kind === 'fresh'
        ? {
            kind: 'fresh',
            value: released(
              balances.value,
              order,
              { instrument: instrument.value, fees: fees.value },
              context.ownDrafts,
            ),
          }
        : balances,
  }
}

/** What the checks of an order may rest on once `order` is moved: as if `rest` were working in its place already. */
export function contextMoved(context: CheckContext, order: Order, rest: OrderDraft): CheckContext {
  const without = contextWithout(context, order)
  const { instrument, balances, fees } = without
  const placed: Order = { ...unansweredOrder(rest, `moved ${order.clientOrderId}`, context.nowMs), status: 'OPEN' }
  const hold =
    instrument.kind === 'fresh' && fees.kind === 'fresh' ? requiredHold(rest, instrument.value, null, fees.value) : null
  const held = (balance: Balance): Balance =>
    hold === null || balance.currency !== hold.currency
      ? balance
      : { ...balance, available: Decimal.max(zero, balance.available.minus(hold.amount)) }
  return {
    ...without,
    openOrders: mapKnown(without.openOrders, (orders) => [...orders, placed]),
    balances: mapKnown(balances, (all) => all.map(held)),
  }
}

/** A check of one of several moved orders: it names the order, and so does its confirmation. */
export function aboutOrder(check: Check, order: Order): Check {
  if (check.level === 'ok') return check
  const name = orderName(order)
  const named = { ...check, text: `${order.side} ${name}: ${check.text}` }
  return asking(named, `${name} ${check.asked?.of ?? ''}`, check.asked?.figure ?? zero)
}
