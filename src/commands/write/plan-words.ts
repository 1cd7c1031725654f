import { availableOf, type Balance, primaryAccount } from '../../domain/balance.ts'
import type { Book } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { type PlanPrice, readPrice } from '../../domain/plans/facts.ts'
import type { PlanSentenceContext } from '../../domain/plans/sentence.ts'
import type { WriteScene } from './with-writing.ts'

/** The rules of every symbol, by name. */
export type Instruments = ReadonlyMap<string, Instrument>

/**
 * Reads words of a plan. A share of a price or balance, such as `by 1%` or `all`, needs present data: only then is the
 * exchange asked, and the words are read again.
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

/** The market price by a book requested just now. */
export const priceNow = (instrument: Instrument | null, book: Book, nowMs: number): PlanPrice =>
  readPrice({ instrument, book: { book, atMs: nowMs }, ticker: null }, nowMs)
