import { createExchangeClient, type ExchangeClient } from '../../src/api/exchange-client.ts'
import type { Transport } from '../../src/api/transport.ts'

/** An entry in the wire's fields: amounts and ids are text here, and numbers in an answer. */
export type WireEntry = Readonly<Record<string, string | number | undefined>>

/** What an exchange lists of an account, in any order. */
export type WireLists = {
  symbols: readonly string[]
  balances: ReadonlyMap<string, string>
  deposits: readonly WireEntry[]
  withdrawals: readonly WireEntry[]
  fills: readonly WireEntry[]
}

export type ListedExchange = {
  lists: WireLists
  /** The most fills of an answer. */
  pageMax: number
  /** How fills are listed: newest first, ties by id, or by id alone, the greatest first. */
  fillsBy: 'time' | 'id'
}

/** Amounts and ids as numbers, with all their digits. */
const written = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /"(exOrdId|tradeId|execId|price|qty|fee|amount|balance|available)":"(-?\d+(?:\.\d+)?)"/g,
    '"$1":$2',
  )

const idOf = ({ execId }: WireEntry): bigint => BigInt(execId ?? 0)
const timeOf = ({ timestamp }: WireEntry): number => Number(timestamp ?? 0)
const greatestId = 2n ** 63n
const byId = (one: WireEntry, other: WireEntry): number =>
  idOf(other) > idOf(one) ? 1 : idOf(other) < idOf(one) ? -1 : 0
const byTime = (one: WireEntry, other: WireEntry): number => timeOf(other) - timeOf(one) || byId(one, other)

type Query = Readonly<Record<string, string | number | null>>

function fillsPage({ lists, pageMax, fillsBy }: ListedExchange, query: Query): WireEntry[] {
  const [from, to] = [Number(query.from ?? 0), Number(query.to ?? Number.MAX_SAFE_INTEGER)]
  const [least, most] = [BigInt(query.fromExecId ?? 0), BigInt(query.toExecId ?? greatestId)]
  const asked = lists.fills.filter(
    (fill) => timeOf(fill) >= from && timeOf(fill) <= to && idOf(fill) >= least && idOf(fill) <= most,
  )
  return asked.toSorted(fillsBy === 'id' ? byId : byTime).slice(0, Math.min(pageMax, Number(query.limit ?? 100)))
}

function rulesOf(symbol: string): object {
  const [base, counter] = symbol.split('-')
  const scales = { base_currency_scale: 8, counter_currency_scale: 8 }
  return { base_currency: base, counter_currency: counter, ...scales, status: 'open' }
}

const balanceOf = ([currency, balance]: [string, string]): object => ({
  ...{ currency, balance, available: balance.startsWith('-') ? '0' : balance },
  ...{ balance_local: 0, available_local: 0, rate: 0 },
})

function answerTo(exchange: ListedExchange, path: string, query: Query): unknown {
  const { symbols, balances, deposits, withdrawals } = exchange.lists
  switch (path) {
    case '/symbols':
      return Object.fromEntries(symbols.map((symbol) => [symbol, rulesOf(symbol)]))
    case '/accounts':
      return { primary: [...balances].map(balanceOf) }
    case '/deposits':
      return deposits
    case '/withdrawals':
      return withdrawals
    case '/fills':
      return fillsPage(exchange, query)
    default:
      return { bids: [], asks: [] }
  }
}

/** A client of an exchange that only lists: whatever it holds, an account need not be able to have done it. */
export function clientOfLists(exchange: ListedExchange): { client: ExchangeClient; asked: string[] } {
  const asked: string[] = []
  const send: Transport['send'] = async ({ path, query = {} }) => {
    asked.push(path)
    return written(answerTo(exchange, path, query))
  }
  // Nothing else is asked of it.
  const transport = { send, dateMaxMs: () => Number.MAX_SAFE_INTEGER } as unknown as Transport
  return { client: createExchangeClient(transport), asked }
}
