import type { FeedEvent } from '../../domain/desk/events.ts'
import { isUnlisted } from '../../domain/limits.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { type PlanPrice, readPrice } from '../../domain/plans/facts.ts'

type Quotes = Parameters<typeof readPrice>[0]
type Market = Pick<Quotes, 'book' | 'ticker'>

/** Polled market data. */
type QuoteEvent = Extract<FeedEvent, { type: 'instruments' | 'book' | 'tickers' }>

/** The newest rules, books and last prices, by desk time. */
export class PlanQuotes {
  #instruments: ReadonlyMap<string, Instrument> | null = null
  /** A sentence for each symbol with unreadable rules. */
  #unread: readonly string[] = []
  readonly #markets = new Map<string, Market>()

  observe(event: QuoteEvent): void {
    if (event.type === 'instruments') [this.#instruments, this.#unread] = [event.instruments, event.unread ?? []]
    else if (event.type === 'book') this.#marketOf(event.symbol).book = { book: event.book, atMs: event.atMs }
    else for (const [symbol, ticker] of event.tickers) this.#marketOf(symbol).ticker = { ticker, atMs: event.atMs }
  }

  instrument(symbol: string): Instrument | null {
    return this.#instruments?.get(symbol) ?? null
  }

  price(symbol: string, nowMs: number): PlanPrice {
    const price = readPrice({ instrument: this.instrument(symbol), ...this.#marketOf(symbol) }, nowMs)
    const isGone = this.#instruments !== null && isUnlisted(symbol, this.#instruments, this.#unread)
    return price.kind === 'unknown' && isGone ? { ...price, why: `the exchange does not list ${symbol} now` } : price
  }

  #marketOf(symbol: string): Market {
    const market = this.#markets.get(symbol) ?? { book: null, ticker: null }
    this.#markets.set(symbol, market)
    return market
  }
}
