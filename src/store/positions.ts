import { plainText } from '../base/text/plain-text.ts'
import type { FillsReading } from '../domain/desk/events.ts'
import { bestAsk, bestBid, midPrice } from '../domain/market/book.ts'
import { type Decimal, exactPlus, exactProduct, formatCount, zero } from '../domain/money.ts'
import type { CostMethod, CountedCost, Position, Realized } from '../domain/positions/position.ts'
import type { KnownCounts } from '../domain/positions/realized.ts'
import type { UsdValue } from '../domain/positions/usd-at.ts'
import { usdRate } from '../domain/usd-value.ts'
import { shownWorth } from '../domain/usd-worth.ts'
import type { ClockSlice } from './clock.ts'
import { isStale } from './feeds/feed.ts'
import type { FeedsSlice } from './feeds/feeds.ts'
import { logged, type Noting, noted } from './log.ts'
import type { SliceContext } from './slice.ts'

/** Realized gains by currency and by symbol in a period; a missing one had none. */
export type RealizedBy = {
  currency: ReadonlyMap<string, Realized & KnownCounts>
  /** Units of several currencies cannot be added: those of unknown value are only counted. */
  symbol: ReadonlyMap<string, Realized & KnownCounts>
}

/** The periods of reported gains. */
export const realizedPeriods = ['today', 'session', 'all'] as const
export type RealizedPeriod = (typeof realizedPeriods)[number]

/** The account's positions, computed from its fills, fees and transfers. */
export type ReckonedPositions = {
  method: CostMethod
  positions: readonly Position[]
  /** The quantity left of lots from a symbol's fills, of both its currencies; none at average costs. */
  bySymbol: ReadonlyMap<string, readonly Position[]>
  realized: Readonly<Record<RealizedPeriod, RealizedBy>>
  /** The stated costs, and the quantity each applies to. */
  stated: readonly CountedCost[]
  /** What could not be computed, in sentences; empty when all is known. */
  missing: readonly string[]
}

export type PositionsEvent =
  | { type: 'positionsReading'; reading: FillsReading }
  /** They cannot be computed now; `why` is a clause. */
  | { type: 'positionsUnknown'; why: string; atMs: number }
  | { type: 'positionsReckoned'; reckoned: ReckonedPositions; atMs: number }
  | { type: 'positionsBasisToggled' }
  | { type: 'positionsGroupingToggled' }

/** The value of a unit: the mid, or the touch: the bid for a holding, and the ask for a debt. */
export type ValueBasis = 'mid' | 'touch'

export type PositionsSlice = {
  positions: {
    /** Null until computed for the first time. */
    reckoned: ReckonedPositions | null
    /** When, in desk time. */
    atMs: number | null
    /** Null when nothing is being read. */
    reading: FillsReading | null
    /** Why they are unknown, as a clause; null when they are known, or not computed yet. */
    trouble: string | null
    basis: ValueBasis
    grouping: 'currency' | 'symbol'
  }
}

export const startPositions: PositionsSlice = {
  positions: { reckoned: null, atMs: null, reading: null, trouble: null, basis: 'mid', grouping: 'currency' },
}

/** The state after an event. The log reports what could not be computed, each sentence once while it holds. */
export function reducePositions<S extends PositionsSlice & Noting>(state: S, event: PositionsEvent): S {
  const { positions } = state
  switch (event.type) {
    case 'positionsReading':
      return { ...state, positions: { ...positions, reading: event.reading } }
    case 'positionsUnknown': {
      const { why, atMs } = event
      const next = { ...state, positions: { ...positions, reckoned: null, atMs, reading: null, trouble: why } }
      const isTold = why === positions.trouble
      return isTold ? next : noted(next, 'warn', plainText(`Positions are unknown: ${why}.`), atMs)
    }
    case 'positionsReckoned': {
      const { reckoned, atMs } = event
      const told = new Set(positions.reckoned?.missing)
      const news = reckoned.missing.filter((sentence) => !told.has(sentence))
      const next = { ...state, positions: { ...positions, reckoned, atMs, reading: null, trouble: null } }
      return news.reduce((each, sentence) => logged(each, 'warn', plainText(sentence), atMs), next)
    }
    case 'positionsBasisToggled':
      return { ...state, positions: { ...positions, basis: positions.basis === 'mid' ? 'touch' : 'mid' } }
    case 'positionsGroupingToggled': {
      const grouping = positions.grouping === 'currency' ? 'symbol' : 'currency'
      return { ...state, positions: { ...positions, grouping } }
    }
  }
}

/** `reading fills: 120,000 of 1,000,000` */
export const readingText = (reading: FillsReading): string =>
  reading.from === 'file'
    ? `reading fills: ${formatCount(reading.count)} of ${formatCount(reading.total)}`
    : `reading fills from the exchange, once: ${formatCount(reading.count)} so far`

/** Currencies held beyond the lots of any symbol's fills: from transfers, or at an average cost. */
export function outsideSymbols({ positions, bySymbol }: ReckonedPositions): string[] {
  const held = [...bySymbol.values()].flat()
  return positions.flatMap(({ currency, quantity }) => {
    const own = held.filter((each) => each.currency === currency).map((each) => each.quantity)
    return currency === 'USD' || own.reduce(exactPlus, zero).eq(quantity) ? [] : [currency]
  })
}

/** The source of a unit's value, as shown in a cell. */
export type ValuedBy = 'mid' | 'last' | 'bid' | 'ask' | 'rate' | 'USD'
/** The value of one unit, and its source. */
export type UnitValue = UsdValue & { by: ValuedBy }

const usd = (value: Decimal | null, by: ValuedBy, source: string): UnitValue | null =>
  value === null || value.lte(0) ? null : { usd: value, by, source }

/** What units are valued by. */
type Valuing = Pick<FeedsSlice, 'books' | 'tickers' | 'instruments' | 'balances'> & Pick<ClockSlice, 'nowMs'>

/**
 * The present value of one unit. At the mid: of the currency's book in USD while a ladder shows it, else its last
 * price, else the exchange's rate. At the touch: the bid for a holding, the ask for a debt; null without a book, the
 * only source for it.
 */
export function unitValue(state: Valuing, currency: string, basis: ValueBasis, isOwed = false): UnitValue | null {
  if (currency === 'USD') return usd(usdRate('USD', []), 'USD', 'USD itself')
  const rules = [...(state.instruments.value?.values() ?? [])].find(
    ({ base, counter }) => base === currency && counter === 'USD',
  )
  const symbol = rules?.symbol ?? ''
  const feed = state.books.get(symbol)
  const book = feed === undefined || isStale(feed, 'book', state.nowMs) ? null : feed.value
  if (basis === 'touch') {
    if (book === null) return null
    return isOwed ? usd(bestAsk(book), 'ask', `ask of ${symbol}`) : usd(bestBid(book), 'bid', `bid of ${symbol}`)
  }
  const mid = book === null ? null : usd(midPrice(book), 'mid', `mid of ${symbol}`)
  const last = usd(state.tickers.value?.get(symbol)?.lastPrice ?? null, 'last', `last price of ${symbol}`)
  return mid ?? last ?? usd(keptRate(state, currency), 'rate', `the exchange's rate of ${currency}`)
}

/** The exchange's rate of a currency without a last price; null where it keeps none: see `shownWorth`. */
function keptRate({ instruments, tickers, balances }: Valuing, currency: string): Decimal | null {
  const prices = { instruments: instruments.value ?? new Map(), tickers: tickers.value ?? new Map() }
  const worth = shownWorth(currency, 'USD', { ...prices, balances: balances.value ?? [] })
  return worth.kind === 'known' ? worth.each : null
}

/** The unrealized gain of the units of known cost at a value; null without such units. */
export const unrealizedOf = ({ quantityOfKnownCost, costUsd }: Position, { usd: each }: UsdValue): Decimal | null =>
  quantityOfKnownCost.isZero() ? null : exactPlus(exactProduct(quantityOfKnownCost, each), costUsd.neg())

export type PositionCommands = {
  /** Unrealized gains at the mid, or at bid and ask. */
  togglePositionsBasis(): void
  /** One row per currency, or one per symbol. */
  togglePositionsGrouping(): void
}

export const createPositionCommands = ({ store }: SliceContext<unknown, PositionsEvent>): PositionCommands => ({
  togglePositionsBasis: () => store.dispatch({ type: 'positionsBasisToggled' }),
  togglePositionsGrouping: () => store.dispatch({ type: 'positionsGroupingToggled' }),
})
