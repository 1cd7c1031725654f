import { block, type Check } from '../../domain/orders/checks/check.ts'
import { orderChecks } from '../../domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { type PlanFacts, readPrice } from '../../domain/plans/facts.ts'
import type { OutlookMarket } from '../../domain/plans/outlook.ts'
import { begunPlan } from '../../domain/plans/plan.ts'
import { decide } from '../../domain/plans/plan-table.ts'
import { type PlanTerms, termsComplaint } from '../../domain/plans/terms.ts'
import { usdRate } from '../../domain/usd-value.ts'
import { wallNow } from '../clock.ts'
import { type Checked, checkContext } from '../ticket/check-context.ts'
import type { PlansSlice } from './plans.ts'

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

/** The orders that a plan sends first: one, or all of a scale; a clause where none can be said. */
function firstDrafts(state: PlanChecked, terms: PlanTerms): readonly OrderDraft[] | string {
  const move = decide(begunPlan('p0', terms, 0), factsOf(state, terms.symbol))
  if (move.kind !== 'step' || move.step.do !== 'place') return move.kind === 'wait' ? move.why : 'it has nothing to do'
  const { draft } = move.step
  if (terms.kind !== 'scale') return [draft]
  return terms.slices.map(({ price, quantity }) => ({ ...draft, limitPrice: price, orderQuantity: quantity }))
}

const levels = ['ok', 'warn', 'ask', 'block'] as const

/** Of each rule the worst that it says of any of the orders; the first of those where several are as bad. */
function worstOfEach(checks: readonly Check[]): Check[] {
  const byRule = new Map<string, Check>()
  for (const check of checks) {
    const before = byRule.get(check.rule)
    if (before === undefined || levels.indexOf(check.level) > levels.indexOf(before.level))
      byRule.set(check.rule, check)
  }
  return [...byRule.values()]
}

/** What a sum of several orders is judged by, beside each of them. */
const ofTheWhole: ReadonlySet<string> = new Set(['funds', 'dayValue'])

/**
 * Every rule that a plan is held against before it is made: its own terms, and its first orders as if a person sent
 * them. What comes later is judged when it is due, by the same rules.
 */
export function planChecks(state: PlanChecked, terms: PlanTerms, nowMs: number = state.nowMs): Check[] {
  const context = checkContext(state, terms.symbol, nowMs)
  const rules = state.instruments.value?.get(terms.symbol)
  const complaint = rules === undefined ? `${terms.symbol} rules not loaded: wait` : termsComplaint(terms, rules)
  if (complaint !== null) return [block('fields', complaint.replace(/\.$/, ''))]
  const drafts = firstDrafts(state, terms)
  if (typeof drafts === 'string') return [block('market', drafts)]
  const checks = drafts.flatMap((draft) => orderChecks(draft, context))
  const [first] = drafts
  if (terms.kind !== 'scale' || first === undefined) return worstOfEach(checks)
  const notional = terms.slices.reduce(
    (sum, slice) => sum.plus(slice.price.times(slice.quantity)),
    first.orderQuantity.times(0),
  )
  const average = notional.div(terms.quantity)
  const whole = orderChecks({ ...first, orderQuantity: terms.quantity, limitPrice: average }, context)
  return worstOfEach([...checks, ...whole.filter(({ rule }) => ofTheWhole.has(rule))])
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
