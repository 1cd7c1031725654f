import type { Attempt, DeliveriesQuery, Delivery, Endpoint } from './delivery.ts'

/**
 * Where endpoints and deliveries are kept. What was changed is seen at once, and is durable when `settled` says so or
 * soon after; what a crash takes back has only been forgotten, so that it is done again.
 */
export type DeliveryStore = {
  /** Those that are not removed, by id. */
  endpoints(): readonly Endpoint[]
  /** Any that there ever was. */
  endpoint(id: number): Endpoint | undefined
  addEndpoint(endpoint: Omit<Endpoint, 'id'>): Endpoint
  moveEndpoint(id: number, url: string): void
  removeEndpoint(id: number): void

  /** The sequence number of the last event of the outbox for which deliveries were made. */
  takenSequence(): number
  setTakenSequence(sequence: number): void

  addDelivery(delivery: Omit<Delivery, 'id'>): Delivery
  delivery(id: number): Delivery | undefined
  /** Puts this in the place of the delivery with the same id. */
  updateDelivery(delivery: Delivery): void
  /** Every delivery that is pending, by id. */
  pending(): Iterable<Delivery>
  deliveries(query: DeliveriesQuery): readonly Delivery[]
  addAttempt(attempt: Attempt): void
  /** Of one delivery, oldest first. */
  attempts(deliveryId: number): readonly Attempt[]
  /** Forgets what ended before this time by arriving. */
  forgetDelivered(beforeMs: number): void
  /** Forgets all but the endpoints. */
  clear(): void
  settled(): Promise<void>
}
