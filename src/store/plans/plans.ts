import { err, type Result } from '../../base/result.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import { isBare, type PlanNow, swapLengths } from '../../domain/plans/news.ts'
import type { PlanRole } from '../../domain/plans/plan.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'

/**
 * Who carries plans out: this desk, a watch or another desk on this machine, the hub of the firm (which does not answer
 * just now), or nobody that this desk knows of.
 */
export type PlanOwner = 'desk' | 'watch' | 'otherDesk' | 'hub' | 'hubSilent' | 'nobody'

/** Which plan an order belongs to, and what it is for. */
export type PlanPart = { planId: string; role: PlanRole }

export type PlansState = {
  owner: PlanOwner
  /** What is said of plans that were kept here before there was a hub, and that nobody carries out; null: none. */
  left: string | null
  /** Every plan of the record, oldest first. */
  list: readonly PlanNow[]
  /** Orders of plans that have not ended, by client order id. */
  byOrder: ReadonlyMap<string, PlanPart>
  /** How long the moments between cancel and new order were. */
  swaps: ReturnType<typeof swapLengths>
}

export type PlansSlice = { plans: PlansState }

export const startPlans: PlansSlice = {
  plans: { owner: 'nobody', left: null, list: [], byOrder: new Map(), swaps: null },
}

/** The plans as they stand: from the runner of this desk, or from the record that a watch writes. */
export type PlansEvent = { type: 'plans'; owner: PlanOwner; plans: readonly PlanNow[]; left?: string | null }

/** The slice after an event. */
export function reducePlans({ owner, plans: list, left = null }: PlansEvent): PlansState {
  const parts = list.flatMap(({ plan }) =>
    plan.ended === null
      ? plan.orders.map(({ clientOrderId, role }) => [clientOrderId, { planId: plan.planId, role }] as const)
      : [],
  )
  return { owner, left, list, byOrder: new Map(parts), swaps: swapLengths(list.map(({ plan }) => plan)) }
}

/** Whether the hub of the firm carries plans out. */
export const isPlansAtHub = ({ plans: { owner } }: PlansSlice): boolean => owner === 'hub' || owner === 'hubSilent'

/** Those that have not come to their end. */
export const openPlans = ({ plans }: PlansSlice): readonly PlanNow[] =>
  plans.list.filter(({ plan }) => plan.ended === null)

/** The plan of this id; undefined where there is none. */
export const planOf = ({ plans }: PlansSlice, planId: string): PlanNow | undefined =>
  plans.list.find(({ plan }) => plan.planId === planId)

/** What of the open plans must be seen: how many, and how many of them are bare or held. */
export type PlanAlarm = { open: number; bare: number; held: number; bareSinceMs: number | null }

/** Times are by the wall clock. */
export function planAlarm(state: PlansSlice): PlanAlarm {
  const open = openPlans(state)
  const bare = open.filter(({ plan }) => isBare(plan))
  const since = bare.flatMap(({ plan }) => plan.bareSinceMs ?? [])
  return {
    open: open.length,
    bare: bare.length,
    held: open.filter((now) => now.state === 'held').length,
    bareSinceMs: since.length === 0 ? null : Math.min(...since),
  }
}

/** The plans that orders belong to, each once: `p1 (its stop), p2 (its target)`; null where they are none's. */
function plansOfOrders({ plans }: PlansSlice, clientOrderIds: readonly string[]): string | null {
  const parts = clientOrderIds.flatMap((id) => plans.byOrder.get(id) ?? [])
  const names = [...new Set(parts.map(({ planId, role }) => `${planId} (its ${role})`))]
  return names.length === 0 ? null : names.join(', ')
}

/** What is said before an order of a plan is taken away by hand; null where it is nobody's. */
export function heldByHand(state: PlansSlice, clientOrderIds: readonly string[]): string | null {
  const names = plansOfOrders(state, clientOrderIds)
  const owned = clientOrderIds.flatMap((id) => state.plans.byOrder.get(id)?.planId ?? [])
  const count = new Set(owned).size
  if (count > 1) return `${count} plans hold until you resume or end them: what they protected may be bare.`
  const ofMany = owned.length === 1 ? 'One of them belongs' : `${owned.length} of them belong`
  const which = clientOrderIds.length === 1 ? 'It belongs' : ofMany
  return names === null
    ? null
    : `${which} to plan ${names}. By hand it holds the plan, and what it protected may be bare: cancel plan ends it.`
}

/** What carries plans out, for the desk's commands. Promises reject for bugs only; an error is a whole sentence. */
export type PlansPort = {
  /** The value is the new plan's id, on disk by then. */
  add(terms: PlanTerms): Promise<Result<string>>
  cancel(planId: string, how: 'takeBack' | 'leave'): Promise<Result<null>>
  edit(planId: string, terms: PlanTerms): Promise<Result<null>>
  resume(planId: string): Promise<Result<null>>
}

const closed = 'Plans are not open here: nothing was done.'

/** The port of a desk on which no plan can run. */
export const closedPlans: PlansPort = {
  add: () => Promise.resolve(err(closed)),
  cancel: () => Promise.resolve(err(closed)),
  edit: () => Promise.resolve(err(closed)),
  resume: () => Promise.resolve(err(closed)),
}

/** A plan before it is made or changed: a person looks, confirms what asks, and sends. */
export type PlanReviewOverlay = {
  kind: 'planReview'
  terms: PlanTerms
  /** The plan that is changed; null for a new one. */
  planId: string | null
  openedAtMs: number
  confirmed: readonly CheckRule[]
  /** The first line on screen where not all have room; 0 unless given. */
  top?: number
}

/** Whether a plan is to end, and what becomes of its orders; `how` null: both are offered. */
export type PlanCancelOverlay = { kind: 'planCancel'; planId: string; how: 'takeBack' | 'leave' | null }

/** Whether a plan is to be resumed that may trade at once. */
export type PlanResumeOverlay = { kind: 'planResume'; planId: string; openedAtMs: number }

export type PlansOverlay = PlanReviewOverlay | PlanCancelOverlay | PlanResumeOverlay
