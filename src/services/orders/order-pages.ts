import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient, OrderQuery } from '../../api/exchange-client.ts'
import { type Listing, type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import { compareIds, isWorking, listKey, type Order } from '../../domain/orders/order.ts'
import type { OrderPage } from '../../wire/order.ts'

/**
 * The service's cap on one answer. What it gives may be less at any time: only a page that brings nothing new ends a
 * list.
 */
export const orderPageMax = 100

/** A list of orders that comes by time, newest first, both bounds included. */
export type OrderSource = {
  /** A page of what is not newer than `toMs`; null: from the newest on. */
  fetch: (toMs: number | null) => Promise<Listing<Order>>
  /**
   * All of the list that bears the time `atMs`, asked for by id: where one millisecond holds more than a page, time
   * leads no further.
   */
  crowd: (atMs: number) => Promise<Crowd>
}

/** Orders of one millisecond; `isWhole` false where the list by id was not read to its end. */
type Crowd = Listing<Order> & { isWhole?: boolean }

/** A list of which so many pages in a row bring nothing readable has no end: such entries may be new ones each time. */
const oddPagesMax = 50

/** One step of a walk: orders not given before, and whether they were the last. */
export type WalkStep = { fresh: readonly Order[]; isEnd: boolean }

/** After how many pages and orders a walk ends, whatever is left; what is not given is not bounded. */
type WalkBound = { pages?: number; orders?: number }

/** Walks a list of orders from the newest to the oldest, page by page; what comes twice counts once. */
export class OrderWalk {
  readonly #source: OrderSource
  readonly #bound: Required<WalkBound>
  readonly #seen = new Set<string>()
  readonly #unreadable = new Map<string, UnreadableEntry>()
  #toMs: number | null = null
  /** The longest page so far: a service that gave so many does not cut a shorter one. */
  #longest = 0
  #pages = 0
  /** How many pages in a row have brought nothing that can be read. */
  #oddPages = 0
  #isWhole = true

  constructor(
    source: OrderSource,
    { pages = Number.POSITIVE_INFINITY, orders = Number.POSITIVE_INFINITY }: WalkBound = {},
  ) {
    this.#source = source
    this.#bound = { pages, orders }
  }

  get unreadable(): readonly UnreadableEntry[] {
    return [...this.#unreadable.values()]
  }

  /**
   * False once orders may be missing: a page gave nothing by which the one behind it could be asked for, took no notice
   * of the time asked for, or cut off a crowded millisecond, or the walk came to its bound.
   */
  get isWhole(): boolean {
    return this.#isWhole
  }

  async next(): Promise<WalkStep> {
    const step = await this.#step()
    this.#pages += 1
    this.#oddPages = step.fresh.length > 0 ? 0 : this.#oddPages + 1
    const { pages, orders } = this.#bound
    const isCut = this.#pages >= pages || this.#seen.size >= orders || this.#oddPages >= oddPagesMax
    if (step.isEnd || !isCut) return step
    this.#isWhole = false
    return { ...step, isEnd: true }
  }

  async #step(): Promise<WalkStep> {
    const toMs = this.#toMs
    const page = await this.#source.fetch(toMs)
    const length = page.entries.length + page.unreadable.length
    this.#longest = Math.max(this.#longest, length)
    const { fresh, count } = this.#take(page)
    if (length === 0) return { fresh, isEnd: true }
    // What is newer than asked for was listed before: that a page repeats it does not tell that nothing lies behind.
    if (toMs !== null && timesOf(page).some((atMs) => atMs > toMs)) this.#isWhole = false
    const oldestMs = oldestOf(page)
    if (oldestMs === null) {
      // Without a time on any of them what lies behind cannot be asked for: only a page of few is surely the last.
      if (length >= this.#longest) this.#isWhole = false
      return { fresh, isEnd: true }
    }
    if (count > 0) this.#toMs = oldestMs
    // As many as the longest page, of that one millisecond and known: it may have cut off others.
    else if (length > 1 && length === this.#longest && oldestMs === toMs) return await this.#pastCrowd(page, toMs)
    return { fresh, isEnd: count === 0 }
  }

  async #pastCrowd({ entries }: Listing<Order>, atMs: number): Promise<WalkStep> {
    this.#toMs = atMs - 1
    const crowd = await this.#crowdAt(atMs)
    const known = new Set(crowd?.entries.map(listKey))
    // A list that lacks what was listed before does not tell what is missing.
    if (crowd === null || crowd.isWhole === false || entries.some((order) => !known.has(listKey(order))))
      this.#isWhole = false
    return { fresh: crowd === null ? [] : this.#take(crowd).fresh, isEnd: false }
  }

  /** Null where the service has no list by id. */
  async #crowdAt(atMs: number): Promise<Crowd | null> {
    try {
      return await this.#source.crowd(atMs)
    } catch (error) {
      const isNoWay = error instanceof ExchangeError && (error.kind === 'notFound' || error.kind === 'rejected')
      if (isNoWay) return null
      throw error
    }
  }

  #take(page: Listing<Order>): { fresh: Order[]; count: number } {
    const fresh = page.entries.filter((order) => !this.#seen.has(listKey(order)))
    for (const order of fresh) this.#seen.add(listKey(order))
    const odd = page.unreadable.filter((entry) => !this.#unreadable.has(unreadableKey(entry)))
    for (const entry of odd) this.#unreadable.set(unreadableKey(entry), entry)
    return { fresh, count: fresh.length + odd.length }
  }
}

/** The times that a page tells, in ms. */
const timesOf = ({ entries, unreadable }: Listing<Order>): number[] =>
  [...entries.map(({ timestampMs }) => timestampMs), ...unreadable.map(({ atMs }) => atMs)].filter(
    (atMs) => atMs !== null,
  )

/** The earliest time that a page tells, in ms; null when it tells none. */
function oldestOf(page: Listing<Order>): number | null {
  const times = timesOf(page)
  return times.length === 0 ? null : Math.min(...times)
}

export type OrderListClient = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrderPage'>

/**
 * GET /orders with this query, as a list to walk. Where a millisecond is crowded `isAsked` picks from the engine's list
 * by id.
 */
export function ordersSource(
  client: OrderListClient,
  query: OrderQuery,
  isAsked: (order: Order) => boolean,
  signal: AbortSignal,
): OrderSource {
  const { toMs: newestMs, limit = orderPageMax, ...rest } = query
  return {
    fetch(toMs) {
      const bound = toMs ?? newestMs
      return client.fetchOrders({ ...rest, limit, ...(bound === undefined ? {} : { toMs: bound }) }, signal)
    },
    crowd: (atMs) => fetchCrowd(client, atMs, isAsked, signal),
  }
}

/** GET /internal/orders: every order of the time `atMs` that `isAsked` takes. */
export async function fetchCrowd(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  atMs: number,
  isAsked: (order: Order) => boolean,
  signal: AbortSignal,
): Promise<Crowd> {
  const { orders, unreadable, isWhole } = await fetchEngineOrders(client, { fromMs: atMs }, signal)
  return { entries: orders.filter((order) => order.timestampMs === atMs && isAsked(order)), unreadable, isWhole }
}

/** GET /internal/orders from the first page to the last, ascending by id: `ordersMax` orders and a page at most. */
async function fetchEngineOrders(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  query: { fromMs?: number; orderId?: string; limit?: number },
  signal: AbortSignal,
): Promise<{ orders: Order[]; unreadable: UnreadableEntry[]; isWhole: boolean }> {
  const orders: Order[] = []
  let isEnough = false
  const walked = await walkEngineOrders(client, query, signal, (page) => {
    orders.push(...page)
    isEnough = page.length > 0 && orders.length >= ordersMax
    return isEnough
  })
  return { ...walked, orders, isWhole: walked.isWhole && !isEnough }
}

/**
 * GET /internal/orders from the first page to the last, ascending by id; nothing is kept but what is unreadable.
 * `onPage` is told of each page, and ends it by true. A list whose pages go on without anything new is not whole: what
 * it repeats does not tell where it ends.
 */
export async function walkEngineOrders(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  query: { fromMs?: number; orderId?: string; limit?: number },
  signal: AbortSignal,
  onPage: (orders: readonly Order[]) => boolean,
): Promise<{ unreadable: UnreadableEntry[]; isWhole: boolean }> {
  const unreadable: UnreadableEntry[] = []
  const news = new PageNews()
  let cursor = query.orderId ?? null
  for (let pages = 0; ; pages += 1) {
    const at = cursor === null ? {} : { orderId: cursor }
    const page = await client.fetchOrderPage({ limit: orderPageMax, ...query, ...at }, signal)
    unreadable.push(...(page.unreadable ?? []))
    const isEmpty = page.orders.length === 0 && (page.unreadable ?? []).length === 0
    const isStuck = !news.leadsOn(page, cursor)
    const isEnough = onPage(page.orders)
    if (isEmpty || isEnough) return { unreadable, isWhole: true }
    if (isStuck || pages >= pagesMax) return { unreadable, isWhole: false }
    cursor = page.nextOrderId
  }
}

/** Tells whether a list that ascends by id gets anywhere, page by page; few ids are kept for that. */
export class PageNews {
  readonly #odd = new Set<string>()
  #highest: string | null = null

  /**
   * Takes in the page that was asked for at `cursor`. False where the one behind it would be no news: a cursor that
   * does not move forward goes round in circles, and so does one that led to what is known.
   */
  leadsOn(page: OrderPage, cursor: string | null): boolean {
    return this.#take(page) && (cursor === null || compareIds(page.nextOrderId, cursor) > 0)
  }

  /** True when the page brings anything new. */
  #take({ orders, unreadable = [] }: OrderPage): boolean {
    const before = this.#odd.size
    const highest = this.#highest
    for (const entry of unreadable) this.#odd.add(unreadableKey(entry))
    for (const { orderId, clientOrderId } of orders)
      if (orderId === null) this.#odd.add(listKey({ orderId, clientOrderId }))
      else if (this.#highest === null || compareIds(orderId, this.#highest) > 0) this.#highest = orderId
    return this.#highest !== highest || this.#odd.size > before
  }
}

/** More pages than any list has that a decision rests on: a service that always finds one more must not hold it up. */
export const pagesMax = 1_000
const ordersMax = 20_000

/**
 * More than a desk works orders at once. The list is polled, and one that always has another page would keep the poll
 * from telling anything.
 */
const workingMax: Required<WalkBound> = { pages: 250, orders: 5_000 }

/** A list of working orders from the newest to its end. */
export async function walkOrders(source: OrderSource): Promise<OrderList> {
  const walk = new OrderWalk(source, workingMax)
  const orders = new Map<string, Order>()
  for (let isLast = false; !isLast; ) {
    const { fresh, isEnd } = await walk.next()
    for (const order of fresh) orders.set(listKey(order), order)
    isLast = isEnd
  }
  return { orders, unreadable: walk.unreadable, isWhole: walk.isWhole }
}

/** Orders by `listKey`, newest first. */
export type OrderList = {
  orders: ReadonlyMap<string, Order>
  unreadable: readonly UnreadableEntry[]
  /** False where the list could not be read to its end: there may be more. */
  isWhole: boolean
}

/** What a list still holds of the orders that a cancel was for. */
export type Left = { orders: readonly Order[]; unreadableCount: number }

/** The working orders of a list in `symbol` (null: in every one). What cannot be read may be in any. */
export function leftOf({ orders, unreadable }: OrderList, symbol: string | null): Left {
  const isOfScope = (name: string | undefined) => symbol === null || name === undefined || name === symbol
  return {
    orders: [...orders.values()].filter((order) => isWorking(order) && isOfScope(order.symbol)),
    unreadableCount: unreadable.filter(({ fields }) => isOfScope(fields.symbol)).length,
  }
}

/** The working orders, of one symbol where that is given, as a list to walk. */
export const workingSource = (client: OrderListClient, signal: AbortSignal, symbol: string | null = null) =>
  ordersSource(
    client,
    symbol === null ? {} : { symbol },
    (order) => isWorking(order) && (symbol === null || order.symbol === symbol),
    signal,
  )

/** All working orders, of one symbol where that is given, page by page. */
export const fetchAllWorking = (
  client: OrderListClient,
  signal: AbortSignal,
  symbol: string | null = null,
): Promise<OrderList> => walkOrders(workingSource(client, signal, symbol))
