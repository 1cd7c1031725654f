/**
 * A budget of calls: it holds `burst` at most and gains `perSecond`. `take` with `floor` leaves that many behind, for
 * whoever comes with none. Time is given with each call, in ms; a clock that is put back adds nothing.
 */
export type TokenBucket = {
  /** Takes one when, after it, `floor` are left; says whether it did. */
  take(nowMs: number, floor?: number): boolean
  /** How long until `take` with the same floor succeeds, in whole ms; 0 when it would now. */
  waitMs(nowMs: number, floor?: number): number
}

// A sum of small parts falls short of a whole by this much at most.
const slack = 1e-9

export function createTokenBucket(perSecond: number, burst: number): TokenBucket {
  let held = burst
  let atMs: number | null = null
  const fill = (nowMs: number) => {
    if (atMs !== null) held = Math.min(burst, held + (Math.max(0, nowMs - atMs) * perSecond) / 1_000)
    atMs = nowMs
  }
  const missing = (floor: number) => Math.max(0, 1 + floor - slack - held)
  return {
    take(nowMs, floor = 0) {
      fill(nowMs)
      if (missing(floor) > 0) return false
      held -= 1
      return true
    },
    waitMs(nowMs, floor = 0) {
      fill(nowMs)
      return Math.ceil((missing(floor) * 1_000) / perSecond)
    },
  }
}
