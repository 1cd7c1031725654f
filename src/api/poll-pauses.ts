/** A longer pause than this is not believed: after it the service is asked once more. */
const longestMs = 300_000
/** Without a Retry-After: mean length of the first pause; it doubles with each refusal up to `ownMostMs`. */
const ownMs = 1_000
const ownMostMs = 30_000

/**
 * How long all polls rest when the service says that there are too many calls: as long as it asks for, else longer each
 * time, half to one and a half of the mean by chance.
 */
export function createPollPauses(random: () => number, pause: (ms: number) => void) {
  let refusals = 0
  return {
    /** The service answered a call with 429. */
    refused(retryAfterMs: number | null): void {
      const meanMs = Math.min(ownMs * 2 ** Math.min(refusals, 10), ownMostMs)
      refusals += 1
      pause(Math.min(retryAfterMs ?? Math.round(meanMs * (0.5 + random())), longestMs))
    },
    /** It answered a call well. */
    answered(): void {
      refusals = 0
    },
  }
}
