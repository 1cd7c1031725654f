import { dropOldest } from '../../base/drop-oldest.ts'

/** Orders that are remembered: more than a firm repeats at once. */
const keptMax = 10_000

export type ListedOrders = {
  /** Remembers an order, by its person and terms, that this hub puts on the audit list; true when it had it before. */
  add(order: string): boolean
}

/**
 * Creates the memory of the orders that this hub has put on the audit list, so that a program that repeats one all the
 * time does not fill the list.
 */
export function createListedOrders(): ListedOrders {
  const kept = new Set<string>()
  return {
    add(order) {
      const isKnown = kept.delete(order)
      kept.add(order)
      dropOldest(kept, keptMax)
      return isKnown
    },
  }
}
