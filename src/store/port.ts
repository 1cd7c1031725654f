import type { OrderDraft } from '../domain/order.ts'

/**
 * What the desk's commands need from the services; compose connects the two. A write
 * returns at once; what became of it arrives in the store as events.
 */
export type DeskPort = {
  submitOrder(draft: OrderDraft): void
  cancelOrder(orderId: string): void
  cancelAll(symbol: string): void
  /** Polls now what the symbol's panes show, for example after a switch. */
  refresh(): void
  now(): number
}
