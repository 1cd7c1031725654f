import type { Clock } from '../../base/clock.ts'
import { bareToldMs, isBare, newsOf, type PlanNews, type PlanNow } from '../../domain/plans/news.ts'

/** Reports on plans that another process runs. */
export type PlansBeside = {
  /** Reports what may need the user, by the plans as recorded now, each thing once. */
  look(plans: readonly PlanNow[]): void
  /** The plans as this desk had them last while they ran here, and reported them itself. */
  seen(plans: readonly PlanNow[]): void
}

type Context = { clock: Pick<Clock, 'now' | 'wallMs'>; tell: (news: PlanNews) => void }

/** True for a lasting state, not a moment within a step: the user must look, or something refuses it. */
const isCertain = ({ state, refused }: PlanNow): boolean => state === 'held' || refused !== null

/** True for what may be a moment within a step. */
const isUneasy = (now: PlanNow): boolean => !isCertain(now) && (now.state === 'unsettled' || isBare(now.plan))

/**
 * Reports on plans by their record alone. A look may fall between the two lines of a step, when an order has no answer
 * yet and nothing rests: that is reported only when it lasts as long as the runner would have taken to report it. Steps
 * are reported by the runner, not here.
 */
export function createPlansBeside({ clock, tell }: Context): PlansBeside {
  const told = new Map<string, PlanNow>()
  /** Plans that are bare or wait for an answer, and since when this desk sees that. */
  const uneasySinceMs = new Map<string, number>()
  let isFirst = true

  /** True when the state has lasted long enough to be reported. */
  const isDue = (now: PlanNow): boolean => {
    const { planId } = now.plan
    if (!isUneasy(now)) {
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
    if (!isDue(now)) return
    told.set(planId, now)
    // Plans that ended before this desk's first look are not news.
    if (isFirst && now.state === 'ended') return
    const news = newsOf(before, now, { kind: 'wait', why: now.why }, clock.wallMs())
    if (news !== null && news.level !== 'info') tell(news)
  }
  return {
    look(plans) {
      for (const now of plans) lookAt(now)
      isFirst = false
    },
    seen(plans) {
      // What may have been a moment then was perhaps not told of: it counts anew.
      for (const now of plans)
        if (isUneasy(now)) told.delete(now.plan.planId)
        else told.set(now.plan.planId, now)
      uneasySinceMs.clear()
      isFirst = false
    },
  }
}
