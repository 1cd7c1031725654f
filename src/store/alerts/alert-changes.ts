import type { AlertFact, EndedOrder, FiredAlert, KeptAlerts } from '../../domain/alerts/news.ts'
import { type Quote, quoteOfBook, symbolsOfBooks, type Watch } from '../../domain/alerts/watch.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import { waitsSinceMs } from '../../domain/gateway/inbox-order.ts'
import { zero } from '../../domain/money.ts'
import { isWorking, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import type { OrderOutcome } from '../../domain/orders/order-outcome.ts'
import type { OwnDrafts } from '../../domain/orders/own-draft.ts'
import type { TickedEvent } from '../clock.ts'
import type { DutiesSlice } from '../duties.ts'
import { emptyFeed, isStale } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { ladderWants, type WantsFacts } from '../ladder-wants.ts'
import type { PlansSlice } from '../plans/plans.ts'
import type { Followed } from '../slice.ts'
import { transferChanges } from '../transfers/followed-transfers.ts'
import type { TransfersSlice } from '../transfers/transfers.ts'
import { type AlertsEvent, type AlertsSlice, isKeptSame, keptOf } from './alerts.ts'

/** The state that alerts observe. */
type Watched = FeedsSlice & TransfersSlice & AlertsSlice & PlansSlice & { ownDrafts: OwnDrafts }

/** The state that says which books are on screen. */
type Shown = WantsFacts & AlertsSlice & DutiesSlice

/** An event that may cause an alert. */
export type AlertCause = FeedEvent | WriteEvent | AlertsEvent | TickedEvent

/** Last prices of the watched symbols. */
function lastQuotes({ tickers }: FeedsSlice, watches: readonly Watch[]): Quote[] {
  const symbols = new Set(watches.filter(({ price }) => price === 'last').map(({ symbol }) => symbol))
  return [...symbols].flatMap((symbol) => {
    const last = tickers.value?.get(symbol)?.lastPrice ?? null
    return last === null ? [] : [{ symbol, prices: { last } }]
  })
}

/** A symbol's recent prices, from which a new watch starts. */
export function quoteNow(state: FeedsSlice, symbol: string, nowMs: number): Quote {
  const { tickers } = state
  const feed = state.books.get(symbol) ?? emptyFeed
  const last = isStale(tickers, 'tickers', nowMs) ? null : (tickers.value?.get(symbol)?.lastPrice ?? null)
  const ofBook = feed.value === null || isStale(feed, 'book', nowMs) ? {} : quoteOfBook(feed.value).prices
  return { symbol, prices: last === null ? ofBook : { ...ofBook, last } }
}

const wasEnded = (state: FeedsSlice, order: Order): boolean =>
  state.endedOrders.some((other) => other.orderId === order.orderId && other.clientOrderId === order.clientOrderId)

/**
 * Whether this desk asked for it, or a plan may have, in whichever process it runs: of an order that is canceled by
 * hand the plan tells itself.
 */
const isAskedToEnd = ({ alerts, plans }: AlertsSlice & PlansSlice, { orderId, clientOrderId }: EndedOrder): boolean =>
  (plans.owner !== 'nobody' && plans.byOrder.has(clientOrderId)) || (orderId !== null && alerts.askedToEnd.has(orderId))

/** The end of a rejected order, which never began. */
function refused({ side, symbol }: OrderDraft, { clientOrderId, reason }: Refusal): EndedOrder {
  return { orderId: null, clientOrderId, side, symbol, status: 'REJECTED', cumQuantity: zero, text: reason }
}
type Refusal = Extract<OrderOutcome, { kind: 'rejected' }>

/** Orders that an event shows as ended, and that were not known as ended. */
function endsOf(before: FeedsSlice, event: AlertCause): readonly EndedOrder[] {
  const newly = (orders: readonly Order[]) => orders.filter((order) => !isWorking(order) && !wasEnded(before, order))
  switch (event.type) {
    case 'orderEnded':
      return newly([event.order])
    case 'orders':
      return newly(event.orders)
    case 'cancelOutcome':
      return event.outcome.kind === 'ended' ? newly([event.outcome.order]) : []
    case 'orderOutcome':
      if (event.outcome.kind === 'rejected') return [refused(event.draft, event.outcome)]
      return event.outcome.kind === 'accepted' ? newly([event.outcome.order]) : []
    default:
      return []
  }
}

/** True when all fills of an order were reported as fills, so that its end is not news: it is filled, or an IOC. */
function isToldByFills({ fills, alerts, ownDrafts }: Watched, order: EndedOrder): boolean {
  const { orderId, clientOrderId, status, cumQuantity } = order
  const isOver = status === 'FILLED' || ownDrafts.get(clientOrderId)?.timeInForce === 'IOC'
  if (!isOver || cumQuantity === null || cumQuantity.isZero() || !alerts.standing.fill) return false
  const known = (fills.value ?? []).filter((fill) => fill.orderId === orderId)
  return known.reduce((sum, { quantity }) => sum.plus(quantity), zero).gte(cumQuantity)
}

/**
 * The facts of an event that may be worth an alert, from the state before and after it. Most events have none, at no
 * cost. Executions of the first read are history, unless an earlier run ended before them.
 */
export function factsBetween(before: Watched, after: Watched, event: AlertCause): readonly AlertFact[] {
  const { watches } = after.alerts
  switch (event.type) {
    case 'book':
      return watches.some(({ symbol, price }) => symbol === event.symbol && price !== 'last')
        ? [{ kind: 'quote', quote: quoteOfBook(event.book) }]
        : []
    case 'tickers':
      return watches.length === 0 ? [] : lastQuotes(after, watches).map((quote) => ({ kind: 'quote', quote }))
    case 'fills': {
      const { value } = before.fills
      if (value === after.fills.value) return []
      if (value === null) return sinceLastRun(after)
      const known = new Set(value.map(({ execId }) => execId))
      const { filledEnds } = after.alerts
      const fills = (after.fills.value ?? []).filter(
        ({ execId, orderId }) => !known.has(execId) && !filledEnds.has(orderId),
      )
      return fills.length === 0 ? [] : [{ kind: 'fills', fills }]
    }
    case 'orders':
    case 'orderEnded':
    case 'cancelOutcome':
    case 'orderOutcome':
      return endsOf(before, event)
        .filter((order) => !isToldByFills(after, order))
        .map((order) => ({
          kind: 'orderEnded',
          order,
          isAsked: isAskedToEnd(after, order),
        }))
    case 'withdrawals':
    case 'deposits':
      return transferChanges(before, after, event).map((change) => ({ kind: 'transfer', change }))
    case 'gatewayOrderChanged':
      return [{ kind: 'gatewayOrder', change: event.change }]
    case 'gatewayOrderStuck': {
      const { order, atMs } = event
      const { orderId, shown } = order
      return [{ kind: 'gatewayStuck', orderId, state: shown.orderState, waitedMs: atMs - waitsSinceMs(order) }]
    }
    case 'gatewayEventsDiffer':
      return [{ kind: 'gatewayEventsDiffer', orderId: event.orderId, eventId: event.eventId }]
    default:
      return []
  }
}

/** Fills after the newest one that an earlier run saw: nobody was there to report them. */
function sinceLastRun({ fills, alerts }: Watched): readonly AlertFact[] {
  const seenMs = alerts.fillsSeenMs ?? Number.POSITIVE_INFINITY
  const told = new Set(alerts.endsTold)
  const missed = (fills.value ?? []).filter(({ timestampMs, orderId }) => timestampMs > seenMs && !told.has(orderId))
  return missed.length === 0 ? [] : [{ kind: 'fills', fills: missed, isEarlier: true }]
}

/** Passes on the alerts to save whenever they change. The result ends that. */
export function followKept(store: Followed<AlertsSlice>, keep: (kept: KeptAlerts) => void): () => void {
  return store.subscribe((state, before) => {
    if (state.alerts !== before.alerts && !isKeptSame(state.alerts, before.alerts)) keep(keptOf(state.alerts))
  })
}

/** Symbols whose books alerts need besides those of the ladders. */
export function watchedSymbols(state: Shown): readonly string[] {
  const { symbol, alerts, duties } = state
  if (alerts.watches.length === 0) return []
  // A watch has no ladder to request them.
  const shown = duties.role === 'watch' ? [] : [symbol, ladderWants(state).otherBook]
  return symbolsOfBooks(alerts.watches).filter((each) => !shown.includes(each))
}

/** Calls `onChange` when a watch was created, deleted or rearmed. The result ends that. */
export function followWatches(store: Followed<Shown>, onChange: () => void): () => void {
  return store.subscribe((state, before) => {
    if (state.alerts.watches !== before.alerts.watches && watchedSymbols(state).length > watchedSymbols(before).length)
      onChange()
  })
}

/** The audible alerts that fired between two states, oldest first. */
export function newlyFired(before: AlertsSlice, state: AlertsSlice): readonly FiredAlert[] {
  if (state.alerts.lastSeq === before.alerts.lastSeq) return []
  return state.alerts.fired.filter(({ seq, isQuiet }) => seq > before.alerts.lastSeq && !isQuiet).toReversed()
}
