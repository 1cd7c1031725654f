import { type Clock, elapsedMaxMs, momentOf } from '../../base/clock.ts'

/** Maximum time in ms between the checks of an order and its leaving: more than a slow disk and a full queue take. */
const orderMaxMs = 10_000

/** The same for what takes the place of a canceled order: more than a slow cancel and its looks take besides. */
export const behindCancelMaxMs = 40_000

export type CheckAge = {
  /** Passes on what the checks have said: they are made now. */
  madeNow(said: string | null): string | null
  /** Why the write must not leave on these checks any more, as a clause: the machine slept meanwhile. */
  tooOld(maxMs?: number): string | null
}

/** The age of a write's checks, by whichever time of the clock says more. `whatNow`: what it means, and what to do. */
export function createCheckAge(
  clock: Pick<Clock, 'now' | 'wallMs'>,
  { maxMs: usualMaxMs, whatNow }: { maxMs: number; whatNow: string },
): CheckAge {
  let made = momentOf(clock)
  return {
    madeNow(said) {
      made = momentOf(clock)
      return said
    },
    tooOld(maxMs = usualMaxMs) {
      const ageMs = elapsedMaxMs(made, momentOf(clock))
      return ageMs <= maxMs ? null : `${Math.round(ageMs / 1000)} s have passed since it was checked${whatNow}`
    },
  }
}

/** That of an order. One of a plan is never too old: a plan judges by its own rules, since what protects must go. */
export function createOrderCheckAge(clock: Pick<Clock, 'now' | 'wallMs'>, isOfPlan: boolean): CheckAge {
  const whatNow = ', and prices may have moved: review it again'
  const age = createCheckAge(clock, { maxMs: orderMaxMs, whatNow })
  return isOfPlan ? { ...age, tooOld: () => null } : age
}
