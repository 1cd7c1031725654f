import type { FeedEvent } from '../../domain/desk/events.ts'
import { isUnlisted, noNames } from '../../domain/limits.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { type PlanPrice, readPrice } from '../../domain/plans/facts.ts'

type Quotes = Parameters<typeof readPrice>[0]
type Market = Pick<Quotes, 'book' | 'ticker'>

/** Polled market data. */
type QuoteEvent = Extract<FeedEvent, { type: 'instruments' | 'book' | 'tickers' }>

/** The newest rules, books and last prices, by desk time. */
export class PlanQuotes {
  #instruments: ReadonlyMap<string, Instrument> | null = null
  /** The symbols whose rules cannot be read. */
  #unread = noNames
  readonly #markets = new Map<string, Market>()
  /** When the price of a symbol was last known; or when it last did not trade, which is no time without a price. */
  readonly #knownMs = new Map<string, number>()

  observe(event: QuoteEvent): void {
    if (event.type === 'instruments') [this.#instruments, this.#unread] = [event.instruments, event.unread ?? noNames]
    else if (event.type === 'book') this.#marketOf(event.symbol).book = { book: event.book, atMs: event.atMs }
    else for (const [symbol, ticker] of event.tickers) this.#marketOf(symbol).ticker = { ticker, atMs: event.atMs }
  }

  instrument(symbol: string): Instrument | null {
    return this.#instruments?.get(symbol) ?? null
  }

  price(symbol: string, nowMs: number): PlanPrice {
    const instrument = this.instrument(symbol)
    const read = readPrice({ instrument, ...this.#marketOf(symbol) }, nowMs)
    if (read.kind === 'known' || instrument?.status !== 'open') this.#knownMs.set(symbol, nowMs)
    // Books that go on to come may have no price to go by, from the first one on.
    const price = read.kind === 'known' ? read : { ...read, sinceMs: this.#unknownSince(symbol, read.sinceMs) }
    const isGone = this.#instruments !== null && isUnlisted(symbol, this.#instruments, this.#unread)
    return price.kind === 'unknown' && isGone ? { ...price, why: `the exchange does not list ${symbol} now` } : price
  }

  #unknownSince(symbol: string, dataMs: number): number {
    return Math.min(dataMs, this.#knownMs.get(symbol) ?? 0)
  }

  #marketOf(symbol: string): Market {
    const market = this.#markets.get(symbol) ?? { book: null, ticker: null }
    this.#markets.set(symbol, market)
    return market
  }
}
