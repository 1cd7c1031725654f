import type { Balance, Fees } from '../balance.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal, zero } from '../money.ts'
import { mapKnown } from './checks/check.ts'
import { requiredHold } from './checks/funds-check.ts'
import type { CheckContext } from './checks/pre-trade.ts'
import { type Order, type OrderDraft, openAtMost, orderQuantity } from './order.ts'
import { noOwnDrafts, type OwnDrafts, ownDraft } from './own-draft.ts'

/** What reports of orders leave out, as the desk itself sent it; `isKnown` false when another desk sent the order. */
export type OrderTerms = Pick<OrderDraft, 'timeInForce' | 'expireDate' | 'postOnly'> & {
  askedQuantity: Decimal | null
  isKnown: boolean
}

/** The time in force an order was sent with: GTC where it is unknown. */
export function orderTerms(order: Order, drafts: OwnDrafts): OrderTerms {
  const draft = ownDraft(order, drafts)
  if (draft === null)
    return { timeInForce: 'GTC', expireDate: null, postOnly: false, askedQuantity: null, isKnown: false }
  const { timeInForce, expireDate, postOnly, orderQuantity: askedQuantity } = draft
  return { timeInForce, expireDate, postOnly, askedQuantity, isKnown: true }
}

/** An order at another price: in whole, and what of it is still open, which is the most that a move may place. */
type MovedDrafts = { whole: OrderDraft; rest: OrderDraft }

/** What of an order is open at most, and all of it. */
type MoveQuantities = { open: Decimal; whole: Decimal }

/**
 * What a report leaves out of an order's quantity is taken from what was asked for; null where that is not known
 * either: then nothing can be said of how much a move would place.
 */
export function moveQuantities(order: Order, { askedQuantity }: OrderTerms): MoveQuantities | null {
  const open = openAtMost(order, askedQuantity)
  const whole = orderQuantity(order) ?? askedQuantity
  return open === null || whole === null ? null : { open, whole }
}

/** The same order at another price. */
export function movedDrafts(
  order: Order,
  price: Decimal,
  terms: OrderTerms,
  { open, whole }: MoveQuantities,
): MovedDrafts {
  const { timeInForce, expireDate, postOnly } = terms
  const rest: OrderDraft = {
    symbol: order.symbol,
    side: order.side,
    type: 'LIMIT',
    orderQuantity: open,
    limitPrice: price,
    stopPrice: null,
    timeInForce,
    expireDate,
    minQuantity: null,
    postOnly,
  }
  return { rest, whole: { ...rest, orderQuantity: whole } }
}

/** The balances once an order is canceled: what it holds is available again, never more than there is. */
function released(balances: readonly Balance[], order: Order, instrument: Instrument, fees: Fees): Balance[] {
  const terms = orderTerms(order, noOwnDrafts)
  const quantities = moveQuantities(order, terms)
  // What is not known of its hold does not become available.
  if (quantities === null) return [...balances]
  const { rest } = movedDrafts(order, order.limitPrice ?? zero, terms, quantities)
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
        ? { kind: 'fresh', value: released(balances.value, order, instrument.value, fees.value) }
        : balances,
  }
}
