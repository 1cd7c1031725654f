import type { OutboxEvent, Partner, PracticeOrder } from '../world.ts'

/** What tells a world from every other. */
export type WorldOrigin = {
  /** No other world has it: ids are made of it, so that none comes again after a reset. */
  readonly worldId: string
  /** What chance does in this world follows from it alone. */
  readonly seed: number
}

/** The numbers given last; 0 when none was. */
export type LastNumbers = { readonly lastOrderNumber: number; readonly lastSequence: number }

/** What a world was left with: enough to go on from. */
export type Kept = WorldOrigin &
  LastNumbers & {
    /** When the last event was made; 0 when none was. */
    readonly lastEventMs: number
    readonly partners: readonly Partner[]
    /** Orders that have not ended, oldest first. */
    readonly living: readonly PracticeOrder[]
  }

/**
 * Where a gateway's world is kept. What is written becomes durable together by the time `settled` says so; readers see
 * what is durable.
 */
export type WorldStore = {
  /** Null where no world was begun. */
  load(): Kept | null
  /** A new world begins: nothing else is kept any more. */
  begin(origin: WorldOrigin): void
  putPartner(partner: Partner): void
  /** The order in its new state and the event that tells of it, never the one without the other. */
  putChange(order: PracticeOrder, event: OutboxEvent): void
  /** Null when everything is durable; else it resolves when it is, and rejects when it cannot be. */
  settled(): Promise<void> | null
  order(orderId: string): PracticeOrder | undefined
  /** The newest first. */
  orders(query: { readonly count: number; readonly before?: number }): readonly PracticeOrder[]
  eventsAfter(sequence: number, count: number): readonly OutboxEvent[]
  event(eventId: string): OutboxEvent | undefined
  /**
   * Forgets the oldest orders, a few hundred at most, that ended before this, with their events; the numbers given last
   * outlive them.
   */
  forgetEndedBefore(atMs: number, last: WorldOrigin & LastNumbers): void
}
