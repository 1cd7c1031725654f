import { ExchangeError } from '../../api/errors.ts'
import { symbolSuggestion } from '../../base/nearest-name.ts'
import { unlistedNames } from '../../domain/limits.ts'
import { fetchAllWorking } from '../../services/orders/order-pages.ts'
import { type Ending, failure } from '../cli/exit-codes.ts'
import type { WriteScene } from './with-writing.ts'

/** What is told of a write in a symbol that the exchange does not list; `nothing` says what it means for the money. */
export const unknownSymbol = (symbol: string, symbols: readonly string[], nothing: string): Ending =>
  failure('notSent', `not sent: unknown symbol ${symbol}${symbolSuggestion(symbol, symbols) || '.'} ${nothing}`, {
    todo: 'List them with pitdesk symbols.',
  })

/**
 * Why a cancel of all in a symbol does not leave: the exchange does not list the symbol, and no order works in it. Null
 * where it goes, as it does when that cannot be seen: orders may work on in a symbol that was delisted.
 */
export async function misnamedScope(
  symbol: string,
  { client }: Pick<WriteScene['session'], 'client'>,
  signal: AbortSignal,
): Promise<Ending | null> {
  try {
    const { instruments, refused } = await client.fetchSymbols(signal)
    if (unlistedNames([symbol], instruments, refused).length === 0) return null
    const { orders, unreadable, isWhole } = await fetchAllWorking(client, signal)
    const isSeen = isWhole && unreadable.length === 0
    if (!isSeen || [...orders.values()].some((order) => order.symbol === symbol)) return null
    return unknownSymbol(symbol, [...instruments.keys()], 'Nothing was canceled.')
  } catch (error) {
    if (error instanceof ExchangeError) return null
    throw error
  }
}
