import type { Check } from '../../domain/orders/checks/check.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { type PlanFacts, readPrice } from '../../domain/plans/facts.ts'
import type { OutlookMarket } from '../../domain/plans/outlook.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import { newestChecked, planOrderChecks } from '../../domain/plans/plan-checks.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { tradedOnResume } from '../../domain/plans/what-if.ts'
import { usdRateAlone } from '../../domain/usd-worth.ts'
import { wallNow } from '../clock.ts'
import { type Checked, checkContext } from '../ticket/check-context.ts'
import { isPlansAtHub, type PlansSlice } from './plans.ts'

/** The state for the checks of a plan. */
export type PlanChecked = Checked & PlansSlice

/** The facts for a plan's decision now, as far as the desk has them. */
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
 * Every check of a plan before it is made or changed, by the desk's data. `planId`: the changed plan, null for a new
 * one.
 */
export function planChecks(
  state: PlanChecked,
  { terms, planId }: { terms: PlanTerms; planId: string | null },
  nowMs: number = state.nowMs,
): Check[] {
  const facts = { ...factsOf(state, terms.symbol), nowMs: wallNow(state) + nowMs - state.nowMs }
  const plans = state.plans.list.map(({ plan }) => plan)
  return planOrderChecks({ terms, planId, plans }, facts, checkContext(state, terms.symbol, nowMs))
}

/** The newest plan that these checks see; undefined where the limits let duplicates pass. */
export const newestPlan = ({ plans, limits }: PlanChecked, terms: PlanTerms): number | undefined =>
  newestChecked(
    terms,
    plans.list.map(({ plan }) => plan),
    limits,
  )

/** The order with which a resumed plan may trade at once, by the desk's market data; null for none. */
export const tradedAtOnce = (state: PlanChecked, plan: Plan): OrderDraft | null =>
  tradedOnResume(plan, factsOf(state, plan.terms.symbol))

/** The data for the words about a plan. */
export function outlookMarket(state: PlanChecked, symbol: string): OutlookMarket {
  const { price } = factsOf(state, symbol)
  const counter = state.instruments.value?.get(symbol)?.counter ?? 'USD'
  return {
    price: price.kind === 'known' ? price.price : null,
    usdRate: usdRateAlone(counter, state.balances.value ?? []),
    book: state.books.get(symbol)?.value ?? null,
    swaps: state.plans.swaps,
    isAtHub: isPlansAtHub(state),
  }
}
