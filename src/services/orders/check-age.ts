import { type Clock, elapsedMaxMs, momentOf } from '../../base/clock.ts'

/** Maximum time in ms between the checks of an order and its leaving: more than a slow disk and a full queue take. */
const orderMaxMs = 10_000

export type CheckAge = {
  /** Call when the checks have let the write go. */
  mark: () => null
  /** Why it must not leave on them any more, as a clause: the machine slept meanwhile. */
  tooOld: () => string | null
}

/** The age of a write's checks, by whichever time of the clock says more. `whatNow`: what it means, and what to do. */
export function createCheckAge(clock: Clock, maxMs: number, whatNow: string): CheckAge {
  let checked = momentOf(clock)
  return {
    mark() {
      checked = momentOf(clock)
      return null
    },
    tooOld() {
      const ageMs = elapsedMaxMs(checked, momentOf(clock))
      return ageMs <= maxMs ? null : `${Math.round(ageMs / 1000)} s have passed since it was checked${whatNow}`
    },
  }
}

/** That of an order. One of a plan is never too old: a plan judges by its own rules, since what protects must go. */
export function createOrderCheckAge(clock: Clock, isOfPlan: boolean): CheckAge {
  const age = createCheckAge(clock, orderMaxMs, ', and prices may have moved: review it again')
  return isOfPlan ? { ...age, tooOld: () => null } : age
}
