import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import { bestAsk, bestBid, isCrossed, midPrice } from '../domain/market/book.ts'
import { type Books, positionsOf } from '../domain/positions/lots.ts'
import { ownPrices, type RecordedPrices } from '../domain/positions/own-prices.ts'
import { type MarkedAt, type Pnl, pnlOf } from '../domain/positions/pnl.ts'
import type { CostMethod, MarkPrice, StatedCost, UsdValue } from '../domain/positions/position.ts'
import { nothingHeld, standpointOf } from '../domain/positions/standpoint.ts'
import { type PeriodAsked, periodOf, type Rules } from '../domain/statement/movement.ts'
import { doubtsOf, fillsUsed } from '../domain/statement/statement.ts'
import { failureSentence } from './failure-sentences.ts'
import { fetchBooks, type StatementClient, type StatementContext } from './statement.ts'

export type PnlClient = StatementClient & Pick<ExchangeClient, 'fetchBook'>

export type PnlRequest = {
  period: PeriodAsked
  method: CostMethod
  mark: MarkPrice
  statedCosts: readonly StatedCost[]
  recorded?: RecordedPrices
}

const sideOf = { mid: midPrice, bid: bestBid, ask: bestAsk }

/**
 * What came of the account in a period, and the lots that it comes from. A period that ends now, by `nowMs` of the
 * exchange's clock, is marked with what the market says. Throws ExchangeError.
 */
export async function fetchPnl(
  client: PnlClient,
  request: PnlRequest,
  context: StatementContext & { nowMs: () => number },
): Promise<{ pnl: Pnl; books: Books }> {
  const { method, statedCosts } = request
  const source = await fetchBooks(client, context)
  const { history, rules } = source
  const period = periodOf(request.period, history, context.nowMs())
  const isToNow = request.period.toMs === null || period.isSoFar === true
  const prices = ownPrices(history.fills, rules, request.recorded)
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
  const marks = isToNow ? await fetchMarks(client, { books, rules, mark: request.mark }, context.signal) : null
  const markOf = (currency: string): UsdValue | null =>
    marks === null ? prices.ofHolding(currency, period.toMs) : (marks.prices.get(currency) ?? null)
  const markedAt: MarkedAt = isToNow ? request.mark : 'last'
  const { faults, unchecked } = doubtsOf(books.booked, source, 'lots and positions')
  const missing = [
    ...[...faults, ...unchecked],
    ...books.missing,
    ...(marks?.missing ?? []),
    ...(isToNow || request.mark === 'mid' ? [] : [pastMarkSentence(request.mark)]),
  ]
  return { pnl: pnlOf(period, books, { start, markOf, markedAt, fills: fillsUsed(source), missing, faults }), books }
}

/** Books of past moments are not recorded. */
const pastMarkSentence = (mark: MarkPrice): string =>
  `What the ${mark} was at the end of the period is not recorded: holdings count at the last price before it, not at ` +
  `the ${mark}; markSource names each.`

type MarkRequest = { books: Books; rules: Rules; mark: MarkPrice }
type Marks = { prices: ReadonlyMap<string, UsdValue>; missing: readonly string[] }

/**
 * What the market says now of everything that is held and trades against USD. A book that is not to be had, that is
 * empty on the side, or crossed as in an auction, costs its one price.
 */
async function fetchMarks(
  client: Pick<ExchangeClient, 'fetchBook'>,
  { books, rules, mark }: MarkRequest,
  signal: AbortSignal,
): Promise<Marks> {
  const held = new Set(books.positions.flatMap(({ currency, quantity }) => (quantity.isZero() ? [] : [currency])))
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
