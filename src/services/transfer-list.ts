import type { TransferQuery } from '../api/payments-client.ts'

/** What the two kinds of transfers have in common. */
type Transfer = { timestampMs: number | null }

export type TransferListOptions<T extends Transfer> = {
  fetch: (query: TransferQuery, signal: AbortSignal) => Promise<readonly T[]>
  /** The service's own id; null where it gives none. */
  idOf: (transfer: T) => string | null
  /** Whether it has yet to come to an end. */
  isUnderWay: (transfer: T) => boolean
  now: () => number
}

const dayMs = 86_400_000
/** What is shown of the past. */
export const transfersBackMs = 366 * dayMs
/** What every poll asks for again: money that was sent may come back days later. */
const recentMs = 7 * dayMs
/** Everything is asked for again this often. */
const wholeEveryMs = 600_000
/** The clocks of the exchange and of the desk need not agree. */
const clockMarginMs = 3_600_000

/**
 * Reads transfers of the last year, newest first. The first call asks for all of them, later ones only for what can still change:
 * the last days, and everything since the oldest one that is under way. Now and then all is asked for again.
 */
export function createTransferList<T extends Transfer>({ fetch, idOf, isUnderWay, now }: TransferListOptions<T>) {
  let known: readonly T[] = []
  let wholeAtMs: number | null = null
  const narrowFromMs = (nowMs: number): number =>
    known.reduce(
      (fromMs, each) =>
        isUnderWay(each) && each.timestampMs !== null ? Math.min(fromMs, each.timestampMs - clockMarginMs) : fromMs,
      nowMs - recentMs,
    )
  return async (signal: AbortSignal): Promise<readonly T[]> => {
    const nowMs = now()
    const isWhole = wholeAtMs === null || nowMs - wholeAtMs >= wholeEveryMs
    const fromMs = Math.max(0, isWhole ? nowMs - transfersBackMs : narrowFromMs(nowMs))
    const listed = await fetch({ fromMs }, signal)
    if (isWhole) wholeAtMs = nowMs
    const ids = new Set(listed.map(idOf))
    const older = isWhole
      ? []
      : known.filter((each) => each.timestampMs !== null && each.timestampMs < fromMs && !ids.has(idOf(each)))
    known = [...listed, ...older].toSorted((left, right) => (right.timestampMs ?? nowMs) - (left.timestampMs ?? nowMs))
    return known
  }
}
