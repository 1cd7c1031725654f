import assert from 'node:assert/strict'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { canFollow, nextStatuses, type OrderStatus } from '../../../src/domain/orders/order.ts'
import type { CoreEvent } from '../../../src/sandbox/core/commands.ts'
import type { Exchange } from '../../../src/sandbox/core/exchange.ts'
import type { FillView, OrderView } from '../../../src/sandbox/core/views.ts'
import { aggregate } from '../../fakes/books.ts'

/**
 * Watches an exchange from outside and fails the test as soon as something cannot be. It asks a hundred things after
 * each of thousands of commands, so by Node's own assertions, which cost less than those of Vitest.
 */
export class Invariants {
  private readonly statuses = new Map<number, OrderStatus>()
  private readonly fills = new Map<number, FillView[]>()
  private readonly lastExecIds = new Map<number, number>()
  private readonly tradePrices = new Map<number, string>()

  /** To be called after every command with its events. */
  check(exchange: Exchange, events: readonly CoreEvent[]): void {
    exchange.checkConservation()
    for (const { account } of exchange.read.accounts()) {
      this.collectFills(exchange, account)
      for (const { balance, available } of exchange.read.balances(account))
        assert(available.gte(0) && available.lte(balance), `${available} of ${balance}`)
    }
    for (const event of events) if (event.type === 'order') this.checkOrder(exchange, event)
    for (const { spec, status } of exchange.read.symbols()) checkBook(exchange, spec.symbol, status === 'open')
  }

  private checkOrder(exchange: Exchange, { exOrdId, account, status }: Extract<CoreEvent, { type: 'order' }>): void {
    const before = this.statuses.get(exOrdId)
    if (before !== undefined) {
      assert(canFollow(before, status), `${before} became ${status}`)
      // An ended order says nothing more.
      assert.notDeepEqual(nextStatuses[before], [])
    }
    this.statuses.set(exOrdId, status)
    const order = exchange.read.order(account, exOrdId)
    if (order === undefined) throw new Error(`order ${exOrdId} is not there`)
    this.checkAmounts(order)
  }

  private checkAmounts(order: OrderView): void {
    const fills = this.fills.get(order.exOrdId) ?? []
    const cum = fills.reduce((sum, { qty }) => sum.plus(qty), zero)
    const notional = fills.reduce((sum, { qty, price }) => sum.plus(qty.times(price)), zero)
    const last = fills.at(-1)
    assert.equal(order.cumQty.toFixed(), cum.toFixed())
    assert.equal(order.lastPx?.toFixed(), last?.price.toFixed())
    assert.equal(order.lastShares?.toFixed(), last?.qty.toFixed())
    if (order.avgPx === null) assert(cum.isZero())
    else assert.equal(order.avgPx.toFixed(), shownAverage(notional, cum).toFixed())
    const open = order.orderQty.minus(order.cumQty)
    const leaves = order.ordStatus === 'FILLED' || order.ordStatus === 'PENDING' ? zero : open
    assert.equal(order.leavesQty.toFixed(), leaves.toFixed())
    if (order.ordStatus === 'FILLED') assert(open.isZero())
    if (order.ordStatus === 'OPEN' || order.ordStatus === 'PENDING') assert(cum.isZero())
    if (order.ordStatus === 'PART_FILLED') assert(cum.gt(0) && open.gt(0))
    if (order.ordStatus === 'REJECTED') assert.match(order.text ?? '', /./)
    // A limit is never broken.
    for (const { price } of fills)
      if (order.price !== null) assert(order.side === 'BUY' ? price.lte(order.price) : price.gte(order.price))
  }

  private collectFills(exchange: Exchange, account: number): void {
    const fromExecId = (this.lastExecIds.get(account) ?? 0) + 1
    const fresh = exchange.read.fills({ account, fromExecId, limit: 1_000 }).toReversed()
    for (const fill of fresh) {
      assert(fill.fee.gte(0))
      this.fills.set(fill.exOrdId, [...(this.fills.get(fill.exOrdId) ?? []), fill])
      this.lastExecIds.set(account, fill.execId)
      const trade = `${fill.symbol} ${fill.price.toFixed()} ${fill.qty.toFixed()}`
      assert.equal(this.tradePrices.get(fill.tradeId) ?? trade, trade)
      this.tradePrices.set(fill.tradeId, trade)
    }
  }
}

/** All the digits when they end within reason, else 24 of them: half-even, as the exchange shows an average. */
function shownAverage(notional: Decimal, quantity: Decimal): Decimal {
  const Exact = Decimal.clone({ precision: 120 })
  const average = new Exact(notional.toFixed()).div(quantity.toFixed())
  const isExact = average.times(quantity.toFixed()).eq(notional.toFixed()) && average.precision() < 110
  return isExact ? new Decimal(average.toFixed()) : new Decimal(average.toSignificantDigits(24, 6).toFixed())
}

type Row = { px: Decimal; qty: Decimal; num: number }

const rowText = (price: Decimal, quantity: Decimal, count: number | bigint | null) =>
  `${quantity} at ${price} in ${count}`

const levelsText = (levels: readonly Row[]): string =>
  levels.map(({ px, qty, num }) => rowText(px, qty, num)).join('\n')

/** Orders of a side, best first, as the levels they come to. */
const summedText = (orders: readonly Row[]): string =>
  aggregate(orders.map(({ px, qty, num }) => ({ price: px, quantity: qty, orderId: String(num) })))
    .map(({ price, quantity, orderCount }) => rowText(price, quantity, orderCount))
    .join('\n')

function checkBook(exchange: Exchange, symbol: string, isOpen: boolean): void {
  const l2 = exchange.read.l2(symbol)
  const l3 = exchange.read.l3(symbol)
  if (l2 === undefined || l3 === undefined) throw new Error(`${symbol} has no book`)
  for (const side of ['bids', 'asks'] as const) assert.equal(levelsText(l2[side]), summedText(l3[side]))
  const [bid] = l2.bids
  const [ask] = l2.asks
  if (isOpen && bid !== undefined && ask !== undefined) assert(bid.px.lt(ask.px))
}
