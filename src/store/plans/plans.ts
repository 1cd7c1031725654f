import { err, type Result } from '../../base/result.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import { isBare, type PlanNow, swapLengths } from '../../domain/plans/news.ts'
import type { PlanOrder, PlanRole } from '../../domain/plans/plan.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { type AfterCancel, afterCancel, afterCancels } from '../../domain/plans/what-if.ts'

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

/** How many plans are held, end, or go on when these orders are canceled by hand; others lose nothing. */
export function plansAfterCancel(
  state: PlansSlice,
  clientOrderIds: readonly string[],
): Readonly<Record<AfterCancel, number>> {
  const { byOrder } = state.plans
  const counts = { holds: 0, ends: 0, goesOn: 0 }
  for (const planId of new Set(clientOrderIds.flatMap((id) => byOrder.get(id)?.planId ?? []))) {
    const now = planOf(state, planId)
    const isCanceled = (order: PlanOrder) => clientOrderIds.includes(order.clientOrderId)
    // An order that its plan takes for ended, and the desk for working, is a doubt: that is said as what is worse.
    counts[(now === undefined ? null : afterCancel(now.plan, isCanceled)) ?? 'holds'] += 1
  }
  return counts
}

const afterWords: Readonly<Record<AfterCancel, readonly [one: string, many: string]>> = {
  holds: [
    'holds until you resume or end it: what it protected may be bare',
    'hold until you resume or end them: what they protected may be bare',
  ],
  ends: ['ends: it has nothing to protect', 'end: they have nothing to protect'],
  goesOn: ['goes on with what has filled', 'go on with what has filled'],
}

/** What a cancel makes of plans, a sentence for each fate: those that end are told apart from those that do not. */
export const afterCancelTexts = (counts: Readonly<Record<AfterCancel, number>>): string[] =>
  afterCancels
    .filter((after) => counts[after] > 0)
    .map((after) => {
      const [one, many] = afterWords[after]
      return counts[after] === 1 ? `1 plan ${one}.` : `${counts[after]} plans ${many}.`
    })

const aloneWords: Readonly<Record<AfterCancel, string>> = {
  holds: 'By hand it holds the plan, and what it protected may be bare: cancel plan ends it.',
  ends: 'Without it the plan ends: it has nothing to protect.',
  goesOn: 'The plan goes on without it, with what has filled.',
}

/** What is said before an order of a plan is taken away by hand; null where it is nobody's. */
export function lostByHand(state: PlansSlice, clientOrderIds: readonly string[]): string | null {
  const names = plansOfOrders(state, clientOrderIds)
  if (names === null) return null
  const counts = plansAfterCancel(state, clientOrderIds)
  const [after] = afterCancels.filter((each) => counts[each] > 0)
  if (after === undefined || counts.holds + counts.ends + counts.goesOn > 1) return afterCancelTexts(counts).join(' ')
  const { length } = clientOrderIds.filter((id) => state.plans.byOrder.has(id))
  const ofMany = length === 1 ? 'One of them belongs' : `${length} of them belong`
  const which = clientOrderIds.length === 1 ? 'It belongs' : ofMany
  return `${which} to plan ${names}. ${aloneWords[after]}`
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
