import type { WriteContext } from './journaled-write.ts'

/** What a plan says of an order: a person's have neither. */
export type SentUnder = {
  /** The id it goes out under; one that is made for it unless given. */
  clientOrderId?: string
  /** Client order ids of the plan's own orders: duplicates of these are intended and are not blocked. */
  besides?: readonly string[]
}

export type Emit = WriteContext['emit']

/** Marks what is told of a plan's orders: no ticket waits for them. */
export const emitOfPlan =
  (emit: Emit): Emit =>
  (event) =>
    emit(
      event.type === 'orderSent' || event.type === 'orderNotSent' || event.type === 'orderOutcome'
        ? { ...event, isOfPlan: true }
        : event,
    )
