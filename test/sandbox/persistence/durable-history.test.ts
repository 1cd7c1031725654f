import { afterAll, expect, test } from 'vitest'
import { orderStatuses } from '../../../src/domain/orders/order.ts'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import {
  type EndedOrdersQuery,
  type FillData,
  type History,
  MemoryHistory,
  type OrderData,
} from '../../../src/sandbox/core/history.ts'
import type { FillsQuery, OrdersAfterQuery } from '../../../src/sandbox/core/views.ts'
import { DataFile } from '../../../src/sandbox/persistence/data-file.ts'
import { DurableHistory, fillListSql, orderListSql } from '../../../src/sandbox/persistence/durable-history.ts'
import { seeded } from '../../bench/book-workload.ts'
import { accountCount, busyDay, founding, newFolder, startMs } from './scene.ts'

const file = DataFile.open(newFolder())
afterAll(() => file.close())

/** Hands everything to both, so that their answers can be compared. */
function both(left: History, right: History): History {
  return {
    addOrder: (order) => {
      left.addOrder(order)
      right.addOrder(order)
    },
    addFill: (fill) => {
      left.addFill(fill)
      right.addFill(fill)
    },
    order: (account, id) => left.order(account, id),
    orders: (query) => left.orders(query),
    ordersAfter: (query) => left.ordersAfter(query),
    fills: (query) => left.fills(query),
  }
}

test('it answers every query as the history in memory does, whether its rows are committed, written or still waiting', () => {
  const memory = new MemoryHistory(1_000_000)
  const durable = new DurableHistory(file, new Set())
  const exchange = new Exchange(both(memory, durable))
  const commands = [...founding(), ...busyDay(8_000, 11)]
  const random = seeded(12)
  const maybe = <T>(value: T): T | undefined => (random(2) === 0 ? value : undefined)
  const time = () => startMs + random(300_000) - 10_000
  const given = <T extends object>(fields: T) => JSON.parse(JSON.stringify(fields))
  let found = 0
  for (const [number, command] of commands.entries()) {
    exchange.execute(command)
    if (number % 500 === 0) durable.write()
    if (number % 1_100 === 0) file.commit()
    if (number % 40 !== 0) continue
    const common = { account: 1 + random(accountCount), limit: 1 + random(60) }
    const between = {
      ...common,
      symbol: maybe(random(3) === 0 ? 'ETH-USD' : 'BTC-USD'),
      fromMs: maybe(time()),
      toMs: maybe(time()),
    }
    const statuses = maybe(orderStatuses.filter(() => random(2) === 0))
    const ordersQuery: EndedOrdersQuery = given({ ...between, statuses, hasTraded: maybe(true) })
    const afterQuery: OrdersAfterQuery = given({ ...common, fromMs: between.fromMs, afterId: random(number + 1) })
    const fillsQuery: FillsQuery = given({
      ...between,
      fromExecId: maybe(random(number + 1)),
      toExecId: maybe(random(2 * number + 1)),
    })
    const [orders, after, fills] = [
      durable.orders(ordersQuery),
      durable.ordersAfter(afterQuery),
      durable.fills(fillsQuery),
    ]
    expect(orders).toEqual(memory.orders(ordersQuery))
    expect(after).toEqual(memory.ordersAfter(afterQuery))
    expect(fills).toEqual(memory.fills(fillsQuery))
    found += Math.min(orders.length, after.length, fills.length)
  }
  expect(found).toBeGreaterThan(200)
})

const order: OrderData = {
  id: 2 ** 53 - 1,
  account: 7,
  clOrdId: 'abc',
  symbol: 'BTC-USD',
  side: 'SELL',
  ordType: 'STOPLIMIT',
  timeInForce: 'GTD',
  execInst: 'ALO',
  expiresAtMs: 2 ** 52,
  atMs: 2 ** 51,
  orderLots: 2 ** 53 - 1,
  limitTicks: 1,
  stopTicks: 2,
  makerPpm: 3,
  takerPpm: 4,
  status: 'CANCELED',
  text: "it's over",
  openLots: 5,
  cumLots: 6,
  cumTickLots: 10n ** 40n,
  lastTicks: 8,
  lastLots: 9,
  refused: null,
}
const fill: FillData = {
  execId: 2 ** 53 - 1,
  tradeId: 2,
  orderId: 3,
  account: 7,
  symbol: 'BTC-USD',
  side: 'BUY',
  ticks: 2 ** 53 - 1,
  lots: 5,
  feeUnits: 123_456_789_012_345_678_901_234_567_890n,
  atMs: 2 ** 51,
}

test('the largest numbers come back as they went in, from the buffer and from the disk', () => {
  const history = new DurableHistory(file, new Set())
  const refused: OrderData = {
    ...order,
    id: 2 ** 53 - 2,
    status: 'REJECTED',
    cumLots: 0,
    execInst: null,
    text: 'price is off the tick',
    refused: { orderQty: '1e-30', price: '0.123456789012345678901234567890', stopPx: null },
  }
  history.addOrder(order)
  history.addOrder(refused)
  history.addFill(fill)
  expect(history.order(7, order.id)).toEqual(order)
  expect(history.order(8, order.id)).toBeUndefined()
  history.write()
  file.commit()
  expect(history.order(7, order.id)).toEqual(order)
  expect(history.order(8, order.id)).toBeUndefined()
  expect(history.orders({ account: 7, limit: 10 })).toEqual([order, refused])
  expect(history.fills({ account: 7, limit: 10 })).toEqual([fill])
})

test('what comes again, as it does in a replay, is there once', () => {
  const history = new DurableHistory(file, new Set())
  for (let times = 0; times < 3; times++) {
    history.addOrder({ ...order, account: 9, id: 2 ** 53 - 3 })
    history.addFill({ ...fill, account: 9, execId: 2 ** 53 - 3 })
    history.write()
  }
  expect(history.orders({ account: 9, limit: 10 })).toHaveLength(1)
  expect(history.fills({ account: 9, limit: 10 })).toHaveLength(1)
})

test('an order that has not ended is no history', () => {
  const history = new DurableHistory(file, new Set())
  history.addOrder({ ...order, status: 'OPEN' })
  expect(() => history.write()).toThrow('has not ended')
})

test.each([
  ['orders of some statuses', orderListSql([0, 1, 2, 5], false, 'DESC'), 'orders_by_ending (account=? AND ending=?'],
  ['orders of a symbol', orderListSql([1, 2], true, 'DESC'), 'orders_by_symbol (account=? AND symbol=? AND ending=?'],
  ['orders by id', orderListSql([0, 1, 2, 3, 4, 5], false, 'ASC'), 'orders_by_ending (account=? AND ending=?'],
  ['fills', fillListSql(false), 'fills_by_account (account=?'],
  ['fills of a symbol', fillListSql(true), 'fills_by_symbol (account=? AND symbol=?'],
  ['one order', 'SELECT * FROM orders WHERE id = ? AND account = ?', 'INTEGER PRIMARY KEY (rowid=?'],
  ['a moment', 'SELECT id, at_ms FROM fills WHERE id >= ? ORDER BY id LIMIT 1', 'INTEGER PRIMARY KEY (rowid>?'],
])('%s are found by index: nothing is scanned and nothing is sorted', (_, sql, index) => {
  const plan = file
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))
  expect(plan.some((step) => step.includes(index))).toBe(true)
  expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})
