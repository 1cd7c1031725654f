import { createTokenBucket } from '../base/token-bucket.ts'

/**
 * Who asks: a write, a read that a person waits for, or a poll. The order is the order in which they are let through.
 */
export const callClasses = ['write', 'person', 'poll'] as const
export type CallClass = (typeof callClasses)[number]

/** How many calls the desk allows itself. */
export type RateLimits = {
  /** Calls a second over time, above 0. */
  perSecond: number
  /** Calls at once after a rest, 1 at least. */
  burst: number
  /** Share of both that polls may use, above 0 and up to 1; the rest is kept for a person. */
  pollShare: number
}

export type CallBudget = {
  /** Takes the price of one call, or says how many ms to wait for it; 0 when taken. */
  spend(callClass: CallClass, nowMs: number): number
}

/**
 * The budget of calls. Polls have a smaller budget of their own inside it, and never take what a person's next calls
 * need, so that it is polls that slow down first.
 */
export function createCallBudget({ perSecond, burst, pollShare }: RateLimits): CallBudget {
  const all = createTokenBucket(perSecond, burst)
  const polls = createTokenBucket(perSecond * pollShare, Math.max(1, burst * pollShare))
  const keptForPerson = Math.min(burst * (1 - pollShare), Math.max(0, burst - 1))
  return {
    spend(callClass, nowMs) {
      const floor = callClass === 'poll' ? keptForPerson : 0
      const ownWaitMs = callClass === 'poll' ? polls.waitMs(nowMs) : 0
      const waitMs = Math.max(ownWaitMs, all.waitMs(nowMs, floor))
      if (waitMs > 0) return waitMs
      all.take(nowMs, floor)
      if (callClass === 'poll') polls.take(nowMs)
      return 0
    },
  }
}
