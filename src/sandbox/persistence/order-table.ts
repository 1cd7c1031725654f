import type { StatementSync } from 'node:sqlite'
import type { AccountId } from '../core/commands.ts'
import type { EndedOrdersQuery } from '../core/history.ts'
import type { OrderData } from '../core/order-data.ts'
import type { OrdersAfterQuery } from '../core/views.ts'
import type { DataFile } from './data-file.ts'
import { createIdBounds } from './id-bounds.ts'
import { endings, fromOrderRow, orderColumns, toOrderRow } from './order-rows.ts'

/** The ended orders on disk. Every list is a merge of index ranges, one for each way of ending that it wants. */
export class OrderTable {
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

  /** One that is there already stays as it is: it came from the same command. */
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

/** Orders of `$account` with ids from `$low` to `$high` that ended in one of these ways, at most `$limit` of them. */
export function orderListSql(wantedEndings: readonly number[], isOfSymbol: boolean, direction: 'ASC' | 'DESC'): string {
  const symbol = isOfSymbol ? 'AND symbol = $symbol ' : ''
  const ranges = wantedEndings.map(
    (ending) =>
      `SELECT * FROM orders WHERE account = $account ${symbol}AND ending = ${ending} AND id BETWEEN $low AND $high`,
  )
  return `${ranges.join(' UNION ALL ')} ORDER BY id ${direction} LIMIT $limit`
}
