import type { ExchangeClient } from '../api/exchange-client.ts'
import type { FillQuery, OrderQuery, TradeQuery } from '../api/trading-client.ts'
import type { Fill } from '../domain/fill.ts'
import type { Listing, UnreadableEntry } from '../domain/listing.ts'
import { isWorking, type Order, type OrderStatus } from '../domain/order.ts'

/** The services' caps on one answer. */
export const orderPageSize = 100
export const fillPageSize = 1_000

export type PagingContext = {
  /** At most this many, the newest; null: all. */
  most: number | null
  signal: AbortSignal
  /** How many there are so far, after each page but the last. */
  onPage: (count: number) => void
  /** Told of entries that cannot be read. */
  leftOut?: (unreadable: readonly UnreadableEntry[]) => void
}

/** The entries of a page, those that cannot be read told of. */
function entriesOf<T>({ entries, unreadable }: Listing<T>, { leftOut }: Pick<PagingContext, 'leftOut'>): readonly T[] {
  if (unreadable.length > 0) leftOut?.(unreadable)
  return entries
}

type OrderSource = (query: { fromMs?: number; toMs?: number; limit: number }) => Promise<readonly Order[]>

/** Found orders by id; a report that came later takes the place of an earlier one. */
type Found = Map<string, Order>

const keyOf = (order: Order): string => order.orderId ?? order.clientOrderId

/**
 * Walks from the newest order to the oldest. Each page ends where the next one begins, that moment included, and what comes twice
 * counts once. `isStuck`: a whole page lies in one millisecond, so that time cannot lead past it.
 */
async function walkBack(
  fetch: OrderSource,
  times: { fromMs?: number; toMs?: number },
  { most, onPage, found }: Pick<PagingContext, 'most' | 'onPage'> & { found: Found },
): Promise<{ isStuck: boolean }> {
  let { toMs } = times
  for (;;) {
    const limit = Math.min(orderPageSize, most ?? orderPageSize)
    const page = await fetch({ ...times, limit, ...(toMs === undefined ? {} : { toMs }) })
    const before = found.size
    for (const order of page) found.set(keyOf(order), order)
    const oldestMs = page.at(-1)?.timestampMs ?? null
    const isEnough = most !== null && found.size >= most
    if (page.length < limit || oldestMs === null || isEnough) return { isStuck: false }
    if (found.size === before && oldestMs === toMs) return { isStuck: true }
    toMs = oldestMs
    onPage(found.size)
  }
}

const newestFirst = (left: Order, right: Order): number =>
  (right.timestampMs ?? 0) - (left.timestampMs ?? 0) || compareAsIds(right, left)

function compareAsIds(left: Order, right: Order): number {
  const [leftId, rightId] = [left.orderId ?? '', right.orderId ?? '']
  return leftId.length - rightId.length || (leftId < rightId ? -1 : leftId > rightId ? 1 : 0)
}

async function collect(
  fetch: OrderSource,
  times: { fromMs?: number; toMs?: number },
  context: PagingContext,
  /** Everything by id, for where time cannot lead past a crowded millisecond. */
  byId: () => Promise<Order[]>,
): Promise<Order[]> {
  const found: Found = new Map()
  let pages = 0
  const onPage = (count: number) => {
    pages += 1
    context.onPage(count)
  }
  const { isStuck } = await walkBack(fetch, times, { ...context, onPage, found })
  if (isStuck) for (const order of await byId()) found.set(keyOf(order), order)
  // What moved to the front while the pages behind were read is there now.
  const newestMs = Math.max(0, ...[...found.values()].map(({ timestampMs }) => timestampMs ?? 0))
  if (pages > 0 && times.toMs === undefined)
    await walkBack(fetch, { fromMs: newestMs }, { ...context, most: null, found })
  return [...found.values()].toSorted(newestFirst).slice(0, context.most ?? undefined)
}

/** GET /orders, as many pages as it takes. */
export function fetchOrdersPaged(client: ExchangeClient, query: OrderQuery, context: PagingContext): Promise<Order[]> {
  const { fromMs, toMs, limit: _limit, ...rest } = query
  const byId = () => fetchOrdersById(client, { ...context, most: null, keep: (order) => isAskedFor(order, query) })
  return collect(
    async (page) => entriesOf(await client.fetchOrders({ ...rest, ...page }, context.signal), context),
    timesOf(fromMs, toMs),
    context,
    byId,
  )
}

/** GET /trades: orders that have filled, as many pages as it takes. */
export function fetchTradesPaged(client: ExchangeClient, query: TradeQuery, context: PagingContext): Promise<Order[]> {
  const { fromMs, toMs, limit: _limit, ...rest } = query
  const keep = (order: Order) => hasFilled(order) && isWithin(order, query)
  const byId = () => fetchOrdersById(client, { ...context, most: null, keep })
  return collect(
    async (page) => entriesOf(await client.fetchTrades({ ...rest, ...page }, context.signal), context),
    timesOf(fromMs, toMs),
    context,
    byId,
  )
}

/** What a report without its filled quantity says by its status counts. */
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

/** OPEN lists partly filled orders too; without a status the working ones are meant. */
function isAskedFor(order: Order, query: OrderQuery): boolean {
  const isStatus = (status: OrderStatus) =>
    order.status === status || (status === 'OPEN' && order.status === 'PART_FILLED')
  return isWithin(order, query) && (query.status === undefined ? isWorking(order) : isStatus(query.status))
}

export type ByIdContext = PagingContext & {
  keep: (order: Order) => boolean
  /** Only orders after this id. */
  afterId?: string
}

/** GET /internal/orders from the first page to the last: every order of the account that `keep` keeps, the oldest first. */
export async function fetchOrdersById(client: ExchangeClient, context: ByIdContext): Promise<Order[]> {
  const { keep, most, signal, onPage } = context
  const found: Order[] = []
  let orderId = context.afterId
  for (;;) {
    const cursor = orderId === undefined ? {} : { orderId }
    const page = await client.fetchOrderPage({ limit: orderPageSize, ...cursor }, signal)
    found.push(...page.orders.filter(keep))
    const isEnough = most !== null && found.length >= most
    if (page.orders.length === 0 || isEnough || page.nextOrderId === orderId) return found.slice(0, most ?? undefined)
    orderId = page.nextOrderId
    onPage(found.length)
  }
}

/** GET /fills, as many pages as it takes, by execution id: the newest first, each once. */
export async function fetchFillsPaged(
  client: ExchangeClient,
  query: FillQuery,
  context: PagingContext,
): Promise<Fill[]> {
  const { most, signal, onPage } = context
  const found = new Map<string, Fill>()
  let { toExecId } = query
  for (;;) {
    // One more than is missing: the execution that the page begins with is known already.
    const missing = most === null ? fillPageSize : most - found.size + (found.size === 0 ? 0 : 1)
    const limit = Math.min(fillPageSize, missing)
    const cursor = toExecId === undefined ? {} : { toExecId }
    const page = entriesOf(await client.fetchFills({ ...query, limit, ...cursor }, signal), context)
    const before = found.size
    for (const fill of page) found.set(fill.execId, fill)
    const isEnough = most !== null && found.size >= most
    if (page.length < limit || found.size === before || isEnough) return [...found.values()].slice(0, most ?? undefined)
    toExecId = page.at(-1)?.execId
    onPage(found.size)
  }
}
