import { type Decimal, sameAmount, zero } from '../money.ts'
import { type OrderDraft, orderName } from '../orders/order.ts'
import type { PlanFacts } from './facts.ts'
import {
  alignLegs,
  amounts,
  cancelDue,
  entryDraft,
  holdReason,
  isEntryDue,
  live,
  nextSlice,
  type PlanMove,
  type PlanView,
  placeAsked,
  placeLeg,
  replaceWith,
  takeBack,
  uncoveredNote,
  unknownFillText,
  viewOf,
} from './next-step.ts'
import { isLive, isTriggered, openIn, openOf, type Plan, type PlanOrder } from './plan.ts'

/** The state of a plan, in one word. */
export type PlanState =
  | 'ended'
  | 'unsettled'
  | 'ending'
  | 'held'
  | 'excess'
  | 'unprotected'
  | 'closing'
  | 'atTarget'
  | 'protected'
  | 'entering'
  | 'working'
  | 'over'

/**
 * A state: `is` tells when a plan is in it, `next` its move then, and `leadsTo` the possible next states, by that move
 * or by events.
 */
type Row = {
  state: PlanState
  /** On the screen, if it has other words there: those of `--json` are frozen. */
  shown?: string
  means: string
  leadsTo: readonly PlanState[]
  is: (view: PlanView) => boolean
  next: (view: PlanView) => PlanMove
}

/** States reachable from every state: an unknown outcome, a user's request, an outside change. */
const always = ['unsettled', 'ending', 'held'] as const
/** Fills, the price and the exchange move a plan between these. */
const legs = ['excess', 'unprotected', 'closing', 'atTarget', 'protected', 'over'] as const

/**
 * The complete behavior of plans: the first row that applies decides. Unknown outcomes come first, and nothing is sent
 * then; next the user's requests; then protection; then profit.
 */
export const planTable: readonly Row[] = [
  {
    state: 'ended',
    means: 'it has come to its end',
    leadsTo: [],
    is: ({ plan }) => plan.ended !== null,
    next: ({ plan }) => ({ kind: 'wait', why: plan.ended?.why ?? '' }),
  },
  {
    state: 'unsettled',
    shown: 'unknown',
    means: 'the outcome of an order is unknown: until it is resolved only cancels go that are due again or asked for',
    leadsTo: ['ending', 'held', ...legs, 'entering', 'working'],
    is: ({ plan }) => plan.orders.some(isUnknown),
    next: resolveCancel,
  },
  {
    state: 'ending',
    means: 'a user has ended it: its orders are being canceled',
    leadsTo: ['unsettled', 'ended'],
    is: ({ plan }) => plan.cancel !== null,
    next: endAsked,
  },
  {
    state: 'held',
    means: 'something happened that the plan did not do, or could not: a user must look',
    leadsTo: ['unsettled', 'ending', ...legs, 'entering', 'working'],
    is: (view) => holdReason(view) !== null,
    next: (view) => ({ kind: 'wait', why: `Held: ${holdReason(view) ?? ''}. Resume or cancel it` }),
  },
  {
    state: 'excess',
    means: 'more rests than is left to protect',
    leadsTo: [...always, ...legs, 'entering'],
    is: ({ uncovered }) => uncovered.lt(0),
    next: lessen,
  },
  {
    state: 'unprotected',
    means: 'no leg protects all there is',
    leadsTo: [...always, ...legs, 'entering'],
    is: (view) => isUnprotected(view) || triggeredOf(view).length > 0,
    next: (view) => (isUnprotected(view) ? placeLeg(view) : besideTriggered(view)),
  },
  {
    state: 'closing',
    means: 'an exit has filled: the rest of the entry is being canceled',
    leadsTo: [...always, ...legs],
    is: isClosing,
    next: closeEntry,
  },
  {
    state: 'atTarget',
    shown: 'at target',
    means: 'the target rests, and no stop',
    leadsTo: [...always, ...legs, 'entering'],
    is: ({ sums }) => sums.isAtTarget,
    next: alignLegs,
  },
  {
    state: 'protected',
    means: 'the stop rests at the exchange',
    leadsTo: [...always, ...legs, 'entering'],
    is: (view) => live(view, 'stop').length > 0 && (entryToMove(view) === null || view.sums.exited.gt(0)),
    next: alignLegs,
  },
  {
    state: 'entering',
    means: 'the entry is to be placed, or rests',
    leadsTo: [...always, ...legs],
    is: (view) => isEntering(view),
    next: enter,
  },
  {
    state: 'working',
    means: 'the orders of the scale rest',
    leadsTo: [...always, 'over'],
    is: (view) => nextSlice(view) !== undefined || live(view, 'slice').length > 0,
    next: scaleOut,
  },
  {
    state: 'over',
    means: 'nothing is left to do',
    leadsTo: ['ended'],
    is: () => true,
    next: (view) => ({ kind: 'end', ...endOf(view) }),
  },
]

export const planStates: readonly PlanState[] = planTable.map(({ state }) => state)

/** A state as people read it, and what it means. */
export function toldState(state: PlanState): { word: string; means: string } {
  const row = planTable.find((each) => each.state === state)
  return { word: row?.shown ?? state, means: row?.means ?? '' }
}

/** A plan's next move with the present data. Pure: equal inputs give equal results. */
export function decide(plan: Plan, facts: PlanFacts): PlanMove & { state: PlanState } {
  const view = viewOf(plan, facts)
  const row = planTable.find(({ is }) => is(view))
  if (row === undefined) throw new Error('the last row of the table fits everything')
  return { state: row.state, ...row.next(view) }
}

const isUnknown = (order: PlanOrder): boolean =>
  order.standing === 'sent' || (order.cancelingSinceMs !== null && isLive(order))

const isAtRest = ({ standing, orderId, cancelingSinceMs }: PlanOrder): boolean =>
  standing === 'working' && orderId !== null && cancelingSinceMs === null

const endsText = 'Ended by a user: cancels its orders'

function resolveCancel(view: PlanView): PlanMove {
  const order = cancelDue(view)
  if (order === undefined) {
    // What opens is known and not wanted any more, whatever becomes of the other: stops stay until that is seen.
    const opening = view.plan.cancel === 'takeBack' ? live(view, 'entry', 'slice').filter(isAtRest) : []
    if (opening.length > 0) return eachTakenBack(view, opening, endsText)
    return { kind: 'wait', why: unknownText(view.plan.orders.find(isUnknown)) }
  }
  const why = `The end of the ${order.role} ${orderName(order)} has not been seen: cancels it once more`
  return { kind: 'step', step: { do: 'cancel', order }, why }
}

function unknownText(order: PlanOrder | undefined): string {
  if (order === undefined) return ''
  const name = `${order.role} ${orderName(order)}`
  return order.standing === 'sent'
    ? `The outcome of the ${name} is not known: looking for it, nothing is sent until then`
    : `The end of the ${name} has not been seen: looking for it, nothing is sent until then`
}

function endAsked(view: PlanView): PlanMove {
  const { plan } = view
  const orders = plan.orders.filter(isLive)
  if (plan.cancel === 'leave' || orders.length === 0) {
    const names = orders.map(orderName).join(', ')
    const left = names === '' ? '' : `; left at the exchange: ${names}`
    return { kind: 'end', how: names === '' ? 'canceled' : 'left', why: `Ended by a user${left}${restText(view)}` }
  }
  return eachTakenBack(view, orders, endsText)
}

/** Cancels the rest of the entry; if that must wait, the legs do not. */
function closeEntry(view: PlanView): PlanMove {
  const move = eachTakenBack(view, live(view, 'entry'), 'An exit has filled: cancels the rest of the entry')
  return move.kind === 'wait' && live(view, 'stop', 'target').length > 0 ? alignLegs(view) : move
}

/** Protective orders are canceled last. */
const cancelRank: Record<PlanOrder['role'], number> = { entry: 0, slice: 0, target: 1, stop: 2 }

function eachTakenBack(view: PlanView, orders: readonly PlanOrder[], why: string): PlanMove {
  const [first] = orders.toSorted((left, right) => cancelRank[left.role] - cancelRank[right.role])
  return first === undefined ? { kind: 'wait', why } : takeBack(view, first, why)
}

/** True for a quantity below the symbol's minimum. Until the rules are loaded nothing is given up for being small. */
const isTooLittle = (quantity: Decimal, { facts, least }: PlanView): boolean =>
  facts.instrument !== null && quantity.lt(least)

/** Reduces orders that exceed the position: part of the newest order, or all of it when too little would remain. */
function lessen(view: PlanView): PlanMove {
  const { uncovered, facts } = view
  const last = live(view, 'stop', 'target').at(-1)
  const why = `${amounts(facts).quantity(uncovered.neg())} more rests than is left to protect`
  if (last === undefined) return { kind: 'wait', why }
  if (isTooLittle(openOf(last).plus(uncovered), view)) return takeBack(view, last, why)
  return replaceWith(view, last, last.role, last.draft, { more: uncovered, why })
}

/**
 * True for an unprotected position. Fills below the minimum order quantity wait for more, or are added to a resting
 * order once no more can come.
 */
function isUnprotected(view: PlanView): boolean {
  const { uncovered, least } = view
  if (uncovered.lte(0)) return false
  // Without the instrument's rules the minimum quantity is unknown: count it as unprotected.
  if (uncovered.gte(least) || view.facts.instrument === null) return true
  return !mayEnterMore(view) && live(view, 'stop', 'target').length > 0
}

const triggeredOf = (view: PlanView): PlanOrder[] => live(view, 'stop').filter(isTriggered)

/** What a stop at its limit has not traded is told, unless there is something to do: a limit is what a user chose. */
function besideTriggered(view: PlanView): PlanMove {
  const move = isClosing(view) ? closeEntry(view) : alignLegs(view)
  if (move.kind !== 'wait' || move.refused !== undefined) return move
  const { price, quantity } = amounts(view.facts)
  const resting = triggeredOf(view)
  const limits = resting.map(({ draft }) => price(draft.limitPrice ?? zero)).join(', ')
  const done = view.exit === 'SELL' ? 'sold' : 'bought'
  return {
    ...move,
    why: `The stop has triggered and rests at its limit ${limits}: ${quantity(openIn(resting))} is not ${done} yet`,
  }
}

const mayEnterMore = (view: PlanView): boolean => live(view, 'entry').length > 0

function isClosing(view: PlanView): boolean {
  return view.sums.exited.gt(0) && mayEnterMore(view)
}

const isEntering = (view: PlanView): boolean =>
  view.plan.terms.kind === 'bracket' && (mayEnterMore(view) || isEntryDue(view))

/** The resting entry if the user has changed its price or quantity, with `more` to rest, below zero for less. */
function entryToMove(view: PlanView): { order: PlanOrder; draft: OrderDraft; more: Decimal } | null {
  const draft = entryDraft(view)
  const [order] = live(view, 'entry')
  if (draft === null || order === undefined || draft.limitPrice === null) return null
  const more = draft.orderQuantity.minus(view.sums.entered).minus(openOf(order))
  return sameAmount(order.draft.limitPrice, draft.limitPrice) && more.isZero() ? null : { order, draft, more }
}

/** Moves the entry to its new terms; takes it back when too little would rest of it. */
function moveEntry(view: PlanView, { order, draft, more }: NonNullable<ReturnType<typeof entryToMove>>): PlanMove {
  const left = openOf(order).plus(more)
  const { quantity } = amounts(view.facts)
  if (isTooLittle(left, view)) {
    const filled = `The entry has filled ${quantity(view.sums.entered)}`
    const why = left.gt(0)
      ? `the ${quantity(left)} left is below the minimum`
      : left.isZero()
        ? 'as asked'
        : `and ${quantity(draft.orderQuantity)} was asked`
    return takeBack(view, order, `${filled}, ${why}: cancels the rest`)
  }
  const to = more.isZero() ? 'its new price' : `its new terms, ${quantity(left)} open`
  return replaceWith(view, order, 'entry', draft, { more, why: `The entry goes to ${to}` })
}

/** Lets the legs go on while the entry must wait: why it does is told, unless a leg is stopped as well. */
function besideLegs(view: PlanView, move: PlanMove): PlanMove {
  if (move.kind !== 'wait') return move
  const ofLegs = alignLegs(view)
  return ofLegs.kind === 'wait' && ofLegs.refused === undefined ? move : ofLegs
}

function enter(view: PlanView): PlanMove {
  const draft = entryDraft(view)
  const [order] = live(view, 'entry')
  if (draft === null) return { kind: 'wait', why: 'It has no entry' }
  if (order === undefined) return placeAsked(view, 'entry', draft, null)
  const moved = entryToMove(view)
  if (moved !== null) return besideLegs(view, moveEntry(view, moved))
  const at = draft.limitPrice === null ? '' : ` at ${amounts(view.facts).price(draft.limitPrice)}`
  return { kind: 'wait', why: `The entry rests${at}${uncoveredNote(view)}` }
}

function scaleOut(view: PlanView): PlanMove {
  const next = nextSlice(view)
  if (next !== undefined) return placeAsked(view, 'slice', next.draft, next.at)
  const resting = live(view, 'slice')
  const open = amounts(view.facts).quantity(openIn(resting))
  return { kind: 'wait', why: `${resting.length} orders rest, ${open} open` }
}

/** Describes the quantity that remains unprotected in the account; as far as it is known. */
function restText({ plan, sums, facts, uncovered }: PlanView): string {
  const unknown = unknownFillText(plan)
  if (unknown !== null) return `; ${unknown}: what of it stays without a stop is not known either`
  if (uncovered.lte(0)) return ''
  return `; ${amounts(facts).quantity(sums.left)} stays without a stop`
}

function endOf(view: PlanView): { how: 'done' | 'nothing'; why: string } {
  const { sums, plan, facts, uncovered } = view
  const { quantity } = amounts(facts)
  if (plan.terms.kind === 'scale') {
    const how = sums.entered.gt(0) ? 'done' : 'nothing'
    return { how, why: `${quantity(sums.entered)} of ${quantity(plan.terms.quantity)} filled` }
  }
  if (sums.entered.isZero()) return { how: 'nothing', why: 'Entry ended without a fill' }
  if (uncovered.gt(0))
    return { how: 'done', why: `${quantity(uncovered)} is left: below the minimum, no order can protect it` }
  return { how: 'done', why: `Fully exited: ${quantity(sums.exited)}` }
}
