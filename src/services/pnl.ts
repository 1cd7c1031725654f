import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import { bestAsk, bestBid, isCrossed, midPrice } from '../domain/market/book.ts'
import { beyondSentence, FillsWithin, type OrderBounds } from '../domain/orders/beyond-order.ts'
import { fillLine, inLedgerOrder, type Line, mergedLines, momentsOf, transferLines } from '../domain/positions/lines.ts'
import { type Books, positionsOf } from '../domain/positions/lots.ts'
import { nothingRecorded as nothingPriced, ownPrices } from '../domain/positions/own-prices.ts'
import { isStatedLater, PeriodBooks } from '../domain/positions/period-books.ts'
import { type MarkedAt, type Pnl, type PnlBooks, pnlOf, wholeBooksOf } from '../domain/positions/pnl.ts'
import type { LotLists } from '../domain/positions/pnl-fields.ts'
import type { CostMethod, MarkPrice, Position, StatedCost } from '../domain/positions/position.ts'
import { isSameSum, type RealizedSum } from '../domain/positions/realized.ts'
import type { BookedLists } from '../domain/positions/running-books.ts'
import { nothingHeld, type Standpoint, standpointOf } from '../domain/positions/standpoint.ts'
import type { UsdValue } from '../domain/positions/usd-at.ts'
import type { Period, PeriodAsked, Rules } from '../domain/statement/movement.ts'
import { doubtsOf } from '../domain/statement/statement.ts'
import { failureSentence } from './failure-sentences.ts'
import { inTurns } from './history/recorded.ts'
import {
  type AccountRecord,
  changedMeanwhile,
  fetchRecord,
  historyWithin,
  reportPeriod,
  type StatementClient,
  type StatementContext,
  wholeHistory,
} from './statement.ts'

export type PnlClient = StatementClient & Pick<ExchangeClient, 'fetchBook'>

export type PnlRequest = {
  period: PeriodAsked
  method: CostMethod
  mark: MarkPrice
  statedCosts: readonly StatedCost[]
  /** True to include every match, fee, transfer and open lot. */
  hasLots?: boolean
}

export type PnlContext = StatementContext & {
  /** Counts entries later than this; none unless given. */
  aheadOfMs?: number
}

export type FetchedPnl = {
  pnl: Pnl
  /** Null when not requested. Its lists can be read as long as the record can. */
  lots: LotLists | null
  /** Number of entries in the period later than `aheadOfMs`. */
  aheadCount: number
}

/** The result of a period's books. */
type Reckoned = {
  books: PnlBooks & Pick<Books, 'booked'>
  start: Standpoint
  /** The value of a currency at the end of the period. */
  worthOf: (currency: string) => UsdValue | null
  missing: readonly string[]
  fillCount: number
} & Pick<FetchedPnl, 'lots' | 'aheadCount'>

/**
 * The account's profit and loss in a period, and the lots behind it. A period that ends now, by the exchange's clock
 * `nowMs`, is marked at current market prices. Throws `ExchangeError`, and whatever `recorded` throws.
 */
export async function fetchPnl(client: PnlClient, request: PnlRequest, context: PnlContext): Promise<FetchedPnl> {
  const record = await fetchRecord(client, context)
  const { rules } = record
  const bounds: OrderBounds = (await context.bounds?.()) ?? new Map()
  const within = new FillsWithin(bounds)
  const period = reportPeriod(record, request.period, context.nowMs())
  const isToNow = request.period.toMs === null || period.isSoFar === true
  const reckon = isStatedLater(request.statedCosts, period) ? reckonWhole : reckonInOneGo
  const { books, start, worthOf, fillCount, ...reckoned } = await reckon(
    { ...record, within, bounds },
    { ...request, period },
    context,
  )
  const { positions } = books
  const marks = isToNow ? await fetchMarks(client, { positions, rules, mark: request.mark }, context.signal) : null
  const markOf = (currency: string): UsdValue | null =>
    marks === null ? worthOf(currency) : (marks.prices.get(currency) ?? null)
  const markedAt: MarkedAt = isToNow ? request.mark : 'last'
  const doubts = doubtsOf(books.booked, record, 'lots and positions')
  const faults = [...within.beyond.map(beyondSentence), ...doubts.faults]
  const missing = [
    ...[...faults, ...doubts.unchecked],
    ...reckoned.missing,
    ...(marks?.missing ?? []),
    ...(isToNow || request.mark === 'mid' ? [] : [pastMarkSentence(request.mark)]),
  ]
  const fills = { count: fillCount + within.beyond.length, recordedCount: record.recordedCount ?? 0 }
  const { lots, aheadCount } = reckoned
  return { pnl: pnlOf(period, books, { start, markOf, markedAt, fills, missing, faults }), lots, aheadCount }
}

type Reckoning = Omit<PnlRequest, 'period'> & { period: Period }

type Within = { within: FillsWithin; bounds: OrderBounds }

/** The lines without fills beyond their orders; they come in order of time. */
function* linesWithin(lines: Iterable<Line>, within: FillsWithin): Generator<Line> {
  for (const line of lines) if (!('fill' in line) || within.holds(line.fill)) yield line
}

/** Enters fills as they are read from the file, so that only a few are in memory. */
async function reckonInOneGo(
  record: AccountRecord & Within,
  { period, method, statedCosts, hasLots = false }: Reckoning,
  { signal, aheadOfMs }: PnlContext,
): Promise<Reckoned> {
  const { recorded, newFills, rules } = record
  const options = { period, method, rules, recorded: recorded.prices ?? nothingPriced }
  const books = new PeriodBooks({ ...options, hasLots: false, ...(aheadOfMs === undefined ? {} : { aheadOfMs }) })
  const others = inLedgerOrder([...transferLines(record), ...newFills.map(fillLine)], statedCosts)
  function* entered(): Generator<number> {
    for (const lines of momentsOf(linesWithin(mergedLines(recorded.fills(), others), record.within))) {
      books.enter(lines)
      yield lines.length
    }
  }
  await inTurns(entered(), signal)
  const { start, fillCount, aheadCount } = books
  const taken = books.taken()
  const again = (): Again => ({
    books: new PeriodBooks({ ...options, hasLots: true }),
    moments: momentsOf(
      linesWithin(mergedLines(recorded.fills({ toMs: period.toMs }), others), new FillsWithin(record.bounds)),
    ),
    ...{ untilMs: period.toMs, first: taken.realized.total },
  })
  return {
    ...{ books: taken, start, fillCount, aheadCount },
    worthOf: (currency) => books.worthOf(currency),
    missing: books.missing(record),
    lots: hasLots
      ? {
          matches: { [Symbol.iterator]: () => listedAgain('matches', again()) },
          fees: { [Symbol.iterator]: () => listedAgain('fees', again()) },
          ...{ transfers: taken.transfers, lots: books.openLots() },
        }
      : null,
  }
}

type Again = { books: PeriodBooks; moments: Iterable<readonly Line[]>; untilMs: number; first: RealizedSum }

/**
 * One list of a period's results in a pass of its own, each result as soon as it is booked: a million of them do not
 * fit in memory. Throws a `HistoryError` at the end when they come to something else than at the `first` pass, as with
 * a late fill that a desk has recorded meanwhile.
 */
function* listedAgain<List extends 'matches' | 'fees'>(
  list: List,
  { books, moments, untilMs, first }: Again,
): Generator<BookedLists[List][number]> {
  for (const lines of moments) {
    if ((lines[0]?.atMs ?? 0) > untilMs) break
    books.enter(lines)
    yield* books.takeLists()[list]
  }
  if (!isSameSum(books.taken().realized.total, first)) throw changedMeanwhile()
}

/** Enters all lines at once, because a cost stated later applies to its units from the start. */
async function reckonWhole(
  { within, ...record }: AccountRecord & Within,
  { period, method, statedCosts, hasLots = false }: Reckoning,
  { signal, aheadOfMs = Number.POSITIVE_INFINITY }: PnlContext,
): Promise<Reckoned> {
  const { rules } = record
  const history = historyWithin(await wholeHistory(record, signal), within)
  const prices = ownPrices(history.fills, rules, record.recorded.prices)
  const input = { history, rules, method, statedCosts, usdAt: prices.ofTrade }
  const books = positionsOf({ ...input, untilMs: period.toMs })
  // The moment before the period, for opening holdings and prices.
  const beforeMs = period.fromMs - 1
  const start =
    beforeMs < 0
      ? nothingHeld
      : standpointOf(positionsOf({ ...input, untilMs: beforeMs }).positions, (currency) =>
          prices.ofHolding(currency, beforeMs),
        )
  const isAhead = ({ atMs }: Line) =>
    (atMs ?? 0) >= period.fromMs && (atMs ?? 0) <= period.toMs && (atMs ?? 0) > aheadOfMs
  return {
    books: { ...wholeBooksOf(books, period), booked: books.booked },
    ...{ start, missing: books.missing, fillCount: history.fills.length, lots: hasLots ? books : null },
    worthOf: (currency) => prices.ofHolding(currency, period.toMs),
    aheadCount: [...transferLines(history), ...history.fills.map(fillLine)].filter(isAhead).length,
  }
}

/** Books of past moments are not recorded. */
const pastMarkSentence = (mark: MarkPrice): string =>
  `What the ${mark} was at the end of the period is not recorded: holdings count at the last price before it, not at ` +
  `the ${mark}; markSource names each.`

const sideOf = { mid: midPrice, bid: bestBid, ask: bestAsk }

type MarkRequest = { positions: readonly Position[]; rules: Rules; mark: MarkPrice }
type Marks = { prices: ReadonlyMap<string, UsdValue>; missing: readonly string[] }

/**
 * Current market prices of everything held that trades against USD. A book that is unavailable, empty on the needed
 * side, or crossed as in an auction only costs its own price.
 */
async function fetchMarks(
  client: Pick<ExchangeClient, 'fetchBook'>,
  { positions, rules, mark }: MarkRequest,
  signal: AbortSignal,
): Promise<Marks> {
  const held = new Set(positions.flatMap(({ currency, quantity }) => (quantity.isZero() ? [] : [currency])))
  const symbols = [...rules].filter(([, { base, counter }]) => counter === 'USD' && held.has(base))
  const prices = new Map<string, UsdValue>()
  const look = async (symbol: string, currency: string): Promise<string[]> => {
    try {
      const book = await client.fetchBook(symbol, signal)
      if (isCrossed(book))
        return [`${currency}: the book of ${symbol} is crossed, as in an auction: it has no ${mark}.`]
      const usd = sideOf[mark](book)
      if (usd !== null) prices.set(currency, { usd, source: `${mark} of ${symbol}` })
      return []
    } catch (error) {
      if (!(error instanceof ExchangeError) || signal.aborted) throw error
      return [`${currency}: the book of ${symbol} was not to be had: ${failureSentence(error)}.`]
    }
  }
  const missing = await Promise.all(symbols.map(([symbol, { base }]) => look(symbol, base)))
  return { prices, missing: missing.flat() }
}
