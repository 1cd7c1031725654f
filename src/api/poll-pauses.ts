/** A longer pause than this is not believed: after it the service is asked once more. */
const longestMs = 300_000
/** Without a Retry-After: mean length of the first pause; it doubles with each refusal up to `ownMostMs`. */
const ownMs = 1_000
const ownMostMs = 30_000

/** Takes polls out of the way for a time, and lets them in again. */
export type PollGate = { pausePolls(ms: number): void; endLongPause(): void }

/**
 * How long all polls rest when the service says that there are too many calls: as long as it asks for, else longer each
 * time, half to one and a half of the mean by chance. A long rest is over as soon as the service answers a later call
 * well: what it asked for was a guess, and a person would look at old data for minutes.
 */
export function createPollPauses(random: () => number, gate: PollGate) {
  let inARow = 0
  let refusalCount = 0
  return {
    /** What is known when a call begins, for `answered`. */
    mark: (): number => refusalCount,
    /** The service answered a call with 429. */
    refused(retryAfterMs: number | null): void {
      const meanMs = Math.min(ownMs * 2 ** Math.min(inARow, 10), ownMostMs)
      inARow += 1
      refusalCount += 1
      gate.pausePolls(Math.min(retryAfterMs ?? Math.round(meanMs * (0.5 + random())), longestMs))
    },
    /** It answered a call well; one that began before the last refusal says nothing about it. */
    answered(mark: number): void {
      inARow = 0
      if (mark === refusalCount) gate.endLongPause()
    },
  }
}
