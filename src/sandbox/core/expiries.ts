import type { WorkingOrder } from './working-order.ts'

/** The working GTD orders by the moment they end: one moment a day. */
export class Expiries {
  private readonly byMs = new Map<number, Set<WorkingOrder>>()
  /** Every moment of `byMs`, the earliest last. */
  private readonly moments: number[] = []

  /** The next moment at which an order ends; Infinity when none does. */
  get nextMs(): number {
    return this.moments.at(-1) ?? Number.POSITIVE_INFINITY
  }

  add(order: WorkingOrder): void {
    const atMs = order.expiresAtMs
    if (atMs === null) return
    const due = this.byMs.get(atMs)
    if (due !== undefined) {
      due.add(order)
      return
    }
    this.byMs.set(atMs, new Set([order]))
    this.moments.splice(this.positionOf(atMs), 0, atMs)
  }

  remove(order: WorkingOrder): void {
    const atMs = order.expiresAtMs
    const due = atMs === null ? undefined : this.byMs.get(atMs)
    if (atMs === null || due === undefined) return
    due.delete(order)
    if (due.size > 0) return
    this.byMs.delete(atMs)
    this.moments.splice(this.positionOf(atMs), 1)
  }

  /** The orders that end at the next moment, oldest first. */
  nextOrders(): readonly WorkingOrder[] {
    return [...(this.byMs.get(this.nextMs) ?? [])].sort((left, right) => left.id - right.id)
  }

  private positionOf(atMs: number): number {
    let low = 0
    let high = this.moments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.moments[middle] ?? 0) > atMs) low = middle + 1
      else high = middle
    }
    return low
  }
}
