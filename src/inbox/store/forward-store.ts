import type { PageQuery, StoredEvent } from '../../domain/gateway/inbox-source.ts'

/** Attempts that are kept of one event and target, the newest; older ones are only counted. */
export const attemptsKept = 20

/** One try to hand an event on. */
export type ForwardAttempt = {
  readonly sequence: number
  /** By the wall clock of the host that tried. */
  readonly atMs: number
  readonly durationMs: number
  /** Of the answer; null where none came. */
  readonly status: number | null
  /** Why it was not taken; null where it was. */
  readonly reason: string | null
  /** How the answer began, without control characters. */
  readonly answer: string
}

/** An event that waits for a target, and how often it was tried. */
export type Waiting = {
  readonly sequence: number
  readonly tries: number
  /** Those of the tries that the target itself answered with a no to this event. */
  readonly refusals: number
}

/** An event that was given up. */
export type GivenUp = {
  readonly sequence: number
  readonly atMs: number
  readonly tries: number
  readonly reason: string
}

/** Where handing on stands: every event up to `upTo` is done with, but for those in `waiting`. */
export type ForwardPlace = { readonly upTo: number; readonly waiting: readonly number[] }

/** What is new since the last change; the place moves by all of it or by nothing. */
export type PlaceChange = {
  readonly upTo: number
  readonly waiting: readonly Waiting[]
  /** Wait no more; what somebody asked to be sent again meanwhile stays. */
  readonly done: readonly number[]
  /** Wait no more, and are those that somebody asked for. */
  readonly answered: readonly number[]
  readonly attempts: readonly ForwardAttempt[]
  readonly givenUp: readonly GivenUp[]
}

export type LeaseWish = {
  readonly target: string
  /** Who asks, as others are shown it: host and process. */
  readonly holder: string
  readonly leaseMs: number
  /** Where to begin if nobody ever handed on to this target. */
  readonly begin: ForwardPlace
}

/** A lease that was given: its number is higher than that of every lease before. */
export type GivenLease = { readonly fence: number; readonly upTo: number }

/** An entry of the dead-letter list; `sequence` is its place in that list. */
export type DeadLetter = {
  readonly sequence: number
  readonly target: string
  readonly eventSequence: number
  readonly eventId: string
  readonly orderId: string
  readonly atMs: number
  readonly tries: number
  readonly reason: string
}

/** How handing on to one target stands, for whoever watches. */
export type ForwardStanding = {
  readonly target: string
  readonly holder: string
  readonly fence: number
  /** False: nobody hands on just now. */
  readonly isHeld: boolean
  readonly upTo: number
  readonly waiting: number
  /** Receipt of the oldest event that is not handed on; null where there is none. */
  readonly oldestReceivedAtMs: number | null
  /** Orders whose next event was tried and not taken. */
  readonly stuckOrders: number
  readonly dead: number
}

/** What a store keeps of handing events on. Any of it may reject. */
export type ForwardStore = {
  /**
   * Gives the right to hand on to a target, until `leaseMs` from now by the store's own clock; null while another has
   * it. In a file, which one process has locked, it is always given.
   */
  takeLease(wish: LeaseWish): Promise<GivenLease | null>
  /** Makes a lease last `leaseMs` from now; false when another one has been given since. */
  renewLease(target: string, fence: number, leaseMs: number): Promise<boolean>
  /** Gives a lease back, so that another host goes on at once. Nothing when another has been given since. */
  releaseLease(target: string, fence: number): Promise<void>
  /** Moves the place of a target; false, and nothing is changed, when the lease is not the newest. */
  movePlace(target: string, fence: number, change: PlaceChange): Promise<boolean>
  /**
   * Events that wait for a target, the oldest first, after a number; `isAsked`: those that somebody asked to be sent
   * again and that nobody has taken up, else the others.
   */
  waitingEvents(
    target: string,
    query: { readonly after: number; readonly count: number; readonly isAsked: boolean },
  ): Promise<readonly (StoredEvent & Omit<Waiting, 'sequence'>)[]>
  /** The attempts that are kept of an event, the oldest first; `number` counts from 1 for each target. */
  attemptsOf(
    sequence: number,
  ): Promise<readonly (ForwardAttempt & { readonly target: string; readonly number: number })[]>
  deadLetters(query: PageQuery): Promise<readonly DeadLetter[]>
  /**
   * Has events sent to a target once more, also those that were given up. Resolves with how many: one that waits
   * anyway is not among them.
   */
  sendAgain(target: string, sequences: readonly number[]): Promise<number>
  /**
   * Takes away the place of a target, what waits for it, was given up and was tried. False, and nothing is changed,
   * when it is forwarded to, or was leased since `fence`.
   */
  forgetTarget(target: string, fence: number): Promise<boolean>
  standings(): Promise<readonly ForwardStanding[]>
  /** Bodies in quarantine that no replay has taken up. */
  unreadCount(): Promise<number>
}
