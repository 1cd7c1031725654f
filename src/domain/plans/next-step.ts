import { doubled } from '../../base/backoff.ts'
import { amountsIn } from '../market/amounts.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal, sameAmount, zero } from '../money.ts'
import { type OrderDraft, orderName } from '../orders/order.ts'
import type { Side } from '../side.ts'
import { isTargetNear, noRules, type PlanFacts, stillBecause, trailedStop } from './facts.ts'
import {
  isFillUnknown,
  isLive,
  isRefused,
  isTakenBack,
  needsWord,
  openOf,
  type Plan,
  type PlanEndKind,
  type PlanOrder,
  type PlanRole,
  type PlanSums,
  sumsOf,
  type Trouble,
  uncoveredOf,
} from './plan.ts'
import { onPresentTick, orderableOf } from './present-rules.ts'
import { type ExitTerms, exitSide, type PlanTerms } from './terms.ts'

/** An action at the exchange. */
export type PlanStep =
  | { do: 'place'; role: PlanRole; slice: number | null; draft: OrderDraft }
  | { do: 'cancel'; order: PlanOrder }
  /**
   * Cancels an order, waits for its end, and places the unfilled part of `draft`, the whole order; `rest` is its
   * present open part.
   */
  | { do: 'replace'; order: PlanOrder; role: PlanRole; draft: OrderDraft; rest: OrderDraft; isSwap: boolean }

/** A plan's next move. `why` is a sentence for the user, without its period. */
export type PlanMove =
  | { kind: 'step'; step: PlanStep; why: string }
  /** `refused`: what blocks the next step, for the user. `untilMs`: when to decide again. */
  | { kind: 'wait'; why: string; refused?: string; untilMs?: number }
  | { kind: 'end'; how: PlanEndKind; why: string }

/** Everything the rows of the decision table need, computed once. */
export type PlanView = {
  plan: Plan
  facts: PlanFacts
  sums: PlanSums
  /** The quantity without a resting leg. */
  uncovered: Decimal
  /** Side of the legs; for a scale, which has none, the side of its orders. */
  exit: Side
  /** Minimum quantity of an order, no more than the exchange has taken; infinite while the rules are unknown. */
  least: Decimal
}

/** Whether the exchange has taken an order as large as is known. */
const wasTaken = ({ standing, status, isQuantityKnown }: PlanOrder): boolean =>
  isQuantityKnown && (standing === 'working' || (standing === 'ended' && status !== null && status !== 'REJECTED'))

/**
 * The minimum quantity of an order of a plan: rules that change, or are told wrongly for a moment, do not make too
 * little of what was enough as the plan began, or for one of its orders.
 */
const leastOf = ({ terms, orders }: Plan, { minQuantity }: Instrument): Decimal =>
  Decimal.min(minQuantity, terms.quantity, ...orders.filter(wasTaken).map(({ draft }) => draft.orderQuantity))

/** A plan with what is known now, and what follows from both, for the rows of the table. */
export function viewOf(plan: Plan, facts: PlanFacts): PlanView {
  const sums = sumsOf(plan)
  const least = facts.instrument === null ? new Decimal(Number.POSITIVE_INFINITY) : leastOf(plan, facts.instrument)
  return { plan, facts, sums, uncovered: uncoveredOf(sums), exit: exitSide(plan.terms) ?? plan.terms.side, least }
}

/**
 * Maximum age of a request for an order that opens: what could not be placed by then is no longer what was asked for,
 * since the market has moved and a person may have canceled everything meanwhile.
 */
const dueMaxMs = 10_000

/** Formats amounts by the symbol's rules. */
export const amounts = ({ instrument }: { instrument: Instrument | null }) => amountsIn(instrument ?? undefined)

/** The plan's orders of these roles that may still trade. */
export const live = ({ plan }: PlanView, ...roles: readonly PlanRole[]): PlanOrder[] =>
  plan.orders.filter((order) => isLive(order) && roles.includes(order.role))

/** Maximum stops side by side for an entry's fills; then the newest grows. */
const exitsMax = 4
/** Minimum time between moves of a trailing stop, and between swaps to the target. */
const paceMs = 5_000
/** After this time with an unknown price the stop replaces the target, because a fall would go unnoticed. */
const blindMaxMs = 10_000
/** Pause after a step the exchange refused; doubles up to the longest. */
const retryMs = 2_000
const retryMaxMs = 300_000

/**
 * Pauses, by number of tries, before a cancel with a lost answer is sent again while its order still rests: a second
 * cancel has no further effect, and may be answered. After the last one nothing is sent until the order is known to
 * have no pending cancel.
 */
const cancelAgainMs: readonly number[] = [2_000, 4_000, 8_000]

/** The order whose cancel is due again; undefined when there is none, or when something sent has an unknown outcome. */
export function cancelDue({ plan, facts }: PlanView): PlanOrder | undefined {
  if (plan.orders.some(({ standing }) => standing === 'sent')) return undefined
  return plan.orders.find(({ standing, orderId, cancelingSinceMs, cancelTries }) => {
    const pauseMs = cancelAgainMs[cancelTries - 1] ?? Number.POSITIVE_INFINITY
    if (standing !== 'working' || orderId === null || cancelingSinceMs === null) return false
    // The wall clock was set back: the age is unknown, and taken for too much, since a second cancel does no harm.
    return Math.abs(facts.nowMs - cancelingSinceMs) >= pauseMs
  })
}

/** Why a failed step waits and until when; null when it may be retried now. */
export function pauseAfter(trouble: Trouble | undefined, nowMs: number): { untilMs: number; reason: string } | null {
  // After the wall clock was set back, the age is unknown.
  if (trouble === undefined || trouble.atMs > nowMs) return null
  const { reason, count, atMs } = trouble
  const untilMs = atMs + doubled(retryMs, count - 1, retryMaxMs)
  return nowMs >= untilMs ? null : { untilMs, reason }
}

const blank = ({ symbol }: PlanTerms): OrderDraft => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  orderQuantity: zero,
  limitPrice: null,
  stopPrice: null,
  timeInForce: 'GTC',
  expireDate: null,
  minQuantity: null,
  postOnly: false,
})

/** The entry order of a bracket. */
export function entryDraft({ plan }: PlanView): OrderDraft | null {
  const { terms } = plan
  if (terms.kind !== 'bracket') return null
  const { side, quantity: orderQuantity, entryPrice: limitPrice } = terms
  const isMarket = limitPrice === null
  return {
    ...blank(terms),
    side,
    orderQuantity,
    limitPrice,
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: isMarket ? 'IOC' : 'GTC',
  }
}

/** The trigger of the tightest stop the plan has had at the exchange; null without one. */
function stopBefore({ plan, exit }: PlanView): Decimal | null {
  const stops = plan.orders.flatMap(({ standing, draft }) =>
    standing !== 'notPlaced' && draft.stopPrice !== null ? [draft.stopPrice] : [],
  )
  if (stops.length === 0) return null
  return exit === 'SELL' ? Decimal.max(...stops) : Decimal.min(...stops)
}

/** The intended stop price; a clause when it cannot be determined yet. */
function stopPriceOf(view: PlanView): Decimal | string {
  const { plan, facts, exit } = view
  const { terms } = plan
  if (terms.kind === 'scale') return 'it has no stop'
  if (terms.kind !== 'trailing') return terms.stopPrice
  const before = stopBefore(view) ?? terms.stopPrice
  if (facts.price.kind === 'unknown' || facts.instrument === null)
    return before ?? (facts.price.kind === 'unknown' ? facts.price.why : noRules)
  return trailedStop(terms, exit, facts.price, before, facts.instrument)
}

/** The order of a leg without its quantity; a clause when it cannot be determined yet. */
function legDraft(view: PlanView, role: 'stop' | 'target'): OrderDraft | string {
  const { exit: side, plan, facts } = view
  const { terms } = plan
  const legs = legsOf(terms)
  const leg = (prices: Partial<OrderDraft>) => onPresentTick({ ...blank(terms), side, ...prices }, facts.instrument)
  if (role === 'target' && legs !== null) return leg({ limitPrice: legs.targetPrice })
  const stopPrice = stopPriceOf(view)
  if (typeof stopPrice === 'string') return stopPrice
  const limitPrice = legs?.stopLimit ?? null
  return leg({ type: limitPrice === null ? 'STOP' : 'STOPLIMIT', stopPrice, limitPrice })
}

/** Continues with the order of a leg, or waits when it cannot be determined yet. */
function withDraft(view: PlanView, role: 'stop' | 'target', go: (draft: OrderDraft) => PlanMove): PlanMove {
  const draft = legDraft(view, role)
  return typeof draft === 'string' ? { kind: 'wait', why: `Not protected: ${draft}`, refused: draft } : go(draft)
}

const legsOf = (terms: PlanTerms): ExitTerms | null => (terms.kind === 'oco' || terms.kind === 'bracket' ? terms : null)

/** The leg that shall rest now. With an unknown price the resting one stays, for a while. */
function wantedLeg(view: PlanView): 'stop' | 'target' {
  const { plan, facts, sums, exit } = view
  const legs = legsOf(plan.terms)
  if (legs === null) return 'stop'
  if (facts.price.kind === 'unknown') return sums.isAtTarget && facts.blindMs < blindMaxMs ? 'target' : 'stop'
  return isTargetNear(legs, exit, facts.price.price, sums.isAtTarget) ? 'target' : 'stop'
}

/** Places the wanted leg for the uncovered quantity. */
export function placeLeg(view: PlanView): PlanMove {
  const { facts, uncovered } = view
  const { instrument } = facts
  if (instrument === null) return { kind: 'wait', why: `Not protected: ${noRules}` }
  const others = live(view, 'stop', 'target')
  const last = others.at(-1)
  if (last !== undefined && (others.length >= exitsMax || uncovered.lt(view.least))) {
    const role = last.role === 'stop' ? 'stop' : 'target'
    const why = `${amounts(facts).quantity(uncovered)} more is to be protected`
    return withDraft(view, role, (draft) => replaceWith(view, last, role, draft, { more: uncovered, why }))
  }
  if (wantedLeg(view) === 'stop') return placeOne(view, 'stop', instrument)
  const target = placeOne(view, 'target', instrument)
  if (target.kind !== 'wait') return target
  // If the target cannot rest, the stop is placed: protection does not wait for profit.
  const stop = placeOne(view, 'stop', instrument)
  return stop.kind === 'wait' ? { ...target, ...stop } : stop
}

/** Places one leg for the uncovered quantity, or for as much of it as one order may have. */
function placeOne(view: PlanView, role: 'stop' | 'target', instrument: Instrument): PlanMove {
  const { plan, facts, uncovered, least } = view
  const orderQuantity = orderableOf(uncovered, instrument, least)
  const quantity = amounts(facts).quantity(orderQuantity)
  return withDraft(view, role, (leg) => {
    const draft = { ...leg, orderQuantity }
    const pause = pauseAfter(plan.troubles[role], facts.nowMs)
    const refused = pause === null ? facts.judge(draft, null) : pause.reason
    if (refused === null)
      return {
        kind: 'step',
        step: { do: 'place', role, slice: null, draft },
        why: `Places the ${role} for ${quantity}`,
      }
    const why = `Not protected: the ${role} for ${quantity} cannot be placed: ${refused}`
    return { kind: 'wait', why, refused, ...(pause === null ? {} : { untilMs: pause.untilMs }) }
  })
}

type Change = { more?: Decimal; why: string; isSwap?: boolean }

/** Replaces a resting order, or says what prevents it; `more` is added to its quantity, or subtracted if negative. */
export function replaceWith(
  { plan, facts }: PlanView,
  order: PlanOrder,
  role: PlanRole,
  draft: OrderDraft,
  { more = zero, why, isSwap = false }: Change,
): PlanMove {
  const whole = { ...draft, orderQuantity: order.draft.orderQuantity.plus(more) }
  const rest = { ...draft, orderQuantity: openOf(order).plus(more) }
  const name = `${order.role} ${orderName(order)}`
  const pause = pauseAfter(plan.troubles[role] ?? plan.troubles.cancel, facts.nowMs)
  if (pause !== null)
    return { kind: 'wait', why: `${why}, later: ${pause.reason}`, refused: pause.reason, untilMs: pause.untilMs }
  if (order.orderId === null) return { kind: 'wait', why: `${name} has no id of the exchange yet` }
  const refused = facts.judge(rest, order.orderId)
  if (refused !== null) return { kind: 'wait', why: `${why}, but the ${name} stays: ${refused}`, refused }
  return { kind: 'step', step: { do: 'replace', order, role, draft: whole, rest, isSwap }, why }
}

/** Moves the resting legs to their intended prices, one at a time, or says what the plan waits for. */
export function alignLegs(view: PlanView): PlanMove {
  const wanted = wantedLeg(view)
  const other = live(view, 'stop', 'target').find(({ role }) => role !== wanted)
  return withDraft(view, wanted, (draft) =>
    other === undefined ? moveLeg(view, wanted, draft) : swapLeg(view, other, wanted, draft),
  )
}

/** Replaces the other leg with the wanted one. */
function swapLeg(view: PlanView, other: PlanOrder, wanted: 'stop' | 'target', draft: OrderDraft): PlanMove {
  const { facts } = view
  if (facts.price.kind === 'unknown') {
    const unknown = `The price is unknown: ${facts.price.why}`
    // A resting target stays for a while, but no stop is given up for a target not known to be near.
    if (wanted === 'target') return { kind: 'wait', why: `${unknown}; what rests stays` }
    return replaceWith(view, other, wanted, draft, { why: unknown, isSwap: true })
  }
  const at = amounts(facts).price(facts.price.price)
  const why = `The price at ${at} is ${wanted === 'target' ? 'near' : 'away from'} the target`
  const heldBack = wanted === 'target' ? improvesLater(view) : null
  if (heldBack !== null) return { ...heldBack, why: `${why}; ${heldBack.why}` }
  return replaceWith(view, other, wanted, draft, { why, isSwap: true })
}

const legPrice = ({ stopPrice, limitPrice }: OrderDraft): Decimal => stopPrice ?? limitPrice ?? zero

/** Moves a leg to its present intended price. */
function moveLeg(view: PlanView, leg: 'stop' | 'target', draft: OrderDraft): PlanMove {
  const to = legPrice(draft)
  const { instrument } = view.facts
  const resting = live(view, 'stop', 'target')
  const moved = resting.find((order) => !isAtTerms(onPresentTick(order.draft, instrument), draft))
  if (moved === undefined) return { kind: 'wait', why: waitingFor(view, leg, legPrice(resting.at(-1)?.draft ?? draft)) }
  const heldBack = view.plan.terms.kind === 'trailing' ? improvesLater(view) : null
  const why = `The ${leg} goes to ${amounts(view.facts).price(to)}`
  return heldBack ?? replaceWith(view, moved, leg, draft, { why })
}

/** What rests at a price of an earlier tick stays: to move it would leave a moment without it for nothing. */
const isAtTerms = (resting: OrderDraft, { stopPrice, limitPrice }: OrderDraft): boolean =>
  sameAmount(resting.stopPrice, stopPrice) && sameAmount(resting.limitPrice, limitPrice)

/** Limits the pace and calls of steps that only improve. */
function improvesLater({ plan, facts }: PlanView): Extract<PlanMove, { kind: 'wait' }> | null {
  const last = plan.orders.reduce(
    (atMs, { role, atMs: sentMs }) => (role === 'entry' ? atMs : Math.max(atMs, sentMs)),
    0,
  )
  const untilMs = last + paceMs
  if (last <= facts.nowMs && facts.nowMs < untilMs)
    return { kind: 'wait', why: `moves every ${paceMs / 1_000} s at most`, untilMs }
  return facts.hasBudget ? null : { kind: 'wait', why: 'waits for the call budget' }
}

/** What is too little for a leg, as the end of a sentence; empty when everything is protected. */
export const uncoveredNote = ({ facts, uncovered }: PlanView): string =>
  uncovered.gt(0) ? `; ${amounts(facts).quantity(uncovered)} is below the minimum and not protected` : ''

function waitingFor(view: PlanView, leg: 'stop' | 'target', at: Decimal): string {
  const { plan, facts, exit } = view
  const { price } = amounts(facts)
  const legs = legsOf(plan.terms)
  const small = uncoveredNote(view)
  if (leg === 'target') return `The target rests at ${price(at)}, no stop${small}`
  if (legs === null) {
    const still = stillBecause(facts.price)
    const follows = still === null ? ' and follows the price' : `, it does not move now: ${still}`
    return `The stop rests at ${price(at)}${follows}${small}`
  }
  const near = exit === 'SELL' ? legs.targetPrice.minus(legs.nearBy) : legs.targetPrice.plus(legs.nearBy)
  const target = `the target at ${price(legs.targetPrice)}`
  return `The stop rests at ${price(at)}; at ${price(near)} ${target} takes its place${small}`
}

/** Places an order requested by the user, unless blocked. */
export function placeAsked(view: PlanView, role: 'entry' | 'slice', draft: OrderDraft, slice: number | null): PlanMove {
  const { plan, facts } = view
  const name = slice === null ? 'entry' : `order ${slice + 1} of the scale`
  const pause = pauseAfter(plan.troubles[role], facts.nowMs)
  if (pause !== null)
    return {
      kind: 'wait',
      why: `The ${name} was not placed: ${pause.reason}`,
      refused: pause.reason,
      untilMs: pause.untilMs,
    }
  const refused = facts.judge(draft, null)
  if (refused !== null) return { kind: 'wait', why: `The ${name} cannot be placed: ${refused}`, refused }
  return { kind: 'step', step: { do: 'place', role, slice, draft }, why: `Places the ${name}` }
}

/** True while the entry of a bracket is not at the exchange and has not been there. */
export const isEntryDue = ({ plan }: PlanView): boolean =>
  plan.terms.kind === 'bracket' &&
  !plan.orders.some(({ role, standing }) => role === 'entry' && standing !== 'notPlaced')

/** The next unplaced order of a scale; undefined when all were placed. */
export function nextSlice({ plan }: PlanView): { at: number; draft: OrderDraft } | undefined {
  const { terms } = plan
  if (terms.kind !== 'scale') return undefined
  const { side, postOnly } = terms
  const has = (at: number) => plan.orders.some(({ slice, standing }) => slice === at && standing !== 'notPlaced')
  const at = terms.slices.findIndex((_, index) => !has(index))
  const found = terms.slices[at]
  if (found === undefined) return undefined
  return { at, draft: { ...blank(terms), side, orderQuantity: found.quantity, limitPrice: found.price, postOnly } }
}

/** Cancels an order, unless the cancel was refused a moment ago. */
export function takeBack({ plan, facts }: PlanView, order: PlanOrder, why: string): PlanMove {
  if (order.orderId === null)
    return { kind: 'wait', why: `${why}, but ${orderName(order)} has no id of the exchange yet` }
  const pause = pauseAfter(plan.troubles.cancel, facts.nowMs)
  if (pause === null) return { kind: 'step', step: { do: 'cancel', order }, why }
  const { reason: refused, untilMs } = pause
  return { kind: 'wait', why: `${why}, but the cancel was refused: ${refused}`, refused, untilMs }
}

/** Which order of a plan has fills that nobody has told, as a clause; null where all are known. */
export function unknownFillText({ orders }: Plan): string | null {
  const unknown = orders.find(isFillUnknown)
  return unknown === undefined ? null : `how much of the ${unknown.role} ${orderName(unknown)} has filled is not known`
}

/** Why a plan is not resumed yet: what it would place rests on fills that nobody has told. Null where it may be. */
export function unknownFillComplaint(plan: Plan): string | null {
  const unknown = unknownFillText(plan)
  if (unknown === null) return null
  return (
    `Plan ${plan.planId} is not resumed: ${unknown}, and it would trade too much or leave a fill without a stop. ` +
    'The exchange is asked again until it tells; to end the plan, cancel it.'
  )
}

/** Why a plan must wait for the user, as a clause; null when it may continue. */
export function holdReason(view: PlanView): string | null {
  const { plan, facts, sums } = view
  if (plan.hold !== null) return plan.hold
  if (sums.left.lt(0)) return `its exits have filled ${amounts(facts).quantity(sums.left.neg())} more than it had`
  const odd = plan.orders.find(needsWord)
  if (odd === undefined) return (sums.entered.gt(0) ? null : refusedEntry(plan)) ?? lateAsk(view)
  const name = `${odd.role} ${orderName(odd)}`
  if (isFillUnknown(odd))
    return `how much of the ${name} has filled is not known${odd.reason === null ? '' : `: ${odd.reason}`}`
  if (isTakenBack(odd))
    return `the ${name} was canceled or moved by hand${odd.reason === null ? '' : ` (${odd.reason})`}`
  return `the ${name} was ${odd.standing === 'notPlaced' ? 'refused' : (odd.status ?? 'ended')}: ${odd.reason ?? 'no reason given'}`
}

/** An entry or an order of a scale that could not be placed when it was asked for; null when none is due that long. */
function lateAsk(view: PlanView): string | null {
  const { plan, facts } = view
  const isDue = isEntryDue(view) || nextSlice(view) !== undefined
  const ageMs = facts.nowMs - plan.dueSinceMs
  // The wall clock was set back: the age is unknown, and taken for too much.
  if (!isDue || Math.abs(ageMs) <= dueMaxMs) return null
  const [role, name] =
    plan.terms.kind === 'scale' ? (['slice', 'next order of the scale'] as const) : (['entry', 'entry'] as const)
  const why = plan.troubles[role]?.reason
  return `the ${name} could not be placed for ${dueMaxMs / 1_000} s${why === undefined ? '' : ` (${why})`}`
}

/** An entry refused by the exchange waits for the user: before it has filled, nothing is at risk without it. */
function refusedEntry({ troubles, orders }: Plan): string | null {
  const last = orders.findLast(({ role }) => role === 'entry')
  if (last === undefined || !isRefused(last) || troubles.entry === undefined) return null
  return `the entry was refused: ${troubles.entry.reason}`
}
