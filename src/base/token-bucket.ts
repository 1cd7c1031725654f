/**
 * A rate limit: holds at most `burst` tokens and gains `perSecond`. `floor` tokens are reserved for calls with a lower
 * floor. Each call passes the time in ms; a clock that goes back adds nothing.
 */
export type TokenBucket = {
  /** Takes a token if `floor` tokens are left after it; returns false otherwise. */
  take(nowMs: number, floor?: number): boolean
  /** Whole ms until `take` with the same floor can succeed; 0 when it can now. */
  waitMs(nowMs: number, floor?: number): number
}

// Sums of token fractions may miss a whole token by at most this much.
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
