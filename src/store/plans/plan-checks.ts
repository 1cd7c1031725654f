import { limitsFor } from '../../domain/limits.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import { type PlanFacts, readPrice } from '../../domain/plans/facts.ts'
import { alikePlanChecks, firstOrderChecks } from '../../domain/plans/first-orders.ts'
import type { OutlookMarket } from '../../domain/plans/outlook.ts'
import { type PlanTerms, termsComplaint } from '../../domain/plans/terms.ts'
import { usdRate } from '../../domain/usd-value.ts'
import { wallNow } from '../clock.ts'
import { type Checked, checkContext } from '../ticket/check-context.ts'
import { openPlans, type PlansSlice } from './plans.ts'

/** What the checks of a plan rest on. */
export type PlanChecked = Checked & PlansSlice

/** What is known for a plan that decides now, as far as the desk shows it. */
function factsOf(state: PlanChecked, symbol: string): PlanFacts {
  const instrument = state.instruments.value?.get(symbol) ?? null
  const { value: book = null, atMs: bookAtMs = null } = state.books.get(symbol) ?? {}
  const ticker = state.tickers.value?.get(symbol) ?? null
  const { atMs: tickersAtMs } = state.tickers
  const price = readPrice(
    {
      instrument,
      book: book === null || bookAtMs === null ? null : { book, atMs: bookAtMs },
      ticker: ticker === null || tickersAtMs === null ? null : { ticker, atMs: tickersAtMs },
    },
    state.nowMs,
  )
  return { nowMs: wallNow(state), instrument, price, blindMs: 0, judge: () => null, hasBudget: true }
}

/**
 * Every rule that a plan is held against before it is made: its own terms, and its first orders as if a person sent
 * them. What comes later is judged when it is due, by the same rules.
 */
export function planChecks(state: PlanChecked, terms: PlanTerms, nowMs: number = state.nowMs): Check[] {
  const context = checkContext(state, terms.symbol, nowMs)
  const rules = state.instruments.value?.get(terms.symbol)
  const complaint = rules === undefined ? `${terms.symbol} rules not loaded: wait` : termsComplaint(terms, rules)
  if (complaint !== null) return [block('fields', complaint.replace(/\.$/, ''))]
  // What plans have sent is nobody's slip of a finger: of plans that are alike it is asked.
  const recentOrders = context.recentOrders.filter(({ clientOrderId }) => !state.plans.byOrder.has(clientOrderId))
  const checks = firstOrderChecks(terms, factsOf(state, terms.symbol), { ...context, recentOrders })
  const { duplicateWithinMs: withinMs } = limitsFor(state.limits, terms.symbol)
  const alike = alikePlanChecks(
    terms,
    openPlans(state).map(({ plan }) => plan),
    { nowMs: wallNow(state) + nowMs - state.nowMs, withinMs },
  )
  return alike.length === 0 ? checks : [...checks.filter(({ rule }) => rule !== 'duplicate'), ...alike]
}

/** What the words about a plan are reckoned from. */
export function outlookMarket(state: PlanChecked, symbol: string): OutlookMarket {
  const { price } = factsOf(state, symbol)
  const counter = state.instruments.value?.get(symbol)?.counter ?? 'USD'
  return {
    price: price.kind === 'known' ? price.price : null,
    usdRate: usdRate(counter, state.balances.value ?? []),
    swaps: state.plans.swaps,
  }
}
