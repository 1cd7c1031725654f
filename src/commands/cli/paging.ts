import type { ExchangeClient, FillQuery, OrderQuery, TradeQuery } from '../../api/exchange-client.ts'
import type { Listing, UnreadableEntry } from '../../domain/listing.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { compareIds, isWorking, listKey, type Order, type OrderStatus } from '../../domain/orders/order.ts'
import { fillPageMax, fillPages, fillsOnwards } from '../../services/orders/fill-pages.ts'
import {
  fetchCrowd,
  type OrderSource,
  OrderWalk,
  orderPageMax,
  PageNews,
  pagesMax,
} from '../../services/orders/order-pages.ts'

export type PagingContext = {
  /** At most this many, the newest; null for all. */
  most: number | null
  signal: AbortSignal
  /** Called with the count so far, after each page but the last. */
  onPage: (count: number) => void
  /** Called with unreadable entries. */
  leftOut?: (unreadable: readonly UnreadableEntry[]) => unknown
}

/** The exchange may have more entries than it can list: the result is incomplete. The message is a sentence. */
export class IncompleteList extends Error {
  override readonly name = 'IncompleteList'
  constructor() {
    super(
      'the list is not complete: the exchange may have more orders of one millisecond, or without a time, than one ' +
        'answer holds, and no page leads past them; or its list has no end',
    )
  }
}

/** Two million orders: a longer list may be endless, and would fill memory or disk. */
const listPagesMax = 20_000

type OrderList = {
  fetch: (query: { fromMs?: number; toMs?: number; limit: number }) => Promise<Listing<Order>>
  times: { fromMs?: number; toMs?: number }
  /** At most this many; missing: `listPagesMax`. Working orders are kept in memory, and are no history. */
  pages?: number
  /** True for the account's orders that belong to the list. */
  keep: (order: Order) => boolean
}

const newestFirst = (left: Order, right: Order): number =>
  (right.timestampMs ?? 0) - (left.timestampMs ?? 0) || compareIds(right.orderId ?? '', left.orderId ?? '')

/** The list from the newest order backwards. Throws `IncompleteList` at its end if entries may be missing. */
async function* ordersBackwards(
  client: ExchangeClient,
  { fetch, times, keep, pages = listPagesMax }: OrderList,
  { most, signal, leftOut }: PagingContext,
): AsyncGenerator<readonly Order[], void> {
  const limit = Math.min(orderPageMax, most ?? orderPageMax)
  const source: OrderSource = {
    fetch: (toMs) => fetch({ ...times, limit, ...(toMs === null ? {} : { toMs }) }),
    crowd: (atMs) => fetchCrowd(client, atMs, keep, signal),
  }
  const walk = new OrderWalk(source, { pages })
  let oddCount = 0
  for (let isEnd = false; !isEnd; ) {
    const step = await walk.next()
    isEnd = step.isEnd
    const odd = walk.unreadable.slice(oddCount)
    if (odd.length > 0) leftOut?.(odd)
    oddCount += odd.length
    yield step.fresh.toSorted(newestFirst)
  }
  if (!walk.isWhole) throw new IncompleteList()
}

/** Pages until there are enough rows; surplus rows are cut off. */
async function* upTo<T>(
  pages: AsyncIterable<readonly T[]>,
  { most, onPage }: Pick<PagingContext, 'most' | 'onPage'>,
): AsyncGenerator<readonly T[], void> {
  let count = 0
  for await (const page of pages) {
    const wanted = most === null ? page : page.slice(0, most - count)
    count += wanted.length
    yield wanted
    if (most !== null && count >= most) return
    onPage(count)
  }
}

/**
 * A list whose orders move during the read: one traded meanwhile comes to the front, even from an unread page. So the
 * front is read again, and the list is given as a whole.
 */
async function* settledOrders(
  client: ExchangeClient,
  list: OrderList,
  context: PagingContext,
): AsyncGenerator<readonly Order[], void> {
  const found = new Map<string, Order>()
  let pageCount = 0
  let trouble: IncompleteList | null = null
  try {
    for await (const page of upTo(ordersBackwards(client, list, context), context)) {
      for (const order of page) found.set(listKey(order), order)
      if (page.length > 0) pageCount += 1
    }
    if (pageCount > 1 && list.times.toMs === undefined) {
      const newestMs = [...found.values()].reduce((newest, { timestampMs }) => Math.max(newest, timestampMs ?? 0), 0)
      const front = { ...list, times: { fromMs: newestMs } }
      for await (const page of ordersBackwards(client, front, { ...context, most: null }))
        for (const order of page) found.set(listKey(order), order)
    }
  } catch (error) {
    if (!(error instanceof IncompleteList)) throw error
    trouble = error
  }
  yield [...found.values()].toSorted(newestFirst).slice(0, context.most ?? undefined)
  if (trouble !== null) throw trouble
}

/** GET /orders, all pages needed, newest first. Ended orders do not move, so their pages are passed on as they come. */
export function ordersPaged(
  client: ExchangeClient,
  query: OrderQuery,
  context: PagingContext,
): AsyncIterable<readonly Order[]> {
  const { fromMs, toMs, limit: _limit, ...rest } = query
  const list: OrderList = {
    fetch: (page) => client.fetchOrders({ ...rest, ...page }, context.signal),
    times: timesOf(fromMs, toMs),
    keep: (order) => isAskedFor(order, query),
  }
  const hasEnded = query.status !== undefined && !isWorking({ status: query.status })
  if (hasEnded) return upTo(ordersBackwards(client, list, context), context)
  return settledOrders(client, { ...list, pages: pagesMax }, context)
}

/** GET /trades: orders that have filled, all pages needed. */
export function tradesPaged(
  client: ExchangeClient,
  query: TradeQuery,
  context: PagingContext,
): AsyncIterable<readonly Order[]> {
  const { fromMs, toMs, limit: _limit, ...rest } = query
  const list: OrderList = {
    fetch: (page) => client.fetchTrades({ ...rest, ...page }, context.signal),
    times: timesOf(fromMs, toMs),
    keep: (order) => hasFilled(order) && isWithin(order, query),
  }
  return settledOrders(client, list, context)
}

/** Without a filled quantity in the report, its status decides. */
const hasFilled = ({ cumQuantity, status }: Order): boolean =>
  cumQuantity?.gt(0) ?? (status === 'FILLED' || status === 'PART_FILLED')

const timesOf = (fromMs: number | undefined, toMs: number | undefined) => ({
  ...(fromMs === undefined ? {} : { fromMs }),
  ...(toMs === undefined ? {} : { toMs }),
})

function isWithin({ timestampMs, symbol }: Order, query: TradeQuery): boolean {
  const atMs = timestampMs ?? 0
  return (
    atMs >= (query.fromMs ?? 0) &&
    atMs <= (query.toMs ?? Number.MAX_SAFE_INTEGER) &&
    (query.symbol === undefined || query.symbol === symbol)
  )
}

/** Whether the exchange lists an order for this status: OPEN lists partly filled ones too. */
const isOfStatus = (order: Order, status: OrderStatus): boolean =>
  order.status === status || (status === 'OPEN' && order.status === 'PART_FILLED')

/** Without a status, the working ones. */
const isAskedFor = (order: Order, query: OrderQuery): boolean =>
  isWithin(order, query) && (query.status === undefined ? isWorking(order) : isOfStatus(order, query.status))

/**
 * GET /internal/orders: every order of the account after `afterId` that matches the query, oldest first. Throws
 * `IncompleteList` where the list goes on after as many as a list may have.
 */
export async function* ordersById(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  query: OrderQuery & { afterId?: string },
  context: PagingContext,
): AsyncGenerator<readonly Order[], void> {
  const { afterId, status, ...within } = query
  const isKept = (order: Order) => isWithin(order, within) && (status === undefined || isOfStatus(order, status))
  async function* kept() {
    const news = new PageNews()
    let orderId = afterId
    let count = 0
    for (let pages = 0; ; pages += 1) {
      if (pages === listPagesMax || count >= listPagesMax * orderPageMax) throw new IncompleteList()
      const cursor = orderId === undefined ? {} : { orderId }
      const page = await client.fetchOrderPage({ limit: orderPageMax, ...cursor }, context.signal)
      const { orders, unreadable = [] } = page
      count += orders.length + unreadable.length
      if (unreadable.length > 0) context.leftOut?.(unreadable)
      yield orders.filter(isKept)
      const isEmpty = orders.length + unreadable.length === 0
      if (isEmpty || !news.leadsOn(page, orderId ?? null)) return
      orderId = page.nextOrderId
    }
  }
  yield* upTo(kept(), context)
}

/**
 * GET /fills, all pages needed: the newest first, each once. `fromExecId` with a count means the executions that follow
 * it, so that a script can continue from its last one.
 */
export function fillsPaged(
  client: ExchangeClient,
  query: FillQuery,
  context: PagingContext,
): AsyncIterable<readonly Fill[]> {
  const { most, signal } = context
  const { fromExecId, ...rest } = query
  // One more than wanted: a page begins with the last execution of the page before.
  const limit = Math.min(fillPageMax, most === null ? fillPageMax : most + 1)
  if (fromExecId !== undefined && most !== null) {
    const onwards = fillsOnwards(client, { ...rest, fromExecId, limit }, signal)
    return reversed(upTo(readableOf(onwards, context), context))
  }
  // With it some services list the following fills and some the newest: read backwards from the newest, both are the
  // same.
  const backwards = once(readableOf(fillPages(client, { ...rest, limit }, signal), context))
  return upTo(fromExecId === undefined ? backwards : downTo(backwards, fromExecId), context)
}

async function* readableOf<T>(
  pages: AsyncIterable<Listing<T>>,
  { leftOut }: PagingContext,
): AsyncGenerator<readonly T[], void> {
  for await (const { entries, unreadable } of pages) {
    if (unreadable.length > 0) leftOut?.(unreadable)
    yield entries
  }
}

/** Fills with this id or a greater one. While ids follow the time, the first smaller one ends the read. */
async function* downTo(pages: AsyncIterable<readonly Fill[]>, execId: string): AsyncGenerator<readonly Fill[], void> {
  let lowest: string | null = null
  let isInStep = true
  for await (const page of pages) {
    for (const fill of page) {
      isInStep &&= lowest === null || compareIds(fill.execId, lowest) < 0
      lowest = fill.execId
    }
    const wanted = page.filter((fill) => compareIds(fill.execId, execId) >= 0)
    yield wanted
    if (isInStep && wanted.length < page.length) return
  }
}

/** Each execution once. */
async function* once(pages: AsyncIterable<readonly Fill[]>): AsyncGenerator<readonly Fill[], void> {
  const told = new Set<string>()
  for await (const page of pages) {
    const news = page.filter(({ execId }) => !told.has(execId))
    for (const { execId } of news) told.add(execId)
    yield news
  }
}

async function* reversed<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[], void> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  yield all.reverse()
}

/** All rows of all pages. */
export async function wholeOf<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) for (const row of page) all.push(row)
  return all
}
