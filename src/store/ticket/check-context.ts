import { hubLimitUsd } from '../../domain/hub/person.ts'
import { noNames, noRulesReason } from '../../domain/limits.ts'
import { unreadableToday } from '../../domain/listing.ts'
import type { Book } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { block, type Check, type Known, mapKnown, partly } from '../../domain/orders/checks/check.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import { dayAt } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { UnknownWrite } from '../../domain/unknown-write.ts'
import { type ClockSlice, limitDayNow } from '../clock.ts'
import { emptyFeed, known } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { journalRefusal, type ModeSlice } from '../mode.ts'
import type { WritesSlice } from '../writes/writes.ts'

/** The state for the checks of an order. */
export type Checked = ClockSlice & ModeSlice & FeedsSlice & WritesSlice

/** Working orders, and unanswered ones, which may be working too. */
export function maybeWorking(working: readonly Order[], unknownWrites: readonly UnknownWrite[]): readonly Order[] {
  const ids = new Set(working.map(({ clientOrderId }) => clientOrderId))
  const unanswered = unknownWrites.flatMap(({ order }) => (order === null || ids.has(order.clientOrderId) ? [] : order))
  return [...working, ...unanswered]
}

function openOrders(state: FeedsSlice & WritesSlice, nowMs: number): Known<readonly Order[]> {
  const working = known(state.orders, 'orders', nowMs)
  if (working.kind !== 'fresh') return working
  const { entries = [], isWhole = true } = state.unreadable.orders ?? {}
  return partly(maybeWorking(working.value, state.unknownWrites), entries.length, isWhole)
}

/** A book with unreadable entries is incomplete. */
const wholeBook = (book: Known<Book>): Known<Book> =>
  book.kind === 'fresh' ? partly(book.value, book.value.unreadable?.length ?? 0) : book

/** The day's fills, as reliable as their feed. */
function filledToday(state: ClockSlice & FeedsSlice, nowMs: number): Known<ReadonlyMap<string, Decimal>> {
  const fills = known(state.fills, 'fills', nowMs)
  const todayMs = limitDayNow(state, nowMs)
  const odd = unreadableToday(state.unreadable.fills?.entries ?? [], todayMs).length
  const { dayStartMs, notional } = dayAt(state.filledToday, todayMs)
  // They are of a later day than the clock now says: missing until the next poll.
  if (dayStartMs < state.filledToday.dayStartMs) return { kind: 'missing' }
  return fills.kind === 'fresh' ? partly(notional, odd) : mapKnown(fills, () => notional)
}

/** The rules of a symbol, as reliable as the list of symbols. */
function rulesOf({ instruments, listedSymbols }: FeedsSlice, symbol: string, nowMs: number): Known<Instrument> {
  const list = known(instruments, 'instruments', nowMs)
  if (list.kind !== 'fresh') return list.kind === 'stale' ? list : { kind: 'missing' }
  const value = list.value.get(symbol)
  if (value !== undefined) return { kind: 'fresh', value }
  return { kind: 'absent', why: noRulesReason(symbol, list.value, listedSymbols?.unread ?? noNames) }
}

/** The data for the checks of an order in `symbol` at `nowMs`, the state's clock unless a later time is given. */
export function checkContext(state: Checked, symbol: string, nowMs: number = state.nowMs): CheckContext {
  return {
    instrument: rulesOf(state, symbol, nowMs),
    book: wholeBook(known(state.books.get(symbol) ?? emptyFeed, 'book', nowMs)),
    balances: known(state.balances, 'balances', nowMs),
    unreadBalances: state.unreadable.balances?.entries,
    fees: known(state.fees, 'fees', nowMs),
    limits: state.limits,
    symbols: state.listedSymbols,
    hubOrderUsd: hubLimitUsd(state.hub, 'orderUsd'),
    tickers: known(state.tickers, 'tickers', nowMs),
    openOrders: openOrders(state, nowMs),
    filledToday: filledToday(state, nowMs),
    recentOrders: state.sentOrders,
    ownDrafts: state.ownDrafts,
    nowMs,
    exchangeNowMs: nowMs + state.ahead.exchangeMs,
  }
}

/** Blocks every order while the journal takes no write: it would be refused at sending. */
export function journalBlocks(state: Pick<Checked, 'isJournalDown'>): Check[] {
  const reason = journalRefusal(state)
  return reason === null ? [] : [block('mode', reason)]
}
