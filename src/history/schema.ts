import type { SQLOutputValue } from 'node:sqlite'
import { type Row, rowReaders } from '../base/files/sqlite-rows.ts'
import { minuteMs } from '../base/text/time-text.ts'
import { type Bar, barSpanMs, type EquityPoint } from '../domain/market/bar.ts'
import { Decimal } from '../domain/money.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { type Order, orderStatuses, orderTypes } from '../domain/orders/order.ts'
import type { UsdValue } from '../domain/positions/usd-at.ts'
import { sides } from '../domain/side.ts'

/** SQLite application id of a desk's history: "pdhi". */
const applicationId = 0x70646869

/**
 * Statements that migrate version N to N + 1, oldest first; only ever appended to. Amounts are text with all digits;
 * execution ids are 64-bit integers. `fill_gaps` are ranges of time whose executions are not read yet (null: no bound);
 * `working_orders` are orders whose end must still be read.
 */
const migrations: readonly string[] = [
  `CREATE TABLE bars (
     symbol TEXT NOT NULL,
     span_ms INTEGER NOT NULL,
     start_ms INTEGER NOT NULL,
     open TEXT NOT NULL,
     high TEXT NOT NULL,
     low TEXT NOT NULL,
     close TEXT NOT NULL,
     look_count INTEGER NOT NULL,
     spread TEXT,
     PRIMARY KEY (symbol, span_ms, start_ms)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE equity (
     start_ms INTEGER PRIMARY KEY,
     equity_usd TEXT,
     known_usd TEXT NOT NULL,
     unknown TEXT NOT NULL
   ) STRICT;
   CREATE TABLE fills (
     exec_id INTEGER PRIMARY KEY,
     order_id INTEGER NOT NULL,
     trade_id INTEGER NOT NULL,
     symbol TEXT NOT NULL,
     side TEXT NOT NULL,
     price TEXT NOT NULL,
     quantity TEXT NOT NULL,
     fee TEXT NOT NULL,
     at_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE fill_gaps (id INTEGER PRIMARY KEY, above INTEGER, below INTEGER) STRICT;
   CREATE TABLE ended_orders (
     key TEXT PRIMARY KEY,
     order_id TEXT,
     client_order_id TEXT NOT NULL,
     symbol TEXT NOT NULL,
     side TEXT NOT NULL,
     type TEXT NOT NULL,
     status TEXT NOT NULL,
     limit_price TEXT,
     leaves_quantity TEXT,
     cum_quantity TEXT,
     average_price TEXT,
     last_quantity TEXT,
     last_price TEXT,
     text TEXT,
     at_ms INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX ended_orders_by_time ON ended_orders (at_ms, key);
   CREATE TABLE working_orders (order_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE stated_costs (
     id INTEGER PRIMARY KEY,
     currency TEXT NOT NULL,
     quantity TEXT NOT NULL,
     usd_each TEXT NOT NULL,
     at_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  // User-stated costs moved to a file of their own, and this table was never written. The ledger reads fills by time,
  // which need not be the order of ids.
  `DROP TABLE stated_costs;
   CREATE INDEX fills_by_time ON fills (at_ms);`,
  // Gaps become ranges of time, both ends included, because execution ids need not increase with time. If they did not,
  // some executions may have been skipped, and all are read again.
  `CREATE TABLE fill_times (id INTEGER PRIMARY KEY, above_ms INTEGER, below_ms INTEGER) STRICT;
   INSERT INTO fill_times
     SELECT id, (SELECT max(at_ms) FROM fills WHERE exec_id <= above), (SELECT at_ms FROM fills WHERE exec_id = below)
     FROM fill_gaps;
   INSERT INTO fill_times (above_ms, below_ms)
     SELECT NULL, NULL WHERE EXISTS (
       SELECT 1 FROM (SELECT exec_id, lag(exec_id) OVER (ORDER BY at_ms, exec_id) AS earlier FROM fills)
       WHERE earlier > exec_id
     );
   DROP TABLE fill_gaps;
   ALTER TABLE fill_times RENAME TO fill_gaps;`,
  // The value of a currency at the moment of a trade or fee, written once; `usd` is null when unknown. Fills whose own
  // price does not give their value wait in the second table until all fills before them are read.
  `CREATE TABLE valuations (
     currency TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     usd TEXT,
     source TEXT NOT NULL,
     PRIMARY KEY (currency, at_ms)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE unvalued_fills (exec_id INTEGER PRIMARY KEY) STRICT;
   INSERT INTO unvalued_fills SELECT exec_id FROM fills WHERE symbol NOT LIKE '%-USD' AND symbol NOT LIKE 'USD-%';`,
  // Executions that were reported again with other terms; the row in `fills` keeps the first report.
  'CREATE TABLE told_otherwise (clause TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;',
]

/** The format of the history file. */
export const historyFormat = { applicationId, migrations }

/** Data the exchange cannot report again, so it is recovered from a damaged file as far as possible. */
export const ownTables = ['equity', 'bars', 'valuations'] as const

/** The file contains something this program never wrote: it is damaged. */
export class WrongContent extends Error {}

const wrong = (name: string, value: unknown) => new WrongContent(`column ${name} holds ${String(value).slice(0, 40)}`)
const { whole, text } = rowReaders(wrong)

// Computed amounts have more digits than received ones: a sum of balances times rates has twice as many and some more.
const storedAmount = /^-?\d{1,130}(\.\d{1,130})?$/

function amountOf(value: SQLOutputValue | undefined, name: string): Decimal {
  if (typeof value !== 'string' || !storedAmount.test(value)) throw wrong(name, value)
  return new Decimal(value)
}

const amount = (row: Row, name: string): Decimal => amountOf(row[name], name)

function wordOf<Word extends string>(
  found: SQLOutputValue | undefined,
  ...[name, words]: [string, readonly Word[]]
): Word {
  const value = words.find((each) => each === found)
  if (value === undefined) throw wrong(name, found)
  return value
}

const word = <Word extends string>(row: Row, name: string, words: readonly Word[]): Word =>
  wordOf(row[name], name, words)

const orNull = <T>(read: (row: Row, name: string) => T, row: Row, name: string): T | null =>
  row[name] === null ? null : read(row, name)

export { text, whole }

export const barColumns = 'span_ms, start_ms, open, high, low, close, look_count, spread'

export function barOfRow(row: Row): Bar {
  const spanMs = whole(row, 'span_ms')
  return {
    startMs: whole(row, 'start_ms'),
    ...(spanMs === minuteMs ? {} : { spanMs }),
    open: amount(row, 'open'),
    high: amount(row, 'high'),
    low: amount(row, 'low'),
    close: amount(row, 'close'),
    lookCount: whole(row, 'look_count'),
    spread: orNull(amount, row, 'spread'),
  }
}

export const valuesOfBar = (symbol: string, bar: Bar): SQLOutputValue[] => [
  symbol,
  barSpanMs(bar),
  bar.startMs,
  bar.open.toFixed(),
  bar.high.toFixed(),
  bar.low.toFixed(),
  bar.close.toFixed(),
  bar.lookCount,
  bar.spread?.toFixed() ?? null,
]

export const equityOfRow = (row: Row): EquityPoint => ({
  startMs: whole(row, 'start_ms'),
  equityUsd: orNull(amount, row, 'equity_usd'),
  knownUsd: amount(row, 'known_usd'),
  unknown: text(row, 'unknown')
    .split(' ')
    .filter((name) => name !== ''),
})

/** Joined by spaces, which currency names do not contain. */
export const valuesOfEquity = (point: EquityPoint): SQLOutputValue[] => [
  point.startMs,
  point.equityUsd?.toFixed() ?? null,
  point.knownUsd.toFixed(),
  point.unknown.join(' '),
]

/** The value of a currency; `value` is null when it was unknown. */
export function valuationOfRow(row: Row): { value: UsdValue | null } {
  const [usd, source] = [orNull(amount, row, 'usd'), text(row, 'source')]
  return { value: usd === null ? null : { usd, source } }
}

/** Ids are read as text, because they can exceed a double's exact range. */
export const fillColumns =
  'CAST(exec_id AS TEXT) AS exec_id, CAST(order_id AS TEXT) AS order_id, CAST(trade_id AS TEXT) AS trade_id, ' +
  'symbol, side, price, quantity, fee, at_ms'

export const fillOfRow = (row: Row): Fill =>
  readFills()(Object.fromEntries(columnsOf.fills.map((name, at) => [at, row[name] ?? null])))

/** Maximum cached amounts; those of one account often repeat. */
const amountsKnown = 10_000

/**
 * Creates a reader of many `fillColumns` rows by column position. Column names and repeated parsing of amounts are the
 * main cost of reading a million fills.
 */
export function readFills(): (row: Row) => Fill {
  const amounts = new Map<SQLOutputValue | undefined, Decimal>()
  const amountAgain = (value: SQLOutputValue | undefined, name: string): Decimal => {
    const known = amounts.get(value)
    if (known !== undefined) return known
    if (amounts.size >= amountsKnown) amounts.clear()
    const read = amountOf(value, name)
    amounts.set(value, read)
    return read
  }
  const textOf = (value: SQLOutputValue | undefined, name: string): string => {
    if (typeof value !== 'string') throw wrong(name, value)
    return value
  }
  return (row) => ({
    execId: textOf(row[0], 'exec_id'),
    orderId: textOf(row[1], 'order_id'),
    tradeId: textOf(row[2], 'trade_id'),
    symbol: textOf(row[3], 'symbol'),
    side: wordOf(row[4], 'side', sides),
    price: amountAgain(row[5], 'price'),
    quantity: amountAgain(row[6], 'quantity'),
    fee: amountAgain(row[7], 'fee'),
    timestampMs: whole(row, '8'),
  })
}

export const valuesOfFill = (fill: Fill): SQLOutputValue[] => [
  BigInt(fill.execId),
  BigInt(fill.orderId),
  BigInt(fill.tradeId),
  fill.symbol,
  fill.side,
  fill.price.toFixed(),
  fill.quantity.toFixed(),
  fill.fee.toFixed(),
  fill.timestampMs,
]

/** 0 means that the order has no time; it counts as the oldest. */
export const orderOfRow = (row: Row): Order => ({
  orderId: orNull(text, row, 'order_id'),
  clientOrderId: text(row, 'client_order_id'),
  symbol: text(row, 'symbol'),
  side: word(row, 'side', sides),
  type: word(row, 'type', orderTypes),
  status: word(row, 'status', orderStatuses),
  limitPrice: orNull(amount, row, 'limit_price'),
  leavesQuantity: orNull(amount, row, 'leaves_quantity'),
  cumQuantity: orNull(amount, row, 'cum_quantity'),
  averagePrice: orNull(amount, row, 'average_price'),
  lastQuantity: orNull(amount, row, 'last_quantity'),
  lastPrice: orNull(amount, row, 'last_price'),
  text: orNull(text, row, 'text'),
  timestampMs: whole(row, 'at_ms') || null,
})

export const valuesOfOrder = (key: string, order: Order): SQLOutputValue[] => [
  key,
  order.orderId,
  order.clientOrderId,
  order.symbol,
  order.side,
  order.type,
  order.status,
  ...[order.limitPrice, order.leavesQuantity, order.cumQuantity].map((each) => each?.toFixed() ?? null),
  ...[order.averagePrice, order.lastQuantity, order.lastPrice].map((each) => each?.toFixed() ?? null),
  order.text,
  order.timestampMs ?? 0,
]

/** Reads a row; null when it contains something this program never wrote. */
export function readOrNull<T>(row: Row, read: (row: Row) => T): T | null {
  try {
    return read(row)
  } catch (error) {
    if (error instanceof WrongContent) return null
    throw error
  }
}

const namesOf = (columns: string): string[] => columns.split(', ')
const columnsOf = {
  bars: namesOf(`symbol, ${barColumns}`),
  equity: namesOf('start_ms, equity_usd, known_usd, unknown'),
  valuations: namesOf('currency, at_ms, usd, source'),
  fills: namesOf('exec_id, order_id, trade_id, symbol, side, price, quantity, fee, at_ms'),
  orders: namesOf(
    'key, order_id, client_order_id, symbol, side, type, status, limit_price, leaves_quantity, cum_quantity, ' +
      'average_price, last_quantity, last_price, text, at_ms',
  ),
}
const readers = {
  bars: barOfRow,
  equity: equityOfRow,
  valuations: valuationOfRow,
  fills: fillOfRow,
  orders: orderOfRow,
}

/** True when values, in the column order of their table, can be read back; a row that cannot would look like damage. */
export function isReadBack(table: keyof typeof columnsOf, values: readonly SQLOutputValue[]): boolean {
  const texts = values.map((value) => (typeof value === 'bigint' ? String(value) : value))
  const row = Object.fromEntries(columnsOf[table].map((name, at) => [name, texts[at] ?? null]))
  return readOrNull<unknown>(row, readers[table]) !== null
}
