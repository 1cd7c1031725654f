import { mergeSorted } from '../../base/merge-sorted.ts'
import { dayMs, minuteMs, utcDayStart } from '../../base/text/time-text.ts'
import type { UnreadableEntry } from '../listing.ts'
import { Decimal, zero } from '../money.ts'
import type { Side } from '../side.ts'
import { compareIds } from './order.ts'

/** An execution of one of our orders. `fee` is in the counter currency; the two sides of a trade share `tradeId`. */
export type Fill = {
  orderId: string
  tradeId: string
  /** Unique per execution; lists of fills are de-duplicated by it. */
  execId: string
  symbol: string
  side: Side
  price: Decimal
  quantity: Decimal
  fee: Decimal
  timestampMs: number
}

/** The terms of an execution as text: `BUY 0.5 BTC-USD at 60000, fee 3, order 12, 2026-11-20T10:00:00.000Z`. */
const termsText = ({ side, quantity, symbol, price, fee, orderId, timestampMs }: Fill): string =>
  `${side} ${quantity.toFixed()} ${symbol} at ${price.toFixed()}, fee ${fee.toFixed()}, order ${orderId}, ` +
  new Date(timestampMs).toISOString()

/**
 * The fault of an execution that is reported again with other terms, for the list of skipped entries: the first report
 * counts. Null when both agree.
 */
export function toldOtherwise(first: Fill, again: Fill): UnreadableEntry | null {
  const [before, now] = [termsText(first), termsText(again)]
  if (before === now) return null
  const { execId, timestampMs } = again
  return {
    reason: `execution ${execId} was told first as ${before}, which counts, and again as ${now}`,
    atMs: timestampMs,
    fields: { execId, terms: now },
  }
}

/** Whether two reports under one id tell of two trades: an exchange that began anew may count its ids anew. */
export const isOtherTrade = (first: Fill, again: Fill): boolean =>
  first.orderId !== again.orderId ||
  first.symbol !== again.symbol ||
  first.side !== again.side ||
  !first.price.eq(again.price) ||
  !first.quantity.eq(again.quantity)

/** Keeps executions by id as first reported; later reports with other terms are skipped and returned as faults. */
export class FirstTold {
  readonly fills: Map<string, Fill>
  readonly otherwise: UnreadableEntry[] = []

  readonly #find: (execId: string) => Fill | null

  /** `fills` are earlier reports by id, and are added to; `find` returns other known ones. */
  constructor(fills = new Map<string, Fill>(), find: (execId: string) => Fill | null = () => null) {
    this.fills = fills
    this.#find = find
  }

  add(fill: Fill): void {
    const first = this.fills.get(fill.execId) ?? this.#find(fill.execId)
    if (first === null) this.fills.set(fill.execId, fill)
    else {
      const entry = toldOtherwise(first, fill)
      if (entry !== null) this.otherwise.push(entry)
    }
  }
}

/**
 * Sorts by time and then id, as the exchange does: ids of several symbols, or of late fills, need not increase with
 * time.
 */
export const newestFillFirst = (left: Fill, right: Fill): number =>
  right.timestampMs - left.timestampMs || compareIds(right.execId, left.execId)

/** Merges two lists of fills, both oldest first by time and then id. */
export const mergedOldestFirst = (fills: Iterable<Fill>, others: readonly Fill[]): Generator<Fill> =>
  mergeSorted(fills, others, (other, fill) => newestFillFirst(other, fill) > 0)

/**
 * Maximum delay with which an execution may appear in the list behind later ones: a repeated read starts this long
 * before the last known one.
 */
export const lateMs = 10 * minuteMs

/**
 * The time of the newest of these, not after `latestMs` unless there is no other: an execution with a wrong future date
 * must not hide those that follow. Null when there are none.
 */
export function newestFillMs(fills: Iterable<Fill>, latestMs: number): number | null {
  let newest: number | null = null
  let beyond: number | null = null
  for (const { timestampMs } of fills)
    if (timestampMs <= latestMs) newest = Math.max(newest ?? timestampMs, timestampMs)
    else beyond = Math.max(beyond ?? timestampMs, timestampMs)
  return newest ?? beyond
}

/**
 * Merges both lists, newest first, each execution once; returns the first list itself when the second has nothing new.
 */
export function mergedFills(known: readonly Fill[], more: readonly Fill[]): readonly Fill[] {
  // Fast path: most polls bring no fills, and hundreds are known.
  if (more.length === 0) return known
  const ids = new Set(known.map(({ execId }) => execId))
  const fresh = more.filter(({ execId }) => !ids.has(execId) && ids.add(execId))
  return fresh.length === 0 ? known : [...known, ...fresh].toSorted(newestFillFirst)
}

/** The value of a fill in the counter currency, without its fee. */
export const fillNotional = (fill: Fill): Decimal => fill.price.times(fill.quantity)

/** Executions dated of one UTC day, each once, and what they come to. */
type DatedFills = { execIds: ReadonlySet<string>; notional: ReadonlyMap<string, Decimal> }

/** The fills of a UTC day and those dated later, each execution once: symbol → notional in its counter currency. */
export type DayFills = {
  dayStartMs: number
  /** By the start of the UTC day that they are dated of. */
  byDay: ReadonlyMap<number, DatedFills>
  notional: ReadonlyMap<string, Decimal>
}

export const emptyDay = (nowMs: number): DayFills => ({
  dayStartMs: utcDayStart(nowMs),
  byDay: new Map(),
  notional: new Map(),
})

/**
 * The record at `nowMs`: on a new UTC day only what is dated of it, or later, is left. On an earlier one what is known
 * stays, and what that day had besides is to be added.
 */
export function dayAt(day: DayFills, nowMs: number): DayFills {
  const dayStartMs = utcDayStart(nowMs)
  if (day.dayStartMs === dayStartMs) return day
  const byDay = new Map([...day.byDay].filter(([startMs]) => startMs >= dayStartMs))
  const notional = new Map<string, Decimal>()
  for (const dated of byDay.values()) for (const [symbol, sum] of dated.notional) addTo(notional, symbol, sum)
  return { dayStartMs, byDay, notional }
}

/** Adds fills of the day of `nowMs`, or dated later. Ignores fills of earlier days and known ones. */
export function withDayFills(before: DayFills, fills: readonly Fill[], nowMs: number): DayFills {
  const day = dayAt(before, nowMs)
  const isKnown = ({ execId, timestampMs }: Fill) => day.byDay.get(utcDayStart(timestampMs))?.execIds.has(execId)
  const news = fills.filter((fill) => fill.timestampMs >= day.dayStartMs && isKnown(fill) !== true)
  if (news.length === 0) return day
  const byDay = new Map<number, { execIds: Set<string>; notional: Map<string, Decimal> }>()
  for (const [startMs, dated] of day.byDay)
    byDay.set(startMs, { execIds: new Set(dated.execIds), notional: new Map(dated.notional) })
  const notional = new Map(day.notional)
  for (const fill of news) {
    const startMs = utcDayStart(fill.timestampMs)
    const dated = byDay.get(startMs) ?? { execIds: new Set(), notional: new Map() }
    byDay.set(startMs, dated)
    if (dated.execIds.has(fill.execId)) continue
    dated.execIds.add(fill.execId)
    for (const sums of [dated.notional, notional]) addTo(sums, fill.symbol, fillNotional(fill))
  }
  return { ...day, byDay, notional }
}

function addTo(sums: Map<string, Decimal>, symbol: string, amount: Decimal): void {
  sums.set(symbol, (sums.get(symbol) ?? zero).plus(amount))
}

/**
 * The sum of one side's executions. Quantity in the base currency, notional and fees in the counter currency, exact.
 */
export type SideSum = { count: number; quantity: Decimal; notional: Decimal; fees: Decimal }

/** One symbol's executions by side. */
export type SymbolSum = Readonly<Record<Side, SideSum>>
/** Symbol → the sum of its executions; only symbols with any. */
export type SumsBySymbol = ReadonlyMap<string, SymbolSum>

/** Executions since the start of the desk and on the current UTC day, each once. */
export type FillSums = {
  /** By the exchange's clock: fills from this instant on belong to the session. */
  sessionStartMs: number
  dayStartMs: number
  session: SumsBySymbol
  day: SumsBySymbol
  /** Counted executions of this day and the one before; older ones are never counted, so the sets are bounded. */
  todayIds: ReadonlySet<string>
  yesterdayIds: ReadonlySet<string>
}

const emptySide: SideSum = { count: 0, quantity: zero, notional: zero, fees: zero }
/** No executions on either side. */
export const emptySum: SymbolSum = { BUY: emptySide, SELL: emptySide }

/** Empty sums for a session that starts at `nowMs`. */
export const emptyFillSums = (nowMs: number): FillSums => ({
  sessionStartMs: nowMs,
  dayStartMs: utcDayStart(nowMs),
  session: new Map(),
  day: new Map(),
  todayIds: new Set(),
  yesterdayIds: new Set(),
})

/** The sums at `nowMs` by the exchange's clock: a new UTC day starts empty, the session continues. */
export function fillSumsAt(sums: FillSums, nowMs: number): FillSums {
  const dayStartMs = utcDayStart(nowMs)
  if (dayStartMs <= sums.dayStartMs) return sums
  const yesterdayIds = dayStartMs - sums.dayStartMs === dayMs ? sums.todayIds : new Set<string>()
  return { ...sums, dayStartMs, day: new Map(), todayIds: new Set(), yesterdayIds }
}

const withFill = (sum: SideSum, fill: Fill): SideSum => ({
  count: sum.count + 1,
  quantity: sum.quantity.plus(fill.quantity),
  notional: sum.notional.plus(fillNotional(fill)),
  fees: sum.fees.plus(fill.fee),
})

function withFills(sums: SumsBySymbol, fills: readonly Fill[]): SumsBySymbol {
  if (fills.length === 0) return sums
  const next = new Map(sums)
  for (const fill of fills) {
    const before = next.get(fill.symbol) ?? emptySum
    next.set(fill.symbol, { ...before, [fill.side]: withFill(before[fill.side], fill) })
  }
  return next
}

/**
 * Adds uncounted fills. `skewMs` is the lead of the exchange's clock, which dates fills, over the desk's. Ignores fills
 * from before yesterday and those already counted.
 */
export function withFillSums(before: FillSums, fills: readonly Fill[], nowMs: number, skewMs: number): FillSums {
  const sums = fillSumsAt(before, nowMs + skewMs)
  const todayIds = new Set<string>()
  const yesterdayIds = new Set<string>()
  const news = fills.filter(({ execId, timestampMs }) => {
    const ids = timestampMs >= sums.dayStartMs ? todayIds : yesterdayIds
    const isOld = timestampMs < sums.dayStartMs - dayMs
    if (isOld || ids.has(execId) || sums.todayIds.has(execId) || sums.yesterdayIds.has(execId)) return false
    ids.add(execId)
    return true
  })
  if (news.length === 0) return sums
  const isOfSession = ({ timestampMs }: Fill) => timestampMs >= sums.sessionStartMs + skewMs
  const isOfDay = ({ timestampMs }: Fill) => timestampMs >= sums.dayStartMs
  return {
    ...sums,
    session: withFills(sums.session, news.filter(isOfSession)),
    day: withFills(sums.day, news.filter(isOfDay)),
    todayIds: todayIds.size === 0 ? sums.todayIds : new Set([...sums.todayIds, ...todayIds]),
    yesterdayIds: yesterdayIds.size === 0 ? sums.yesterdayIds : new Set([...sums.yesterdayIds, ...yesterdayIds]),
  }
}

/** Volume-weighted average price, to 40 digits; null without executions. */
export const averagePrice = ({ quantity, notional }: SideSum): Decimal | null =>
  quantity.isZero() ? null : notional.div(quantity)

/** The open position that a series of fills leaves in one symbol. */
export type OwnPosition = {
  /** In the base currency; above zero when long, below when short. */
  netQuantity: Decimal
  /** Volume-weighted price of the fills that form the net quantity, without fees; null when nothing is open. */
  averagePrice: Decimal | null
}

export const flat: OwnPosition = { netQuantity: zero, averagePrice: null }

type OpenFill = { side: Side; price: Decimal; quantity: Decimal }

/**
 * The position built by the known fills of a symbol, starting from none: earlier holdings are not included. A fill on
 * the position's side adds to it; one against it closes the oldest open fills first, and any excess opens a position on
 * the other side. The average is over the fills, and parts of fills, still open. Executions may come in any order and
 * are processed by time.
 */
export function ownPosition(fills: readonly Fill[], symbol: string): OwnPosition {
  const own = fills.filter((fill) => fill.symbol === symbol).toSorted((left, right) => newestFillFirst(right, left))
  const open: OpenFill[] = []
  let oldest = 0
  for (const { side, price, quantity } of own) {
    let left = quantity
    for (let first = open[oldest]; first !== undefined && first.side !== side && left.gt(0); first = open[oldest]) {
      const closed = Decimal.min(left, first.quantity)
      left = left.minus(closed)
      first.quantity = first.quantity.minus(closed)
      if (first.quantity.isZero()) oldest += 1
    }
    if (left.gt(0)) open.push({ side, price, quantity: left })
  }
  const still = open.slice(oldest)
  const [first] = still
  if (first === undefined) return flat
  const quantity = still.reduce((sum, each) => sum.plus(each.quantity), zero)
  const value = still.reduce((sum, each) => sum.plus(each.price.times(each.quantity)), zero)
  return { netQuantity: first.side === 'BUY' ? quantity : quantity.neg(), averagePrice: value.div(quantity) }
}
