import { sharedDecimals } from '../../domain/balance.ts'
import { type AmountScales, amountsIn } from '../../domain/market/amounts.ts'
import { type Decimal, formatFixed } from '../../domain/money.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import { termsText } from '../../domain/plans/terms.ts'
import type { Column } from '../cli/output.ts'

/**
 * The decimals of a plan's prices and quantities in a table: as many as its finest value needs, at least two. A plan is
 * shown without a call, so the decimals of its symbol are unknown.
 */
function planScales({ terms, orders }: Pick<Plan, 'terms' | 'orders'>): AmountScales {
  const prices: Decimal[] = []
  const quantities: Decimal[] = []
  const taking = (amounts: Decimal[]) => (amount: Decimal) => {
    amounts.push(amount)
    return ''
  }
  termsText(terms, { price: taking(prices), quantity: taking(quantities) })
  for (const { draft, filled } of orders) {
    prices.push(...[draft.limitPrice, draft.stopPrice].filter((price) => price !== null))
    quantities.push(draft.orderQuantity, ...(filled === null ? [] : [filled]))
  }
  return { priceScale: sharedDecimals(prices), quantityScale: sharedDecimals(quantities) }
}

/** The terms of a plan for users: `oco sell 0.10 BTC-USD stop 59,000.50 target 62,000.00`. */
export const shownTerms = (plan: Pick<Plan, 'terms' | 'orders'>): string =>
  termsText(plan.terms, amountsIn(planScales(plan)))

/** The columns of a plan's orders, with the plan's decimals for prices and quantities. */
export function inPlanScales(columns: readonly Column[], plan: Pick<Plan, 'terms' | 'orders'>): Column[] {
  const write = amountsIn(planScales(plan), formatFixed)
  return columns.map((column) =>
    column.scale === 'price' || column.scale === 'quantity' ? { ...column, shown: write[column.scale] } : column,
  )
}
