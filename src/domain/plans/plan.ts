import { type Decimal, zero } from '../money.ts'
import type { OrderDraft, OrderStatus } from '../orders/order.ts'
import { exitSide, onlyProtects, type PlanTerms } from './terms.ts'

/** The role of a plan's order. */
export type PlanRole = 'entry' | 'stop' | 'target' | 'slice'
export const planRoles: readonly PlanRole[] = ['entry', 'stop', 'target', 'slice']

/**
 * The state of a plan's order. `sent`: recorded for sending, outcome unknown. `notPlaced`: certainly not at the
 * exchange.
 */
export type Standing = 'sent' | 'working' | 'ended' | 'notPlaced'
export const standings: readonly Standing[] = ['sent', 'working', 'ended', 'notPlaced']

/** An order that a plan has sent, or is about to send. */
export type PlanOrder = {
  clientOrderId: string
  /** The exchange's id; null until known. */
  orderId: string | null
  role: PlanRole
  /** The index of a scale's order. */
  slice: number | null
  /** The order as placed; for a replacement, only the part the replaced order had not filled. */
  draft: OrderDraft
  /** False for a replacement until its answer or the journal says how much was placed: at most its draft. */
  isQuantityKnown: boolean
  standing: Standing
  status: OrderStatus | null
  /** Filled so far; null when it ended and no report says how much it filled. */
  filled: Decimal | null
  /** Since when a cancel by the plan is pending; null when none is. */
  cancelingSinceMs: number | null
  /** Number of these cancels; 0 when none was sent, or the last one certainly had no effect. */
  cancelTries: number
  /** True when the plan itself ended it. */
  isOwnEnd: boolean
  /** The exchange's reason for its end or rejection, if given. */
  reason: string | null
  /** Its executions come to more than the report of its end: what it filled is for a person to look at. */
  isContradicted?: true | undefined
  /** The user was told that it ended without the plan's doing, and resumed. */
  isAcknowledged: boolean
  atMs: number
}

/** How a plan ended. */
export const planEndKinds = ['done', 'canceled', 'left', 'nothing'] as const
export type PlanEndKind = (typeof planEndKinds)[number]
export type PlanEnd = { how: PlanEndKind; why: string; atMs: number }

/** The last failure of orders of one role or of cancels, and the number of failures in a row. */
export type Trouble = { reason: string; count: number; atMs: number }

export type Plan = {
  /** Its name, `p12`, unique within an account. */
  planId: string
  /** The person who started it at a hub, in whose name its orders are sent; null for a desk's own plan. */
  person: string | null
  /** What the ids of its orders are made of, known to its record alone; null where an earlier version began it. */
  seed: string | null
  terms: PlanTerms
  /** Wall clock time, like all times of a plan. */
  atMs: number
  /** Since when its entry, or the next order of a scale, is due: a person asked for it, or the one before rests. */
  dueSinceMs: number
  orders: readonly PlanOrder[]
  /** The user's request to end it: by canceling its orders, or leaving them. */
  cancel: 'takeBack' | 'leave' | null
  troubles: Readonly<Partial<Record<PlanRole | 'cancel', Trouble>>>
  /** Why it must wait for the user, as a sentence; null when nothing is odd. */
  hold: string | null
  ended: PlanEnd | null
  /** What blocks the next step, as last recorded by the process that runs it; null when nothing does. */
  said: { why: string; refused: string } | null
  /** Since when it is not certain that stops rest for everything to protect; null while it is. */
  uncoveredSinceMs: number | null
  /** Since when it is not certain that a leg rests for everything to protect, a target too; null while it is. */
  bareSinceMs: number | null
  /** Duration, in ms, of each swap in which no leg was certain to rest: from before the cancel to the answer. */
  swaps: readonly number[]
}

/**
 * The person of a request at a hub. `askedAs` is their own id for a new plan; `countedUsd` is what it counts towards
 * their daily limit.
 */
export type PlanAsker = { person: string; askedAs?: string | undefined; countedUsd?: Decimal | undefined }

/**
 * The lines of a plan's record. `sending` and `canceling` are on disk before anything is sent; a plan is built from its
 * lines only.
 */
export type PlanEvent = { planId: string; atMs: number } & (
  | { event: 'begun'; terms: PlanTerms; by?: PlanAsker | undefined; seed?: string | undefined }
  /** `replaces`: the client order id of the order canceled for it in the same move. */
  | {
      event: 'sending'
      clientOrderId: string
      role: PlanRole
      slice: number | null
      draft: OrderDraft
      replaces: string | null
    }
  | { event: 'canceling'; clientOrderId: string }
  /** A cancel without effect: the order still rests. */
  | { event: 'notCanceled'; clientOrderId: string; reason: string }
  /**
   * A report of an order. `quantity`: the quantity it was placed with, if not as in `sending`; always given for a
   * replacement, unless its standing stays `sent`.
   */
  | {
      event: 'seen'
      clientOrderId: string
      orderId: string | null
      standing: Standing
      status: OrderStatus | null
      filled: Decimal | null
      quantity: Decimal | null
      reason: string | null
      isContradicted?: true | undefined
    }
  | { event: 'swapped'; tookMs: number }
  | { event: 'edited'; terms: PlanTerms; by?: PlanAsker | undefined }
  | { event: 'cancelAsked'; how: 'takeBack' | 'leave'; by?: PlanAsker | undefined }
  /** The user has checked the plan, and it continues. */
  | { event: 'resumed'; by?: PlanAsker | undefined }
  | { event: 'held'; why: string }
  /** What it waits for, for other processes that display it. */
  | { event: 'said'; why: string; refused: string | null }
  | { event: 'ended'; how: PlanEndKind; why: string }
)

export type SeenEvent = Extract<PlanEvent, { event: 'seen' }>

/** The number of a plan such as `p12`. Numbers only grow, and none is reused. */
export const planNumber = (planId: string): number => Number.parseInt(planId.slice(1), 10)

/** Requests to the process that runs the plans. */
export type PlanRequest =
  /** `after`: the number of the newest plan that its check for duplicates saw; left out where duplicates may be. */
  | { ask: 'add'; terms: PlanTerms; after?: number | undefined }
  | { ask: 'cancel'; planId: string; how: 'takeBack' | 'leave' }
  /** `seen`: the plan's terms as whoever asks was shown them; older processes leave it out. */
  | { ask: 'edit'; planId: string; terms: PlanTerms; seen?: PlanTerms | undefined }
  | { ask: 'resume'; planId: string; seen?: PlanTerms | undefined }

/** The terms of plans' orders by client order id; the exchange's reports omit those of stops. */
export const draftsOf = (plans: Iterable<Plan>): Map<string, OrderDraft> =>
  new Map([...plans].flatMap(({ orders }) => orders.map(({ clientOrderId, draft }) => [clientOrderId, draft] as const)))

/** Number of swap durations kept, enough for a median. */
const swapsMax = 100

/** Ended plans are kept until there are twice this many; then the newest of this many. */
const endedKept = 100

/** A plan that has ended. */
export type EndedPlan = Plan & { ended: PlanEnd }

const hasEnded = (plan: Plan): plan is EndedPlan => plan.ended !== null

/** Plans to remove from the record because enough newer ones have ended: none, or many at once. */
export function outdated(plans: Iterable<Plan>): EndedPlan[] {
  const ended = [...plans].filter(hasEnded)
  if (ended.length <= 2 * endedKept) return []
  return ended.toSorted((left, right) => left.ended.atMs - right.ended.atMs).slice(0, ended.length - endedKept)
}

/** Creates a plan from its first line. */
export const begunPlan = (
  planId: string,
  terms: PlanTerms,
  atMs: number,
  { person = null, seed = null }: { person?: string | null | undefined; seed?: string | null | undefined } = {},
): Plan => ({
  planId,
  person,
  seed,
  terms,
  atMs,
  dueSinceMs: atMs,
  orders: [],
  cancel: null,
  troubles: {},
  hold: null,
  ended: null,
  said: null,
  uncoveredSinceMs: onlyProtects(terms) ? atMs : null,
  bareSinceMs: onlyProtects(terms) ? atMs : null,
  swaps: [],
})

/** Applies a line of the record to a plan; lines of other plans change nothing. */
export function withPlanEvent(plan: Plan, event: PlanEvent): Plan {
  const after = changed(plan, event)
  const { left, stopped, certain } = sumsOf(after)
  return {
    ...after,
    uncoveredSinceMs: left.lte(stopped) ? null : (after.uncoveredSinceMs ?? event.atMs),
    bareSinceMs: left.lte(certain) ? null : (after.bareSinceMs ?? event.atMs),
  }
}

function changed(plan: Plan, event: PlanEvent): Plan {
  switch (event.event) {
    case 'begun':
      return plan
    case 'sending':
      return withSending(plan, event)
    case 'canceling':
      return withOrder(plan, event.clientOrderId, (order) => withCancel(order, event.atMs))
    case 'notCanceled':
      return withTrouble(
        withOrder(plan, event.clientOrderId, (order) => ({ ...order, cancelingSinceMs: null, cancelTries: 0 })),
        'cancel',
        event,
      )
    case 'seen':
      return withSeen(plan, event)
    case 'swapped':
      return { ...plan, swaps: [...plan.swaps, event.tookMs].slice(-swapsMax) }
    case 'edited':
      return { ...plan, terms: event.terms, troubles: {}, dueSinceMs: event.atMs }
    case 'cancelAsked':
      return { ...plan, cancel: event.how }
    case 'resumed':
      return {
        ...plan,
        hold: null,
        troubles: {},
        dueSinceMs: event.atMs,
        orders: plan.orders.map((order) => (needsWord(order) ? { ...order, isAcknowledged: true } : order)),
      }
    case 'held':
      return { ...plan, hold: event.why }
    case 'said':
      return { ...plan, said: event.refused === null ? null : { why: event.why, refused: event.refused } }
    case 'ended':
      return { ...plan, ended: { how: event.how, why: event.why, atMs: event.atMs } }
  }
}

const withCancel = (order: PlanOrder, atMs: number): PlanOrder => ({
  ...order,
  cancelingSinceMs: atMs,
  cancelTries: order.cancelTries + 1,
})

function withSending(plan: Plan, event: Extract<PlanEvent, { event: 'sending' }>): Plan {
  const { clientOrderId, role, slice, draft, replaces, atMs } = event
  const order: PlanOrder = {
    clientOrderId,
    orderId: null,
    role,
    slice,
    draft,
    isQuantityKnown: replaces === null,
    standing: 'sent',
    status: null,
    filled: zero,
    cancelingSinceMs: null,
    cancelTries: 0,
    isOwnEnd: false,
    reason: null,
    isAcknowledged: false,
    atMs,
  }
  const orders = plan.orders.map((each) =>
    each.clientOrderId === replaces && each.standing === 'working' ? withCancel(each, atMs) : each,
  )
  // One that was given up and is there after all, sent from another copy of the record, stands there once.
  return { ...plan, orders: [...orders.filter((each) => each.clientOrderId !== clientOrderId), order] }
}

const withOrder = (plan: Plan, clientOrderId: string, change: (order: PlanOrder) => PlanOrder): Plan => ({
  ...plan,
  orders: plan.orders.map((order) => (order.clientOrderId === clientOrderId ? change(order) : order)),
})

const withTrouble = (
  plan: Plan,
  of: PlanRole | 'cancel',
  { reason, atMs }: { reason: string; atMs: number },
): Plan => ({
  ...plan,
  troubles: { ...plan.troubles, [of]: { reason, count: (plan.troubles[of]?.count ?? 0) + 1, atMs } },
})

const withoutTrouble = (plan: Plan, of: PlanRole | 'cancel'): Plan => {
  const { [of]: _gone, ...troubles } = plan.troubles
  return { ...plan, troubles }
}

function withSeen(plan: Plan, event: SeenEvent): Plan {
  const before = plan.orders.find(({ clientOrderId }) => clientOrderId === event.clientOrderId)
  if (before === undefined) return plan
  const { orderId, standing, status, filled, quantity, reason, isContradicted, atMs } = event
  const isEnd = standing === 'ended' && before.standing !== 'ended'
  const after = withOrder(plan, before.clientOrderId, (order) => ({
    ...order,
    orderId: orderId ?? order.orderId,
    standing,
    status,
    filled,
    reason,
    isContradicted,
    draft: quantity === null ? order.draft : { ...order.draft, orderQuantity: quantity },
    isQuantityKnown: order.isQuantityKnown || quantity !== null || standing === 'working',
    cancelingSinceMs: standing === 'working' ? order.cancelingSinceMs : null,
    isOwnEnd: isEnd ? order.cancelingSinceMs !== null : order.isOwnEnd,
  }))
  const { role } = before
  const isAsked = before.cancelingSinceMs !== null
  // The retry pause counts from sending, so an order that was looked up all that time is placed again at once.
  if (standing === 'notPlaced' && before.standing === 'sent')
    return withTrouble(after, role, { reason: reason ?? 'it was not placed', atMs: before.atMs })
  // An order the exchange ended by itself would end again at once.
  if (isEnd && !isAsked && status !== 'FILLED')
    return withTrouble(after, role, { reason: reason ?? `it was ${status ?? 'ended'}`, atMs })
  const rests = standing === 'working' || status === 'FILLED'
  const next = role === 'slice' && before.standing === 'sent' && rests ? { ...after, dueSinceMs: atMs } : after
  const calm = rests ? withoutTrouble(next, role) : next
  return isEnd && isAsked ? withoutTrouble(calm, 'cancel') : calm
}

/** True for an order that ended for no reason known to the plan and waits for the user. */
export function needsWord(order: PlanOrder): boolean {
  if (order.isAcknowledged) return false
  if (isFillUnknown(order)) return true
  switch (order.role) {
    case 'stop':
    case 'target':
      return isTakenBack(order)
    case 'slice':
      return isTakenBack(order) || isRefused(order) || isEndedByExchange(order)
    // Without it the plan only protects what it has filled.
    case 'entry':
      return false
  }
}

/** True for an order that ended while no report says how much it filled, unless a user has taken that as none. */
export const isFillUnknown = ({ standing, filled, isAcknowledged }: PlanOrder): boolean =>
  standing === 'ended' && filled === null && !isAcknowledged

/** Reasons by which exchanges say that the market ended an order, not a person: no counterparty, or no funds. */
const marketEnd = /liquidity|self.?match|insufficient|balance/i

/**
 * True for an order canceled by hand: not by the plan, unless the exchange gives the market as the reason, or it was a
 * triggered stop without a limit, which never rests. In doubt a person is assumed: the plan holds and reports what is
 * unprotected.
 */
export const isTakenBack = ({ standing, status, isOwnEnd, reason, role, filled, draft }: PlanOrder): boolean =>
  standing === 'ended' &&
  status === 'CANCELED' &&
  !isOwnEnd &&
  !(reason !== null && marketEnd.test(reason)) &&
  !(role === 'stop' && draft.limitPrice === null && filled?.gt(0) === true)

/**
 * True for a stop with a limit that has triggered and rests at it: while the market is beyond, it protects nothing. An
 * exchange reports a stop as PENDING until then.
 */
export const isTriggered = ({ standing, status, role, draft }: PlanOrder): boolean =>
  standing === 'working' &&
  role === 'stop' &&
  draft.limitPrice !== null &&
  (status === 'OPEN' || status === 'PART_FILLED')

/** True when the exchange rejected it; an order never sent was not rejected. */
export const isRefused = ({ standing, status }: PlanOrder): boolean => standing === 'notPlaced' && status === 'REJECTED'

const isEndedByExchange = ({ standing, status, isOwnEnd }: PlanOrder): boolean =>
  standing === 'ended' && status !== 'FILLED' && !isOwnEnd

/** True while an order may still trade, as far as known. */
export const isLive = ({ standing }: PlanOrder): boolean => standing === 'sent' || standing === 'working'

const isCertain = (order: PlanOrder): boolean =>
  order.standing === 'working' && order.cancelingSinceMs === null && !isTriggered(order)

/** The most that these orders can still fill together. */
export const openIn = (orders: readonly PlanOrder[]): Decimal =>
  orders.reduce((sum, order) => sum.plus(openOf(order)), zero)

/** The maximum quantity an order can still fill. */
export const openOf = (order: PlanOrder): Decimal =>
  isLive(order) ? order.draft.orderQuantity.minus(order.filled ?? zero) : zero

/** The quantities of a plan, in the base currency. */
export type PlanSums = {
  /** The total to protect: filled by the entry, or given. For a scale, its fills. */
  entered: Decimal
  exited: Decimal
  /** Still to protect: entered minus exited. */
  left: Decimal
  /** Open in stops and targets; never more than `left`. */
  covered: Decimal
  /** Open in legs that certainly rest and protect: no cancel pending, outcome known, no limit of a triggered stop. */
  certain: Decimal
  /** The part of that in stops. */
  stopped: Decimal
  /** True while part of it is covered by a target only, without a resting stop. */
  isAtTarget: boolean
}

/** A plan's quantities. Unknown fills count as none; callers that depend on them look them up first. */
export function sumsOf(plan: Plan): PlanSums {
  const filledOf = (isOf: (role: PlanRole) => boolean) =>
    plan.orders.reduce((sum, order) => (isOf(order.role) ? sum.plus(order.filled ?? zero) : sum), zero)
  const { terms } = plan
  const isExit = (role: PlanRole) => role === 'stop' || role === 'target'
  const exited = filledOf(isExit)
  const entered = onlyProtects(terms) ? terms.quantity : filledOf((role) => !isExit(role))
  const exits = plan.orders.filter(({ role }) => isExit(role))
  return {
    entered,
    exited,
    left: exitSide(terms) === null ? zero : entered.minus(exited),
    covered: openIn(exits),
    certain: openIn(exits.filter(isCertain)),
    stopped: openIn(exits.filter((order) => order.role === 'stop' && isCertain(order))),
    isAtTarget: exits.some((order) => order.role === 'target' && isLive(order)),
  }
}

/** The uncovered quantity; below zero when more rests than is left. */
export const uncoveredOf = ({ left, covered }: PlanSums): Decimal => left.minus(covered)
