import { doubled } from '../../base/backoff.ts'
import { amountsIn } from '../balance.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal, sameAmount, zero } from '../money.ts'
import { type OrderDraft, orderName, type Side } from '../orders/order.ts'
import { isTargetNear, type PlanFacts, trailedStop } from './facts.ts'
import {
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
import { type ExitTerms, exitSide, type PlanTerms } from './terms.ts'

/** One thing to do at the exchange. */
export type PlanStep =
  | { do: 'place'; role: PlanRole; slice: number | null; draft: OrderDraft }
  | { do: 'cancel'; order: PlanOrder }
  /** Cancel, see its end, and place what it had not filled of `draft`, all of it; `rest` is what is open of it now. */
  | { do: 'replace'; order: PlanOrder; role: PlanRole; draft: OrderDraft; rest: OrderDraft; isSwap: boolean }

/** What a plan does now. `why` is a sentence for a person, without its stop. */
export type PlanMove =
  | { kind: 'step'; step: PlanStep; why: string }
  /** `refused`: what stops the step that is due, so that a person may look. `untilMs`: worth another look by then. */
  | { kind: 'wait'; why: string; refused?: string; untilMs?: number }
  | { kind: 'end'; how: PlanEndKind; why: string }

/** All that a row of the table looks at, reckoned once. */
export type PlanView = {
  plan: Plan
  facts: PlanFacts
  sums: PlanSums
  /** What neither leg rests for. */
  uncovered: Decimal
  /** Side of the legs; of a scale, which has none, that of its orders. */
  exit: Side
  /** Least quantity of an order; above any while the rules are not known. */
  least: Decimal
}

export function viewOf(plan: Plan, facts: PlanFacts): PlanView {
  const sums = sumsOf(plan)
  const least = facts.instrument?.minQuantity ?? new Decimal(Number.POSITIVE_INFINITY)
  return { plan, facts, sums, uncovered: uncoveredOf(sums), exit: exitSide(plan.terms) ?? plan.terms.side, least }
}

/** Writes amounts as the symbol's rules say. */
export const amounts = ({ instrument }: { instrument: Instrument | null }) => amountsIn(instrument ?? undefined)

export const live = ({ plan }: PlanView, ...roles: readonly PlanRole[]): PlanOrder[] =>
  plan.orders.filter((order) => isLive(order) && roles.includes(order.role))

/** Stops that protect the fills of an entry side by side; after that the newest grows. */
const exitsMax = 4
/** A trailing stop moves, and the target takes the stop's place, no more often than this. */
const paceMs = 5_000
/** While the price is unknown for so long the target gives way to the stop: nobody here would see it fall. */
const blindMaxMs = 10_000
/** Pauses after a step that the exchange refused: doubled each time, up to the longest. */
const retryMs = 2_000
const retryMaxMs = 300_000

/**
 * A cancel whose answer was lost is sent once more while its order is seen to rest: a second one can do no more than
 * the first, and is answered where the first was not. After these pauses, by how often it was sent; after the last of
 * them nothing is sent until a look tells that no cancel is under way any more.
 */
const cancelAgainMs: readonly number[] = [2_000, 4_000, 8_000]

/** The order whose end is asked for once more; undefined where none is, or something that was sent is not known. */
export function cancelDue({ plan, facts }: PlanView): PlanOrder | undefined {
  if (plan.orders.some(({ standing }) => standing === 'sent')) return undefined
  return plan.orders.find(({ standing, orderId, cancelingSinceMs, cancelTries }) => {
    const pauseMs = cancelAgainMs[cancelTries - 1] ?? Number.POSITIVE_INFINITY
    if (standing !== 'working' || orderId === null || cancelingSinceMs === null) return false
    return facts.nowMs - cancelingSinceMs >= pauseMs
  })
}

/** Why a step that failed waits, and until when; null when it may be tried now. */
export function pauseAfter(trouble: Trouble | undefined, nowMs: number): { untilMs: number; reason: string } | null {
  // A wall clock that was set back since says nothing of how long ago it was.
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

/** The first step of a bracket. */
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

/** The trigger of the tightest stop that a plan has had at the exchange; null where it had none. */
function stopBefore({ plan, exit }: PlanView): Decimal | null {
  const stops = plan.orders.flatMap(({ standing, draft }) =>
    standing !== 'notPlaced' && draft.stopPrice !== null ? [draft.stopPrice] : [],
  )
  if (stops.length === 0) return null
  return exit === 'SELL' ? Decimal.max(...stops) : Decimal.min(...stops)
}

/** Where the stop is to stand; a clause where nobody can say yet. */
function stopPriceOf(view: PlanView): Decimal | string {
  const { plan, facts, exit } = view
  const { terms } = plan
  if (terms.kind === 'scale') return 'it has no stop'
  if (terms.kind !== 'trailing') return terms.stopPrice
  const before = stopBefore(view) ?? terms.stopPrice
  if (facts.price.kind === 'unknown' || facts.instrument === null)
    return before ?? (facts.price.kind === 'unknown' ? facts.price.why : 'the rules of the symbol are not loaded')
  return trailedStop(terms, exit, facts.price, before, facts.instrument)
}

/** An order of a leg without its quantity; a clause where it cannot be written down yet. */
function legDraft(view: PlanView, role: 'stop' | 'target'): OrderDraft | string {
  const { exit: side, plan } = view
  const { terms } = plan
  const legs = legsOf(terms)
  if (role === 'target' && legs !== null) return { ...blank(terms), side, limitPrice: legs.targetPrice }
  const stopPrice = stopPriceOf(view)
  if (typeof stopPrice === 'string') return stopPrice
  const limitPrice = legs?.stopLimit ?? null
  return { ...blank(terms), side, type: limitPrice === null ? 'STOP' : 'STOPLIMIT', stopPrice, limitPrice }
}

/** Goes on with the order of a leg; waits where it cannot be written down yet. */
function withDraft(view: PlanView, role: 'stop' | 'target', go: (draft: OrderDraft) => PlanMove): PlanMove {
  const draft = legDraft(view, role)
  return typeof draft === 'string' ? { kind: 'wait', why: `Not protected: ${draft}`, refused: draft } : go(draft)
}

const legsOf = (terms: PlanTerms): ExitTerms | null => (terms.kind === 'oco' || terms.kind === 'bracket' ? terms : null)

/** Which leg is to rest now. Where nobody knows the price what rests stays, for a while. */
function wantedLeg(view: PlanView): 'stop' | 'target' {
  const { plan, facts, sums, exit } = view
  const legs = legsOf(plan.terms)
  if (legs === null) return 'stop'
  if (facts.price.kind === 'unknown') return sums.isAtTarget && facts.blindMs < blindMaxMs ? 'target' : 'stop'
  return isTargetNear(legs, exit, facts.price.price, sums.isAtTarget) ? 'target' : 'stop'
}

/** Places the leg that is to rest for what has none. */
export function placeLeg(view: PlanView): PlanMove {
  const { facts, uncovered } = view
  if (facts.instrument === null) return { kind: 'wait', why: 'Not protected: the rules of the symbol are not loaded' }
  const others = live(view, 'stop', 'target')
  const last = others.at(-1)
  if (last !== undefined && (others.length >= exitsMax || uncovered.lt(view.least))) {
    const role = last.role === 'stop' ? 'stop' : 'target'
    const why = `${amounts(facts).quantity(uncovered)} more is to be protected`
    return withDraft(view, role, (draft) => replaceWith(view, last, role, draft, { more: uncovered, why }))
  }
  if (wantedLeg(view) === 'stop') return placeOne(view, 'stop')
  const target = placeOne(view, 'target')
  if (target.kind !== 'wait') return target
  // Where the target cannot rest the stop can: what protects is not kept waiting by what earns.
  const stop = placeOne(view, 'stop')
  return stop.kind === 'wait' ? { ...target, ...stop } : stop
}

/** Places one leg for all that has none. */
function placeOne(view: PlanView, role: 'stop' | 'target'): PlanMove {
  const { plan, facts, uncovered } = view
  const quantity = amounts(facts).quantity(uncovered)
  return withDraft(view, role, (leg) => {
    const draft = { ...leg, orderQuantity: uncovered }
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

/**
 * Puts another order in the place of one that rests, or says what keeps it where it is; `more` is added to its
 * quantity, or taken off where it is below zero.
 */
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

/** Brings the legs that rest to where they are to be, one at a time; or says what the plan waits for. */
export function alignLegs(view: PlanView): PlanMove {
  const wanted = wantedLeg(view)
  const other = live(view, 'stop', 'target').find(({ role }) => role !== wanted)
  return withDraft(view, wanted, (draft) =>
    other === undefined ? moveLeg(view, wanted, draft) : swapLeg(view, other, wanted, draft),
  )
}

/** Puts the leg that is to rest in the place of the other one. */
function swapLeg(view: PlanView, other: PlanOrder, wanted: 'stop' | 'target', draft: OrderDraft): PlanMove {
  const { facts } = view
  if (facts.price.kind === 'unknown') {
    const unknown = `The price is unknown: ${facts.price.why}`
    // The target that rests stays for a while, but no stop is given up for one that nobody knows to be near.
    if (wanted === 'target') return { kind: 'wait', why: `${unknown}; what rests stays` }
    return replaceWith(view, other, wanted, draft, { why: unknown, isSwap: true })
  }
  const at = amounts(facts).price(facts.price.price)
  const why = `The price at ${at} is ${wanted === 'target' ? 'near' : 'away from'} the target`
  const heldBack = wanted === 'target' ? improvesLater(view) : null
  if (heldBack !== null) return { ...heldBack, why: `${why}; ${heldBack.why}` }
  return replaceWith(view, other, wanted, draft, { why, isSwap: true })
}

/** Brings a leg to the price that it is to have by now. */
function moveLeg(view: PlanView, leg: 'stop' | 'target', draft: OrderDraft): PlanMove {
  const to = draft.stopPrice ?? draft.limitPrice ?? zero
  const moved = live(view, 'stop', 'target').find((order) => !isAtTerms(order, draft))
  if (moved === undefined) return { kind: 'wait', why: waitingFor(view, leg, to) }
  const heldBack = view.plan.terms.kind === 'trailing' ? improvesLater(view) : null
  const why = `The ${leg} goes to ${amounts(view.facts).price(to)}`
  return heldBack ?? replaceWith(view, moved, leg, draft, { why })
}

const isAtTerms = ({ draft }: PlanOrder, { stopPrice, limitPrice }: OrderDraft): boolean =>
  sameAmount(draft.stopPrice, stopPrice) && sameAmount(draft.limitPrice, limitPrice)

/** What improves and does not protect has its pace, and its share of the calls. */
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

function waitingFor({ plan, facts, uncovered, exit }: PlanView, leg: 'stop' | 'target', at: Decimal): string {
  const { price, quantity } = amounts(facts)
  const legs = legsOf(plan.terms)
  const small = uncovered.gt(0) ? `; ${quantity(uncovered)} is below the minimum and not protected` : ''
  if (leg === 'target') return `The target rests at ${price(at)}, no stop${small}`
  if (legs === null) return `The stop rests at ${price(at)} and follows the price${small}`
  const near = exit === 'SELL' ? legs.targetPrice.minus(legs.nearBy) : legs.targetPrice.plus(legs.nearBy)
  return `The stop rests at ${price(at)}; the target takes its place at ${price(near)}${small}`
}

/** Places an order that a person asked for, where nothing stops it. */
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

/** The next order of a scale that is not at the exchange; undefined when all are, or were. */
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

/** Takes an order back, unless that was refused a moment ago. */
export function takeBack({ plan, facts }: PlanView, order: PlanOrder, why: string): PlanMove {
  if (order.orderId === null)
    return { kind: 'wait', why: `${why}, but ${orderName(order)} has no id of the exchange yet` }
  const pause = pauseAfter(plan.troubles.cancel, facts.nowMs)
  if (pause === null) return { kind: 'step', step: { do: 'cancel', order }, why }
  const { reason: refused, untilMs } = pause
  return { kind: 'wait', why: `${why}, but the cancel was refused: ${refused}`, refused, untilMs }
}

/** Why a plan must not go on before a person has looked, as a clause; null where it may. */
export function holdReason({ plan, facts, sums }: PlanView): string | null {
  if (plan.hold !== null) return plan.hold
  if (sums.left.lt(0)) return `its exits have filled ${amounts(facts).quantity(sums.left.neg())} more than it had`
  const odd = plan.orders.find(needsWord)
  if (odd === undefined) return refusedEntry(plan)
  const name = `${odd.role} ${orderName(odd)}`
  if (odd.standing === 'ended' && odd.filled === null)
    return `how much of the ${name} has filled is not known${odd.reason === null ? '' : `: ${odd.reason}`}`
  if (isTakenBack(odd))
    return `the ${name} was canceled or moved by hand${odd.reason === null ? '' : ` (${odd.reason})`}`
  return `the ${name} was ${odd.standing === 'notPlaced' ? 'refused' : (odd.status ?? 'ended')}: ${odd.reason ?? 'no reason given'}`
}

/** An entry that the exchange refuses is a person's to look at: nothing is at risk without it. */
function refusedEntry({ troubles, orders }: Plan): string | null {
  const last = orders.findLast(({ role }) => role === 'entry')
  if (last === undefined || !isRefused(last) || troubles.entry === undefined) return null
  return `the entry was refused: ${troubles.entry.reason}`
}
