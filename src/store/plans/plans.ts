import { err, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { Confirmed } from '../../domain/orders/checks/check.ts'
import { isBare, type PlanNow, swapLengths } from '../../domain/plans/news.ts'
import type { PlanOrder, PlanRole } from '../../domain/plans/plan.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { type AfterCancel, afterCancel, afterCancels } from '../../domain/plans/what-if.ts'
import type { ModeSlice } from '../mode.ts'

/**
 * The owner that runs the plans: this desk, a watch or another desk on this machine (`silent`: one of them that was
 * stopped or is stuck), the firm's hub (or one that does not answer now), or nobody known to this desk.
 */
export type PlanOwner = 'desk' | 'watch' | 'otherDesk' | 'silent' | 'hub' | 'hubSilent' | 'nobody'

/** The plan of an order, and its role there. */
export type PlanPart = { planId: string; role: PlanRole }

export type PlansState = {
  owner: PlanOwner
  /** The notice about plans saved here before there was a hub, which no process runs; null for none. */
  left: string | null
  /** Every plan of the record, oldest first. */
  list: readonly PlanNow[]
  /** Orders of plans that have not ended, by client order id. */
  byOrder: ReadonlyMap<string, PlanPart>
  /** The durations between cancel and new order. */
  swaps: ReturnType<typeof swapLengths>
}

export type PlansSlice = { plans: PlansState }

/** The plans, and as whom the hub knows this user. */
type OwnedPlans = PlansSlice & Pick<ModeSlice, 'hub'>

export const startPlans: PlansSlice = {
  plans: { owner: 'nobody', left: null, list: [], byOrder: new Map(), swaps: null },
}

/** The present plans: from this desk's runner, or from the record of a watch. */
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

/** True when the firm's hub runs the plans. */
export const isPlansAtHub = ({ plans: { owner } }: PlansSlice): boolean => owner === 'hub' || owner === 'hubSilent'

/** Plans that have not ended. */
export const openPlans = ({ plans }: PlansSlice): readonly PlanNow[] =>
  plans.list.filter(({ plan }) => plan.ended === null)

/** The plan with this id; undefined for none. */
export const planOf = ({ plans }: PlansSlice, planId: string): PlanNow | undefined =>
  plans.list.find(({ plan }) => plan.planId === planId)

/** Counts of open plans, and of bare and held ones, which need attention. */
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

/** The plans of orders, each once: `p1 (its stop), p2 (its target)`; null for none. */
function plansOfOrders({ plans }: PlansSlice, clientOrderIds: readonly string[]): string | null {
  const parts = clientOrderIds.flatMap((id) => plans.byOrder.get(id) ?? [])
  const names = [...new Set(parts.map(({ planId, role }) => `${planId} (its ${role})`))]
  return names.length === 0 ? null : names.join(', ')
}

/** Who alone changes, resumes or ends a plan of the firm; null for this user, and without a hub. */
export const ownerElsewhere = (state: OwnedPlans, { plan: { person } }: PlanNow): string | null =>
  state.hub === null || !isPlansAtHub(state) || person === state.hub.name ? null : plainText(person ?? 'the hub')

/** Whose plans are held, end, or go on once these orders are canceled by hand, null for own ones. */
function plansAfterCancel(
  state: OwnedPlans,
  clientOrderIds: readonly string[],
): Readonly<Record<AfterCancel, readonly (string | null)[]>> {
  const { byOrder } = state.plans
  const whose: Record<AfterCancel, (string | null)[]> = { holds: [], ends: [], goesOn: [] }
  for (const planId of new Set(clientOrderIds.flatMap((id) => byOrder.get(id)?.planId ?? []))) {
    const now = planOf(state, planId)
    const isCanceled = (order: PlanOrder) => clientOrderIds.includes(order.clientOrderId)
    // An order that its plan sees as ended and the desk as working is in doubt: the worse case counts.
    const after = (now === undefined ? null : afterCancel(now.plan, isCanceled)) ?? 'holds'
    whose[after].push(now === undefined ? null : ownerElsewhere(state, now))
  }
  return whose
}

const aloneWords: Readonly<Record<AfterCancel, string>> = {
  holds: 'By hand it holds the plan, and what it protected may be bare: cancel plan ends it.',
  ends: 'Without it the plan ends: it has nothing to protect.',
  goesOn: 'The plan goes on without it, with what has filled.',
}

/** Until when plans hold that were begun by these persons, null for this user. */
function heldUntil(whose: readonly (string | null)[]): string {
  const [first = null, another] = [...new Set(whose)]
  const it = whose.length === 1 ? 'it' : 'them'
  if (another !== undefined) return 'those who began them resume or end them'
  return first === null ? `you resume or end ${it}` : `${first} resumes or ends ${it}`
}

const afterWords: Readonly<Record<AfterCancel, (whose: readonly (string | null)[]) => string>> = {
  holds: (whose) =>
    whose.length === 1
      ? `1 plan holds until ${heldUntil(whose)}: what it protected may be bare.`
      : `${whose.length} plans hold until ${heldUntil(whose)}: what they protected may be bare.`,
  ends: ({ length }) =>
    length === 1 ? '1 plan ends: it has nothing to protect.' : `${length} plans end: they have nothing to protect.`,
  goesOn: ({ length }) =>
    length === 1 ? '1 plan goes on with what has filled.' : `${length} plans go on with what has filled.`,
}

/** The effect on plans of canceling these orders, one sentence each for held, ended and continuing ones. */
export function afterCancelTexts(state: OwnedPlans, clientOrderIds: readonly string[]): string[] {
  const whose = plansAfterCancel(state, clientOrderIds)
  return afterCancels.filter((after) => whose[after].length > 0).map((after) => afterWords[after](whose[after]))
}

/** The warning before a plan's order is canceled or moved by hand; null when it belongs to no plan. */
export function lostByHand(state: OwnedPlans, clientOrderIds: readonly string[]): string | null {
  const names = plansOfOrders(state, clientOrderIds)
  if (names === null) return null
  const whose = plansAfterCancel(state, clientOrderIds)
  const [after, another] = afterCancels.flatMap((each) => whose[each].map(() => each))
  if (after === undefined || another !== undefined) return afterCancelTexts(state, clientOrderIds).join(' ')
  const { length } = clientOrderIds.filter((id) => state.plans.byOrder.has(id))
  const ofMany = length === 1 ? 'One of them belongs' : `${length} of them belong`
  const which = clientOrderIds.length === 1 ? 'It belongs' : ofMany
  const [owner = null] = whose[after]
  const held = `By hand it holds the plan until ${owner} resumes or ends it: what it protected may be bare.`
  return `${which} to plan ${names}. ${after === 'holds' && owner !== null ? held : aloneWords[after]}`
}

/** The runner of plans, for the desk's commands. Promises reject for bugs only; an error is a whole sentence. */
export type PlansPort = {
  /** The value is the new plan's id, already on disk. `after`: the newest plan that its check for duplicates saw. */
  add(terms: PlanTerms, after?: number): Promise<Result<string>>
  cancel(planId: string, how: 'takeBack' | 'leave'): Promise<Result<null>>
  /** `seen`: the plan's terms as they were shown; it is refused where they no longer hold. */
  edit(planId: string, terms: PlanTerms, seen?: PlanTerms): Promise<Result<null>>
  resume(planId: string, seen?: PlanTerms): Promise<Result<null>>
}

const closed = 'Plans are not open here: nothing was done.'

/** The port of a desk that cannot run plans. */
export const closedPlans: PlansPort = {
  add: () => Promise.resolve(err(closed)),
  cancel: () => Promise.resolve(err(closed)),
  edit: () => Promise.resolve(err(closed)),
  resume: () => Promise.resolve(err(closed)),
}

/** A plan's review before it is made or changed: the user checks it, confirms, and sends. */
export type PlanReviewOverlay = {
  kind: 'planReview'
  terms: PlanTerms
  /** The plan that is changed; null for a new one. */
  planId: string | null
  /** The terms that it had as the review opened; none of a new one. */
  seen?: PlanTerms | undefined
  openedAtMs: number
  confirmed: readonly Confirmed[]
  /** The first visible line, if they do not all fit; 0 unless given. */
  top?: number
}

/** Asks whether to end a plan, and what to do with its orders; `how` null offers both. */
export type PlanCancelOverlay = { kind: 'planCancel'; planId: string; how: 'takeBack' | 'leave' | null }

/** Asks whether to resume a plan that may trade at once; `seen`: its terms as the question opened. */
export type PlanResumeOverlay = { kind: 'planResume'; planId: string; seen?: PlanTerms; openedAtMs: number }

export type PlansOverlay = PlanReviewOverlay | PlanCancelOverlay | PlanResumeOverlay
