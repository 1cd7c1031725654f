/**
 * How long an answer may take, everything included: finding the address, the handshakes, the answer to its last byte.
 */
export const attemptLimitMs = 5_000
/** An event is given up this long after it was made. */
export const windowMs = 72 * 3_600_000
const firstPauseMs = 10_000
const longestPauseMs = 6 * 3_600_000
/** Pauses differ by up to this share, so that what failed together does not come again together. */
const spread = 0.2

/**
 * How long to wait after so many failures in a row (1 or more): 10 s, doubled each time, 20% more or less, never above
 * 6 h. `chance` is from 0 up to 1.
 */
export function pauseMs(failureCount: number, chance: number): number {
  const plainMs = Math.min(firstPauseMs * 2 ** (failureCount - 1), longestPauseMs)
  const leastMs = plainMs * (1 - spread)
  const mostMs = Math.min(plainMs * (1 + spread), longestPauseMs)
  return Math.floor(leastMs + chance * (mostMs - leastMs))
}

/** A delivery that has failed so far. */
export type Failed = {
  /** When its event was made. */
  madeAtMs: number
  failedAtMs: number
  failureCount: number
  chance: number
}

/**
 * When something is to be done about it next: an attempt, or, at the end of the window, giving it up. The last attempt
 * still gets its whole time before the window ends.
 */
export function nextDueMs({ madeAtMs, failedAtMs, failureCount, chance }: Failed): number {
  const endMs = madeAtMs + windowMs
  const lastAttemptMs = endMs - attemptLimitMs
  const dueMs = failedAtMs + pauseMs(failureCount, chance)
  if (dueMs <= lastAttemptMs) return dueMs
  return lastAttemptMs - failedAtMs >= firstPauseMs ? lastAttemptMs : endMs
}

/** What is to be done about a delivery that is due at this moment. */
export const whenDue = (madeAtMs: number, nowMs: number): 'attempt' | 'giveUp' =>
  nowMs < madeAtMs + windowMs ? 'attempt' : 'giveUp'
