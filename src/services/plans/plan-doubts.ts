import type { FeedEvent } from '../../domain/desk/events.ts'
import type { Plan, PlanOrder } from '../../domain/plans/plan.ts'

/** An order is looked for no more often than this. */
const lookPauseMs = 1_000
/** A list asked for this soon after an order was accepted may lack it. */
const listedAfterMs = 5_000
/** An order that no list has for so long, while nobody tells of its end, protects nothing that is certain. */
const unlistedMaxMs = 5_000

type OrdersEvent = Extract<FeedEvent, { type: 'orders' }>

/** Which orders of plans may not be where they rested when last heard of, and when each was looked for. */
export class PlanDoubts {
  /** By client order id, like everything here. */
  readonly #doubted = new Set<string>()
  readonly #lookedAtMs = new Map<string, number>()
  /** Orders that have ended and stay in the list of working ones: it may be behind, or their end was none. */
  readonly #listedAgain = new Set<string>()
  /** Since when lists lack an order that nothing has told of meanwhile. */
  readonly #lackedSinceMs = new Map<string, number>()

  doubt(clientOrderId: string): void {
    this.#doubted.add(clientOrderId)
  }

  /** A report has told of the order. */
  trust(clientOrderId: string): void {
    this.#doubted.delete(clientOrderId)
    this.#lackedSinceMs.delete(clientOrderId)
  }

  /** A list holds an order that has ended: only its own report tells whether it works. */
  listAgain(clientOrderId: string): void {
    this.#listedAgain.add(clientOrderId)
  }

  isListedAgain({ standing, clientOrderId }: PlanOrder): boolean {
    return standing === 'ended' && this.#listedAgain.has(clientOrderId)
  }

  /** An order was looked for: what the list says of it counts once more when it goes on to say so. */
  looked(clientOrderId: string): void {
    this.#listedAgain.delete(clientOrderId)
  }

  isDoubted({ standing, clientOrderId }: PlanOrder): boolean {
    return standing === 'working' && this.#doubted.has(clientOrderId)
  }

  isOpen({ orders }: Plan): boolean {
    return orders.some((order) => this.isDoubted(order))
  }

  /**
   * Takes in a list of working orders; the result is what the exchange itself lists of it. An order that rests and is
   * in no list is doubted: it may have ended while nobody looked on. `wallAheadMs`: how far the wall clock is ahead of
   * the desk's time.
   */
  takeList(event: OrdersEvent, plans: Iterable<Plan>, wallAheadMs: number): OrdersEvent['orders'] {
    const { orders, unlistedSince, isWhole = true, unreadable = [], atMs } = event
    const told = orders.filter(({ clientOrderId }) => unlistedSince?.has(clientOrderId) !== true)
    if (!isWhole || unreadable.length > 0) return told
    const listed = new Set(told.map(({ clientOrderId }) => clientOrderId))
    for (const plan of plans)
      for (const { standing, clientOrderId, atMs: orderAtMs } of plan.orders) {
        // After the wall clock was set back the age of an order is unknown: a look more does no harm.
        const isListed = listed.has(clientOrderId)
        const isNew = Math.abs(atMs + wallAheadMs - orderAtMs) <= listedAfterMs
        if (standing !== 'working' || isListed || isNew) continue
        this.doubt(clientOrderId)
        this.#lackedSinceMs.set(clientOrderId, this.#lackedSinceMs.get(clientOrderId) ?? atMs)
      }
    return told
  }

  /** Whether no list has had an order for so long that what it was last heard of as counts no more. */
  isGone({ clientOrderId }: PlanOrder, nowMs: number): boolean {
    const sinceMs = this.#lackedSinceMs.get(clientOrderId)
    return sinceMs !== undefined && nowMs - sinceMs >= unlistedMaxMs
  }

  /** Whether an order may be looked for now; from then on that was a look. */
  mayLook({ clientOrderId }: PlanOrder, nowMs: number): boolean {
    const lastMs = this.#lookedAtMs.get(clientOrderId) ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs < lookPauseMs) return false
    this.#lookedAtMs.set(clientOrderId, nowMs)
    return true
  }

  /** The next look need not wait. */
  hurry(clientOrderId: string): void {
    this.#lookedAtMs.delete(clientOrderId)
  }

  /** Of an order of a plan that has ended nothing is asked any more. */
  forget(clientOrderId: string): void {
    this.#doubted.delete(clientOrderId)
    this.#listedAgain.delete(clientOrderId)
    this.#lackedSinceMs.delete(clientOrderId)
    this.#lookedAtMs.delete(clientOrderId)
  }
}
