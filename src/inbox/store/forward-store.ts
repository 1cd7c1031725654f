import type { PageQuery, StoredEvent } from '../../domain/gateway/inbox-source.ts'

/** Newest attempts stored per event and target; older ones are only counted. */
export const attemptsKept = 20

/** An attempt to forward an event. */
export type ForwardAttempt = {
  readonly sequence: number
  /** Wall clock time of the host that tried. */
  readonly atMs: number
  readonly durationMs: number
  /** Status of the answer; null without one. */
  readonly status: number | null
  /** Why it was not accepted; null when it was. */
  readonly reason: string | null
  /** The start of the answer, without control characters. */
  readonly answer: string
}

/** An event waiting for a target, and its number of attempts. */
export type Waiting = {
  readonly sequence: number
  readonly tries: number
  /** Attempts in which the target itself refused this event. */
  readonly refusals: number
}

/** An event that was given up. */
export type GivenUp = {
  readonly sequence: number
  readonly atMs: number
  readonly tries: number
  readonly reason: string
}

/** The place of forwarding: every event up to `upTo` is done, except those in `waiting`. */
export type ForwardPlace = { readonly upTo: number; readonly waiting: readonly number[] }

/** Changes since the last one; applied completely or not at all. */
export type PlaceChange = {
  /** What the store certainly had: one that has less was put back to an earlier state, and gives numbers again. */
  readonly from: number
  readonly upTo: number
  readonly waiting: readonly Waiting[]
  /** No longer waiting; events requested again meanwhile stay. */
  readonly done: readonly number[]
  /** No longer waiting, and among those requested again. */
  readonly answered: readonly number[]
  readonly attempts: readonly ForwardAttempt[]
  readonly givenUp: readonly GivenUp[]
}

export type LeaseWish = {
  readonly target: string
  /** The holder's name for others: host and process. */
  readonly holder: string
  readonly leaseMs: number
  /** Where to begin if nothing was ever forwarded to this target. */
  readonly begin: ForwardPlace
}

/** A granted lease; its number is higher than that of every earlier lease. */
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

/** The state of forwarding to one target, for monitoring. */
export type ForwardStanding = {
  readonly target: string
  readonly holder: string
  readonly fence: number
  /** False when no one is forwarding now. */
  readonly isHeld: boolean
  /** Events after this one were not taken up yet, and are not among those that wait. */
  readonly upTo: number
  readonly waiting: number
  /** When the oldest unforwarded event was received; null when there is none. */
  readonly oldestReceivedAtMs: number | null
  /** Orders whose next event was tried and not accepted. */
  readonly stuckOrders: number
  readonly dead: number
}

/** The state of forwarding in a store. All methods may reject. */
export type ForwardStore = {
  /**
   * Grants the right to forward to a target for `leaseMs` by the store's own clock; null while another holds it. Always
   * granted in a file, which only one process can lock.
   */
  takeLease(wish: LeaseWish): Promise<GivenLease | null>
  /**
   * Extends a lease to `leaseMs` from now; false when another was granted since, or the place of the target is before
   * `from`.
   */
  renewLease(target: string, fence: number, leaseMs: number, from: number): Promise<boolean>
  /** Releases a lease, so that another host continues at once; does nothing when another was granted since. */
  releaseLease(target: string, fence: number): Promise<void>
  /**
   * Moves the place of a target; false, without changes, when the lease is not the newest, or the place is before
   * `from`.
   */
  movePlace(target: string, fence: number, change: PlaceChange): Promise<boolean>
  /**
   * Waiting events of a target after a number, oldest first; `isAsked` selects those requested again and not yet taken,
   * or else the others.
   */
  waitingEvents(
    target: string,
    query: { readonly after: number; readonly count: number; readonly isAsked: boolean },
  ): Promise<readonly (StoredEvent & Omit<Waiting, 'sequence'>)[]>
  /** The stored attempts of an event, oldest first; `number` counts from 1 per target. */
  attemptsOf(
    sequence: number,
  ): Promise<readonly (ForwardAttempt & { readonly target: string; readonly number: number })[]>
  deadLetters(query: PageQuery): Promise<readonly DeadLetter[]>
  /**
   * Requests events to be sent to a target again, also those given up. Resolves with their number, without those that
   * are waiting anyway.
   */
  sendAgain(target: string, sequences: readonly number[]): Promise<number>
  /**
   * Deletes the place of a target and its waiting, given-up and attempted events. False, without changes, while it is
   * being forwarded to, or when it was leased since `fence`.
   */
  forgetTarget(target: string, fence: number): Promise<boolean>
  standings(): Promise<readonly ForwardStanding[]>
  /** Number of events recorded after a number. Counted one by one, so not for every look. */
  countAfter(sequence: number): Promise<number>
  /** Number of quarantined bodies that were not replayed. */
  unreadCount(): Promise<number>
}
