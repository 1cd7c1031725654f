import { amountsIn } from '../market/amounts.ts'
import type { Instrument } from '../market/instrument.ts'
import { sameAmount } from '../money.ts'
import { isLive, type Plan, sumsOf } from './plan.ts'
import { ofChange, type PlanTerms, termsComplaint } from './terms.ts'

type BracketTerms = Extract<PlanTerms, { kind: 'bracket' }>

/** What no edit changes, as sentences. */
export const fixedOfPlan = 'A plan keeps its kind, symbol and side: cancel it and make another.'
export const fixedScale = 'A scale cannot be changed: cancel it and make another.'

/** Every term of a plan as text, equal for equal terms in whatever order they were read. */
const wholeText = (terms: PlanTerms): string =>
  JSON.stringify(Object.entries(terms).toSorted(([left], [right]) => (left < right ? -1 : 1)))

/** Why what was asked of a plan, shown with the terms `seen`, is not done with it; null where they still hold. */
export const changedMeanwhile = ({ planId, terms }: Plan, seen: PlanTerms | undefined): string | null =>
  seen === undefined || wholeText(seen) === wholeText(terms)
    ? null
    : `Plan ${planId} was changed meanwhile: look at it again. Nothing was done.`

/**
 * Why a plan cannot get these terms, as a sentence; null when it can. What has traded is not undone by an edit. `seen`
 * as in `changedMeanwhile`.
 */
export function editComplaint(
  plan: Plan,
  terms: PlanTerms,
  instrument: Instrument,
  seen?: PlanTerms | undefined,
): string | null {
  const { terms: before } = plan
  const changed = changedMeanwhile(plan, seen)
  if (changed !== null) return changed
  if (before.kind !== terms.kind || before.symbol !== terms.symbol || before.side !== terms.side) return fixedOfPlan
  if (terms.kind === 'scale') return fixedScale
  const complaint = termsComplaint(terms, instrument)
  if (complaint !== null) return ofChange(complaint)
  const { entered, exited } = sumsOf(plan)
  const traded = terms.kind === 'bracket' ? entered : exited
  // More than is asked may have traded while an edit to less was on its way: its legs can be edited all the same.
  if (!before.quantity.eq(terms.quantity) && traded.gt(terms.quantity))
    return `${amountsIn(instrument).quantity(traded)} of it has filled already: nothing was changed.`
  return terms.kind === 'bracket' && before.kind === 'bracket' ? entryComplaint(plan, before, terms) : null
}

/** Why the entry of a bracket cannot be changed so; null when it can, or stays as it is. */
function entryComplaint(plan: Plan, before: BracketTerms, terms: BracketTerms): string | null {
  if (before.quantity.eq(terms.quantity) && sameAmount(before.entryPrice, terms.entryPrice)) return null
  const entries = plan.orders.filter(({ role, standing }) => role === 'entry' && standing !== 'notPlaced')
  if (entries.length === 0) return null
  const live = entries.find(isLive)
  if (live === undefined) return 'Its entry has ended, and keeps its price and quantity: nothing was changed.'
  if (sumsOf(plan).exited.gt(0))
    return 'An exit has filled, so the rest of its entry is being canceled: nothing was changed.'
  if (terms.entryPrice !== null) return null
  return live.draft.limitPrice === null
    ? 'Its entry is a market order under way, which cannot be changed: nothing was changed.'
    : 'Its entry rests at a price and cannot become a market order: cancel it and make another.'
}
