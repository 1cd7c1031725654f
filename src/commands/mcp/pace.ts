import type { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { secondMs } from '../../base/text/time-text.ts'
import { createTokenBucket, type TokenBucket } from '../../base/token-bucket.ts'

/** Shares of a desk's calls per second: beside a running desk of the account, and without one. */
const besideDesk = 0.05
const alone = 0.25
/** Minimum calls per second. */
const perSecondMin = 0.2
/** Maximum calls at once after a pause, enough for one question. */
const burstBesideDesk = 3
const burstAlone = 8

/** After a refusal for too many calls, the pause is twice the requested one plus this, in ms. */
const restMoreMs = 2_000
const usualRestMs = 10_000
const restMaxMs = 600_000

export type PaceReading = { callsPerSecond: number; isDeskBeside: boolean; restMs: number }

/**
 * When an agent may call the exchange. Other programs of the account do not know about it, so it takes little, far less
 * while a desk or watch of the account runs, and pauses longer than they do after a refusal for too many calls.
 */
export type Pace = {
  /** Waits for the turn of one call. Resolves to false when `signal` is aborted before. */
  turn(signal: AbortSignal): Promise<boolean>
  /** Call when the exchange refused a call for too many calls. */
  refused(error: Pick<ExchangeError, 'retryAfterMs'>): void
  reading(): PaceReading
}

/** `perSecondMax` is a desk's total; `isDeskBeside` is called before each call, and must be cheap. */
export function createPace(perSecondMax: number, isDeskBeside: () => boolean, clock: Clock): Pace {
  const bucket = (share: number, burst: number): TokenBucket =>
    createTokenBucket(Math.max(perSecondMin, perSecondMax * share), burst)
  const [small, large] = [bucket(besideDesk, burstBesideDesk), bucket(alone, burstAlone)]
  let restUntilMs = Number.NEGATIVE_INFINITY
  const restMs = () => Math.max(0, restUntilMs - clock.now())
  /** The wait in ms; a call is taken from both buckets, so that a desk's start finds nothing saved up. */
  const waitMs = (nowMs: number): number => {
    const rest = restMs()
    if (rest > 0) return rest
    const wait = isDeskBeside() ? small.waitMs(nowMs) : large.waitMs(nowMs)
    if (wait > 0) return wait
    small.take(nowMs)
    large.take(nowMs)
    return 0
  }
  return {
    async turn(signal) {
      while (!signal.aborted) {
        const wait = waitMs(clock.now())
        if (wait === 0) return true
        await clock.sleep(Math.min(wait, secondMs), signal)
      }
      return false
    },
    refused({ retryAfterMs }) {
      const rest = retryAfterMs === null ? usualRestMs : retryAfterMs * 2 + restMoreMs
      restUntilMs = Math.max(restUntilMs, clock.now() + Math.min(rest, restMaxMs))
    },
    reading() {
      const isBeside = isDeskBeside()
      const share = isBeside ? besideDesk : alone
      return {
        callsPerSecond: Math.max(perSecondMin, perSecondMax * share),
        isDeskBeside: isBeside,
        restMs: restMs(),
      }
    },
  }
}
