import { type Clock, elapsedMaxMs, momentOf } from '../../base/clock.ts'

/** Maximum time in ms between the checks of an order and its leaving: more than a slow disk and a full queue take. */
const checkedMaxMs = 10_000

/** The same for what takes the place of a canceled order: more than a slow cancel and its looks take besides. */
export const behindCancelMaxMs = 40_000

export type CheckAge = {
  /** Passes on what the checks have said: they are made now. */
  madeNow(said: string | null): string | null
  /** Why the order must not leave on these checks any more, as a clause: the machine slept meanwhile. */
  tooOld(maxMs?: number): string | null
}

/** The age of an order's checks. A plan judges by its own rules what is late, since what protects must go. */
export function createCheckAge(clock: Pick<Clock, 'now' | 'wallMs'>, isOfPlan: boolean): CheckAge {
  let made = momentOf(clock)
  return {
    madeNow(said) {
      made = momentOf(clock)
      return said
    },
    tooOld(maxMs = checkedMaxMs) {
      const ageMs = elapsedMaxMs(made, momentOf(clock))
      if (isOfPlan || ageMs <= maxMs) return null
      const ageText = `${Math.round(ageMs / 1000)} s`
      return `${ageText} have passed since it was checked, and prices may have moved: review it again`
    },
  }
}
