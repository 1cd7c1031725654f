import { sameItems } from '../../base/same-items.ts'
import { utcDayStart } from '../../base/text/time-text.ts'
import type { Balance } from '../../domain/balance.ts'
import type { FeedAnswer, FeedEvent } from '../../domain/desk/events.ts'
import { type ListedSymbols, noNames } from '../../domain/limits.ts'
import { isSameUnreadable, type Listing, noneUnreadable } from '../../domain/listing.ts'
import type { Book, Level, OrderByOrderBook, QueueOrder } from '../../domain/market/book.ts'
import { sameAmount } from '../../domain/money.ts'
import { beyondEntry, orderBounds, splitByOrder } from '../../domain/orders/beyond-order.ts'
import { describeEnd, describeFill } from '../../domain/orders/describe.ts'
import {
  emptyFillSums,
  type Fill,
  isOtherTrade,
  mergedFills,
  toldOtherwise,
  withDayFills,
  withFillSums,
} from '../../domain/orders/fills.ts'
import { listedAgain } from '../../domain/orders/listed-again.ts'
import { canFollow, isSameReport, isWorking, listKey, type Order, orderName } from '../../domain/orders/order.ts'
import type { OwnDrafts } from '../../domain/orders/own-draft.ts'
import { sameDeposit, sameEntry, sameWithdrawal, type Withdrawal } from '../../domain/transfers/transfer.ts'
import { type ClockSlice, limitDayNow } from '../clock.ts'
import { type LogSlice, logged, type Noting, noted, notedAside, showsNews } from '../log.ts'
import { withPrices } from '../price-history.ts'
import { answered, type Feed } from './feed.ts'
import { withOutageNoted, withUnreadable } from './feed-news.ts'
import { type FeedsSlice, type OtherAccount, type ShownFeeds, withFailure } from './feeds.ts'

/** The state that an answer changes, and the terms of own orders, against which their fills are checked. */
type Needs = ClockSlice & LogSlice & ShownFeeds & { ownDrafts: OwnDrafts }

const endedOrdersMax = 200
const fillsMax = 500

/**
 * Takes over a list of working orders, in which no order goes back to an earlier state: a list requested before a
 * cancel took effect may arrive after it.
 */
function withOrders<S extends FeedsSlice & Noting>(earlier: S, event: Extract<FeedEvent, { type: 'orders' }>): S {
  const { orders } = event
  // The kept list has only working orders that have not ended, or it would have been made anew.
  if (orders === earlier.orders.value && earlier.listedAgain.size === 0)
    return { ...earlier, orders: answered(orders, event) }
  const told = orders.reduce((each, order) => (isWorking(order) ? each : withEnded(each, order)), earlier)
  const state = withListedAgain(told, event)
  const ended = new Set(state.endedOrders.map(listKey))
  const known = new Map((state.orders.value ?? []).map((order) => [listKey(order), order]))
  const kept = orders
    .filter((order) => isWorking(order) && !ended.has(listKey(order)))
    .map((order) => {
      const before = known.get(listKey(order))
      return before !== undefined && (goesBack(before, order) || isSameReport(before, order)) ? before : order
    })
  // The same list stays the same array, so that nothing made from it is made again.
  const same = [state.orders.value, orders].find((list) => list !== null && sameItems(list, kept))
  return { ...state, orders: answered(same ?? kept, event) }
}

/**
 * A list may be behind: it does not bring back an order that was reported as ended. One that stays listed counts as
 * working again, with a notice: the report was of another order, or was taken back.
 */
function withListedAgain<S extends FeedsSlice & Noting>(state: S, event: Extract<FeedEvent, { type: 'orders' }>): S {
  const ended = new Map(state.endedOrders.map((order) => [listKey(order), order]))
  const again = event.orders.filter((order) => isWorking(order) && ended.has(listKey(order)))
  if (again.length === 0 && state.listedAgain.size === 0) return state
  const { waiting, back } = listedAgain(state.listedAgain, again, event.atMs)
  const backKeys = new Set(back.map(listKey))
  const { endedOrders } = state
  const next = {
    ...state,
    endedOrders: back.length === 0 ? endedOrders : endedOrders.filter((order) => !backKeys.has(listKey(order))),
    listedAgain: waiting,
  }
  return back.reduce((each, order) => {
    const status = ended.get(listKey(order))?.status ?? 'ended'
    const text = `Order ${orderName(order)} was reported as ${status}, but is still listed as ${order.status}:`
    return noted(each, 'bad', `${text} it counts as working.`, event.atMs)
  }, next)
}

/** A later report never has an earlier status or less filled; a missing value says nothing. */
function goesBack(before: Order, after: Order): boolean {
  if (!canFollow(before.status, after.status)) return true
  return before.cumQuantity !== null && after.cumQuantity?.lt(before.cumQuantity) === true
}

/** What is known of an order that an answer reports: a list that was faster than the answer may tell more. */
export function latestReport({ orders, endedOrders }: FeedsSlice, answer: Order): Order {
  const key = listKey(answer)
  const isSame = (other: Order): boolean => listKey(other) === key
  const known = endedOrders.find(isSame) ?? orders.value?.find(isSame)
  return known !== undefined && goesBack(known, answer) ? known : answer
}

/** Moves an order from the working to the ended ones; the first report of its end is kept. */
export function withEnded<S extends FeedsSlice>(state: S, order: Order): S {
  if (
    state.endedOrders.some((other) => other.clientOrderId === order.clientOrderId && other.orderId === order.orderId)
  ) {
    return state
  }
  const working = state.orders.value
  const key = listKey(order)
  // Of thousands of orders a hundred may end at once: the list is searched no further than to the one.
  const at = working === null ? -1 : working.findIndex((other) => listKey(other) === key)
  const value = working === null || at === -1 ? working : working.toSpliced(at, 1)
  return {
    ...state,
    orders: { ...state.orders, value },
    endedOrders: [order, ...state.endedOrders].slice(0, endedOrdersMax),
  }
}

/**
 * The end of an order as news; fills have reported a filled one already. A cancel is only logged while the result of an
 * action is on screen: after a halt, the ends of single orders would hide the result.
 */
function withEndReported<S extends FeedsSlice & Noting>(state: S, order: Order, atMs: number): S {
  const ended = withEnded(state, order)
  if (order.status === 'FILLED' || ended === state) return ended
  const text = describeEnd(order, state.instruments.value)
  const isAside = order.status === 'CANCELED' && showsNews(state, ['good', 'warn', 'bad'], atMs)
  return isAside ? logged(ended, 'info', text, atMs) : noted(ended, 'info', text, atMs)
}

type FillsEvent = Extract<FeedEvent, { type: 'fills' }>

/**
 * Holds back another fill under a known id: merged as the same fill, it would be missing in the day's value without a
 * word.
 */
function withoutOtherTrades(known: readonly Fill[], event: FillsEvent): FillsEvent {
  if (event.fills.length === 0 || known.length === 0) return event
  const byId = new Map(known.map((fill) => [fill.execId, fill]))
  const odd = event.fills.flatMap((fill) => {
    const first = byId.get(fill.execId)
    return first === undefined || first === fill || !isOtherTrade(first, fill) ? [] : (toldOtherwise(first, fill) ?? [])
  })
  if (odd.length === 0) return event
  const isKept = (fill: Fill) => !isOtherTrade(byId.get(fill.execId) ?? fill, fill)
  return { ...event, fills: event.fills.filter(isKept), unreadable: [...(event.unreadable ?? []), ...odd] }
}

/**
 * Holds back fills beyond the quantity of their orders: it is not known which of the exchange's figures is wrong, so
 * whatever depends on them is unknown. A fill is taken over once its order has room for it.
 */
function withinOrders<S extends Pick<Needs, keyof FeedsSlice | 'ownDrafts'>>(
  state: S,
  event: FillsEvent,
): [S, FillsEvent] {
  const { orders, endedOrders, ownDrafts, beyondFills: held } = state
  if (event.fills.length === 0 && held.length === 0) return [state, event]
  const bounds = orderBounds([...(orders.value ?? []), ...endedOrders], ownDrafts)
  const { within, beyond } = splitByOrder(state.fills.value ?? [], event.fills, { held, bounds })
  if (beyond.length === 0 && held.length === 0) return [state, event]
  const unreadable = [...(event.unreadable ?? []), ...beyond.map(beyondEntry)]
  return [
    { ...state, beyondFills: sameItems(held, beyond) ? held : beyond },
    { ...event, fills: within, unreadable },
  ]
}

/** Takes over fills. The first list is history; each later fill is news. */
function withFills<S extends FeedsSlice & Noting>(state: S, event: FillsEvent): S {
  const { fills: more, atMs } = event
  const before = state.fills.value
  const merged = mergedFills(before ?? [], more)
  const fills = merged === before ? before : merged.slice(0, fillsMax)
  const { exchangeMs } = state.ahead
  const exchangeNowMs = atMs + exchangeMs
  const dayNowMs = limitDayNow(state, atMs)
  // On another day than the counted one, after midnight or once the exchange's clock is known, known fills of that day
  // count too.
  const ofDay = utcDayStart(dayNowMs) === state.filledToday.dayStartMs ? more : merged
  const filledToday = withDayFills(state.filledToday, ofDay, dayNowMs)
  const { sessionStartMs, session } = state.fillSums
  const isDayBack = utcDayStart(exchangeNowMs) < state.fillSums.dayStartMs && session.size === 0
  const sums = isDayBack ? { ...emptyFillSums(exchangeNowMs), sessionStartMs } : state.fillSums
  const fillSums = withFillSums(sums, isDayBack ? merged : more, atMs, exchangeMs)
  const next = { ...state, fills: answered(fills, event), filledToday, fillSums }
  if (before === null || fills === before) return next
  const known = new Set(before.map((fill) => fill.execId))
  const news = fills.filter((fill) => !known.has(fill.execId)).toReversed()
  return news.reduce((each, fill) => noted(each, 'good', describeFill(fill, state.instruments.value), atMs), next)
}

/** Estimates of the skew that differ by less are of the same clock. */
const skewStepMs = 250

function withConnection<S extends ClockSlice>(state: S, event: Extract<FeedEvent, { type: 'answered' }>): S {
  const skewMs = event.skewMs ?? state.connection.skewMs
  const isSame = skewMs === null || Math.abs(skewMs - state.ahead.exchangeMs) < skewStepMs
  const ahead = isSame ? state.ahead : { ...state.ahead, exchangeMs: skewMs }
  return { ...state, ahead, connection: { roundTripMs: event.roundTripMs, skewMs } }
}

/** Every symbol listed so far, with those of this answer; the same object when nothing is new. */
function withListed(
  before: ListedSymbols | null,
  { instruments, unread = noNames }: Extract<FeedEvent, { type: 'instruments' }>,
): ListedSymbols {
  const isKnown = before !== null && [...instruments.keys()].every((symbol) => before.listed.has(symbol))
  if (isKnown && before.unread === unread) return before
  return { listed: new Set([...(before?.listed ?? []), ...instruments.keys()]), unread }
}

function reduceEach<S extends Needs>(state: S, event: FeedEvent): S {
  switch (event.type) {
    case 'instruments':
      return {
        ...state,
        instruments: answered(event.instruments, event),
        listedSymbols: withListed(state.listedSymbols, event),
      }
    case 'book': {
      const books = new Map(state.books)
      const kept = keptBook(books.get(event.symbol)?.value ?? null, event.book)
      books.set(event.symbol, answered(kept, event))
      return { ...state, books }
    }
    case 'queue': {
      const queues = new Map(state.queues)
      const kept = keptQueue(queues.get(event.symbol)?.value ?? null, event.book)
      queues.set(event.symbol, answered(kept, event))
      return { ...state, queues }
    }
    case 'tickers': {
      const priceHistory = withPrices(state.priceHistory, event.tickers, event.atMs)
      return { ...state, tickers: answered(event.tickers, event), priceHistory }
    }
    case 'orders':
      return withOrders(state, event)
    case 'orderEnded':
      return withEndReported(state, event.order, event.atMs)
    case 'fills':
      return withFills(state, event)
    case 'balances':
      return {
        ...state,
        balances: answeredList(state.balances, event.balances, isSameObject, event),
        otherAccounts: withAccounts(state.otherAccounts, event.others),
      }
    case 'fees':
      return { ...state, fees: answered(event.fees, event) }
    case 'withdrawals':
      return { ...state, withdrawals: answeredList(state.withdrawals, event.withdrawals, sameWithdrawal, event) }
    case 'deposits':
      return { ...state, deposits: answeredList(state.deposits, event.deposits, sameDeposit, event) }
    case 'whitelist':
      return { ...state, whitelist: answeredList(state.whitelist, event.whitelist, sameEntry, event) }
    case 'answered':
      return withConnection(state, event)
    case 'orderDoubted':
      return noted(state, 'bad', event.sentence, event.atMs)
    case 'orderEndsAwaited':
      return notedAside(state, 'warn', event.sentence, event.atMs)
    case 'leftOut':
      return notedAside(state, 'warn', `Left out: ${event.sentence}.`, event.atMs)
    case 'feedFailed':
      return withFailure(state, event)
  }
}

/** Takes over a poll's answer, with a notice when an outage begins or ends. */
export function reduceFeed<S extends Needs>(state: S, event: FeedEvent): S {
  const [before, within] =
    event.type === 'fills' ? withinOrders(state, withoutOtherTrades(state.fills.value ?? [], event)) : [state, event]
  const next = withUnreadable(reduceEach(before, within), within)
  return event.type === 'answered' ? next : withOutageNoted(state, next, event)
}

/** The list with known entries in place of equal ones, or the known list when all are equal: nothing is drawn anew. */
function keptList<T>(known: readonly T[], list: readonly T[], isSame: (left: T, right: T) => boolean): readonly T[] {
  if (known === list) return list
  const kept = list.map((each, index) => {
    const before = known[index]
    return before !== undefined && (before === each || isSame(before, each)) ? before : each
  })
  const isAsBefore = kept.length === known.length && kept.every((each, index) => each === known[index])
  return isAsBefore ? known : kept
}

/** The reader of answers returns the same object for the same text. */
const isSameObject = (left: unknown, right: unknown): boolean => left === right

function answeredList<T>(
  { value: known }: Feed<readonly T[]>,
  list: readonly T[],
  isSame: (left: T, right: T) => boolean,
  event: FeedAnswer,
): Feed<readonly T[]> {
  return answered(known === null ? list : keptList(known, list, isSame), event)
}

/** Maximum number of remembered accounts that the exchange no longer lists. */
const accountsMax = 100

/** The other accounts after an answer; the same map when nothing changed. A known account not listed is missing. */
function withAccounts(
  known: FeedsSlice['otherAccounts'],
  answer: ReadonlyMap<string, Listing<Balance>> | undefined,
): FeedsSlice['otherAccounts'] {
  if (answer === undefined || (answer.size === 0 && known.size === 0)) return known
  const next = new Map<string, OtherAccount>()
  for (const [name, { entries, unreadable }] of answer) {
    const before = known.get(name)
    const balances = before === undefined ? entries : keptList(before.balances, entries, isSameObject)
    const isSame = before?.balances === balances && !before.isMissing && before.unreadableCount === unreadable.length
    next.set(name, isSame ? before : { balances, unreadableCount: unreadable.length, isMissing: false })
  }
  for (const [name, account] of known)
    if (!answer.has(name) && next.size < accountsMax)
      next.set(name, account.isMissing ? account : { ...account, isMissing: true })
  const isAsBefore = next.size === known.size && [...next].every(([name, account]) => known.get(name) === account)
  return isAsBefore ? known : next
}

/** Adds a withdrawal that the exchange has just accepted; a report of it by a poll meanwhile is newer and stays. */
export function withTaken<S extends FeedsSlice>(state: S, taken: Withdrawal): S {
  const { value } = state.withdrawals
  if (value === null || value.some(({ withdrawalId }) => withdrawalId === taken.withdrawalId)) return state
  return { ...state, withdrawals: { ...state.withdrawals, value: [taken, ...value] } }
}

const isSameLevel = (left: Level, right: Level): boolean =>
  sameAmount(left.price, right.price) &&
  sameAmount(left.quantity, right.quantity) &&
  left.orderCount === right.orderCount

const isSameQueueOrder = (left: QueueOrder, right: QueueOrder): boolean =>
  sameAmount(left.price, right.price) && sameAmount(left.quantity, right.quantity) && left.orderId === right.orderId

type Sides<Entry> = Pick<Book, 'symbol' | 'unreadable'> & { bids: readonly Entry[]; asks: readonly Entry[] }

/** The book with known parts kept: the whole known book when equal, else each equal side. */
function keptSides<Entry>(
  known: Sides<Entry> | null,
  book: Sides<Entry>,
  isSame: (left: Entry, right: Entry) => boolean,
): Sides<Entry> {
  if (known === null || known.symbol !== book.symbol) return book
  const bids = keptList(known.bids, book.bids, isSame)
  const asks = keptList(known.asks, book.asks, isSame)
  // To the checks, a book that becomes complete or incomplete is another one.
  const isAsBefore =
    bids === known.bids &&
    asks === known.asks &&
    isSameUnreadable(known.unreadable ?? noneUnreadable, book.unreadable ?? noneUnreadable)
  return isAsBefore ? known : { ...book, bids, asks }
}

export const keptBook = (known: Book | null, book: Book): Book => keptSides(known, book, isSameLevel)

export const keptQueue = (known: OrderByOrderBook | null, book: OrderByOrderBook): OrderByOrderBook =>
  keptSides(known, book, isSameQueueOrder)
