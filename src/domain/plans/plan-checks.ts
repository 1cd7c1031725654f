import { type Bounds, type Limits, limitsFor } from '../limits.ts'
import { formatPrice, type Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { block, type Check, warn } from '../orders/checks/check.ts'
import { farStop, farTarget, joined } from '../orders/checks/limit-checks.ts'
import type { CheckContext } from '../orders/checks/pre-trade.ts'
import { stopLimitWarning } from '../orders/checks/rule-checks.ts'
import { opposite } from '../side.ts'
import { editComplaint } from './edit.ts'
import type { PlanFacts, PlanPrice } from './facts.ts'
import { alikePlanChecks, firstOrderChecks, worstOfEach } from './first-orders.ts'
import { type Plan, planNumber, sumsOf } from './plan.ts'
import { isBetween, type PlanTerms, termsComplaint } from './terms.ts'

/** What the legs of a plan are held to; the target where it is new. */
type LegMarket = { price: PlanPrice; instrument: Instrument; collar: Bounds<Decimal>; isTargetNew: boolean }

/**
 * Checks the legs against the market: whether one would trade as soon as it is sent. The stop of a bracket is no order
 * yet that the other checks would see, and is held to its entry: a digit too few protects nothing of what fills. A new
 * target is held to the same price: with a digit too many it is never reached.
 */
function legChecks(terms: PlanTerms, { price, instrument, collar, isTargetNew }: LegMarket): Check[] {
  if ((terms.kind !== 'oco' && terms.kind !== 'bracket') || price.kind !== 'known') return []
  const market = price.price
  const targetFrom = (from: Decimal, name: string) =>
    isTargetNew ? farTarget(terms.targetPrice, { price: from, name }, collar) : null
  if (terms.kind === 'oco') {
    const away = targetFrom(market, 'market')
    const isThrough = terms.side === 'SELL' ? market.gte(terms.targetPrice) : market.lte(terms.targetPrice)
    const text = `target trades at once: the market is at ${formatPrice(market, instrument)}`
    return [...(isThrough ? [warn('stop', text)] : []), ...(away === null ? [] : [away])]
  }
  const { stopPrice, stopLimit } = terms
  const warning = stopLimitWarning({ side: opposite(terms.side), stopPrice, limitPrice: stopLimit }, instrument)
  const checks = warning === null ? [] : [warning]
  const entry = terms.entryPrice ?? market
  const fillsAt = terms.side === 'BUY' ? Decimal.min(entry, market) : Decimal.max(entry, market)
  const far = farStop(stopPrice, { price: fillsAt, name: 'entry' }, collar)
  const away = targetFrom(fillsAt, 'entry')
  const both = far === null ? away : joined(far, away)
  if (isBetween(fillsAt, terms)) return both === null ? checks : [...checks, both]
  const at = formatPrice(fillsAt, instrument)
  return [block('stop', `the entry would fill at about ${at}, which is not between stop and target`), ...checks]
}

/** The results of orders and legs: of an entry and a stop that are both far each is told, not the entry alone. */
function besideLegs(checks: readonly Check[], legs: readonly Check[]): Check[] {
  const far = legs.find(({ rule }) => rule === 'collar') ?? null
  const isHeld = checks.some(({ rule }) => rule === 'collar')
  const others = isHeld ? legs.filter((leg) => leg !== far) : legs
  return [...checks.map((check) => (check.rule === 'collar' ? joined(check, far) : check)), ...others]
}

const targetOf = (terms: PlanTerms): Decimal | null => ('targetPrice' in terms ? terms.targetPrice : null)

/** The rest of a plan: for a bracket after its entry, only the legs. */
function stillToDo(terms: PlanTerms, plan: Plan): PlanTerms {
  if (terms.kind !== 'bracket' || !sumsOf(plan).entered.gt(0)) return terms
  const { entryPrice: _, side, ...legs } = terms
  return { ...legs, kind: 'oco', side: opposite(side) }
}

/** Rules applied only to the increase of a changed plan, because its own orders hold the rest and are intended. */
const ofTheGrowth: ReadonlySet<string> = new Set(['funds', 'duplicate'])

/** The terms to check, the plan they change (null for a new one), and all plans of the account. */
type Judged = { terms: PlanTerms; planId: string | null; plans: readonly Plan[] }

/**
 * All checks before a plan is made or changed: of its terms, and of its first orders as if a user sent them. Later
 * orders are checked by the same rules when they are due.
 */
export function planOrderChecks({ terms, planId, plans }: Judged, facts: PlanFacts, context: CheckContext): Check[] {
  const { instrument, price } = facts
  if (instrument === null) return [block('fields', `${terms.symbol} rules not loaded: wait`)]
  const plan = plans.find((each) => each.planId === planId)
  const complaint = plan === undefined ? termsComplaint(terms, instrument) : editComplaint(plan, terms, instrument)
  if (complaint !== null) return [block('fields', complaint.replace(/\.$/, ''))]
  // Orders sent by plans are not typing mistakes; similar plans are asked about instead.
  const ofPlans = new Set(plans.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)))
  const recentOrders = context.recentOrders.filter(({ clientOrderId }) => !ofPlans.has(clientOrderId))
  const { duplicateWithinMs: withinMs, collarPercent: collar } = limitsFor(context.limits, terms.symbol)
  const isTargetNew = plan === undefined || targetOf(plan.terms)?.eq(targetOf(terms) ?? 0) !== true
  const market = { price, instrument, collar, isTargetNew }
  const judge = (judged: PlanTerms) => firstOrderChecks(judged, facts, { ...context, recentOrders })
  if (plan === undefined) {
    const checks = besideLegs(judge(terms), legChecks(terms, market))
    const alike = alikePlanChecks(terms, plans, { nowMs: facts.nowMs, withinMs })
    return worstOfEach([...(alike.length === 0 ? checks : checks.filter(({ rule }) => rule !== 'duplicate')), ...alike])
  }
  const judged = stillToDo(terms, plan)
  const more = terms.quantity.minus(plan.terms.quantity)
  const grown = more.gt(0) ? judge({ ...terms, quantity: more }) : []
  return worstOfEach([
    ...besideLegs(
      judge(judged).filter(({ rule }) => !ofTheGrowth.has(rule)),
      legChecks(judged, market),
    ),
    ...grown.filter(({ rule }) => rule === 'funds'),
  ])
}

/** The newest plan that these checks see, for whoever begins one; undefined where the limits let duplicates pass. */
export function newestChecked({ symbol }: PlanTerms, plans: Iterable<Plan>, limits: Limits): number | undefined {
  if (limitsFor(limits, symbol).duplicateWithinMs === 0) return undefined
  return [...plans].reduce((newest, { planId }) => Math.max(newest, planNumber(planId)), 0)
}
