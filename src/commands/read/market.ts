import { err, ok, type Result } from '../../base/result.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { fromLevel, fromQueueOrder } from '../../wire/book.ts'
import { fromInstrument } from '../../wire/symbol.ts'
import { fromTicker } from '../../wire/ticker.ts'
import { type Arguments, readSymbol } from '../cli/arguments.ts'
import type { Fields } from '../cli/exit-codes.ts'
import { amount, type Column, due, list, one, scaled, text } from '../cli/output.ts'
import { type Read, readable, readRun } from './read-command.ts'

/** The symbol as a word or as a flag. */
function symbolOf(given: Arguments): Result<string | undefined> {
  const [word] = given.words
  const flag = given.value('symbol')
  if (word !== undefined && flag !== undefined) return err('the symbol is given twice')
  return readSymbol(word ?? flag)
}

/** An instrument by the wire's fields, with its symbol, which on the wire is the key of a map. */
const instrumentRow = (instrument: Instrument): Fields => ({
  symbol: instrument.symbol,
  ...fromInstrument(instrument),
})

const auctionColumns: readonly Column[] = [
  scaled('price', amount('auction_price', 'AUCTION', 6)),
  scaled('quantity', amount('auction_size', 'SIZE', 7)),
  text('auction_time', 'AT', 7),
  scaled('quantity', amount('imbalance', 'IMBALANCE', 8)),
]

const identityColumns: readonly Column[] = [
  text('symbol', 'SYMBOL'),
  text('id', 'ID', 10),
  text('status', 'STATUS'),
  text('base_currency', 'BASE', 3),
  text('counter_currency', 'COUNTER', 3),
  amount('base_currency_scale', 'BASE DEC', 9),
  amount('counter_currency_scale', 'CTR DEC', 9),
]

/** The rules in readable form: the wire has whole numbers with scales. */
const ruleColumns: readonly Column[] = [
  ...identityColumns,
  scaled('price', amount('tick', 'TICK', 1)),
  scaled('quantity', amount('lot', 'LOT', 2)),
  scaled('quantity', amount('smallest', 'MIN', 4)),
  scaled('quantity', amount('largest', 'MAX', 5)),
  ...auctionColumns,
]
const ruleRow = (instrument: Instrument): Fields => ({
  ...instrumentRow(instrument),
  tick: instrument.tickSize,
  lot: instrument.lotSize,
  smallest: instrument.minQuantity,
  largest: instrument.maxQuantity ?? 'none',
})

const symbols: Read<string | undefined> = {
  tableColumns: ruleColumns,
  columns: [
    ...identityColumns,
    amount('min_price_increment', 'TICK', 1),
    amount('min_price_increment_scale', 'SCALE', 1),
    amount('lot_size', 'LOT', 2),
    amount('lot_size_scale', 'SCALE', 2),
    amount('min_order_size', 'MIN', 4),
    amount('min_order_size_scale', 'SCALE', 4),
    amount('max_order_size', 'MAX', 5),
    amount('max_order_size_scale', 'SCALE', 5),
    ...auctionColumns,
  ],
  query: symbolOf,
  async fetch(symbol, { client }, { form, signal, leftOut }) {
    const toRow = form === 'table' ? ruleRow : instrumentRow
    if (symbol !== undefined) {
      const row = toRow(await client.fetchSymbol(symbol, signal))
      return one(row)
    }
    const { instruments, unread } = await client.fetchSymbols(signal)
    for (const sentence of unread.values()) leftOut(sentence)
    return list([...instruments.values()].map(toRow))
  },
}

const tickers: Read<string | undefined> = {
  columns: [
    text('symbol', 'SYMBOL'),
    scaled('price', amount('last_trade_price', 'LAST')),
    scaled('price', amount('price_24h', '24H AGO', 1)),
    scaled('quantity', amount('volume_24h', '24H VOLUME', 2)),
  ],
  query: symbolOf,
  async fetch(symbol, { client }, context) {
    const { signal } = context
    if (symbol === undefined)
      return list(readable(await client.fetchTickers(signal), 'ticker', context).map(fromTicker))
    const row = fromTicker(await client.fetchTicker(symbol, signal))
    return one(row)
  },
}

type BookQuery = { symbol: string; level: 2 | 3; depth: number | undefined }

const book: Read<BookQuery> = {
  columns: [
    text('side', 'SIDE'),
    scaled('price', amount('px', 'PRICE')),
    scaled('quantity', amount('qty', 'QUANTITY')),
    due(text('num', 'ORDERS / ORDER ID')),
  ],
  query(given) {
    const symbol = symbolOf(given)
    if (!symbol.ok) return symbol
    if (symbol.value === undefined) return err('symbol missing, e.g. pitdesk book BTC-USD')
    const level = given.value('level') === '3' ? 3 : 2
    return ok({ symbol: symbol.value, level, depth: given.number('depth') })
  },
  async fetch({ symbol, level, depth: most }, { client }, context) {
    const { signal } = context
    const { bids, asks } = await bookSides(level, symbol)
    // Shown as a ladder: asks above bids, the best ones next to each other.
    const rows = [
      ...asks.toReversed().map((entry) => ({ symbol, side: 'ASK', ...entry })),
      ...bids.map((entry) => ({ symbol, side: 'BID', ...entry })),
    ]
    return { kind: 'one', value: { symbol, bids, asks }, rows }

    async function bookSides(wanted: 2 | 3, of: string): Promise<{ bids: Fields[]; asks: Fields[] }> {
      if (wanted === 2) {
        const read = await client.fetchBook(of, signal)
        readable({ entries: [], unreadable: read.unreadable ?? [] }, 'book entry', context)
        return { bids: read.bids.slice(0, most).map(fromLevel), asks: read.asks.slice(0, most).map(fromLevel) }
      }
      const read = await client.fetchOrderByOrderBook(of, signal)
      readable({ entries: [], unreadable: read.unreadable ?? [] }, 'book entry', context)
      return { bids: read.bids.slice(0, most).map(fromQueueOrder), asks: read.asks.slice(0, most).map(fromQueueOrder) }
    }
  },
}

/** The reads of this file, for other callers. */
export const marketReads = { symbols, tickers, book }

export const runSymbols = readRun({ ...symbols, symbolIn: (symbol) => symbol })
export const runTickers = readRun({ ...tickers, symbolIn: (symbol) => symbol })
export const runBook = readRun({ ...book, symbolIn: ({ symbol }) => symbol })
