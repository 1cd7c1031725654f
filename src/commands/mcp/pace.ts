import type { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { secondMs } from '../../base/time-text.ts'
import { createTokenBucket, type TokenBucket } from '../../base/token-bucket.ts'

/** Shares of the calls a second that a desk allows itself: with a desk of the account beside, and without one. */
const besideDesk = 0.05
const alone = 0.25
/** It can be little, and never stands still. */
const perSecondMin = 0.2
/** Calls at once after a rest: what one question takes. */
const burstBesideDesk = 3
const burstAlone = 8

/** After the exchange refused a call for being one too many: twice what it asked for, and this. */
const restMoreMs = 2_000
const usualRestMs = 10_000
const restMaxMs = 600_000

export type PaceReading = { callsPerSecond: number; isDeskBeside: boolean; restMs: number }

/**
 * When an agent may call the exchange. Other programs of the account do not know of it: it takes little, far less while
 * a desk or a watch of the account runs, and after a refusal for too many calls it rests for longer than they do.
 */
export type Pace = {
  /** Waits for the turn of one call. Resolves to false where `signal` was aborted before. */
  turn(signal: AbortSignal): Promise<boolean>
  /** The exchange refused a call for being one too many. */
  refused(error: Pick<ExchangeError, 'retryAfterMs'>): void
  reading(): PaceReading
}

/** `perSecondMax` is what a desk allows itself in all; `isDeskBeside` is asked before each call, and cheap. */
export function createPace(perSecondMax: number, isDeskBeside: () => boolean, clock: Clock): Pace {
  const bucket = (share: number, burst: number): TokenBucket =>
    createTokenBucket(Math.max(perSecondMin, perSecondMax * share), burst)
  const [small, large] = [bucket(besideDesk, burstBesideDesk), bucket(alone, burstAlone)]
  let restUntilMs = Number.NEGATIVE_INFINITY
  const restMs = () => Math.max(0, restUntilMs - clock.now())
  /** How long to wait; what is taken is taken of both, so that a desk that begins finds nothing saved up. */
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
