import type { StatementSync } from 'node:sqlite'
import { sides } from '../../domain/orders/order.ts'
import type { FillData } from '../core/order-data.ts'
import type { FillsQuery } from '../core/views.ts'
import { large, type Row, text, whole, word } from './columns.ts'
import type { DataFile } from './data-file.ts'
import { createIdBounds } from './id-bounds.ts'

/** The executions on disk; a row's id is its execution's. */
export class FillTable {
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

  /** One that is there already stays as it is: it came from the same command. */
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
  `SELECT * FROM fills WHERE account = $account ${isOfSymbol ? 'AND symbol = $symbol ' : ''}AND id BETWEEN $low AND $high
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
