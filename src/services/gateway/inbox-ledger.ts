import type { GatewayEvent } from '../../domain/gateway/event.ts'
import {
  type InboxEvent,
  type InboxOrder,
  inboxOrder,
  stuckAtMs,
  withReceived,
} from '../../domain/gateway/inbox-order.ts'
import { isEnded, noOrderSums, type OrderSums, type ShownChange, withChanges } from '../../domain/gateway/order.ts'

/** An order whose shown event was `before` and is `after`; null when it was not known. */
export type LedgerChange = {
  readonly orderId: string
  readonly before: GatewayEvent | null
  readonly after: GatewayEvent
}

/**
 * The orders of the inbox's events, updated by each new event alone. Beyond `ordersMax` the orders without news for
 * longest are dropped, ended ones first; their sums stay.
 */
export class InboxLedger {
  /** By id, in the order of their last events, the latest at the end. */
  readonly #orders = new Map<string, InboxOrder>()
  readonly #ordersMax: number
  #sums: OrderSums = noOrderSums
  #isCut = false
  #firstSequence = 0
  #list: readonly InboxOrder[] | null = null

  constructor(ordersMax: number) {
    this.#ordersMax = ordersMax
  }

  get sums(): OrderSums {
    return this.#sums
  }

  /** True when the inbox has orders that are not here. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Newest first; the same array while nothing changed. */
  get orders(): readonly InboxOrder[] {
    this.#list ??= [...this.#orders.values()].reverse()
    return this.#list
  }

  has(orderId: string): boolean {
    return this.#orders.has(orderId)
  }

  order(orderId: string): InboxOrder | undefined {
    return this.#orders.get(orderId)
  }

  /** Call when events before this place are not taken: sums are of orders that began after it. */
  cutBefore(sequence: number): void {
    this.#isCut = true
    this.#firstSequence = sequence
  }

  /**
   * Takes events newer than all taken so far, oldest first, or copies of known ones. `earlier` are the earlier events
   * of orders that are no longer here.
   */
  take(events: readonly InboxEvent[], earlier: ReadonlyMap<string, readonly InboxEvent[]>): readonly LedgerChange[] {
    const before = new Map<string, InboxOrder | null>()
    for (const event of events) {
      const { orderId } = event.event
      const known = this.#orders.get(orderId) ?? inboxOrder(earlier.get(orderId) ?? [])
      const next = withReceived(known, event)
      if (next === known) continue
      if (!before.has(orderId)) before.set(orderId, known)
      // A copy of an old event is not news of its order, which keeps its place.
      if (known === null || next.lastSequence !== known.lastSequence) this.#orders.delete(orderId)
      this.#orders.set(orderId, next)
    }
    if (before.size === 0) return []
    this.#list = null
    const changes = [...before].flatMap(([orderId, known]) => this.#changeOf(orderId, known))
    this.#sums = withChanges(
      this.#sums,
      changes.filter(({ isCounted }) => isCounted).map(({ change }) => change),
    )
    this.#letGo()
    return changes.map(({ change }) => change)
  }

  #changeOf(orderId: string, known: InboxOrder | null): { change: LedgerChange; isCounted: boolean }[] {
    const order = this.#orders.get(orderId)
    if (order === undefined || order.shown === known?.shown) return []
    const isCounted = (order.history[0]?.sequence ?? 0) >= this.#firstSequence
    const change: LedgerChange & ShownChange = { orderId, before: known?.shown ?? null, after: order.shown }
    return [{ change, isCounted }]
  }

  #letGo(): void {
    let tooMany = this.#orders.size - this.#ordersMax
    if (tooMany <= 0) return
    this.#isCut = true
    for (const [orderId, { shown }] of this.#orders) {
      if (tooMany <= 0) return
      if (!isEnded(shown.orderState)) continue
      this.#orders.delete(orderId)
      tooMany -= 1
    }
    for (const orderId of this.#orders.keys()) {
      if (tooMany <= 0) return
      this.#orders.delete(orderId)
      tooMany -= 1
    }
  }

  /** The orders that have waited too long at `nowMs`, and the time of the next one; null for none. */
  stuck(
    nowMs: number,
    stuckAfterMs: number,
  ): { readonly orders: readonly InboxOrder[]; readonly nextAtMs: number | null } {
    const orders: InboxOrder[] = []
    let nextAtMs: number | null = null
    for (const order of this.#orders.values()) {
      const atMs = stuckAtMs(order, stuckAfterMs)
      if (atMs === null) continue
      if (atMs <= nowMs) orders.push(order)
      else if (nextAtMs === null || atMs < nextAtMs) nextAtMs = atMs
    }
    return { orders, nextAtMs }
  }
}
