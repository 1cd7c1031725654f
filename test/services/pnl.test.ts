import { expect, test } from 'vitest'
import { ExchangeError } from '../../src/api/errors.ts'
import { readableListing } from '../../src/domain/listing.ts'
import { fetchPnl, type PnlClient } from '../../src/services/pnl.ts'
import { amount } from '../fakes/amounts.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'

/** Ten of each currency came in, and these are their books. */
function anExchange(books: Readonly<Record<string, () => ReturnType<typeof aBook>>>) {
  const symbols = Object.keys(books)
  const baseOf = (symbol: string) => symbol.split('-')[0] ?? ''
  const instruments = new Map(symbols.map((symbol) => [symbol, anInstrument({ symbol, base: baseOf(symbol) })]))
  const deposits = symbols.map((symbol, index) => ({
    depositId: String(index),
    amount: amount('10'),
    currency: baseOf(symbol),
    state: 'COMPLETED' as const,
    address: 'a',
    txHash: null,
    timestampMs: 1_000,
  }))
  return {
    fetchSymbols: async () => ({ instruments, unreadable: [] }),
    fetchAccounts: async () => new Map(),
    fetchDeposits: async () => readableListing(deposits),
    fetchWithdrawals: async () => readableListing([]),
    fetchFills: async () => readableListing([]),
    fetchBook: async (symbol: string) => books[symbol]?.(),
  } as unknown as PnlClient
}

test('a book that fails or is crossed costs its one price', async () => {
  const client = anExchange({
    'BTC-USD': () => aBook([['100', '1']], [['102', '1']]),
    'ETH-USD': () => aBook([['64', '1']], [['1', '1']]),
    'LTC-USD': () => {
      throw new ExchangeError({
        kind: 'notFound',
        method: 'GET',
        path: '/l2',
        reason: 'no such symbol',
        outcome: null,
        status: 404,
      })
    },
  })
  const { pnl } = await fetchPnl(
    client,
    { period: { fromMs: 0, toMs: null }, method: 'fifo', mark: 'mid', statedCosts: [] },
    { signal: new AbortController().signal, nowMs: () => 5_000 },
  )
  const marks = new Map(pnl.currencies.map(({ position, mark }) => [position.currency, mark?.usd.toFixed() ?? null]))
  expect(Object.fromEntries(marks)).toEqual({ BTC: '101', ETH: null, LTC: null })
  expect(pnl.missing).toContain('ETH: the book of ETH-USD is crossed, as in an auction: it has no mid.')
  expect(pnl.missing).toContain('LTC: the book of LTC-USD was not to be had: the exchange does not know this (404).')
})
