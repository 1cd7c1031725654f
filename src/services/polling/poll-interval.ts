import {
  type FeedName,
  feedOfPolled,
  feeds,
  type Need,
  type Needs,
  type Pace,
  type PolledName,
} from '../../domain/desk/feeds.ts'

/** Pause in ms for a feed nothing needs: no call is made, only the need is rechecked. */
const restMs = 60_000

/** Each unchanged answer makes the pause this many times longer. */
const stretch = 1.5

export type PollInterval = {
  /** Notes an answer: the same object as before means unchanged. True when it differs from an earlier answer. */
  answered(value: unknown): boolean
  /** Call when something happened or the user is there: forgets how often nothing changed. */
  reset(): void
  /** The pause until the next poll. `askedMs` is one set by the user, which is kept however little changes. */
  pauseMs(need: Need, askedMs?: number): number
}

/** The pause of a feed whose every answer is new; `askedMs` is one set by the user. */
function usualPauseMs({ visibleMs, idleMaxMs, hiddenMs }: Pace, need: Need, askedMs?: number): number {
  switch (need) {
    case 'critical':
      // Data for a decision must not become stale between two polls, whatever the user set.
      return askedMs === undefined ? visibleMs : Math.min(askedMs, idleMaxMs)
    case 'visible':
      return askedMs ?? visibleMs
    case 'secondary':
      return askedMs ?? Math.min(idleMaxMs, visibleMs * 2)
    case 'hidden':
      return Math.max(hiddenMs, askedMs ?? 0)
    case 'none':
      return restMs
  }
}

/** The pauses of one feed, by how much it is needed and how often nothing changed. */
export function createPollInterval(pace: Pace): PollInterval {
  let last: { value: unknown } | null = null
  let sameCount = 0
  return {
    answered(value) {
      const isFirst = last === null
      const isSame = last !== null && last.value === value
      last = { value }
      sameCount = isSame ? sameCount + 1 : 0
      return !isFirst && !isSame
    },
    reset() {
      sameCount = 0
    },
    pauseMs(need, askedMs) {
      const usualMs = usualPauseMs(pace, need, askedMs)
      const isStretched = (need === 'visible' || need === 'secondary') && askedMs === undefined
      return isStretched ? Math.min(pace.idleMaxMs, usualMs * stretch ** Math.min(sameCount, 20)) : usualMs
    },
  }
}

type Asked = Readonly<Partial<Record<FeedName, number | undefined>>>

/** Share of the rate for these pauses; the rest is for further pages, and for single orders and transfers. */
const shareOfPauses = 0.9

/** Calls per second if every answer is new. */
export function callsWanted(needs: Needs, pollMs: Asked = {}): number {
  const names = Object.keys(needs) as PolledName[]
  return names.reduce((sum, name) => {
    const feed = feedOfPolled(name)
    return needs[name] === 'none' ? sum : sum + 1_000 / usualPauseMs(feeds[feed], needs[name], pollMs[feed])
  }, 0)
}

/** How many times longer pauses must be to stay within `perSecond` calls; 1 when they already do. */
export const slowdown = (needs: Needs, perSecond: number, pollMs?: Asked): number =>
  Math.max(1, callsWanted(needs, pollMs) / (perSecond * shareOfPauses))

/** The pause made `times` longer, but not so long that the feed would become stale before its next answer. */
export const slowedPauseMs = (feed: FeedName, pauseMs: number, times: number): number =>
  Math.min(pauseMs * times, Math.max(pauseMs, feeds[feed].staleAfterMs / 2))
