import type { FeedName } from '../domain/desk/events.ts'
import { feedOfPolled, type Needs, type PolledName, staleAfterMs } from '../domain/desk/feeds.ts'
import { paces, usualPauseMs } from './tempo.ts'

type Asked = Readonly<Partial<Record<FeedName, number | undefined>>>

/** Left for what comes beside the pauses: further pages, single orders and transfers that are looked up. */
const shareOfPauses = 0.9

/** Calls a second when every answer brings something new. */
export function callsWanted(needs: Needs, pollMs: Asked = {}): number {
  const names = Object.keys(needs) as PolledName[]
  return names.reduce((sum, name) => {
    const feed = feedOfPolled(name)
    return needs[name] === 'none' ? sum : sum + 1_000 / usualPauseMs(paces[feed], needs[name], pollMs[feed])
  }, 0)
}

/** How many times longer pauses have to be so that polls stay within `perSecond` calls a second; 1 where they do. */
export const slowdown = (needs: Needs, perSecond: number, pollMs?: Asked): number =>
  Math.max(1, callsWanted(needs, pollMs) / (perSecond * shareOfPauses))

/** A pause that is so many times longer, but not so long that the feed would look stale before its next answer. */
export const slowedPauseMs = (feed: FeedName, pauseMs: number, times: number): number =>
  Math.min(pauseMs * times, Math.max(pauseMs, staleAfterMs[feed] / 2))
