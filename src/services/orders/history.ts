import { ExchangeError } from '../../api/errors.ts'
import { pushAll } from '../../base/push-all.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { hourMs } from '../../base/text/time-text.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import { type Fill, newestFillFirst } from '../../domain/orders/fills.ts'
import {
  isWorking,
  listKey,
  type Order,
  type OrderStatus,
  orderHistoryMax,
  orderStatuses,
} from '../../domain/orders/order.ts'
import { paneSentence } from '../failure-sentences.ts'
import { type FillsClient, fillPages, walkFills } from './fill-pages.ts'
import { settleCall } from './journaled-write.ts'
import { isOfOneCall, isSilence } from './of-one-call.ts'
import { type OrderListClient, OrderWalk, ordersSource } from './order-pages.ts'

/**
 * Ended orders, unordered; some may be repeated. `isLast`: there are no older ones. `failure`: which lists could not be
 * read and why, as a clause; what they have comes once they can be.
 */
export type HistoryPage = { orders: readonly Order[]; isLast: boolean; failure?: string }

export type OrderHistory = {
  /** About a page of ended orders before those returned so far; the newest ones at first. */
  older(): Promise<Result<HistoryPage>>
  /** Orders ended since then. */
  newer(): Promise<Result<HistoryPage>>
}

/** Enough for a screen; `older` stops there. */
const olderOrdersEnough = 50

/** Orders of one status, read from newest to oldest. `held` were not returned yet. */
type StatusWalk = { status: OrderStatus; walk: OrderWalk; held: Order[]; seen: Set<string>; isDone: boolean }

/** Lists that take too long in one call: further ones would too, and each takes its time. */
const silencesMax = 2

/** The lists that failed in one call, each by itself. */
class Failed {
  readonly #errors = new Map<StatusWalk, ExchangeError>()

  has(walk: StatusWalk): boolean {
    return this.#errors.has(walk)
  }

  /** Reads of a list, and keeps its failure; throws one that the other lists would meet too. */
  async despite(walk: StatusWalk, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      const silentCount = [...this.#errors.values()].filter(isSilence).length + 1
      const isItsOwn = isOfOneCall(error) || (isSilence(error) && silentCount < silencesMax)
      if (!isItsOwn) throw error
      this.#errors.set(walk, error)
    }
  }

  /** What failed, for a page; throws where none of so many lists could be read. */
  noted(listCount: number): { failure?: string } {
    const [first] = this.#errors.values()
    if (first === undefined) return {}
    if (this.#errors.size === listCount) throw first
    const names = [...this.#errors.keys()].map(({ status }) => status).join(' and ')
    return { failure: `${names}, ${paneSentence(first)}` }
  }
}

const timeOf = (order: Order): number => order.timestampMs ?? 0

/**
 * Reads the account's ended orders. The exchange lists one status at a time, so the lists are read side by side and
 * returned only up to the end of the shortest one: no order between those of a page is missing, except those of a list
 * that fails by itself.
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
    // Orders that came since the first page were returned by `newer`.
    pushAll(
      each.held,
      fresh.filter((order) => !each.seen.has(listKey(order))),
    )
    for (const order of fresh) each.seen.add(listKey(order))
    each.isDone = isEnd
  }
  // What was found before a failed call is returned by the next successful one.
  const given: Order[] = []
  const page = (isLast: boolean, failed: Failed): HistoryPage => {
    const noted = failed.noted(walks.length)
    return { orders: given.splice(0), isLast, ...noted }
  }

  const older = async (): Promise<HistoryPage> => {
    const failed = new Failed()
    for (;;) {
      for (const walk of walks)
        while (walk.held.length === 0 && !walk.isDone && !failed.has(walk))
          await failed.despite(walk, () => advance(walk))
      const read = walks.filter((walk) => !failed.has(walk))
      const ends = read.flatMap(({ isDone, held }) => (isDone ? [] : [Math.min(...held.map(timeOf))]))
      const fromMs = Math.max(Number.NEGATIVE_INFINITY, ...ends)
      for (const walk of walks) {
        pushAll(
          given,
          walk.held.filter((order) => timeOf(order) >= fromMs),
        )
        walk.held = walk.held.filter((order) => timeOf(order) < fromMs)
      }
      const isOver = read.every(({ isDone, held }) => isDone && held.length === 0)
      if (isOver || given.length >= olderOrdersEnough) return page(isOver && read.length === walks.length, failed)
    }
  }
  /**
   * Reads from the newest back to the first page with a known order, or to as many of one status as a screen keeps in
   * all: such a list may have no end, and nothing behind them would be seen.
   */
  const newer = async (): Promise<HistoryPage> => {
    const failed = new Failed()
    for (const walk of walks) await failed.despite(walk, () => readNewer(walk))
    return page(false, failed)
  }
  const readNewer = async ({ status, seen }: StatusWalk): Promise<void> => {
    const walk = new OrderWalk(pagesOf(status), { orders: orderHistoryMax })
    const found: Order[] = []
    for (let isCaughtUp = false; !isCaughtUp; ) {
      const { fresh, isEnd } = await walk.next()
      const news = fresh.filter((order) => !seen.has(listKey(order)))
      pushAll(found, news)
      isCaughtUp = isEnd || news.length < fresh.length
    }
    // Only when complete: after a failure the missing rest would pass for known.
    pushAll(given, found)
    for (const order of found) seen.add(listKey(order))
  }
  return { older: () => told(older), newer: () => told(newer) }
}

/** The result of a call; a failure of the exchange becomes a sentence for the user. */
const told = <T>(call: () => Promise<T>): Promise<Result<T>> =>
  settleCall<Result<T>>(
    async () => ok(await call()),
    (error) => err(paneSentence(error)),
  )

/** Fills, newest first. `isLast`: there are no older ones. */
export type FillPage = { fills: readonly Fill[]; unreadable: readonly UnreadableEntry[]; isLast: boolean }

/** Enough for several screens. */
const olderFillsPage = 200

/**
 * Fetches the fills before `oldest`, repeating those of that moment: at least one new fill, or the end of the list. The
 * error is a sentence for the user.
 */
export const fetchOlderFills = (client: FillsClient, oldest: Fill, signal: AbortSignal): Promise<Result<FillPage>> =>
  told(async () => {
    const fills: Fill[] = []
    const unreadable: UnreadableEntry[] = []
    const range = { toMs: oldest.timestampMs, limit: olderFillsPage }
    for await (const page of fillPages(client, range, signal)) {
      if (page.isById) return olderOfSpan(client, oldest, signal)
      pushAll(fills, page.entries)
      pushAll(unreadable, page.unreadable)
      // A page may be shorter than requested, with only entries of the requested moment.
      if (page.entries.some((fill) => newestFillFirst(fill, oldest) > 0)) return { fills, unreadable, isLast: false }
    }
    return { fills, unreadable, isLast: true }
  })

/** Pages of one span of time: ten times what the screen keeps, in some 30 MB. */
const spanPagesMax = 50

/**
 * The same by id, where a later page may have newer ones: a whole span of time, a longer one where it has none, and a
 * shorter one where it has more than `spanPagesMax`.
 */
async function olderOfSpan(client: FillsClient, oldest: Fill, signal: AbortSignal): Promise<FillPage> {
  let [tooShortMs, tooLongMs] = [0, Number.POSITIVE_INFINITY]
  for (let spanMs = hourMs; ; spanMs = Math.min(spanMs * 4, Math.ceil((tooShortMs + tooLongMs) / 2))) {
    const fromMs = Math.max(0, oldest.timestampMs - spanMs)
    const range = { fromMs, toMs: oldest.timestampMs }
    const { entries: fills, unreadable } = await walkFills(client, range, { signal, pagesMax: spanPagesMax })
    const isCut = unreadable.some(({ isRest }) => isRest === true)
    if (isCut && spanMs - tooShortMs > 1) tooLongMs = spanMs
    else if (fromMs === 0 || fills.some((fill) => newestFillFirst(fill, oldest) > 0))
      return { fills, unreadable, isLast: fromMs === 0 && !isCut }
    else tooShortMs = spanMs
  }
}
