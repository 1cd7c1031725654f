import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import { nextTurn } from '../base/clock.ts'
import { bestAsk, bestBid, isCrossed, midPrice } from '../domain/market/book.ts'
import { fillLine, inLedgerOrder, type Line, mergedLines, momentsOf, transferLines } from '../domain/positions/lines.ts'
import { type Books, positionsOf } from '../domain/positions/lots.ts'
import { nothingRecorded as nothingPriced, ownPrices } from '../domain/positions/own-prices.ts'
import { isStatedLater, PeriodBooks } from '../domain/positions/period-books.ts'
import { type MarkedAt, type Pnl, type PnlBooks, pnlOf, wholeBooksOf } from '../domain/positions/pnl.ts'
import type { LotLists } from '../domain/positions/pnl-fields.ts'
import type { CostMethod, MarkPrice, Position, StatedCost, UsdValue } from '../domain/positions/position.ts'
import { nothingHeld, type Standpoint, standpointOf } from '../domain/positions/standpoint.ts'
import { type Period, type PeriodAsked, periodUpTo, type Rules } from '../domain/statement/movement.ts'
import { doubtsOf } from '../domain/statement/statement.ts'
import { failureSentence } from './failure-sentences.ts'
import {
  type AccountRecord,
  fetchRecord,
  type StatementClient,
  type StatementContext,
  wholeSource,
} from './statement.ts'

export type PnlClient = StatementClient & Pick<ExchangeClient, 'fetchBook'>

export type PnlRequest = {
  period: PeriodAsked
  method: CostMethod
  mark: MarkPrice
  statedCosts: readonly StatedCost[]
  /** True: every match, fee, transfer and open lot is told too. */
  hasLots?: boolean
}

export type PnlContext = StatementContext & {
  /** The exchange's clock. */
  nowMs: () => number
  /** Entries later than this are counted; none unless given. */
  aheadOfMs?: number
}

export type FetchedPnl = {
  pnl: Pnl
  /** Null where they were not asked for. */
  lots: LotLists | null
  /** Entries of the period that are later than what was said. */
  aheadCount: number
}

/** What books of a period come to. */
type Reckoned = {
  books: PnlBooks & Pick<Books, 'booked'>
  start: Standpoint
  /** What a currency was worth at the end of the period. */
  worthOf: (currency: string) => UsdValue | null
  missing: readonly string[]
  fillCount: number
} & Pick<FetchedPnl, 'lots' | 'aheadCount'>

/**
 * What came of the account in a period, and the lots that it comes from. A period that ends now, by `nowMs` of the
 * exchange's clock, is marked with what the market says. Throws ExchangeError, and what `recorded` throws.
 */
export async function fetchPnl(client: PnlClient, request: PnlRequest, context: PnlContext): Promise<FetchedPnl> {
  const record = await fetchRecord(client, context)
  const { deposits, withdrawals, newFills, recorded, rules } = record
  const latestMs = recorded.newestMs(request.period.toMs ?? Number.MAX_SAFE_INTEGER)
  const times = [...deposits, ...withdrawals, ...newFills].map(({ timestampMs }) => timestampMs)
  const period = periodUpTo(request.period, [latestMs, ...times], context.nowMs())
  const isToNow = request.period.toMs === null || period.isSoFar === true
  const reckon = isStatedLater(request.statedCosts, period) ? reckonWhole : reckonInOneGo
  const { books, start, worthOf, fillCount, ...reckoned } = await reckon(record, { ...request, period }, context)
  const { positions } = books
  const marks = isToNow ? await fetchMarks(client, { positions, rules, mark: request.mark }, context.signal) : null
  const markOf = (currency: string): UsdValue | null =>
    marks === null ? worthOf(currency) : (marks.prices.get(currency) ?? null)
  const markedAt: MarkedAt = isToNow ? request.mark : 'last'
  const { faults, unchecked } = doubtsOf(books.booked, record, 'lots and positions')
  const missing = [
    ...[...faults, ...unchecked],
    ...reckoned.missing,
    ...(marks?.missing ?? []),
    ...(isToNow || request.mark === 'mid' ? [] : [pastMarkSentence(request.mark)]),
  ]
  const fills = { count: fillCount, recordedCount: record.recordedCount ?? 0 }
  const { lots, aheadCount } = reckoned
  return { pnl: pnlOf(period, books, { start, markOf, markedAt, fills, missing, faults }), lots, aheadCount }
}

type Reckoning = Omit<PnlRequest, 'period'> & { period: Period }

/** Lines that take some ms: a signal is heeded between such batches. */
const linesAtOnce = 1_000

/** Entered as they come from the file: however many fills there are, few are in memory. */
async function reckonInOneGo(
  record: AccountRecord,
  { period, method, statedCosts, hasLots = false }: Reckoning,
  { signal, aheadOfMs }: PnlContext,
): Promise<Reckoned> {
  const { recorded, newFills, rules } = record
  const books = new PeriodBooks({
    ...{ period, method, rules, hasLots, recorded: recorded.prices ?? nothingPriced },
    ...(aheadOfMs === undefined ? {} : { aheadOfMs }),
  })
  const others = inLedgerOrder([...transferLines(record), ...newFills.map(fillLine)], statedCosts)
  let lineCount = 0
  for (const lines of momentsOf(mergedLines(recorded.fills, others))) {
    books.enter(lines)
    lineCount += lines.length
    if (lineCount < linesAtOnce) continue
    lineCount = 0
    await nextTurn()
    signal.throwIfAborted()
  }
  const { start, fillCount, aheadCount } = books
  return {
    ...{ books: books.taken(), start, fillCount, aheadCount },
    worthOf: (currency) => books.worthOf(currency),
    missing: books.missing(record),
    lots: hasLots ? books.lists() : null,
  }
}

/** With all lines at once: a cost that is stated later belongs to its units whenever they are looked at. */
async function reckonWhole(
  record: AccountRecord,
  { period, method, statedCosts, hasLots = false }: Reckoning,
  { aheadOfMs = Number.POSITIVE_INFINITY }: PnlContext,
): Promise<Reckoned> {
  const { history, rules } = await wholeSource(record)
  const prices = ownPrices(history.fills, rules, record.recorded.prices)
  const input = { history, rules, method, statedCosts, usdAt: prices.ofTrade }
  const books = positionsOf({ ...input, untilMs: period.toMs })
  // The moment before the period: what was held then, at the prices of then.
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
 * What the market says now of everything that is held and trades against USD. A book that is not to be had, that is
 * empty on the side, or crossed as in an auction, costs its one price.
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
