import type { StatementSync } from 'node:sqlite'
import type { Row } from '../../base/files/sqlite-rows.ts'
import { sides } from '../../domain/side.ts'
import type { AccountId } from '../core/commands.ts'
import type { EndedOrdersQuery, FillData, History, OrderData } from '../core/history.ts'
import type { FillsQuery, OrdersAfterQuery } from '../core/views.ts'
import { type DataFile, large, text, whole, word } from './data-file.ts'
import { endings, fromOrderRow, orderColumns, toOrderRow } from './order-rows.ts'

/** Number of pending rows that triggers a write: about a millisecond of work. */
const bufferMax = 250

/**
 * The history on disk. Additions wait in memory until `write` puts them into the open transaction; a query writes
 * first, so it finds everything, committed or not. Rows may be written long after their commands, and again when those
 * are replayed: only the journal must be on time.
 *
 * The `forgotten` accounts leave nothing behind: the market's own flow ends tens of orders a second that no one
 * queries.
 */
export class DurableHistory implements History {
  private readonly file: DataFile
  private readonly orderTable: OrderTable
  private readonly fillTable: FillTable
  private readonly forgotten: ReadonlySet<AccountId>
  private readonly orderBuffer = new Map<number, OrderData>()
  private fillBuffer: FillData[] = []
  constructor(file: DataFile, forgotten: ReadonlySet<AccountId>) {
    this.file = file
    this.forgotten = forgotten
    this.orderTable = new OrderTable(file)
    this.fillTable = new FillTable(file)
  }

  addOrder(order: OrderData): void {
    if (!this.forgotten.has(order.account)) this.orderBuffer.set(order.id, order)
  }

  addFill(fill: FillData): void {
    if (!this.forgotten.has(fill.account)) this.fillBuffer.push(fill)
  }

  /** How much is pending: `much` should be written soon. */
  get waiting(): 'nothing' | 'little' | 'much' {
    const count = this.orderBuffer.size + this.fillBuffer.length
    return count === 0 ? 'nothing' : count < bufferMax ? 'little' : 'much'
  }

  /** Writes what was added since the last call; it becomes durable with the next commit. */
  write(): void {
    if (this.waiting === 'nothing') return
    this.file.begin()
    this.file.attempt(() => {
      for (const order of this.orderBuffer.values()) this.orderTable.insert(order)
      for (const fill of this.fillBuffer) this.fillTable.insert(fill)
    })
    this.orderBuffer.clear()
    this.fillBuffer = []
  }

  order(account: AccountId, id: number): OrderData | undefined {
    // Does not write first, because it is called for every order that is canceled too late.
    const waiting = this.orderBuffer.get(id)
    if (waiting === undefined) return this.file.attempt(() => this.orderTable.order(account, id))
    return waiting.account === account ? waiting : undefined
  }

  orders(query: EndedOrdersQuery): readonly OrderData[] {
    return this.ask(() => this.orderTable.newest(query))
  }

  ordersAfter(query: OrdersAfterQuery): readonly OrderData[] {
    return this.ask(() => this.orderTable.after(query))
  }

  fills(query: FillsQuery): readonly FillData[] {
    return this.ask(() => this.fillTable.newest(query))
  }

  private ask<T>(query: () => T): T {
    this.write()
    return this.file.attempt(query)
  }
}

/** Ended orders on disk. Every list is a merge of index ranges, one per requested way of ending. */
class OrderTable {
  private readonly file: DataFile
  private readonly insertion: StatementSync
  private readonly byId: StatementSync
  private readonly idBounds: ReturnType<typeof createIdBounds>
  private readonly lists = new Map<string, StatementSync>()

  constructor(file: DataFile) {
    this.file = file
    const values = orderColumns.map(() => '?').join(', ')
    this.insertion = file.prepare(`INSERT OR IGNORE INTO orders (${orderColumns.join(', ')}) VALUES (${values})`)
    this.byId = file.prepare('SELECT * FROM orders WHERE id = ? AND account = ?')
    this.idBounds = createIdBounds(file, 'orders')
  }

  /** An existing row stays: it came from the same command. */
  insert(order: OrderData): void {
    this.insertion.run(...toOrderRow(order))
  }

  order(account: AccountId, id: number): OrderData | undefined {
    const row = this.byId.get(id, account)
    return row === undefined ? undefined : fromOrderRow(row)
  }

  /** Newest first. */
  newest({ account, symbol, statuses, fromMs, toMs, hasTraded = false, limit }: EndedOrdersQuery): OrderData[] {
    const wanted = endings.flatMap((ending, number) => {
      const isWanted = (statuses === undefined || statuses.includes(ending.status)) && (!hasTraded || ending.hasTraded)
      return isWanted ? [number] : []
    })
    if (wanted.length === 0) return []
    const { low, high } = this.idBounds(fromMs, toMs)
    const bound = { account, low, high, limit, ...(symbol === undefined ? {} : { symbol }) }
    return this.list(orderListSql(wanted, symbol !== undefined, 'DESC'))
      .all(bound)
      .map(fromOrderRow)
  }

  /** Ascending by id. */
  after({ account, afterId, fromMs, limit }: OrdersAfterQuery): OrderData[] {
    const { low, high } = this.idBounds(fromMs, undefined)
    const bound = { account, low: Math.max(low, afterId + 1), high, limit }
    return this.list(orderListSql([...endings.keys()], false, 'ASC'))
      .all(bound)
      .map(fromOrderRow)
  }

  private list(sql: string): StatementSync {
    const known = this.lists.get(sql)
    if (known !== undefined) return known
    const made = this.file.prepare(sql)
    this.lists.set(sql, made)
    return made
  }
}

/** Orders of `$account` with ids from `$low` to `$high` that ended in one of these ways, at most `$limit`. */
export function orderListSql(wantedEndings: readonly number[], isOfSymbol: boolean, direction: 'ASC' | 'DESC'): string {
  const symbol = isOfSymbol ? 'AND symbol = $symbol ' : ''
  const ranges = wantedEndings.map(
    (ending) =>
      `SELECT * FROM orders WHERE account = $account ${symbol}AND ending = ${ending} AND id BETWEEN $low AND $high`,
  )
  return `${ranges.join(' UNION ALL ')} ORDER BY id ${direction} LIMIT $limit`
}

/** Executions on disk; a row's id is its execution's. */
class FillTable {
  private readonly insertion: StatementSync
  private readonly ofAccount: StatementSync
  private readonly ofSymbol: StatementSync
  private readonly idBounds: ReturnType<typeof createIdBounds>

  constructor(file: DataFile) {
    this.insertion = file.prepare(
      `INSERT OR IGNORE INTO fills (id, account, symbol, at_ms, trade_id, order_id, side, ticks, lots, fee_units)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.ofAccount = file.prepare(fillListSql(false))
    this.ofSymbol = file.prepare(fillListSql(true))
    this.idBounds = createIdBounds(file, 'fills')
  }

  /** An existing row stays: it came from the same command. */
  insert(fill: FillData): void {
    const { execId, account, symbol, atMs, tradeId, orderId, side, ticks, lots, feeUnits } = fill
    this.insertion.run(execId, account, symbol, atMs, tradeId, orderId, side, ticks, lots, String(feeUnits))
  }

  /** Newest first. */
  newest({ account, symbol, fromMs, toMs, fromExecId = 0, toExecId, limit }: FillsQuery): FillData[] {
    const bounds = this.idBounds(fromMs, toMs)
    const low = Math.max(bounds.low, fromExecId)
    const high = Math.min(bounds.high, toExecId ?? Number.MAX_SAFE_INTEGER)
    const rows =
      symbol === undefined
        ? this.ofAccount.all({ account, low, high, limit })
        : this.ofSymbol.all({ account, symbol, low, high, limit })
    return rows.map(fromFillRow)
  }
}

/** Fills of `$account` with ids from `$low` to `$high`, newest first, at most `$limit`. */
export const fillListSql = (isOfSymbol: boolean): string =>
  `SELECT * FROM fills WHERE account = $account ${isOfSymbol ? 'AND symbol = $symbol ' : ''}
   AND id BETWEEN $low AND $high
   ORDER BY id DESC LIMIT $limit`

const fromFillRow = (row: Row): FillData => ({
  execId: whole(row, 'id'),
  tradeId: whole(row, 'trade_id'),
  orderId: whole(row, 'order_id'),
  account: whole(row, 'account'),
  symbol: text(row, 'symbol'),
  side: word(row, 'side', sides),
  ticks: whole(row, 'ticks'),
  lots: whole(row, 'lots'),
  feeUnits: large(row, 'fee_units'),
  atMs: whole(row, 'at_ms'),
})

/**
 * Finds a table's ids by time. Ids ascend with `at_ms`, so a few steps by primary key find any moment, and the indexes
 * need no times.
 */
function createIdBounds(file: DataFile, table: 'orders' | 'fills') {
  const atOrAfter = file.prepare(`SELECT id, at_ms FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`)
  const last = file.prepare(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`)

  /** The lowest id from this time on; one above the highest if there is none. */
  const firstFrom = (fromMs: number): number => {
    const lastRow = last.get()
    let low = 0
    let high = lastRow === undefined ? 0 : whole(lastRow, 'id') + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = atOrAfter.get(middle)
      if (row === undefined || whole(row, 'at_ms') >= fromMs) high = middle
      else low = whole(row, 'id') + 1
    }
    return low
  }

  /** The lowest and highest id of rows within these inclusive times. */
  return (fromMs: number | undefined, toMs: number | undefined): { low: number; high: number } => ({
    low: fromMs === undefined ? 0 : firstFrom(fromMs),
    high: toMs === undefined ? Number.MAX_SAFE_INTEGER : firstFrom(toMs + 1) - 1,
  })
}
