import { formatPrice, type Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { block, type Check, warn } from '../orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../orders/checks/pre-trade.ts'
import type { OrderDraft } from '../orders/order.ts'
import type { PlanFacts } from './facts.ts'
import { begunPlan, type Plan, sumsOf } from './plan.ts'
import { decide } from './plan-table.ts'
import { exitSide, isBetween, type PlanTerms, termsComplaint } from './terms.ts'

/** The orders that a plan sends first: one, or all of a scale; a clause where none can be said. */
function firstDrafts(terms: PlanTerms, facts: PlanFacts): readonly OrderDraft[] | string {
  const move = decide(begunPlan('p0', terms, 0), facts)
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

function draftChecks(terms: PlanTerms, drafts: readonly OrderDraft[], context: CheckContext): Check[] {
  const checks = drafts.flatMap((draft) => orderChecks(draft, context))
  const [first] = drafts
  if (terms.kind !== 'scale' || first === undefined) return checks
  const notional = terms.slices.reduce(
    (sum, slice) => sum.plus(slice.price.times(slice.quantity)),
    first.orderQuantity.times(0),
  )
  const whole = { ...first, orderQuantity: terms.quantity, limitPrice: notional.div(terms.quantity) }
  return [...checks, ...orderChecks(whole, context).filter(({ rule }) => ofTheWhole.has(rule))]
}

/** What the legs say against the market as it is: what would trade the moment that it is sent. */
function legChecks(terms: PlanTerms, { price, instrument }: Pick<PlanFacts, 'price' | 'instrument'>): Check[] {
  if ((terms.kind !== 'oco' && terms.kind !== 'bracket') || price.kind !== 'known' || instrument === null) return []
  const market = price.price
  const checks = terms.kind === 'bracket' ? limitChecks(terms, instrument) : []
  if (terms.kind === 'oco') {
    const isThrough = terms.side === 'SELL' ? market.gte(terms.targetPrice) : market.lte(terms.targetPrice)
    const text = `target trades at once: the market is at ${formatPrice(market, instrument)}`
    return isThrough ? [warn('stop', text), ...checks] : checks
  }
  const entry = terms.entryPrice ?? market
  const fillsAt = terms.side === 'BUY' ? Decimal.min(entry, market) : Decimal.max(entry, market)
  if (isBetween(fillsAt, terms)) return checks
  const at = formatPrice(fillsAt, instrument)
  return [block('stop', `the entry would fill at about ${at}, which is not between stop and target`), ...checks]
}

/** A limit that the price has passed once the stop triggers, as every stop order is warned of. */
function limitChecks(terms: PlanTerms & { kind: 'bracket' }, instrument: Instrument): Check[] {
  const { stopPrice, stopLimit } = terms
  const isBuy = exitSide(terms) === 'BUY'
  if (stopLimit === null || (isBuy ? stopLimit.gte(stopPrice) : stopLimit.lte(stopPrice))) return []
  const bound = isBuy ? 'or more' : 'or less'
  return [warn('stop', `limit may not fill once triggered: ${formatPrice(stopPrice, instrument)} ${bound} would`)]
}

/** What a plan still does: of a bracket that has entered only the legs. */
function stillToDo(terms: PlanTerms, plan: Plan): PlanTerms {
  if (terms.kind !== 'bracket' || !sumsOf(plan).entered.gt(0)) return terms
  const { entryPrice: _, side: __, ...legs } = terms
  return { ...legs, kind: 'oco', side: exitSide(terms) ?? terms.side }
}

/** Judged of what a changed plan asks for beyond what it has: its own orders hold the rest, and are no slip. */
const ofTheGrowth: ReadonlySet<string> = new Set(['funds', 'duplicate'])

/**
 * Every rule that a plan is held against before it is made or changed: its own terms, and its first orders as if a
 * person sent them. What comes later is judged when it is due, by the same rules. `plan`: the one that is changed, null
 * for a new one.
 */
export function planOrderChecks(
  { terms, plan }: { terms: PlanTerms; plan: Plan | null },
  facts: PlanFacts,
  context: CheckContext,
): Check[] {
  const { instrument } = facts
  const complaint = instrument === null ? `${terms.symbol} rules not loaded: wait` : termsComplaint(terms, instrument)
  if (complaint !== null) return [block('fields', complaint.replace(/\.$/, ''))]
  const judged = plan === null ? terms : stillToDo(terms, plan)
  const drafts = firstDrafts(judged, facts)
  if (typeof drafts === 'string') return [block('market', drafts)]
  const checks = [...draftChecks(judged, drafts, context), ...legChecks(judged, facts)]
  if (plan === null) return worstOfEach(checks)
  const more = terms.quantity.minus(plan.terms.quantity)
  const grown = more.gt(0) ? drafts.map((draft) => ({ ...draft, orderQuantity: more })) : []
  return worstOfEach([
    ...checks.filter(({ rule }) => !ofTheGrowth.has(rule)),
    ...draftChecks(judged, grown, context).filter(({ rule }) => rule === 'funds'),
  ])
}
