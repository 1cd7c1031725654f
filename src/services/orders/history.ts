import { err, ok, type Result } from '../../base/result.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import { type Fill, newestFillFirst } from '../../domain/orders/fills.ts'
import { isWorking, listKey, type Order, type OrderStatus, orderStatuses } from '../../domain/orders/order.ts'
import { failureSentence } from '../failure-sentences.ts'
import { type FillsClient, fillPages } from './fill-pages.ts'
import { settleCall } from './journaled-write.ts'
import { type OrderListClient, OrderWalk, ordersSource } from './order-pages.ts'

/** Ended orders in no particular order; some may have been given before. `isLast`: nothing is older. */
export type HistoryPage = { orders: readonly Order[]; isLast: boolean }

export type OrderHistory = {
  /** The ended orders before those given so far, about a page of them; the first time the newest ones. */
  older(): Promise<Result<HistoryPage>>
  /** Those that came since. */
  newer(): Promise<Result<HistoryPage>>
}

/** Enough for a screen; `older` stops as soon as it has so many. */
const olderOrdersEnough = 50

/** Orders of one status, walked from the newest to the oldest. `held` are those that are not given out yet. */
type StatusWalk = { status: OrderStatus; walk: OrderWalk; held: Order[]; seen: Set<string>; isDone: boolean }

const timeOf = (order: Order): number => order.timestampMs ?? 0

/**
 * The account's ended orders. The exchange lists one status at a time, so the lists are walked side by side, and what
 * is given out ends where the shortest of them ends so far: nothing is missing between the orders of a page.
 */
export function createOrderHistory(client: OrderListClient, signal: AbortSignal): OrderHistory {
  const pagesOf = (status: OrderStatus) => ordersSource(client, { status }, (order) => order.status === status, signal)
  const walks = orderStatuses
    .filter((status) => !isWorking({ status }))
    .map((status): StatusWalk => {
      return { status, walk: new OrderWalk(pagesOf(status)), held: [], seen: new Set(), isDone: false }
    })

  const advance = async (each: StatusWalk) => {
    const { fresh, isEnd } = await each.walk.next()
    // Those that came to the front since the first page were given out from there.
    each.held.push(...fresh.filter((order) => !each.seen.has(listKey(order))))
    for (const order of fresh) each.seen.add(listKey(order))
    each.isDone = isEnd
  }
  // What was found before a call failed is given out by the next one that succeeds.
  const given: Order[] = []
  const page = (isLast: boolean): HistoryPage => ({ orders: given.splice(0), isLast })

  const older = async (): Promise<HistoryPage> => {
    for (;;) {
      for (const walk of walks) while (walk.held.length === 0 && !walk.isDone) await advance(walk)
      const ends = walks.flatMap(({ isDone, held }) => (isDone ? [] : [Math.min(...held.map(timeOf))]))
      const fromMs = Math.max(Number.NEGATIVE_INFINITY, ...ends)
      for (const walk of walks) {
        given.push(...walk.held.filter((order) => timeOf(order) >= fromMs))
        walk.held = walk.held.filter((order) => timeOf(order) < fromMs)
      }
      const isLast = walks.every(({ isDone, held }) => isDone && held.length === 0)
      if (isLast || given.length >= olderOrdersEnough) return page(isLast)
    }
  }
  /** From the newest back to the first page that holds something known. */
  const newer = async (): Promise<HistoryPage> => {
    for (const { status, seen } of walks) {
      const walk = new OrderWalk(pagesOf(status))
      const found: Order[] = []
      for (let isCaughtUp = false; !isCaughtUp; ) {
        const { fresh, isEnd } = await walk.next()
        const news = fresh.filter((order) => !seen.has(listKey(order)))
        found.push(...news)
        isCaughtUp = isEnd || news.length < fresh.length
      }
      // Not before all of it is here: after a failure what lies behind would pass for known.
      given.push(...found)
      for (const order of found) seen.add(listKey(order))
    }
    return page(false)
  }
  return { older: () => told(older), newer: () => told(newer) }
}

/** What the call gives; a failure of the exchange is a sentence for a person. */
const told = <T>(call: () => Promise<T>): Promise<Result<T>> =>
  settleCall<Result<T>>(
    async () => ok(await call()),
    (error) => err(failureSentence(error)),
  )

/** Fills, newest first. `isLast`: nothing is older. */
export type FillPage = { fills: readonly Fill[]; unreadable: readonly UnreadableEntry[]; isLast: boolean }

/** Enough for several screens. */
const olderFillsPage = 200

/**
 * The fills before `oldest`, the first ones of that moment again, at least one that is new or the end of the list; the
 * error is a sentence for a person.
 */
export const fetchOlderFills = (client: FillsClient, oldest: Fill, signal: AbortSignal): Promise<Result<FillPage>> =>
  told(async () => {
    const fills: Fill[] = []
    const unreadable: UnreadableEntry[] = []
    const range = { toMs: oldest.timestampMs, limit: olderFillsPage }
    for await (const page of fillPages(client, range, signal)) {
      fills.push(...page.entries)
      unreadable.push(...page.unreadable)
      // A page may be shorter than asked for, and hold nothing but the moment it was asked from.
      if (page.entries.some((fill) => newestFillFirst(fill, oldest) > 0)) return { fills, unreadable, isLast: false }
    }
    return { fills, unreadable, isLast: true }
  })
