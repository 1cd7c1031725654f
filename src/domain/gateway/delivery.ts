import type { GatewayOrderState } from './event.ts'

/** What a delivery is waiting for, or how it ended. */
export type DeliveryState = 'pending' | 'delivered' | 'expired'

/** An event on its way from the practice gateway to one webhook endpoint. Times are the gateway's. */
export type GatewayDelivery = {
  readonly deliveryId: string
  readonly endpoint: string
  readonly eventId: string
  readonly orderId: string
  readonly orderState: GatewayOrderState
  readonly state: DeliveryState
  readonly attemptCount: number
  readonly madeAtMs: number
  /** When it is tried again; null once it has ended. */
  readonly nextAtMs: number | null
  readonly expiresAtMs: number
  /** Of the last attempt; null before the first, and the status where there was no answer. */
  readonly lastStatus: number | null
  readonly lastLatencyMs: number | null
  /** What went wrong with the last attempt, or the first words of the answer. */
  readonly lastWords: string | null
}
