import { type Decimal, sameAmount, zero } from '../money.ts'
import { isStopType, isWorking, type Order, type OrderDraft, type OrderStatus } from '../orders/order.ts'
import { exitSide, type PlanTerms } from './terms.ts'

/** What an order of a plan is for. */
export type PlanRole = 'entry' | 'stop' | 'target' | 'slice'
export const planRoles: readonly PlanRole[] = ['entry', 'stop', 'target', 'slice']

/**
 * What is known of an order of a plan. `sent`: written down to be sent, and nothing certain of what became of it.
 * `notPlaced`: certain not to be there.
 */
export type Standing = 'sent' | 'working' | 'ended' | 'notPlaced'
export const standings: readonly Standing[] = ['sent', 'working', 'ended', 'notPlaced']

/** An order that a plan has sent, or is about to. */
export type PlanOrder = {
  clientOrderId: string
  /** The exchange's own; null until it is known. */
  orderId: string | null
  role: PlanRole
  /** Of a scale: which of its orders it is. */
  slice: number | null
  /** What it was placed with: of one that took another's place only what that had not filled. */
  draft: OrderDraft
  standing: Standing
  status: OrderStatus | null
  /** Filled so far; null: it ended, and no report says how much of it had filled. */
  filled: Decimal | null
  /** Since when the plan has asked for its end, and has not seen it; null where it has not. */
  cancelingSinceMs: number | null
  /** How often it has asked for that end; 0 where it has not, or where that is certain to have had no effect. */
  cancelTries: number
  /** Whether the plan asked for the end that it came to. */
  isOwnEnd: boolean
  /** Why the exchange ended or refused it, where it says so. */
  reason: string | null
  /** A person was told that it ended by no doing of the plan, and said to go on. */
  isAcknowledged: boolean
  atMs: number
}

/** How a plan came to its end. */
export const planEndKinds = ['done', 'canceled', 'left', 'nothing'] as const
export type PlanEndKind = (typeof planEndKinds)[number]
export type PlanEnd = { how: PlanEndKind; why: string; atMs: number }

/** What failed last, and how often in a row, for orders of one role or for cancels. */
export type Trouble = { reason: string; count: number; atMs: number }

export type Plan = {
  /** What a person calls it: `p12`. Never used twice in an account. */
  planId: string
  /** Who began it at a hub, in whose name its orders go; null for one of a desk's own. */
  person: string | null
  terms: PlanTerms
  /** By the wall clock, like all times of a plan. */
  atMs: number
  orders: readonly PlanOrder[]
  /** A person wants it to end: with its orders taken back, or with them left where they are. */
  cancel: 'takeBack' | 'leave' | null
  troubles: Readonly<Partial<Record<PlanRole | 'cancel', Trouble>>>
  /** Why it must not go on before a person has looked, as a sentence; null where nothing is odd. */
  hold: string | null
  ended: PlanEnd | null
  /** What stops the step that is due, as whoever runs it said last; null where nothing does. */
  said: { why: string; refused: string } | null
  /** Since when no stop is certain to rest for something that it is to protect; null while one is for all of it. */
  uncoveredSinceMs: number | null
  /** How long neither leg was certain to rest at each swap: from before the cancel to the answer, in ms. */
  swaps: readonly number[]
}

/**
 * Who asked for something at a hub. `askedAs`: the id that they chose for what they began; `countedUsd`: what it counts
 * of their day.
 */
export type PlanAsker = { person: string; askedAs?: string | undefined; countedUsd?: Decimal | undefined }

/**
 * What the record of a plan holds, line by line. `sending` and `canceling` are on disk before anything leaves; a plan
 * is nothing but what its lines make of it.
 */
export type PlanEvent = { planId: string; atMs: number } & (
  | { event: 'begun'; terms: PlanTerms; by?: PlanAsker | undefined }
  /** `replaces`: the client order id of the order that is canceled for it, in one move. */
  | {
      event: 'sending'
      clientOrderId: string
      role: PlanRole
      slice: number | null
      draft: OrderDraft
      replaces: string | null
    }
  | { event: 'canceling'; clientOrderId: string }
  /** A cancel that had no effect: the order rests on. */
  | { event: 'notCanceled'; clientOrderId: string; reason: string }
  /** What was seen of an order. `quantity`: what it was placed with, where that is not what `sending` says. */
  | {
      event: 'seen'
      clientOrderId: string
      orderId: string | null
      standing: Standing
      status: OrderStatus | null
      filled: Decimal | null
      quantity: Decimal | null
      reason: string | null
    }
  | { event: 'swapped'; tookMs: number }
  | { event: 'edited'; terms: PlanTerms; by?: PlanAsker | undefined }
  | { event: 'cancelAsked'; how: 'takeBack' | 'leave'; by?: PlanAsker | undefined }
  /** A person has looked, and the plan goes on. */
  | { event: 'resumed'; by?: PlanAsker | undefined }
  | { event: 'held'; why: string }
  /** What it waits for, for whoever shows a plan that another process runs. */
  | { event: 'said'; why: string; refused: string | null }
  | { event: 'ended'; how: PlanEndKind; why: string }
)

/** What may be asked of whoever runs the plans. */
export type PlanRequest =
  | { ask: 'add'; terms: PlanTerms }
  | { ask: 'cancel'; planId: string; how: 'takeBack' | 'leave' }
  | { ask: 'edit'; planId: string; terms: PlanTerms }
  | { ask: 'resume'; planId: string }

/** What the orders of plans asked for, by client order id: of a stop no report of the exchange tells that. */
export const draftsOf = (plans: Iterable<Plan>): Map<string, OrderDraft> =>
  new Map([...plans].flatMap(({ orders }) => orders.map(({ clientOrderId, draft }) => [clientOrderId, draft] as const)))

/** Lengths of swaps that are kept: enough for a median, little enough to be shown. */
const swapsMost = 100

/** Plans that have ended stay on record and in the list up to twice this many; then the newest of this many do. */
const endedKept = 100

/** A plan that has ended. */
export type EndedPlan = Plan & { ended: PlanEnd }

const hasEnded = (plan: Plan): plan is EndedPlan => plan.ended !== null

/** Plans that are to leave the record, because enough newer ones have ended since: none, or many at once. */
export function outdated(plans: Iterable<Plan>): EndedPlan[] {
  const ended = [...plans].filter(hasEnded)
  if (ended.length <= 2 * endedKept) return []
  return ended.toSorted((left, right) => left.ended.atMs - right.ended.atMs).slice(0, ended.length - endedKept)
}

/** A plan as its first line makes it. */
export const begunPlan = (planId: string, terms: PlanTerms, atMs: number, person: string | null = null): Plan => ({
  planId,
  person,
  terms,
  atMs,
  orders: [],
  cancel: null,
  troubles: {},
  hold: null,
  ended: null,
  said: null,
  uncoveredSinceMs: terms.kind === 'oco' || terms.kind === 'trailing' ? atMs : null,
  swaps: [],
})

/** The plan after one more line of its record; it says nothing of another plan's, and of one that has no beginning. */
export function withPlanEvent(plan: Plan, event: PlanEvent): Plan {
  const after = changed(plan, event)
  const { left, stopped } = sumsOf(after)
  return { ...after, uncoveredSinceMs: left.lte(stopped) ? null : (after.uncoveredSinceMs ?? event.atMs) }
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
      return { ...plan, swaps: [...plan.swaps, event.tookMs].slice(-swapsMost) }
    case 'edited':
      return { ...plan, terms: event.terms, troubles: {} }
    case 'cancelAsked':
      return { ...plan, cancel: event.how }
    case 'resumed':
      return {
        ...plan,
        hold: null,
        troubles: {},
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
  return { ...plan, orders: [...orders, order] }
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

function withSeen(plan: Plan, event: Extract<PlanEvent, { event: 'seen' }>): Plan {
  const before = plan.orders.find(({ clientOrderId }) => clientOrderId === event.clientOrderId)
  if (before === undefined) return plan
  const { orderId, standing, status, filled, quantity, reason, atMs } = event
  const isEnd = standing === 'ended' && before.standing !== 'ended'
  const after = withOrder(plan, before.clientOrderId, (order) => ({
    ...order,
    orderId: orderId ?? order.orderId,
    standing,
    status,
    filled,
    reason,
    draft: quantity === null ? order.draft : { ...order.draft, orderQuantity: quantity },
    cancelingSinceMs: standing === 'working' ? order.cancelingSinceMs : null,
    isOwnEnd: isEnd ? order.cancelingSinceMs !== null : order.isOwnEnd,
  }))
  const { role } = before
  const isAsked = before.cancelingSinceMs !== null
  // The pause after it counts from when it was sent: what was looked for all that time is placed again at once.
  if (standing === 'notPlaced' && before.standing === 'sent')
    return withTrouble(after, role, { reason: reason ?? 'it was not placed', atMs: before.atMs })
  // What the exchange ended by itself would end so again at once.
  if (isEnd && !isAsked && status !== 'FILLED')
    return withTrouble(after, role, { reason: reason ?? `it was ${status ?? 'ended'}`, atMs })
  const calm = standing === 'working' || status === 'FILLED' ? withoutTrouble(after, role) : after
  return isEnd && isAsked ? withoutTrouble(calm, 'cancel') : calm
}

/** An order that ended by nobody's doing that the plan knows of: it waits for a person's word. */
export function needsWord(order: PlanOrder): boolean {
  if (order.isAcknowledged) return false
  if (order.standing === 'ended' && order.filled === null) return true
  switch (order.role) {
    case 'stop':
    case 'target':
      return isTakenBack(order)
    case 'slice':
      return isTakenBack(order) || isRefused(order) || isEndedByExchange(order)
    // Without it the plan protects what it has filled, and that is all.
    case 'entry':
      return false
  }
}

/** How exchanges say that the market, and no person, ended an order: nobody to trade with, or nothing to pay with. */
const marketEnd = /liquidity|self.?match|insufficient|balance/i

/**
 * Canceled, and not by the plan: by hand, unless the exchange names the market as the reason, or it was a stop that had
 * been set off. In doubt it was a person, whose will counts: the plan holds and says what is bare.
 */
export const isTakenBack = ({ standing, status, isOwnEnd, reason, role, filled }: PlanOrder): boolean =>
  standing === 'ended' &&
  status === 'CANCELED' &&
  !isOwnEnd &&
  !(reason !== null && marketEnd.test(reason)) &&
  !(role === 'stop' && filled?.gt(0) === true)

/** The exchange said no to it; what never left is not a refusal. */
export const isRefused = ({ standing, status }: PlanOrder): boolean => standing === 'notPlaced' && status === 'REJECTED'

const isEndedByExchange = ({ standing, status, isOwnEnd }: PlanOrder): boolean =>
  standing === 'ended' && status !== 'FILLED' && !isOwnEnd

/** True while an order can still trade, as far as is known. */
export const isLive = ({ standing }: PlanOrder): boolean => standing === 'sent' || standing === 'working'

const isCertain = ({ standing, cancelingSinceMs }: PlanOrder): boolean =>
  standing === 'working' && cancelingSinceMs === null

const openIn = (orders: readonly PlanOrder[]): Decimal => orders.reduce((sum, order) => sum.plus(openOf(order)), zero)

/** What of an order can still fill at most. */
export const openOf = (order: PlanOrder): Decimal =>
  isLive(order) ? order.draft.orderQuantity.minus(order.filled ?? zero) : zero

/** What a plan has and has not, in the base currency. */
export type PlanSums = {
  /** What is there to be protected in all: filled by the entry, or given. Of a scale what has filled. */
  entered: Decimal
  exited: Decimal
  /** Still to be protected: what was entered less what has left. */
  left: Decimal
  /** Open in stops and targets: never more than `left`. */
  covered: Decimal
  /** Open in legs that are certain to rest: no cancel of them is under way, and their outcome is known. */
  certain: Decimal
  /** Of that in stops. */
  stopped: Decimal
  /** True while some of it is covered by a target alone: no stop rests for that. */
  isAtTarget: boolean
}

/** A plan's sums; a fill that is not known counts as none: who rests on it looks for that first. */
export function sumsOf(plan: Plan): PlanSums {
  const filledOf = (isOf: (role: PlanRole) => boolean) =>
    plan.orders.reduce((sum, order) => (isOf(order.role) ? sum.plus(order.filled ?? zero) : sum), zero)
  const { terms } = plan
  const isExit = (role: PlanRole) => role === 'stop' || role === 'target'
  const exited = filledOf(isExit)
  const isGiven = terms.kind === 'oco' || terms.kind === 'trailing'
  const entered = isGiven ? terms.quantity : filledOf((role) => !isExit(role))
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

/** What neither leg rests for; below zero where more rests than is left. */
export const uncoveredOf = ({ left, covered }: PlanSums): Decimal => left.minus(covered)

/**
 * What a report of the exchange says of an order of the plan; null where it says nothing that is not known already.
 * `asked`: the quantity it was placed with, where that is not its draft's. `isBack`: it was reported as ended and has
 * stayed in the list of working orders: what was reported before counts no more.
 */
export function seenOf(
  before: PlanOrder,
  report: Order,
  atMs: number,
  planId: string,
  asked = before.draft.orderQuantity,
  isBack = false,
): Extract<PlanEvent, { event: 'seen' }> | null {
  const { orderId, status, cumQuantity, text } = report
  // An end that was reported is final: a list that is behind says nothing against it.
  if (before.standing === 'ended' && before.status !== null && !isBack) {
    if (before.filled !== null || cumQuantity === null || isWorking(report)) return null
  }
  const isRejected = status === 'REJECTED'
  // A refused copy of an order says nothing of the order itself.
  if (isRejected && orderId !== before.orderId) return null
  const standing: Standing = isWorking(report) ? 'working' : 'ended'
  const isOdd = isOddQuantity(report, asked)
  // While it works nothing has to be made of a report that cannot be true: the next one tells.
  if (isOtherOrder(before, report) || (isOdd && standing === 'working')) return null
  const known = isBack ? { filled: zero } : before
  const filled = isOdd ? null : filledAfter(known, report, asked)
  const isSame =
    before.standing === standing &&
    before.orderId === (orderId ?? before.orderId) &&
    before.status === status &&
    sameAmount(before.filled, filled)
  if (isSame) return null
  const { clientOrderId } = before
  const reason = isOdd ? oddText(report, asked) : text
  return { event: 'seen', planId, atMs, clientOrderId, orderId, standing, status, filled, quantity: null, reason }
}

/** What is known of an order, as seen once more. */
export function sameAgain(
  { clientOrderId, orderId, standing, status, filled, reason }: PlanOrder,
  atMs: number,
  planId: string,
): Extract<PlanEvent, { event: 'seen' }> {
  return { event: 'seen', planId, atMs, clientOrderId, orderId, standing, status, filled, quantity: null, reason }
}

const isOtherOrder = ({ draft }: PlanOrder, { symbol, side }: Order): boolean =>
  draft.symbol !== symbol || draft.side !== side

/** Whether the quantities of a report cannot be those of an order of that much: it says nothing of what has filled. */
function isOddQuantity(report: Order, asked: Decimal): boolean {
  const { status, cumQuantity: cum, leavesQuantity: leaves } = report
  if (cum === null) return false
  if (cum.gt(asked) || (status === 'FILLED' && cum.lt(asked))) return true
  // What was open when it ended and what had filled are all of it; a stop that never triggered may report zeros.
  if (leaves === null || (status !== 'CANCELED' && status !== 'EXPIRED')) return false
  const told = cum.plus(leaves)
  return !told.eq(asked) && !(isStopType(report.type) && told.isZero())
}

function oddText({ status, cumQuantity, leavesQuantity }: Order, asked: Decimal): string {
  const open = status === 'FILLED' || leavesQuantity === null ? '' : `, ${leavesQuantity.toFixed()} open before`
  return `reported as ${status} with ${cumQuantity?.toFixed() ?? '?'} of ${asked.toFixed()}${open}`
}

/** Filled quantity by a report that does not contradict itself: never less than was known. Null: it does not say. */
function filledAfter(before: Pick<PlanOrder, 'filled'>, report: Order, asked: Decimal): Decimal | null {
  const { status, cumQuantity } = report
  const known = before.filled ?? zero
  if (status === 'FILLED') return cumQuantity ?? asked
  if (status === 'REJECTED') return cumQuantity ?? known
  if (cumQuantity === null) return isWorking(report) ? before.filled : null
  return cumQuantity.gt(known) ? cumQuantity : known
}
