import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { CommandTools } from '../../base/process/command-io.ts'
import { utcDayStart } from '../../base/text/time-text.ts'
import type { Session } from '../../desk/account/profile.ts'
import { fetchHubLimitUsd, fetchPlansAtHub, isHubToken } from '../../desk/wiring/behind-hub.ts'
import { draftsOf, withWorkingDrafts } from '../../desk/wiring/own-drafts.ts'
import { primaryAccount } from '../../domain/balance.ts'
import { dayNowMs, duplicateMaxMs, type Limits, type ListedSymbols } from '../../domain/limits.ts'
import { type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import { partly } from '../../domain/orders/checks/check.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import type { SentOrder } from '../../domain/orders/exposure.ts'
import { emptyDay, withDayFills } from '../../domain/orders/fills.ts'
import { isPending, type Order } from '../../domain/orders/order.ts'
import { draftsOf as draftsOfPlans } from '../../domain/plans/plan.ts'
import type { WriteJournal } from '../../journal/entry.ts'
import { dayPagesMax, walkFills } from '../../services/orders/fill-pages.ts'
import { sentOrders } from '../../services/orders/sent-beside.ts'
import { ordersPaged, wholeOf } from '../cli/paging.ts'

/**
 * Requests everything the checks of an order in this symbol need: the data a desk polls, once. Recent orders, including
 * those of other desks and commands of this account, are in the journal.
 */
export async function fetchCheckContext(
  symbol: string,
  { client, settings, token, skewMs }: Session,
  journal: WriteJournal,
  { clock, signal }: Pick<CommandTools, 'clock'> & { signal: AbortSignal },
): Promise<CheckContext> {
  // The first answer gives the exchange's time, and so its day.
  const instrument = await client.fetchSymbol(symbol, signal)
  const nowMs = clock.wallMs()
  const exchangeNowMs = nowMs + (skewMs() ?? 0)
  const ofDayMs = dayNowMs(nowMs, skewMs())
  // The list may be read in part twice: an unreadable entry counts once.
  const oddOrders = new Set<string>()
  const all = {
    most: null,
    signal,
    onPage: () => undefined,
    leftOut: (entries: readonly UnreadableEntry[]) => {
      for (const entry of entries) oddOrders.add(unreadableKey(entry))
    },
  }
  // Read before the list of orders: what has its answer by now is listed there, as long as it works.
  const entries = await journal.history(sentSinceMs(nowMs, skewMs()))
  const [symbols, book, tickers, accounts, fees, openOrders, fills, hubOrderUsd] = await Promise.all([
    listedSymbols(settings.limits, client, signal),
    client.fetchBook(symbol, signal),
    lastTrades(client, signal),
    client.fetchAccounts(signal),
    client.fetchFees(signal),
    wholeOf(ordersPaged(client, {}, all)),
    walkFills(client, { fromMs: utcDayStart(ofDayMs) }, { signal, pagesMax: dayPagesMax }),
    fetchHubLimitUsd('orderUsd', { client, token }, signal),
  ])
  const halfReported = openOrders.filter(isHalfReported).map(({ clientOrderId }) => clientOrderId)
  const own = await withWorkingDrafts(journal, draftsOf(entries), halfReported)
  // Orders of the firm's plans are not in this machine's journal: the hub has them.
  const isOfOthers = isHubToken(token) && halfReported.some((id) => !own.has(id))
  const ofPlans = draftsOfPlans(isOfOthers ? await fetchPlansAtHub(client, signal) : [])
  const primary = accounts.get(primaryAccount)
  const fresh = <T>(value: T) => ({ kind: 'fresh', value }) as const
  return {
    instrument: fresh(instrument),
    book: partly(book, book.unreadable?.length ?? 0),
    balances: fresh(primary?.entries ?? []),
    unreadBalances: primary?.unreadable,
    fees: fresh(fees),
    tickers,
    limits: settings.limits,
    symbols,
    hubOrderUsd,
    openOrders: partly(openOrders, oddOrders.size),
    filledToday: partly(withDayFills(emptyDay(ofDayMs), fills.entries, ofDayMs).notional, fills.unreadable.length),
    recentOrders: sentOrders(entries, nowMs, clock.bootedMs?.()),
    ownDrafts: new Map([...ofPlans, ...own]),
    // The journal is dated by the wall clock.
    nowMs,
    exchangeNowMs,
  }
}

/** The exchange's symbols; requested only if limits name symbols. */
async function listedSymbols(
  { perSymbol }: Limits,
  client: Pick<Session['client'], 'fetchSymbols'>,
  signal: AbortSignal,
): Promise<ListedSymbols | null> {
  if (perSymbol.size === 0) return null
  const { instruments, unread } = await client.fetchSymbols(signal)
  return { listed: new Set(instruments.keys()), unread }
}

/** The last trades, which trigger stops; without an answer a stop is judged by the worse of both cases. */
async function lastTrades(
  client: Pick<Session['client'], 'fetchTickers'>,
  signal: AbortSignal,
): Promise<CheckContext['tickers']> {
  try {
    const { entries } = await client.fetchTickers(signal)
    return { kind: 'fresh', value: new Map(entries.map((ticker) => [ticker.symbol, ticker])) }
  } catch (error) {
    if (error instanceof ExchangeError) return { kind: 'missing' }
    throw error
  }
}

/**
 * True when the exchange does not report an order's whole terms: a pending stop comes without size and trigger. For own
 * orders the journal knows them, however old.
 */
const isHalfReported = (order: Order): boolean =>
  isPending(order) || order.leavesQuantity === null || order.limitPrice === null

/**
 * The start of the journal's recent orders. A wall clock ahead of the exchange's may have been set forward since, so a
 * moment-old order may have the earlier date.
 */
const sentSinceMs = (nowMs: number, skewMs: number | null): number => dayNowMs(nowMs, skewMs) - duplicateMaxMs

/** Recently sent orders, including those of other desks and commands of this account, newest first. */
export async function recentOrders(
  journal: Pick<WriteJournal, 'history'>,
  clock: Pick<Clock, 'wallMs' | 'bootedMs'>,
  skewMs: number | null,
): Promise<SentOrder[]> {
  const nowMs = clock.wallMs()
  return sentOrders(await journal.history(sentSinceMs(nowMs, skewMs)), nowMs, clock.bootedMs?.())
}

/**
 * Recent orders for checks whose list of working orders is older: `before` are those of which that list is sure to have
 * what works. An order that another process has sent and had answered since is in neither, and counts as in flight.
 */
export function sinceListed(recent: readonly SentOrder[], before: readonly SentOrder[]): SentOrder[] {
  const listed = new Set(before.filter(({ stage }) => stage === 'taken').map(({ clientOrderId }) => clientOrderId))
  return recent.map((sent) =>
    sent.stage === 'taken' && !listed.has(sent.clientOrderId) ? { ...sent, stage: 'inFlight' } : sent,
  )
}
