import { createTokenBucket } from '../../base/token-bucket.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { listBehindMs } from '../../domain/orders/listed-again.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import { isFillUnknown, type Plan, type PlanOrder } from '../../domain/plans/plan.ts'
import { cancelMayArriveMs, gone, isUncertain, type Look, untoldOf } from './plan-looks.ts'

/** Minimum time between two looks for an order. */
const lookPauseMs = 1_000
/**
 * Longest time between two looks for an order that ended with fills that nobody tells. Its plan waits for a person, and
 * the exchange may never tell: looks are in vain for as long again before the next one.
 */
const lookPauseMaxMs = 60_000
/**
 * A list requested this soon after an order was accepted may lack it. So may one this soon after a report that
 * contradicted a list: lists may leave such orders out for good, and each would cost a call with every list.
 */
const listedAfterMs = 5_000
/** Beyond this time on no list, and without a report of its end, an order no longer counts as protection. */
const unlistedMaxMs = 5_000
/**
 * So long an order may be reported unreadably, or not at all, while lists come: it may stay so for ever, and nothing
 * goes on before a person looks.
 */
const untoldMaxMs = 30_000

/**
 * Of more doubted orders than this the list of working ones is waited for, which tells of a hundred with a call. What
 * it lacks is asked for one by one at a pace that leaves calls to prices, balances and the list: a plan that waits for
 * these is as blind as one that does not know its orders.
 */
const doubtsMax = 20
/** Maximum wait for that list: the exchange may answer everything else. */
const listAwaitedMs = 5_000
const looksPerSecond = 10

type OrdersEvent = Extract<FeedEvent, { type: 'orders' }>

/** Orders of plans that may have changed since their last report, and when each was looked for. */
export class PlanDoubts {
  /** By client order id, as all of these. */
  readonly #doubted = new Set<string>()
  readonly #lookedAtMs = new Map<string, number>()
  /** Ended orders still on the list of working ones: the list may be outdated, or they have not ended. */
  readonly #listedAgain = new Set<string>()
  /** When looks for an order began whose fills nobody tells. */
  readonly #unknownSinceMs = new Map<string, number>()
  /** When lists began to lack an order of which nothing has been reported since. */
  readonly #lackedSinceMs = new Map<string, number>()
  /** When a report came of an order that lists lacked, in desk time. */
  readonly #restsUnlistedMs = new Map<string, number>()
  /** When looks began to find no readable report of an order that was placed. */
  readonly #untoldSinceMs = new Map<string, number>()
  /** When an order was last doubted because its entry in a list was unreadable. */
  readonly #oddMs = new Map<string, number>()
  /** When an order with a cancel in progress was first asked for in vain since that cancel, and the cancel's time. */
  readonly #canceledMs = new Map<string, { cancelAtMs: number; sinceMs: number }>()
  /** What the exchange itself told readably in its last list of working orders, while plans are open. */
  #listed: ReadonlyMap<string, Order> = new Map()
  /** How much was placed of orders whose reports are unreadable, by the journal. */
  readonly #placed = new Map<string, Decimal>()
  readonly #turns = createTokenBucket(looksPerSecond, doubtsMax)
  /** Of when the last list of working orders is, in desk time. */
  #listAtMs = Number.NEGATIVE_INFINITY
  /** When an order was to be looked for the first time. */
  #firstMs: number | null = null

  doubt(clientOrderId: string): void {
    this.#doubted.add(clientOrderId)
  }

  /** Call when a report of the order came. */
  trust(clientOrderId: string, nowMs: number): void {
    this.#doubted.delete(clientOrderId)
    if (this.#lackedSinceMs.delete(clientOrderId)) this.#restsUnlistedMs.set(clientOrderId, nowMs)
    this.#untoldSinceMs.delete(clientOrderId)
  }

  /** Call when a list has an ended order: only its own report shows whether it works. */
  listAgain(clientOrderId: string): void {
    this.#listedAgain.add(clientOrderId)
  }

  isListedAgain({ standing, clientOrderId }: PlanOrder): boolean {
    return standing === 'ended' && this.#listedAgain.has(clientOrderId)
  }

  /** Call when an order was looked for: the list counts again if it keeps showing it. */
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
   * Takes a list of working orders; the result is those of its orders that the exchange itself lists readably. One that
   * rests and is on no list is doubted: it may have ended unseen. So is, now and then, one whose entry is unreadable:
   * the desk shows it as last seen, and its own report tells. `wallAheadMs`: how far the wall clock is ahead of desk
   * time.
   */
  takeList(event: OrdersEvent, plans: readonly Plan[], wallAheadMs: number): OrdersEvent['orders'] {
    const { orders, unlistedSince, isWhole = true, unreadable = [], atMs } = event
    this.#listAtMs = atMs
    const oddIds = new Set(unreadable.flatMap(({ fields }) => [fields.exOrdId ?? [], fields.clOrdId ?? []].flat()))
    const isOdd = ({ orderId, clientOrderId }: Pick<PlanOrder, 'orderId' | 'clientOrderId'>) =>
      oddIds.has(orderId ?? clientOrderId) || oddIds.has(clientOrderId)
    const told = orders.filter((order) => unlistedSince?.has(order.clientOrderId) !== true && !isOdd(order))
    for (const { orders: own } of oddIds.size === 0 ? [] : plans) this.#doubtOdd(own.filter(isOdd), atMs)
    this.#listed = new Map(plans.length === 0 ? [] : told.map((order) => [order.clientOrderId, order]))
    if (!isWhole || unreadable.length > 0) return told
    for (const plan of plans)
      for (const { standing, clientOrderId, atMs: orderAtMs } of plan.orders) {
        // After the wall clock was set back an order's age is unknown: one more look is harmless.
        const isListed = this.#listed.has(clientOrderId)
        if (isListed) {
          this.#lackedSinceMs.delete(clientOrderId)
          this.#restsUnlistedMs.delete(clientOrderId)
        }
        const isNew = Math.abs(atMs + wallAheadMs - orderAtMs) <= listedAfterMs
        const isToldOf = atMs - (this.#restsUnlistedMs.get(clientOrderId) ?? Number.NEGATIVE_INFINITY) <= listedAfterMs
        if (standing !== 'working' || isListed || isNew || isToldOf) continue
        this.doubt(clientOrderId)
        this.#lackedSinceMs.set(clientOrderId, this.#lackedSinceMs.get(clientOrderId) ?? atMs)
      }
    return told
  }

  /** Takes what an order has executed: one that lists leave out is doubted where its report has told of less. */
  takeExecuted({ standing, clientOrderId, filled }: PlanOrder, executed: Decimal): void {
    if (standing === 'working' && executed.gt(filled ?? zero) && this.#restsUnlistedMs.delete(clientOrderId))
      this.doubt(clientOrderId)
  }

  /** Doubts resting orders whose entries are unreadable, unless a short while ago: a report may have told of them. */
  #doubtOdd(orders: readonly PlanOrder[], atMs: number): void {
    for (const { standing, clientOrderId } of orders) {
      const lastMs = this.#oddMs.get(clientOrderId) ?? Number.NEGATIVE_INFINITY
      if (standing !== 'working' || atMs - lastMs < untoldMaxMs) continue
      this.#oddMs.set(clientOrderId, atMs)
      this.doubt(clientOrderId)
    }
  }

  /**
   * A look's result; of one that tells nothing of an order what it comes to by now: that the order is gone, or that no
   * readable report of it is to be expected.
   */
  unlessInVain(look: Look, order: PlanOrder, nowMs: number): Look {
    if (look.kind !== 'later') return look
    // It was told of after all, or somebody else finds it.
    if (look.untold === undefined) this.#untoldSinceMs.delete(order.clientOrderId)
    if (look.untold?.quantity) this.#placed.set(order.clientOrderId, look.untold.quantity)
    if (this.isDoubted(order) && this.isGone(order, nowMs)) return gone
    const listed = look.untold === undefined ? null : this.#listedDespite(order, nowMs)
    if (listed !== null) return { kind: 'rests', order: listed }
    return look.untold !== undefined && this.#isUntold(order, nowMs) ? untoldOf(look.untold.quantity) : look
  }

  /**
   * An order with a cancel in progress whose own report tells nothing, as the last list has it, if that was asked for
   * so long after the cancel that it cannot arrive any more; null for any other. Without its report only lists tell
   * that it rests.
   */
  #listedDespite({ clientOrderId, cancelingSinceMs }: PlanOrder, nowMs: number): Order | null {
    if (cancelingSinceMs === null) return null
    const before = this.#canceledMs.get(clientOrderId)
    const since = before?.cancelAtMs === cancelingSinceMs ? before : { cancelAtMs: cancelingSinceMs, sinceMs: nowMs }
    this.#canceledMs.set(clientOrderId, since)
    const listed = this.#listed.get(clientOrderId)
    if (listed === undefined || !isWorking(listed)) return null
    return this.#listAtMs - since.sinceMs < cancelMayArriveMs + listBehindMs ? null : listed
  }

  /** What the journal has as placed of an order that is not reported readably; null where that was not asked. */
  placed(clientOrderId: string): Decimal | null {
    return this.#placed.get(clientOrderId) ?? null
  }

  /** True when no list has had the order for so long that its last report no longer counts. */
  isGone({ clientOrderId }: PlanOrder, nowMs: number): boolean {
    const sinceMs = this.#lackedSinceMs.get(clientOrderId)
    return sinceMs !== undefined && nowMs - sinceMs >= unlistedMaxMs
  }

  /** True when looks have found no readable report for so long, with lists since, that none is to be expected. */
  #isUntold({ clientOrderId }: PlanOrder, nowMs: number): boolean {
    const sinceMs = this.#untoldSinceMs.get(clientOrderId) ?? nowMs
    this.#untoldSinceMs.set(clientOrderId, sinceMs)
    return nowMs - sinceMs >= untoldMaxMs && this.#listAtMs - sinceMs >= listedAfterMs
  }

  /** True when an order may be looked for now; the call counts as a look. */
  mayLook(order: PlanOrder, nowMs: number): boolean {
    const { clientOrderId } = order
    const lastMs = this.#lookedAtMs.get(clientOrderId) ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs < this.#pauseMs(order, lastMs, nowMs)) return false
    if (this.isDoubted(order) && !isUncertain(order) && !this.#isTurnOfDoubted(nowMs, lastMs)) return false
    this.#lookedAtMs.set(clientOrderId, nowMs)
    return true
  }

  #pauseMs(order: PlanOrder, lastMs: number, nowMs: number): number {
    const { clientOrderId } = order
    if (!isFillUnknown(order)) return lookPauseMs
    const sinceMs = this.#unknownSinceMs.get(clientOrderId) ?? nowMs
    this.#unknownSinceMs.set(clientOrderId, sinceMs)
    return Math.min(Math.max(lastMs - sinceMs, lookPauseMs), lookPauseMaxMs)
  }

  #isTurnOfDoubted(nowMs: number, lastMs: number): boolean {
    this.#firstMs ??= nowMs
    const count = this.#doubted.size
    if (count <= doubtsMax) return true
    // One that was asked for in vain waits until the others had their turn.
    if (nowMs - lastMs < (count / looksPerSecond) * 1_000) return false
    if (!Number.isFinite(this.#listAtMs) && nowMs - this.#firstMs < listAwaitedMs) return false
    return this.#turns.take(nowMs)
  }

  /** Lets the next look happen at once. */
  hurry(clientOrderId: string): void {
    this.#lookedAtMs.delete(clientOrderId)
    this.#unknownSinceMs.delete(clientOrderId)
  }

  /** Forgets an order whose plan has ended. */
  forget(clientOrderId: string): void {
    this.#doubted.delete(clientOrderId)
    this.#listedAgain.delete(clientOrderId)
    this.#lackedSinceMs.delete(clientOrderId)
    this.#restsUnlistedMs.delete(clientOrderId)
    this.#untoldSinceMs.delete(clientOrderId)
    this.#placed.delete(clientOrderId)
    this.#canceledMs.delete(clientOrderId)
    this.#oddMs.delete(clientOrderId)
    this.#unknownSinceMs.delete(clientOrderId)
    this.#lookedAtMs.delete(clientOrderId)
  }
}
