import type { ExchangeClient } from '../../api/exchange-client.ts'
import { hourMs, secondMs, utcDayStart } from '../../base/text/time-text.ts'
import { type Balance, primaryAccount } from '../../domain/balance.ts'
import {
  isSameUnreadable,
  type Listing,
  readableListing,
  type UnreadableEntry,
  unreadableKey,
} from '../../domain/listing.ts'
import { type Fill, mergedFills, newestFillFirst, newestFillMs } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'
import { dayPagesMax, type FillsClient, isByTime, walkFills } from '../orders/fill-pages.ts'
import { createFeedPoller, type FeedPoller, type ServiceContext } from './poller.ts'
import { createLook, type SeenClient, seenAtMs } from './seen.ts'
import { createWorkingOrders } from './working-orders.ts'

export type AccountClient = Pick<
  ExchangeClient,
  'fetchOrders' | 'fetchOrder' | 'fetchOrderPage' | 'fetchFills' | 'fetchAccounts' | 'fetchFees'
> &
  SeenClient
export type Account = {
  pollers: Record<'orders' | 'fills' | 'balances' | 'fees', FeedPoller>
  /** Call for an order that the exchange has just accepted. */
  watch(order: Order): void
}

const noBalances: readonly Balance[] = []
const noListing = readableListing(noBalances)

/** True for equal holdings; their value moves with the market. */
const isSameHolding = (left: readonly Balance[], right: readonly Balance[]): boolean =>
  left.length === right.length &&
  left.every(({ currency, balance, available }, index) => {
    const other = right[index]
    return other?.currency === currency && other.balance.eq(balance) && other.available.eq(available)
  })

/**
 * Polls working orders, fills, balances of every account, and fee rates. Orders are requested most often; after a
 * change of orders or a fill, what follows from it is polled at once. `exchangeNow`: the exchange's time, as far as
 * known; `dayNow`: a moment of the day that limits count.
 */
export function createAccount(
  client: AccountClient,
  context: ServiceContext,
  exchangeNow: () => number,
  dayNow: () => number,
): Account {
  const { clock, emit } = context
  const now = () => clock.now()
  const working = createWorkingOrders(client, now, emit)
  const look = createLook(client, now)
  const fillsClient: FillsClient = { fetchFills: (query, signal) => look.note(client.fetchFills(query, signal)) }
  const newFills = createNewFills(fillsClient, dayNow, exchangeNow)
  const orders = createFeedPoller('orders', context, (signal) => working.refresh(signal), {
    onChange() {
      fills.expectNews()
      balances.expectNews()
    },
  })
  const fills = createFeedPoller(
    'fills',
    context,
    async (signal) => {
      look.begin()
      const found = await newFills(signal)
      emit({ type: 'fills', fills: found.entries, unreadable: found.unreadable, atMs: look.seenAtMs() })
      return found.entries
    },
    {
      onChange() {
        orders.expectNews()
        balances.expectNews()
      },
    },
  )
  let held = noBalances
  const balances = createFeedPoller('balances', context, async (signal) => {
    const accounts = await client.fetchAccounts(signal)
    const { entries, unreadable } = accounts.get(primaryAccount) ?? noListing
    const others = new Map([...accounts].filter(([name]) => name !== primaryAccount))
    emit({ type: 'balances', balances: entries, others, unreadable, atMs: seenAtMs(client, accounts, now()) })
    if (!isSameHolding(held, entries)) held = entries
    return held
  })
  const fees = createFeedPoller('fees', context, async (signal) => {
    const rates = await client.fetchFees(signal)
    emit({ type: 'fees', fees: rates, atMs: seenAtMs(client, rates, now()) })
    return rates
  })
  return { pollers: { orders, fills, balances, fees }, watch: (order) => working.watch(order, now()) }
}

/** Size of the first page, enough to fill the pane. */
const firstPageSize = 100

/** How late an execution may be listed after others that happened later; the history looks further back. */
const lateHereMs = 10 * secondMs
/** Executions dated further ahead are not used to continue from: no clock is that wrong. */
const aheadMaxMs = hourMs

/**
 * The execution that the next read begins with: one old enough that nothing is listed late behind it, or else the
 * oldest.
 */
function anchorOf(fills: readonly Fill[], nowMs: number): Fill | null {
  const newestMs = newestFillMs(fills, nowMs + aheadMaxMs)
  if (newestMs === null) return null
  const byTime = fills.toSorted(newestFillFirst)
  return byTime.find(({ timestampMs }) => timestampMs <= newestMs - lateHereMs) ?? byTime.at(-1) ?? null
}

/**
 * Reads the newest fills and the whole UTC day of `dayNow`, which limits count; from then on only those since shortly
 * before the last one seen, by time, because ids need not follow it. Reads back through pages when there are more than
 * one answer has. The result may repeat known fills; each has its own execution id. If the list lacks what it reported
 * before, or `dayNow` turns out to be on an earlier day, it begins anew. Returns the same listing while it has the same
 * executions.
 */
export function createNewFills(
  client: FillsClient,
  dayNow: () => number,
  exchangeNow = dayNow,
): (signal: AbortSignal) => Promise<Listing<Fill>> {
  let anchor: Fill | null = null
  let wholeFromMs = Number.POSITIVE_INFINITY
  let last: Listing<Fill> = readableListing([])

  const firstLook = async (signal: AbortSignal): Promise<Listing<Fill>> => {
    const dayStartMs = utcDayStart(dayNow())
    const latest = await client.fetchFills({ limit: firstPageSize }, signal)
    const oldest = latest.entries.at(-1)
    // In a list by id an execution of an earlier day may stand among today's: only a page ordered by time shows that
    // the day is complete.
    const isReached = oldest !== undefined && oldest.timestampMs < dayStartMs && isByTime(latest)
    const isWhole = isReached || latest.entries.length + latest.unreadable.length === 0
    const walk = { signal, pagesMax: dayPagesMax }
    const day = isWhole ? latest : joined(latest, await walkFills(client, { fromMs: dayStartMs }, walk))
    wholeFromMs = dayStartMs
    return day
  }
  const since = async ({ execId, timestampMs }: Fill, signal: AbortSignal): Promise<Listing<Fill>> => {
    const isReached = (page: readonly Fill[]) => page.some((fill) => fill.execId === execId)
    const walk = { signal, isEnough: isReached, pagesMax: dayPagesMax }
    const found = await walkFills(client, { fromMs: timestampMs }, walk)
    return isReached(found.entries) ? found : joined(await firstLook(signal), found)
  }
  return async (signal) => {
    // The exchange's clock may have been unknown at the first answers.
    const isWhole = wholeFromMs <= utcDayStart(dayNow())
    const fills = anchor === null || !isWhole ? await firstLook(signal) : await since(anchor, signal)
    anchor = anchorOf(fills.entries, exchangeNow()) ?? anchor
    // An execution never changes: the same ids mean the same listing.
    const isSame =
      isSameUnreadable(fills.unreadable, last.unreadable) &&
      fills.entries.length === last.entries.length &&
      fills.entries.every(({ execId }, index) => execId === last.entries[index]?.execId)
    if (!isSame) last = fills
    return last
  }
}

const joined = (left: Listing<Fill>, right: Listing<Fill>): Listing<Fill> => ({
  entries: mergedFills(left.entries, right.entries),
  unreadable: mergedUnreadable(left.unreadable, right.unreadable),
})

const mergedUnreadable = (left: readonly UnreadableEntry[], right: readonly UnreadableEntry[]): UnreadableEntry[] => [
  ...new Map([...left, ...right].map((entry) => [unreadableKey(entry), entry])).values(),
]
