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
  /** Side of the exit; null of a scale. */
  exit: Side | null
  /** Least quantity of an order; above any while the rules are not known. */
  least: Decimal
}

export function viewOf(plan: Plan, facts: PlanFacts): PlanView {
  const sums = sumsOf(plan)
  const least = facts.instrument?.minQuantity ?? new Decimal(Number.POSITIVE_INFINITY)
  return { plan, facts, sums, uncovered: uncoveredOf(sums), exit: exitSide(plan.terms), least }
}

/** Writes amounts as the symbol's rules say. */
export const amounts = ({ instrument }: { instrument: Instrument | null }) => amountsIn(instrument ?? undefined)

export const live = ({ plan }: PlanView, ...roles: readonly PlanRole[]): PlanOrder[] =>
  plan.orders.filter((order) => isLive(order) && roles.includes(order.role))

/** So many stops protect the fills of an entry side by side; after that the newest grows. */
const exitsMost = 4
/** A trailing stop moves, and the target takes the stop's place, no more often than this. */
const paceMs = 5_000
/** While the price is unknown for so long the target gives way to the stop: nobody here would see it fall. */
const blindMostMs = 10_000
/** Pauses after a step that the exchange refused: doubled each time, up to the longest. */
const retryMs = 2_000
const retryMostMs = 300_000

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
    const pauseMs = cancelAgainMs[cancelTries - 1]
    if (standing !== 'working' || orderId === null || cancelingSinceMs === null || pauseMs === undefined) return false
    return facts.nowMs - cancelingSinceMs >= pauseMs
  })
}

/** When a step that failed may be tried again; null when it may be now. */
export function pausedUntil(trouble: Trouble | undefined, nowMs: number): number | null {
  // A wall clock that was set back since says nothing of how long ago it was.
  if (trouble === undefined || trouble.atMs > nowMs) return null
  const dueMs = trouble.atMs + Math.min(retryMs * 2 ** (trouble.count - 1), retryMostMs)
  return nowMs >= dueMs ? null : dueMs
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
  const stops = plan.orders.flatMap(({ role, standing, draft }) =>
    role === 'stop' && standing !== 'notPlaced' && draft.stopPrice !== null ? [draft.stopPrice] : [],
  )
  if (stops.length === 0) return null
  return exit === 'SELL' ? Decimal.max(...stops) : Decimal.min(...stops)
}

/** Where the stop is to stand; a clause where nobody can say yet. */
function stopPriceOf(view: PlanView): Decimal | string {
  const { plan, facts, exit } = view
  const { terms } = plan
  if (terms.kind === 'oco' || terms.kind === 'bracket') return terms.stopPrice
  if (terms.kind !== 'trailing' || exit === null) return 'it has no stop'
  const before = stopBefore(view) ?? terms.stopPrice
  if (facts.price.kind === 'unknown' || facts.instrument === null)
    return before ?? (facts.price.kind === 'unknown' ? facts.price.why : 'the rules of the symbol are not loaded')
  return trailedStop(terms, exit, facts.price, before, facts.instrument)
}

/** An order of a leg without its quantity; a clause where it cannot be written down yet. */
function legDraft(view: PlanView, role: 'stop' | 'target'): OrderDraft | string {
  const { terms } = view.plan
  const legs = legsOf(terms)
  const side = view.exit ?? 'SELL'
  if (role === 'target')
    return legs === null ? 'it has no target' : { ...blank(terms), side, limitPrice: legs.targetPrice }
  const stopPrice = stopPriceOf(view)
  if (typeof stopPrice === 'string') return stopPrice
  const limitPrice = legs?.stopLimit ?? null
  return { ...blank(terms), side, type: limitPrice === null ? 'STOP' : 'STOPLIMIT', stopPrice, limitPrice }
}

const legsOf = (terms: PlanTerms): ExitTerms | null => (terms.kind === 'oco' || terms.kind === 'bracket' ? terms : null)

/** Which leg is to rest now. Where nobody knows the price what rests stays, for a while. */
export function wantedLeg(view: PlanView): 'stop' | 'target' {
  const { plan, facts, sums, exit } = view
  const legs = legsOf(plan.terms)
  if (legs === null || exit === null) return 'stop'
  if (facts.price.kind === 'unknown') return sums.isAtTarget && facts.blindMs < blindMostMs ? 'target' : 'stop'
  return isTargetNear(legs, exit, facts.price.price, sums.isAtTarget) ? 'target' : 'stop'
}

/** Places the leg that is to rest for what has none. */
export function placeLeg(view: PlanView): PlanMove {
  const { plan, facts, uncovered } = view
  if (facts.instrument === null) return { kind: 'wait', why: 'Not protected: the rules of the symbol are not loaded' }
  const others = live(view, 'stop', 'target')
  const last = others.at(-1)
  if (last !== undefined && (others.length >= exitsMost || uncovered.lt(view.least)))
    return replaceBy(view, last, 'stop' === last.role ? 'stop' : 'target', {
      more: uncovered,
      why: `${amounts(facts).quantity(uncovered)} more is to be protected`,
    })
  const quantity = amounts(facts).quantity(uncovered)
  const wanted = wantedLeg(view)
  // Where the target cannot rest the stop can: what protects is not kept waiting by what earns.
  const refusals: string[] = []
  let untilMs: number | undefined
  for (const role of wanted === 'target' ? (['target', 'stop'] as const) : (['stop'] as const)) {
    const draft = legDraft(view, role)
    if (typeof draft === 'string') return { kind: 'wait', why: `Not protected: ${draft}`, refused: draft }
    const pausedMs = pausedUntil(plan.troubles[role], facts.nowMs)
    const whole = { ...draft, orderQuantity: uncovered }
    const refused = pausedMs === null ? facts.judge(whole, null) : (plan.troubles[role]?.reason ?? 'it was refused')
    if (refused === null) {
      const step = { do: 'place', role, slice: null, draft: whole } as const
      return { kind: 'step', step, why: `Places the ${role} for ${quantity}` }
    }
    refusals.push(refused)
    untilMs = pausedMs ?? untilMs
  }
  const refused = refusals.at(-1) ?? ''
  const why = `Not protected: the stop for ${quantity} cannot be placed: ${refused}`
  return { kind: 'wait', why, refused, ...(untilMs === undefined ? {} : { untilMs }) }
}

type Change = { more?: Decimal; why: string; isSwap?: boolean }

/** Puts another order in the place of one that rests; with what keeps it where it is. */
function replaceBy(view: PlanView, order: PlanOrder, role: 'stop' | 'target', change: Change): PlanMove {
  const draft = legDraft(view, role)
  return typeof draft === 'string'
    ? { kind: 'wait', why: `Stays: ${draft}` }
    : replaceWith(view, order, role, draft, change)
}

/** The same with a draft that is known; `more` is added to its quantity, or taken off where it is below zero. */
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
  const trouble = plan.troubles[role] ?? plan.troubles.cancel
  const untilMs = pausedUntil(trouble, facts.nowMs)
  if (untilMs !== null)
    return { kind: 'wait', why: `${why}, later: ${trouble?.reason ?? ''}`, refused: trouble?.reason ?? '', untilMs }
  if (order.orderId === null) return { kind: 'wait', why: `${name} has no id of the exchange yet` }
  const refused = facts.judge(rest, order.orderId)
  if (refused !== null) return { kind: 'wait', why: `${why}, but the ${name} stays: ${refused}`, refused }
  return { kind: 'step', step: { do: 'replace', order, role, draft: whole, rest, isSwap }, why }
}

/** Brings the legs that rest to where they are to be, one at a time; or says what the plan waits for. */
export function alignLegs(view: PlanView): PlanMove {
  const { plan, facts, exit } = view
  const wanted = wantedLeg(view)
  const orders = live(view, 'stop', 'target')
  const other = orders.find(({ role }) => role !== wanted)
  const { price } = amounts(facts)
  const at = facts.price.kind === 'known' ? ` at ${price(facts.price.price)}` : ''
  if (other !== undefined) {
    const why =
      wanted === 'target'
        ? `The price${at} is near the target`
        : facts.price.kind === 'known'
          ? `The price${at} is away from the target`
          : `The price is unknown: ${facts.price.why}`
    if (wanted === 'target') {
      const heldBack = improvesLater(view)
      if (heldBack !== null) return { ...heldBack, why: `${why}; ${heldBack.why}` }
    }
    return replaceBy(view, other, wanted, { why, isSwap: true })
  }
  const draft = legDraft(view, wanted)
  if (typeof draft === 'string') return { kind: 'wait', why: draft }
  const moved = orders.find((order) => !isAtTerms(order, draft))
  if (moved !== undefined) {
    const isTrail = plan.terms.kind === 'trailing'
    const to = draft.stopPrice ?? draft.limitPrice ?? zero
    const heldBack = isTrail ? improvesLater(view) : null
    if (heldBack !== null) return heldBack
    return replaceBy(view, moved, wanted, { why: `The ${wanted} goes to ${price(to)}` })
  }
  return { kind: 'wait', why: waitingFor(view, wanted, exit ?? 'SELL') }
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
  return facts.hasBudget ? null : { kind: 'wait', why: 'waits for its share of the calls' }
}

function waitingFor(view: PlanView, leg: 'stop' | 'target', side: Side): string {
  const { plan, facts, uncovered } = view
  const { price, quantity } = amounts(facts)
  const legs = legsOf(plan.terms)
  const small = uncovered.gt(0) ? `; ${quantity(uncovered)} is below the minimum and not protected` : ''
  if (leg === 'target' && legs !== null) return `The target rests at ${price(legs.targetPrice)}, no stop${small}`
  const resting = live(view, 'stop').at(-1)?.draft.stopPrice ?? null
  const stop = resting === null ? '' : ` at ${price(resting)}`
  if (legs === null) return `The stop rests${stop} and follows the price${small}`
  const near = side === 'SELL' ? legs.targetPrice.minus(legs.nearBy) : legs.targetPrice.plus(legs.nearBy)
  return `The stop rests${stop}; the target takes its place at ${price(near)}${small}`
}

/** Places an order that a person asked for, where nothing stops it. */
export function placeAsked(view: PlanView, role: 'entry' | 'slice', draft: OrderDraft, slice: number | null): PlanMove {
  const { plan, facts } = view
  const name = slice === null ? 'entry' : `order ${slice + 1} of the scale`
  const untilMs = pausedUntil(plan.troubles[role], facts.nowMs)
  const refused = untilMs === null ? facts.judge(draft, null) : (plan.troubles[role]?.reason ?? '')
  if (refused !== null && untilMs !== null)
    return { kind: 'wait', why: `The ${name} was not placed: ${refused}`, refused, untilMs }
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
  const untilMs = pausedUntil(plan.troubles.cancel, facts.nowMs)
  if (untilMs === null) return { kind: 'step', step: { do: 'cancel', order }, why }
  const refused = plan.troubles.cancel?.reason ?? ''
  return { kind: 'wait', why: `${why}, but the cancel was refused: ${refused}`, refused, untilMs }
}

/** Why a plan must not go on before a person has looked, as a clause; null where it may. */
export function holdReason({ plan, facts, sums }: PlanView): string | null {
  if (plan.hold !== null) return plan.hold
  const over = exitSide(plan.terms) !== null && sums.left.lt(0)
  if (over) return `its exits have filled ${amounts(facts).quantity(sums.left.neg())} more than it had`
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
  if (last === undefined || troubles.entry === undefined || !isRefused(last)) return null
  return `the entry was refused: ${troubles.entry.reason}`
}
