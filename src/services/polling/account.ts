import type { ExchangeClient } from '../../api/exchange-client.ts'
import { hourMs, secondMs, utcDayStart } from '../../base/time-text.ts'
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
import { type FillsClient, isByTime, walkFills } from '../orders/fill-pages.ts'
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
  /** Tells of an order that the exchange has just accepted. */
  watch(order: Order): void
}

const noBalances: readonly Balance[] = []
const noListing = readableListing(noBalances)

/** Whether two answers tell of the same holdings; what they are worth moves with the market. */
const isSameHolding = (left: readonly Balance[], right: readonly Balance[]): boolean =>
  left.length === right.length &&
  left.every(({ currency, balance, available }, index) => {
    const other = right[index]
    return other?.currency === currency && other.balance.eq(balance) && other.available.eq(available)
  })

/**
 * Polls what the account holds and does: working orders, fills, balances of every account, fee rates. Orders are
 * asked for most often; when they change, or a fill comes, what follows from that is not waited for. `exchangeNow`:
 * what the exchange's clock says, as far as it is known; `dayNow`: a moment of the day that limits count.
 */
export function createAccount(
  client: AccountClient,
  context: ServiceContext,
  exchangeNow = () => context.clock.now(),
  dayNow = exchangeNow,
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

/** Enough to fill the pane at the first look. */
const firstPageSize = 100

/** How late an execution may come behind others that happened after it: the history looks further back. */
const lateHereMs = 10 * secondMs
/** Executions dated further ahead than this tell of no time to go on from: no clock is that wrong. */
const aheadMaxMs = hourMs

/** The execution that the next look begins with: one so old that nothing comes behind it any more, else the oldest. */
function anchorOf(fills: readonly Fill[], nowMs: number): Fill | null {
  const newestMs = newestFillMs(fills, nowMs + aheadMaxMs)
  if (newestMs === null) return null
  const byTime = fills.toSorted(newestFillFirst)
  return byTime.find(({ timestampMs }) => timestampMs <= newestMs - lateHereMs) ?? byTime.at(-1) ?? null
}

/**
 * Fetches the latest fills first, including all of the UTC day of `dayNow`, which limits count; then only those since
 * shortly before the last one seen, by time: ids need not be in step with it. Walks back through pages when more came
 * than one answer holds. The result may repeat known fills; each has its own execution id. Where the list does not know
 * any more what it told before, or `dayNow` turns out to be on an earlier day, it is looked at as at first. Returns the
 * same listing as before while it holds the same executions.
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
    // One of before among those of the day, as a late one in a list by id, says nothing of what follows.
    const isReached = oldest !== undefined && oldest.timestampMs < dayStartMs && isByTime(latest)
    const isWhole = isReached || latest.entries.length + latest.unreadable.length === 0
    const day = isWhole ? latest : joined(latest, await walkFills(client, { fromMs: dayStartMs }, { signal }))
    wholeFromMs = dayStartMs
    return day
  }
  const since = async ({ execId, timestampMs }: Fill, signal: AbortSignal): Promise<Listing<Fill>> => {
    const isReached = (page: readonly Fill[]) => page.some((fill) => fill.execId === execId)
    const found = await walkFills(client, { fromMs: timestampMs }, { signal, isEnough: isReached })
    return isReached(found.entries) ? found : joined(await firstLook(signal), found)
  }
  return async (signal) => {
    // The first answers may have come before the exchange's clock was known.
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
