import { capital } from '../../base/text/plain-text.ts'
import { utcText } from '../../base/text/time-text.ts'
import type { NewsLevel } from '../desk/events.ts'
import type { Decimal } from '../money.ts'
import { orderName } from '../orders/order.ts'
import { recordFacts } from './facts.ts'
import type { PlanMove } from './next-step.ts'
import { isTriggered, type Plan, type PlanOrder, sumsOf, uncoveredOf } from './plan.ts'
import { decide, type PlanState, toldState } from './plan-table.ts'

/** A plan with its state and reason, for display. */
export type PlanNow = {
  plan: Plan
  state: PlanState
  /** What it waits for or does, as a sentence without its period. */
  why: string
  /** What blocks the next step, as a clause; null when nothing does. */
  refused: string | null
}

/** Whether a person may let the plan go on: it is held, or something refused its next step. */
export const isResumable = ({ state, refused }: Pick<PlanNow, 'state' | 'refused'>): boolean =>
  state === 'held' || refused !== null

/** Why a plan that runs is not resumed, as a sentence without its period. */
export const runsAlready = (planId: string): string => `plan ${planId} is running already: nothing to resume`

/**
 * A plan according to its record only, for displaying one run by another process: its state, a description, and what
 * blocks its next step if that process has recorded it.
 */
export function recordedNow(plan: Plan, nowMs: number): PlanNow {
  const { ended, said } = plan
  if (ended !== null) return { plan, state: 'ended', why: capital(ended.why), refused: null }
  const { state, why } = decide(plan, recordFacts(nowMs))
  if (state !== 'held' && said !== null) return { plan, state, ...said }
  // What holds a plan stands in its record, and a stop at its limit too: nothing of it is looked for elsewhere.
  const isRecorded = state === 'held' || (state === 'unprotected' && isCovered(plan))
  return { plan, state, why: capital(isRecorded ? why : toldState(state).means), refused: null }
}

/** Whether an order is there for all that is to be protected, and one of them is a stop at its limit. */
const isCovered = (plan: Plan): boolean => plan.orders.some(isTriggered) && uncoveredOf(sumsOf(plan)).lte(0)

/** News of a plan for the user; `text` is full sentences that name it. */
export type PlanNews = { planId: string; level: NewsLevel; text: string; atMs: number }

/** True when it is not certain that a leg rests for everything the plan shall protect; a resting target counts. */
export function isBare(plan: Plan): boolean {
  const { left, certain } = sumsOf(plan)
  return plan.ended === null && left.gt(certain)
}

/** After this time without protection, the process that runs the plan has reported it. */
export const bareToldMs = 5_000

/** The news of an unprotected plan that was not reported yet; `isBusy` while a step is in progress. */
export function bareNews({ plan, why }: PlanNow, isBusy: boolean, atMs: number): PlanNews {
  const { planId } = plan
  const since = utcText(plan.bareSinceMs ?? atMs)
  const text = isBusy
    ? `Plan ${planId}: one of its steps has no answer yet. Perhaps not protected since ${since}.`
    : `Plan ${planId}: ${why}. Not protected since ${since}.`
  return { planId, level: 'bad', text, atMs }
}

/** The news that an order of a plan that has ended filled more than was told until then. */
export function filledAfterEnd(plan: Plan, order: PlanOrder, told: Decimal, atMs: number): PlanNews {
  const { planId } = plan
  const name = `${order.role} ${orderName(order)}`
  const text =
    `Plan ${planId} has ended, and its ${name} has filled ${told.toFixed()} in all, ` +
    `${order.filled?.toFixed() ?? 'nothing'} of it known by then: nothing takes care of the rest.`
  return { planId, level: 'bad', text, atMs }
}

/** A reason without its figures: values follow the market, and one that goes on is no news at each price. */
const shapeOf = (reason: string | null): string | null => reason?.replace(/\d[\d.,]*/g, '#') ?? null

/** The news of a plan's change of state or reason; null when it is not news. */
export function newsOf(before: PlanNow | null, now: PlanNow, move: PlanMove, atMs: number): PlanNews | null {
  const { plan, state, why, refused } = now
  const { planId, bareSinceMs } = plan
  const news = (level: NewsLevel, text: string): PlanNews => ({ planId, level, text, atMs })
  const isSame = before !== null && before.state === state && shapeOf(before.refused) === shapeOf(refused)
  if (move.kind === 'step' || (isSame && before.why === why)) return null
  const since =
    isBare(plan) && bareSinceMs !== null
      ? ` ${state === 'unsettled' ? 'Perhaps not' : 'Not'} protected since ${utcText(bareSinceMs)}.`
      : ''
  if (state === 'ended' || move.kind === 'end') return before?.state === 'ended' ? null : endNews(now, move, news)
  if (since !== '' && !isSame) return news('bad', `Plan ${planId}: ${why}.${since}`)
  if (isSame) return null
  if (state === 'held') return news('bad', `Plan ${planId}: ${why}.`)
  if (refused !== null || state === 'unsettled') return news('warn', `Plan ${planId}: ${why}.`)
  return news('info', `Plan ${planId}: ${why}.`)
}

function endNews({ plan, why }: PlanNow, move: PlanMove, news: (level: NewsLevel, text: string) => PlanNews): PlanNews {
  const how = move.kind === 'end' ? move.how : plan.ended?.how
  const isLeft = how === 'left'
  return news(isLeft || isLeftBare(plan) ? 'bad' : 'good', `Plan ${plan.planId} has ended: ${why}.`)
}

const isLeftBare = (plan: Plan): boolean => uncoveredOf(sumsOf(plan)).gt(0)

/** Durations, in ms, in which no leg was certain to rest, over the swaps of some plans; null before the first. */
export function swapLengths(plans: Iterable<Plan>): { count: number; medianMs: number; longestMs: number } | null {
  const all = [...plans].flatMap(({ swaps }) => swaps).toSorted((left, right) => left - right)
  const [medianMs, longestMs] = [all[Math.floor((all.length - 1) / 2)], all.at(-1)]
  return medianMs === undefined || longestMs === undefined ? null : { count: all.length, medianMs, longestMs }
}
