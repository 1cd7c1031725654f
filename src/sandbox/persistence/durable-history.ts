import type { AccountId } from '../core/commands.ts'
import type { EndedOrdersQuery, History } from '../core/history.ts'
import type { FillData, OrderData } from '../core/order-data.ts'
import type { FillsQuery, OrdersAfterQuery } from '../core/views.ts'
import type { DataFile } from './data-file.ts'
import { FillTable } from './fill-table.ts'
import { OrderTable } from './order-table.ts'

/** With so many rows waiting they are written: a millisecond's work, which nobody notices. */
const bufferMax = 250

/**
 * The history on disk. What is added waits in memory until `write` puts it into the transaction under way; a query
 * writes first, so it finds everything, committed or not. Rows may come long after the commands they came from, and
 * come again when those are replayed: the journal is what must not be late.
 *
 * The accounts in `forgotten` leave nothing behind: the market's own flow ends tens of orders a second that nobody asks
 * for.
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

  /** How much is waiting: `much` should be written soon. */
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
    // No write for this one: it is asked about every order that somebody cancels too late.
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
