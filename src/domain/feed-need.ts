import type { FeedName } from './desk-events.ts'

/** Everything that is polled by itself: the feeds, and those of a second symbol. */
export type PolledName = FeedName | 'otherBook' | 'otherQueue'

/** How much an answer is needed now. */
export type Need =
  /** A decision rests on it, or something of one's own is under way. */
  | 'pressing'
  /** It is on screen. */
  | 'shown'
  /** It is on screen, and nobody acts on it: a ladder that nobody is at, the account of a desk that only watches. */
  | 'beside'
  /** Nobody sees it; news, alerts and the next look rest on it. */
  | 'behind'
  /** Nothing rests on it. */
  | 'none'

export type Needs = Readonly<Record<PolledName, Need>>

/** The feed that an answer belongs to. */
export const feedOfPolled = (name: PolledName): FeedName =>
  name === 'otherBook' ? 'book' : name === 'otherQueue' ? 'queue' : name
