import type { Clock } from '../../base/clock.ts'
import { bareToldMs, isBare, newsOf, type PlanNews, type PlanNow } from '../../domain/plans/news.ts'

/** What a desk tells of plans that another process carries out. */
export type PlansBeside = {
  /** Tells what may need a person of the plans as their record shows them now, each thing once. */
  look(plans: readonly PlanNow[]): void
  /** What this desk told of them itself, while they ran here. */
  seen(plans: readonly PlanNow[]): void
}

type Context = { clock: Pick<Clock, 'now' | 'wallMs'>; tell: (news: PlanNews) => void }

/** What stands by itself, and is no moment of a step: a person has to look, it is over, or something refuses it. */
const isCertain = ({ state, refused }: PlanNow): boolean => state === 'held' || state === 'ended' || refused !== null

/**
 * Creates what tells of plans by their record alone. A look may fall between the two lines of a step, in which an order
 * has no answer yet and nothing rests: that is told where it lasts as long as whoever runs the plan has told it by.
 * Steps are told where they are taken, not here.
 */
export function createPlansBeside({ clock, tell }: Context): PlansBeside {
  const told = new Map<string, PlanNow>()
  /** Plans that are bare, or wait for an answer: since when this desk sees that. */
  const uneasySinceMs = new Map<string, number>()
  let isFirst = true

  /** Whether what is seen of a plan counts by now. */
  const isDue = (now: PlanNow): boolean => {
    const { planId } = now.plan
    if (isCertain(now) || (now.state !== 'unsettled' && !isBare(now.plan))) {
      uneasySinceMs.delete(planId)
      return true
    }
    const sinceMs = uneasySinceMs.get(planId) ?? clock.now()
    uneasySinceMs.set(planId, sinceMs)
    return clock.now() - sinceMs >= bareToldMs
  }
  const lookAt = (now: PlanNow): void => {
    const { planId } = now.plan
    const before = told.get(planId) ?? null
    if (before?.state === 'ended' || !isDue(now)) return
    told.set(planId, now)
    // What ended before this desk looked at all is no news of its time.
    if (before === null && isFirst && now.state === 'ended') return
    const news = newsOf(before, now, { kind: 'wait', why: now.why }, clock.wallMs())
    if (news !== null && news.level !== 'info') tell(news)
  }
  return {
    look(plans) {
      for (const now of plans) lookAt(now)
      isFirst = false
    },
    seen(plans) {
      for (const now of plans) told.set(now.plan.planId, now)
      uneasySinceMs.clear()
      isFirst = false
    },
  }
}
