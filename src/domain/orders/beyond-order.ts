import { rawText, type UnreadableEntry } from '../listing.ts'
import { Decimal, zero } from '../money.ts'
import { type Fill, newestFillFirst } from './fills.ts'
import { type Order, orderQuantity } from './order.ts'
import { type OwnDrafts, ownDraft } from './own-draft.ts'

/** Order id → the most that its fills can sum to; orders of unknown quantity are missing. */
export type OrderBounds = ReadonlyMap<string, Decimal>

/** The bounds of these orders: what was asked for or reported, the larger where both are known. */
export function orderBounds(orders: Iterable<Order>, drafts: OwnDrafts): OrderBounds {
  const bounds = new Map<string, Decimal>()
  for (const order of orders) {
    if (order.orderId === null) continue
    const told = [orderQuantity(order), ownDraft(order, drafts)?.orderQuantity ?? null, bounds.get(order.orderId)]
    const known = told.filter((quantity) => quantity !== null && quantity !== undefined)
    if (known.length > 0) bounds.set(order.orderId, Decimal.max(...known))
  }
  return bounds
}

/** A fill with which the fills of its order would sum to `filled`, above the order's quantity `bound`. */
export type BeyondOrder = { fill: Fill; filled: Decimal; bound: Decimal }

/** Tells of fills one by one, the oldest first, which their orders can hold. */
export class FillsWithin {
  readonly beyond: BeyondOrder[] = []
  readonly #bounds: OrderBounds
  /** Of orders with a bound only: a history has a million others. */
  readonly #sums = new Map<string, Decimal>()

  constructor(bounds: OrderBounds) {
    this.#bounds = bounds
  }

  /** Whether it is known what the order of a fill holds: any other one is held. */
  isBounded({ orderId }: Fill): boolean {
    return this.#bounds.has(orderId)
  }

  /** Counts a fill that was held before, whatever its order can hold by now. */
  count(fill: Fill): void {
    if (this.isBounded(fill)) this.#sums.set(fill.orderId, this.#sumWith(fill))
  }

  /** False for a fill beyond its order, which `beyond` has from then on. */
  holds(fill: Fill): boolean {
    const over = this.over(fill)
    if (over === null) return true
    this.beyond.push(over)
    return false
  }

  /** What a fill beyond its order would come to; null for one that its order can hold, which counts from then on. */
  over(fill: Fill): BeyondOrder | null {
    const bound = this.#bounds.get(fill.orderId)
    if (bound === undefined) return null
    const filled = this.#sumWith(fill)
    if (filled.gt(bound)) return { fill, filled, bound }
    this.#sums.set(fill.orderId, filled)
    return null
  }

  #sumWith({ orderId, quantity }: Fill): Decimal {
    return (this.#sums.get(orderId) ?? zero).plus(quantity)
  }
}

/**
 * Splits `news` into fills that their orders can hold beside the `counted` ones, and those beyond, oldest first. Of
 * `held`, which were beyond before, one stays so until a bound has room for it.
 */
export function splitByOrder(
  counted: readonly Fill[],
  news: readonly Fill[],
  { held, bounds }: { held: readonly BeyondOrder[]; bounds: OrderBounds },
): { within: readonly Fill[]; beyond: readonly BeyondOrder[] } {
  const known = new Set(counted.map(({ execId }) => execId))
  const before = new Map(held.map((each) => [each.fill.execId, each]))
  const isNews = ({ execId }: Fill) => !known.has(execId) && !before.has(execId)
  const candidates = [...held.map(({ fill }) => fill), ...news.filter(isNews)]
  if (!candidates.some(({ orderId, execId }) => bounds.has(orderId) || before.has(execId)))
    return { within: news, beyond: [] }
  const orders = new FillsWithin(bounds)
  for (const fill of counted) orders.count(fill)
  const beyond: BeyondOrder[] = []
  const within: Fill[] = []
  const seen = new Set<string>()
  for (const fill of candidates.toSorted((left, right) => newestFillFirst(right, left))) {
    if (seen.has(fill.execId)) continue
    seen.add(fill.execId)
    const earlier = before.get(fill.execId)
    // Without a bound nothing makes room for one that was beyond.
    const over = earlier !== undefined && !orders.isBounded(fill) ? earlier : orders.over(fill)
    if (over === null) within.push(fill)
    else beyond.push(earlier?.filled.eq(over.filled) === true && earlier.bound.eq(over.bound) ? earlier : over)
  }
  return { within: [...news.filter(({ execId }) => known.has(execId)), ...within], beyond }
}

const contradiction = "one of the exchange's figures is wrong"

/** The entry that shows a fill beyond its order raw, beneath the list that does not count it. */
export function beyondEntry({ fill, filled, bound }: BeyondOrder): UnreadableEntry {
  const { execId, orderId, side, symbol, quantity, price, timestampMs } = fill
  return {
    reason: `the fills of order ${orderId} would sum to ${filled.toFixed()} of ${bound.toFixed()}: ${contradiction}`,
    atMs: timestampMs,
    fields: {
      ...{ execId, exOrdId: orderId, beyond: `order quantity ${bound.toFixed()}` },
      ...{ side, symbol, qty: quantity.toFixed(), price: price.toFixed() },
    },
  }
}

/** True for an entry that `beyondEntry` made. */
export const isBeyondEntry = ({ reason }: UnreadableEntry): boolean => reason.endsWith(contradiction)

/** The sentence about a fill beyond its order, of which nothing counts: no list, no lots, no sum. */
export function beyondSentence(beyond: BeyondOrder): string {
  const entry = beyondEntry(beyond)
  return `A fill contradicts its order, not counted: ${rawText(entry)} (${entry.reason}).`
}
