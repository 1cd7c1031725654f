import { utcText } from '../../base/time-text.ts'
import type { NewsLevel } from '../desk/events.ts'
import type { PlanMove } from './next-step.ts'
import { type Plan, sumsOf, uncoveredOf } from './plan.ts'
import { decide, type PlanState, planTable } from './plan-table.ts'

/** A plan with where it stands and why, for whoever shows it. */
export type PlanNow = {
  plan: Plan
  state: PlanState
  /** What it waits for or does, as a sentence without its stop. */
  why: string
  /** What stops the step that is due, as a clause; null where nothing does. */
  refused: string | null
}

/**
 * A plan as its record alone tells it, for whoever shows one that another process runs: where it stands, what that
 * means in words, and what refuses its step where that process has said so.
 */
export function recordedNow(plan: Plan, nowMs: number): PlanNow {
  const price = { kind: 'unknown', why: 'it is not looked for here', sinceMs: nowMs } as const
  const { state } = decide(plan, { nowMs, instrument: null, price, blindMs: 0, judge: () => null, hasBudget: false })
  const means = planTable.find((row) => row.state === state)?.means ?? state
  const why = plan.ended?.why ?? (state === 'held' && plan.hold !== null ? `Held: ${plan.hold}` : means)
  const { said } = plan
  if (plan.ended === null && state !== 'held' && said !== null) return { plan, state, ...said }
  return { plan, state, why: `${why.slice(0, 1).toUpperCase()}${why.slice(1)}`, refused: null }
}

/** Something that a person should hear of a plan; `text` is whole sentences that name it. */
export type PlanNews = { planId: string; level: NewsLevel; text: string; atMs: number }

/** Whether neither leg is certain to rest for something that the plan is to protect: a target that rests is one. */
export function isBare(plan: Plan): boolean {
  const { left, certain } = sumsOf(plan)
  return plan.ended === null && left.gt(certain)
}

/** What is bare for longer than this has been told of by then, by the process that runs the plan. */
export const bareToldMs = 5_000

/** What is told of a plan that is bare and was not told of yet; `isBusy`: a step of it is under way. */
export function bareNews({ plan, why }: PlanNow, isBusy: boolean, atMs: number): PlanNews {
  const { planId } = plan
  const since = utcText(plan.uncoveredSinceMs ?? atMs)
  const text = isBusy
    ? `Plan ${planId}: one of its steps has no answer yet. Perhaps not protected since ${since}.`
    : `Plan ${planId}: ${why}. Not protected since ${since}.`
  return { planId, level: 'bad', text, atMs }
}

/** What is told when a plan comes to stand elsewhere, or waits for something else; null where that is not news. */
export function newsOf(before: PlanNow | null, now: PlanNow, move: PlanMove, atMs: number): PlanNews | null {
  const { plan, state, why, refused } = now
  const { planId, uncoveredSinceMs } = plan
  const news = (level: NewsLevel, text: string): PlanNews => ({ planId, level, text, atMs })
  const isSame = before !== null && before.state === state && before.refused === refused
  if (move.kind === 'step' || (isSame && before.why === why)) return null
  const since =
    isBare(plan) && uncoveredSinceMs !== null
      ? ` ${state === 'unsettled' ? 'Perhaps not' : 'Not'} protected since ${utcText(uncoveredSinceMs)}.`
      : ''
  if (state === 'ended' || move.kind === 'end') return before?.state === 'ended' ? null : endNews(now, move, news)
  if (since !== '' && !isSame) return news('bad', `Plan ${planId}: ${why}.${since}`)
  if (isSame) return null
  if (state === 'held') return news('bad', `Plan ${planId}: ${why}.`)
  if (refused !== null || state === 'unsettled') return news('warn', `Plan ${planId}: ${why}.`)
  return news('info', `Plan ${planId}: ${why}.`)
}

function endNews({ plan, why }: PlanNow, move: PlanMove, news: (level: NewsLevel, text: string) => PlanNews): PlanNews {
  const isLeft = move.kind === 'end' && move.how === 'left'
  return news(isLeft || isLeftBare(plan) ? 'bad' : 'good', `Plan ${plan.planId} has ended: ${why}.`)
}

const isLeftBare = (plan: Plan): boolean => uncoveredOf(sumsOf(plan)).gt(0)

/** How long neither leg was certain to rest, over the swaps of some plans; null before the first. In ms. */
export function swapLengths(plans: Iterable<Plan>): { count: number; medianMs: number; longestMs: number } | null {
  const all = [...plans].flatMap(({ swaps }) => swaps).toSorted((left, right) => left - right)
  const [medianMs, longestMs] = [all[Math.floor((all.length - 1) / 2)], all.at(-1)]
  return medianMs === undefined || longestMs === undefined ? null : { count: all.length, medianMs, longestMs }
}
