import type { PlanNow } from '../../src/domain/plans/news.ts'
import { begunPlan, type Plan, type PlanEvent, withPlanEvent } from '../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms } from '../../src/domain/plans/terms.ts'
import { type PlansState, reducePlans } from '../../src/store/plans/plans.ts'
import { amount } from './amounts.ts'
import { anInstrument } from './instruments.ts'

/** 2026-11-20 12:00:00 UTC. */
const begunAtMs = Date.UTC(2026, 10, 20, 12)

const legs = exitTerms(
  { stopPrice: amount('63000'), targetPrice: amount('66000') },
  'SELL',
  anInstrument({ tickSize: amount('0.5') }),
)
if (!legs.ok) throw new Error(legs.error)

/** Sells 0.05 BTC at a stop of 63,000 or a target of 66,000. */
export const ocoTerms: PlanTerms = {
  kind: 'oco',
  symbol: 'BTC-USD',
  side: 'SELL',
  quantity: amount('0.05'),
  ...legs.value,
}

/** What plans of a tenth of a BTC begin with; the legs of one that sells it, and one whose stop follows the price. */
export const tenth = { symbol: 'BTC-USD', quantity: amount('0.1') }
export const tenthLegs = {
  ...{ stopPrice: amount('63000'), stopLimit: null, targetPrice: amount('66000') },
  ...{ nearBy: amount('99'), backBy: amount('198') },
}
export const tenthTrailing: Extract<PlanTerms, { kind: 'trailing' }> = {
  ...{ ...tenth, kind: 'trailing', side: 'SELL', stopPrice: null },
  ...{ trailBy: amount('500'), stepBy: amount('50') },
}

/** A plan that has been through these, a minute after each other. */
export const planAfter = (
  planId: string,
  terms: PlanTerms,
  ...events: readonly Omit<PlanEvent, 'planId' | 'atMs'>[]
): Plan =>
  events.reduce<Plan>(
    (plan, event, at) => withPlanEvent(plan, { ...event, planId, atMs: begunAtMs + (at + 1) * 60_000 } as PlanEvent),
    begunPlan(planId, terms, begunAtMs),
  )

/** The stop of a plan, sent under this id. */
export const stopSent = (clientOrderId: string): Omit<Extract<PlanEvent, { event: 'sending' }>, 'planId' | 'atMs'> => ({
  event: 'sending',
  clientOrderId,
  role: 'stop',
  slice: null,
  draft: {
    symbol: 'BTC-USD',
    side: 'SELL',
    type: 'STOP',
    orderQuantity: amount('0.05'),
    limitPrice: null,
    stopPrice: amount('63000'),
    timeInForce: 'GTC',
    expireDate: null,
    minQuantity: null,
    postOnly: false,
  },
  replaces: null,
})

/** What was seen of an order: it works, unless said otherwise. */
export const seen = (clientOrderId: string, more: Partial<Extract<PlanEvent, { event: 'seen' }>>) => ({
  event: 'seen' as const,
  clientOrderId,
  orderId: '9912050',
  standing: 'working' as const,
  status: 'PENDING' as const,
  filled: amount('0'),
  quantity: null,
  reason: null,
  ...more,
})

const events = (id: string) => [stopSent(id), seen(id, {})]

/** Another order of a plan, a limit at 64,000 that was sent under this id. */
export const sent = (clientOrderId: string, role: 'entry' | 'slice', slice: number | null = null) => {
  const { draft, ...stop } = stopSent(clientOrderId)
  const limit = { side: 'BUY', type: 'LIMIT', limitPrice: amount('64000'), stopPrice: null } as const
  return { ...stop, role, slice, draft: { ...draft, ...limit, orderQuantity: amount('0.1') } }
}

/** A bracket whose entry rests, and has not filled. */
export const enteringPlan = (planId: string, clientOrderId: string): PlanNow => ({
  plan: planAfter(
    planId,
    { ...tenth, kind: 'bracket', side: 'BUY', entryPrice: amount('64000'), ...tenthLegs },
    ...[sent(clientOrderId, 'entry'), seen(clientOrderId, { status: 'OPEN' })],
  ),
  ...{ state: 'entering', why: 'The entry rests at 64,000.00', refused: null },
})

/** One that its stop protects. */
export const protectedPlan = (planId = 'p1', clientOrderId = 'own-stop'): PlanNow => ({
  plan: planAfter(planId, ocoTerms, ...events(clientOrderId)),
  state: 'protected',
  why: 'The stop rests at 63,000.00, the target waits for 65,901.00',
  refused: null,
})

/** One whose stop was taken back by hand: held, and bare since 12:03. */
export const heldPlan = (planId = 'p2'): PlanNow => ({
  plan: planAfter(
    planId,
    ocoTerms,
    ...events('gone-stop'),
    seen('gone-stop', { standing: 'ended', status: 'CANCELED' }),
  ),
  state: 'held',
  why: 'Held: the stop was canceled, and not by the plan. Resume or cancel it',
  refused: null,
})

/** A bracket whose market entry could not be placed when it was asked for: resumed, it buys at once. */
export const lateEntry = (planId = 'p3'): PlanNow => ({
  plan: planAfter(planId, { ...tenth, kind: 'bracket', side: 'BUY', entryPrice: null, ...tenthLegs }),
  state: 'held',
  why: 'Held: the entry could not be placed for 10 s. Resume or cancel it',
  refused: null,
})

/** Two plans of this desk. */
export const somePlans = (...list: readonly PlanNow[]): PlansState =>
  reducePlans({ type: 'plans', owner: 'desk', plans: list.length === 0 ? [protectedPlan(), heldPlan()] : list })
