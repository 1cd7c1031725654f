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

/** Each answer that is like the one before makes the pause so much longer. */
const stretch = 1.5

export type PollInterval = {
  /**
   * Takes in what an answer was: the very object of before means that nothing has changed. True when it differs from an
   * answer before.
   */
  answered(value: unknown): boolean
  /** Something has happened, or somebody is there: forgets how often nothing changed. */
  reset(): void
  /**
   * The pause until the next poll. `askedMs` is a pause that the settings ask for: it is kept, however little changes.
   */
  pauseMs(need: Need, askedMs?: number): number
}

/** The pause of a feed of which every answer brings something new; `askedMs` is one that the settings ask for. */
function usualPauseMs({ visibleMs, idleMaxMs, hiddenMs }: Pace, need: Need, askedMs?: number): number {
  switch (need) {
    case 'critical':
      // What a decision rests on must not grow stale between two polls, whatever was asked for.
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

/** How quickly one feed is polled: by how much it is needed, and by how often the same came. */
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

/** Left for what comes beside the pauses: further pages, single orders and transfers that are looked up. */
const shareOfPauses = 0.9

/** Calls a second when every answer brings something new. */
export function callsWanted(needs: Needs, pollMs: Asked = {}): number {
  const names = Object.keys(needs) as PolledName[]
  return names.reduce((sum, name) => {
    const feed = feedOfPolled(name)
    return needs[name] === 'none' ? sum : sum + 1_000 / usualPauseMs(feeds[feed], needs[name], pollMs[feed])
  }, 0)
}

/** How many times longer pauses have to be so that polls stay within `perSecond` calls a second; 1 where they do. */
export const slowdown = (needs: Needs, perSecond: number, pollMs?: Asked): number =>
  Math.max(1, callsWanted(needs, pollMs) / (perSecond * shareOfPauses))

/** A pause that is so many times longer, but not so long that the feed would look stale before its next answer. */
export const slowedPauseMs = (feed: FeedName, pauseMs: number, times: number): number =>
  Math.min(pauseMs * times, Math.max(pauseMs, feeds[feed].staleAfterMs / 2))
