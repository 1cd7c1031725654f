import { availableOf, type Balance, primaryAccount } from '../../domain/balance.ts'
import type { Book } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { type PlanPrice, readPrice } from '../../domain/plans/facts.ts'
import type { PlanSentenceContext } from '../../domain/plans/sentence.ts'
import type { WriteScene } from './with-writing.ts'

/** The rules of every symbol, by its name. */
export type Instruments = ReadonlyMap<string, Instrument>

/**
 * What words ask for. A share of the price or of the balance, `by 1%` or `all`, is of what the exchange says now: only
 * then is it asked, and the words are read again.
 */
export async function readAsked<T>(
  read: (names: PlanSentenceContext) => T,
  { instruments, symbol }: { instruments: Instruments; symbol: string },
  { session, io, tools }: Pick<WriteScene, 'session' | 'io' | 'tools'>,
): Promise<T> {
  const prices = new Map<string, Decimal | null>()
  let balances: readonly Balance[] | null = null
  for (;;) {
    const wanted = { symbols: new Set<string>(), balances: false }
    const held: readonly Balance[] | null = balances
    const asked = read({
      ...{ instruments, symbol, bookOf: () => null, swap: session.settings.entry },
      priceOf(of) {
        if (!prices.has(of)) wanted.symbols.add(of)
        return prices.get(of) ?? null
      },
      availableOf(currency) {
        if (held === null) wanted.balances = true
        return held === null ? null : availableOf(currency, held)
      },
    })
    if (wanted.symbols.size === 0 && !wanted.balances) return asked
    for (const of of wanted.symbols) {
      const book = await session.client.fetchBook(of, io.signal)
      const price = priceNow(instruments.get(of) ?? null, book, tools.clock.wallMs())
      prices.set(of, price.kind === 'known' ? price.price : null)
    }
    if (wanted.balances) balances = (await session.client.fetchAccounts(io.signal)).get(primaryAccount)?.entries ?? []
  }
}

/** Where the market is by a book that was asked for just now. */
export const priceNow = (instrument: Instrument | null, book: Book, nowMs: number): PlanPrice =>
  readPrice({ instrument, book: { book, atMs: nowMs }, ticker: null }, nowMs)
