import { rawText, type UnreadableEntry } from '../listing.ts'
import { Decimal, zero } from '../money.ts'
import type { Side } from '../side.ts'
import { type Fill, newestFillFirst } from './fills.ts'
import { type Order, orderQuantity } from './order.ts'
import { type OwnDrafts, ownDraft } from './own-draft.ts'

/** What the fills of an order are: the most that they can sum to, and its side and symbol. Null is unknown. */
export type OrderBound = { quantity: Decimal | null; terms: { side: Side; symbol: string } | null }

/** Order id → what its fills are; other orders are missing. */
export type OrderBounds = ReadonlyMap<string, OrderBound>

/**
 * The bounds of these orders: what was asked for or reported, the larger quantity where both are known. Where two tell
 * of another side or symbol nothing says which it is.
 */
export function orderBounds(orders: Iterable<Order>, drafts: OwnDrafts): OrderBounds {
  const bounds = new Map<string, OrderBound>()
  for (const order of orders) {
    if (order.orderId === null) continue
    const before = bounds.get(order.orderId)
    const told = [orderQuantity(order), ownDraft(order, drafts)?.orderQuantity ?? null, before?.quantity]
    const known = told.filter((quantity) => quantity !== null && quantity !== undefined)
    const { side, symbol } = order
    const others = [before?.terms, drafts.get(order.clientOrderId)].filter((other) => other !== undefined)
    const isAgreed = others.every((other) => other?.side === side && other.symbol === symbol)
    bounds.set(order.orderId, {
      quantity: known.length > 0 ? Decimal.max(...known) : null,
      terms: isAgreed ? { side, symbol } : null,
    })
  }
  return bounds
}

/** A fill that its order does not hold: what of the order it is beyond, and why, as a clause. */
export type BeyondOrder = { fill: Fill; of: string; why: string }

/** Tells of fills one by one, the oldest first, which their orders can hold. */
export class FillsWithin {
  readonly beyond: BeyondOrder[] = []
  readonly #bounds: OrderBounds
  /** Of orders of known quantity only: a history has a million others. */
  readonly #sums = new Map<string, Decimal>()

  constructor(bounds: OrderBounds) {
    this.#bounds = bounds
  }

  /** Whether it is known how much the order of a fill holds: any other one holds whatever comes. */
  isBounded({ orderId }: Fill): boolean {
    return (this.#bounds.get(orderId)?.quantity ?? null) !== null
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

  /** Why a fill is beyond its order; null for one that its order can hold, which counts from then on. */
  over(fill: Fill): BeyondOrder | null {
    const { quantity = null, terms = null } = this.#bounds.get(fill.orderId) ?? {}
    if (terms !== null && (terms.side !== fill.side || terms.symbol !== fill.symbol)) {
      const text = `${terms.side} ${terms.symbol}`
      return { fill, of: `order ${text}`, why: `order ${fill.orderId} is ${text}` }
    }
    if (quantity === null) return null
    const filled = this.#sumWith(fill)
    const most = quantity.toFixed()
    if (filled.gt(quantity)) {
      const why = `the fills of order ${fill.orderId} would sum to ${filled.toFixed()} of ${most}`
      return { fill, of: `order quantity ${most}`, why }
    }
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
    else beyond.push(earlier?.why === over.why ? earlier : over)
  }
  return { within: [...news.filter(({ execId }) => known.has(execId)), ...within], beyond }
}

const contradiction = "one of the exchange's figures is wrong"

/** The entry that shows a fill beyond its order raw, beneath the list that does not count it. */
export function beyondEntry({ fill, of, why }: BeyondOrder): UnreadableEntry {
  const { execId, orderId, side, symbol, quantity, price, timestampMs } = fill
  return {
    reason: `${why}: ${contradiction}`,
    atMs: timestampMs,
    fields: {
      ...{ execId, exOrdId: orderId, beyond: of },
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
