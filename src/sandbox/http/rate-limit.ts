/** Lets at most so many requests a second through for each key. */
export type RateLimit = {
  /** 0 when the request may pass, and is counted; otherwise the milliseconds until one may. */
  waitMs(keyId: number, nowMs: number): number
}

type Bucket = { tokens: number; filledAtMs: number }

/** Token buckets of one second's worth, full at first. Without a number there is no limit. */
export function createRateLimit(requestsPerSecond: number | undefined): RateLimit {
  if (requestsPerSecond === undefined) return { waitMs: () => 0 }
  const buckets = new Map<number, Bucket>()
  return {
    waitMs: (keyId, nowMs) => {
      const bucket = buckets.get(keyId) ?? { tokens: requestsPerSecond, filledAtMs: nowMs }
      buckets.set(keyId, bucket)
      const earned = (Math.max(0, nowMs - bucket.filledAtMs) / 1_000) * requestsPerSecond
      bucket.tokens = Math.min(requestsPerSecond, bucket.tokens + earned)
      bucket.filledAtMs = nowMs
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / requestsPerSecond) * 1_000)
      bucket.tokens -= 1
      return 0
    },
  }
}
