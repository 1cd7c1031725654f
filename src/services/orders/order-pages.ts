import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient, OrderQuery } from '../../api/exchange-client.ts'
import { pushAll } from '../../base/push-all.ts'
import { type Listing, type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import { compareIds, isWorking, listKey, type Order } from '../../domain/orders/order.ts'
import type { OrderPage } from '../../wire/order.ts'

/** The service's maximum per answer. A page may always be shorter: only one without anything new ends a list. */
export const orderPageMax = 100

/** A list of orders by time, newest first, with both bounds included. */
export type OrderSource = {
  /** The page of orders up to and including `toMs`; null for the newest ones. */
  fetch: (toMs: number | null) => Promise<Listing<Order>>
  /**
   * All orders of the list at the time `atMs`, read by id, because a millisecond with more than a page cannot be
   * continued by time.
   */
  crowd: (atMs: number) => Promise<Crowd>
}

/** Orders of one millisecond; `isWhole` is false when the list by id was not read to its end. */
type Crowd = Listing<Order> & { isWhole?: boolean }

/** The answers that a list by id goes on to give. */
const noWayById: ReadonlySet<ExchangeError['kind']> = new Set(['notFound', 'rejected', 'unauthorized'])

/** A list with this many pages in a row without a readable entry is endless: the entries may be new ones each time. */
const oddPagesMax = 50

/** One step of a walk: orders not returned before, and whether they were the last. */
export type WalkStep = { fresh: readonly Order[]; isEnd: boolean }

/** Unreadable entries are kept with all their fields: no list has so many. */
const unreadableMax = 50_000

/**
 * Limits of a walk in pages and orders; a missing one is no limit, of orders as many as so many pages hold: a service
 * that ignores the limit may give five hundred pages with each answer.
 */
type WalkBound = { pages?: number; orders?: number }

/** Reads a list of orders from the newest to the oldest, page by page; repeated orders count once. */
export class OrderWalk {
  readonly #source: OrderSource
  readonly #bound: Required<WalkBound>
  readonly #seen = new Set<string>()
  readonly #unreadable = new Map<string, UnreadableEntry>()
  #toMs: number | null = null
  /** Length of the longest page so far: the service allows that many, so it did not cut off a shorter one. */
  #longest = 0
  #pages = 0
  /** Pages in a row without a readable entry. */
  #oddPages = 0
  #isWhole = true

  constructor(
    source: OrderSource,
    { pages = Number.POSITIVE_INFINITY, orders = pages * orderPageMax }: WalkBound = {},
  ) {
    this.#source = source
    this.#bound = { pages, orders }
  }

  get unreadable(): readonly UnreadableEntry[] {
    return [...this.#unreadable.values()]
  }

  /**
   * False once orders may be missing: a page had no times to continue from, ignored the requested time, or cut off a
   * crowded millisecond; or the walk reached its limit.
   */
  get isWhole(): boolean {
    return this.#isWhole
  }

  async next(): Promise<WalkStep> {
    const step = await this.#step()
    this.#pages += 1
    this.#oddPages = step.fresh.length > 0 ? 0 : this.#oddPages + 1
    const { pages, orders } = this.#bound
    const isLong = this.#pages >= pages || this.#seen.size >= orders
    const isCut = isLong || this.#oddPages >= oddPagesMax || this.#unreadable.size >= unreadableMax
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
    // Orders newer than requested were listed before, so repeating them does not mean that no older ones follow.
    if (toMs !== null && timesOf(page).some((atMs) => atMs > toMs)) this.#isWhole = false
    const oldestMs = oldestOf(page)
    if (oldestMs === null) {
      // Without any times the next page cannot be requested: only a short page is certainly the last.
      if (length >= this.#longest) this.#isWhole = false
      return { fresh, isEnd: true }
    }
    if (count > 0) this.#toMs = oldestMs
    // As long as the longest page, all known and of this millisecond: others may have been cut off.
    else if (length > 1 && length === this.#longest && oldestMs === toMs) return await this.#pastCrowd(page, toMs)
    return { fresh, isEnd: count === 0 }
  }

  async #pastCrowd({ entries }: Listing<Order>, atMs: number): Promise<WalkStep> {
    const crowd = await this.#crowdAt(atMs)
    // Not before it is read: after a failure the next step asks for it again.
    this.#toMs = atMs - 1
    const known = new Set(crowd?.entries.map(listKey))
    // If the list by id lacks an order listed before, it may lack others too.
    if (crowd === null || crowd.isWhole === false || entries.some((order) => !known.has(listKey(order))))
      this.#isWhole = false
    return { fresh: crowd === null ? [] : this.#take(crowd).fresh, isEnd: false }
  }

  /** The orders of a millisecond by id; null when the service has no list by id, or none that this key may read. */
  async #crowdAt(atMs: number): Promise<Crowd | null> {
    try {
      return await this.#source.crowd(atMs)
    } catch (error) {
      if (error instanceof ExchangeError && noWayById.has(error.kind)) return null
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

/** The times on a page, in ms. */
const timesOf = ({ entries, unreadable }: Listing<Order>): number[] =>
  [...entries.map(({ timestampMs }) => timestampMs), ...unreadable.map(({ atMs }) => atMs)].filter(
    (atMs) => atMs !== null,
  )

/** The earliest time on a page in ms; null when it has none. */
function oldestOf(page: Listing<Order>): number | null {
  const times = timesOf(page)
  return times.length === 0 ? null : Math.min(...times)
}

export type OrderListClient = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrderPage'>

/**
 * GET /orders with this query, as a list to walk. For a crowded millisecond `isAsked` selects orders of the engine's
 * list by id.
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

/** GET /internal/orders: every order of the time `atMs` for which `isAsked` is true. */
export async function fetchCrowd(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  atMs: number,
  isAsked: (order: Order) => boolean,
  signal: AbortSignal,
): Promise<Crowd> {
  const { orders, unreadable, isWhole } = await fetchEngineOrders(client, { fromMs: atMs }, signal)
  return { entries: orders.filter((order) => order.timestampMs === atMs && isAsked(order)), unreadable, isWhole }
}

/**
 * GET /internal/orders from the first page to the last, ascending by id; ends after the page that reaches `ordersMax`.
 */
async function fetchEngineOrders(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  query: { fromMs?: number; orderId?: string; limit?: number },
  signal: AbortSignal,
): Promise<{ orders: Order[]; unreadable: UnreadableEntry[]; isWhole: boolean }> {
  const orders: Order[] = []
  let isEnough = false
  const walked = await walkEngineOrders(client, query, signal, (page) => {
    pushAll(orders, page)
    isEnough = page.length > 0 && orders.length >= ordersMax
    return isEnough
  })
  return { ...walked, orders, isWhole: walked.isWhole && !isEnough }
}

/**
 * GET /internal/orders from the first page to the last, ascending by id; only unreadable entries are kept. `onPage`
 * gets each page and returns true to stop. A list that goes on without anything new is not whole: where it ends is
 * unknown.
 */
export async function walkEngineOrders(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  query: { fromMs?: number; orderId?: string; limit?: number },
  signal: AbortSignal,
  onPage: (orders: readonly Order[]) => boolean,
  most = pagesMax,
): Promise<{ unreadable: UnreadableEntry[]; isWhole: boolean }> {
  const unreadable: UnreadableEntry[] = []
  const news = new PageNews()
  let cursor = query.orderId ?? null
  let count = 0
  for (let pages = 1; ; pages += 1) {
    const at = cursor === null ? {} : { orderId: cursor }
    const page = await client.fetchOrderPage({ limit: orderPageMax, ...query, ...at }, signal)
    pushAll(unreadable, page.unreadable ?? [])
    count += page.orders.length + (page.unreadable ?? []).length
    const isEmpty = page.orders.length === 0 && (page.unreadable ?? []).length === 0
    const isStuck = !news.leadsOn(page, cursor)
    const isEnough = onPage(page.orders)
    if (isEmpty || isEnough) return { unreadable, isWhole: true }
    if (isStuck || pages > most || count > most * orderPageMax) return { unreadable, isWhole: false }
    cursor = page.nextOrderId
  }
}

/** Recognizes whether a list ascending by id advances, page by page, with few ids kept. */
export class PageNews {
  readonly #odd = new Set<string>()
  #highest: string | null = null

  /**
   * Takes the page requested with `cursor`. False when the next one would bring nothing new: its cursor does not
   * advance, or already led to known orders.
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

/** Maximum pages for a decision: a service that always reports another page must not delay it. */
export const pagesMax = 1_000
const ordersMax = 20_000

/** Limits for working orders, more than a desk has at once: an endless list would keep the poll from reporting. */
const workingMax: Required<WalkBound> = { pages: 250, orders: 5_000 }

/** Reads a list of working orders to its end. */
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
  /** False when the list was not read to its end: there may be more. */
  isWhole: boolean
}

/** What a list still has of the orders of a cancel. */
export type Left = { orders: readonly Order[]; unreadableCount: number }

/** The working orders of a list in `symbol`, or in all symbols if null. An unreadable entry may be of any symbol. */
export function leftOf({ orders, unreadable }: OrderList, symbol: string | null): Left {
  const isOfScope = (name: string | undefined) => symbol === null || name === undefined || name === symbol
  return {
    orders: [...orders.values()].filter((order) => isWorking(order) && isOfScope(order.symbol)),
    unreadableCount: unreadable.filter(({ fields }) => isOfScope(fields.symbol)).length,
  }
}

/** The working orders, of one symbol if given, as a list to walk. */
export const workingSource = (client: OrderListClient, signal: AbortSignal, symbol: string | null = null) =>
  ordersSource(
    client,
    symbol === null ? {} : { symbol },
    (order) => isWorking(order) && (symbol === null || order.symbol === symbol),
    signal,
  )

/** All working orders, of one symbol if given, page by page. */
export const fetchAllWorking = (
  client: OrderListClient,
  signal: AbortSignal,
  symbol: string | null = null,
): Promise<OrderList> => walkOrders(workingSource(client, signal, symbol))
