import type { FeedName } from '../domain/desk/events.ts'
import type { Need } from '../domain/desk/feeds.ts'

/** Pauses between polls, in ms. */
export type Pace = {
  /** On screen, while what comes changes. */
  shownMs: number
  /** On screen, at the most: after the same has come again and again. */
  calmMs: number
  /** Where nobody sees it. */
  behindMs: number
}

/**
 * Quick enough that a person sees a live market, and slow enough for a venue that allows ten calls a second. The
 * longest pause of each feed is well below the age at which it counts as stale.
 */
export const paces: Readonly<Record<FeedName, Pace>> = {
  book: { shownMs: 500, calmMs: 2_000, behindMs: 2_500 },
  queue: { shownMs: 500, calmMs: 2_000, behindMs: 2_500 },
  tickers: { shownMs: 2_000, calmMs: 5_000, behindMs: 8_000 },
  // A symbol's status changes seldom, and an auction is asked for by itself.
  instruments: { shownMs: 5_000, calmMs: 10_000, behindMs: 20_000 },
  orders: { shownMs: 1_000, calmMs: 3_000, behindMs: 3_000 },
  // Orders that change have fills and balances asked for at once.
  fills: { shownMs: 1_500, calmMs: 5_000, behindMs: 6_000 },
  balances: { shownMs: 2_000, calmMs: 6_000, behindMs: 8_000 },
  fees: { shownMs: 60_000, calmMs: 120_000, behindMs: 120_000 },
  withdrawals: { shownMs: 2_000, calmMs: 6_000, behindMs: 20_000 },
  deposits: { shownMs: 3_000, calmMs: 9_000, behindMs: 20_000 },
  whitelist: { shownMs: 10_000, calmMs: 30_000, behindMs: 120_000 },
}

/** What nothing rests on calls nobody; its loop only looks whether that is still so. */
export const restMs = 60_000

/** Each answer that is like the one before makes the pause so much longer. */
const stretch = 1.5

export type Tempo = {
  /**
   * Takes in what an answer was: the very object of before means that nothing has changed. True when it differs from an
   * answer before.
   */
  answered(value: unknown): boolean
  /** Something has happened, or somebody is there: forgets how often nothing changed. */
  stir(): void
  /**
   * The pause until the next poll. `askedMs` is a pause that the settings ask for: it is kept, however little changes.
   */
  pauseMs(need: Need, askedMs?: number): number
}

/** The pause of a feed of which every answer brings something new; `askedMs` is one that the settings ask for. */
export function usualPauseMs({ shownMs, calmMs, behindMs }: Pace, need: Need, askedMs?: number): number {
  switch (need) {
    case 'pressing':
      // What a decision rests on must not grow stale between two polls, whatever was asked for.
      return askedMs === undefined ? shownMs : Math.min(askedMs, calmMs)
    case 'shown':
      return askedMs ?? shownMs
    case 'beside':
      return askedMs ?? Math.min(calmMs, shownMs * 2)
    case 'behind':
      return Math.max(behindMs, askedMs ?? 0)
    case 'none':
      return restMs
  }
}

/** How quickly one feed is polled: by how much it is needed, and by how often the same came. */
export function createTempo(pace: Pace): Tempo {
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
    stir() {
      sameCount = 0
    },
    pauseMs(need, askedMs) {
      const usualMs = usualPauseMs(pace, need, askedMs)
      const isStretched = (need === 'shown' || need === 'beside') && askedMs === undefined
      return isStretched ? Math.min(pace.calmMs, usualMs * stretch ** Math.min(sameCount, 20)) : usualMs
    },
  }
}
