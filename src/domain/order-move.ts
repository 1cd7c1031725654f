import type { Balance, Fees } from './balance.ts'
import { requiredHold } from './funds-check.ts'
import type { Instrument } from './instrument.ts'
import { Decimal, zero } from './money.ts'
import { type Order, type OrderDraft, openQuantity } from './order.ts'
import { noOwnDrafts, type OwnDrafts, ownDraft } from './own-draft.ts'
import type { CheckContext } from './pre-trade.ts'

/** What reports of orders leave out, as the desk itself sent it; `isKnown` false when another desk sent the order. */
export type OrderTerms = Pick<OrderDraft, 'timeInForce' | 'expireDate' | 'postOnly'> & { isKnown: boolean }

/** Under which terms an order was sent: good till cancelled where nobody here knows. */
export function orderTerms(order: Order, drafts: OwnDrafts): OrderTerms {
  const draft = ownDraft(order, drafts)
  if (draft === null) return { timeInForce: 'GTC', expireDate: null, postOnly: false, isKnown: false }
  const { timeInForce, expireDate, postOnly } = draft
  return { timeInForce, expireDate, postOnly, isKnown: true }
}

/** The same order at another price, whole and what of it is still open: only the rest is ever placed. */
export function movedDrafts(order: Order, price: Decimal, terms: OrderTerms): { whole: OrderDraft; rest: OrderDraft } {
  const open = openQuantity(order) ?? zero
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
  return { rest, whole: { ...rest, orderQuantity: open.plus(order.cumQuantity) } }
}

/** The balances once an order is cancelled: what it holds is available again, never more than there is. */
function released(balances: readonly Balance[], order: Order, instrument: Instrument, fees: Fees): Balance[] {
  const { rest } = movedDrafts(order, order.limitPrice ?? zero, orderTerms(order, noOwnDrafts))
  const hold = requiredHold(rest, instrument, null, fees)
  return balances.map((balance) =>
    hold === null || balance.currency !== hold.currency
      ? balance
      : { ...balance, available: Decimal.min(balance.balance, balance.available.plus(hold.amount)) },
  )
}

/** What the checks of an order may rest on that takes the place of `order`: as if that one were cancelled already. */
export function contextWithout(context: CheckContext, order: Order): CheckContext {
  const { instrument, balances, fees, openOrders } = context
  const isOther = (other: { clientOrderId: string }) => other.clientOrderId !== order.clientOrderId
  return {
    ...context,
    openOrders: openOrders.kind === 'fresh' ? { kind: 'fresh', value: openOrders.value.filter(isOther) } : openOrders,
    recentOrders: context.recentOrders.filter(isOther),
    balances:
      balances.kind === 'fresh' && fees.kind === 'fresh' && instrument.kind === 'fresh'
        ? { kind: 'fresh', value: released(balances.value, order, instrument.value, fees.value) }
        : balances,
  }
}
