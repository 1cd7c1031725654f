import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts'
import { writeFills } from '../../wire/fill.ts'
import { writeOrderPage, writeOrders } from '../../wire/order.ts'
import { badRequest, json } from './answer.ts'
import { type Desk, type ExchangeRoute, given, listedSymbol } from './desk.ts'
import { idParameter, limitParameter, timeParameter, wordParameter } from './parameters.ts'
import { readQuery } from './query.ts'
import { toFill, toOrder } from './views.ts'

const defaultLimit = 100
const ordersCap = 100
const fillsCap = 1_000
const orderPageCap = 1_000

const workingStatuses: readonly OrderStatus[] = ['OPEN', 'PART_FILLED', 'PENDING']

/**
 * The statuses a list shows for the one that was asked for: an open order that has been filled in part is open still.
 */
const statusesFor = (status: OrderStatus | undefined): readonly OrderStatus[] =>
  status === undefined ? workingStatuses : status === 'OPEN' ? ['OPEN', 'PART_FILLED'] : [status]

/** Lists of orders, trades and fills: newest first, save the one by id. */
export function historyRoutes(desk: Desk): ExchangeRoute[] {
  const { venue, wire } = desk
  const bounds = { symbol: listedSymbol(desk), from: timeParameter, to: timeParameter }
  return [
    {
      method: 'GET',
      path: '/orders',
      handle: ({ guest, query }) => {
        const read = readQuery(query, {
          ...bounds,
          status: wordParameter(orderStatuses),
          limit: limitParameter(ordersCap),
        })
        if (!read.ok) return badRequest(read.error)
        const { symbol, from, to, status, limit = defaultLimit } = read.value
        const asked = given({ symbol, fromMs: from, toMs: to })
        const orders = venue.read().orders({ ...guest, ...asked, statuses: statusesFor(status), limit })
        return json(writeOrders(orders.map(toOrder), wire))
      },
    },
    {
      method: 'GET',
      path: '/trades',
      handle: ({ guest, query }) => {
        const read = readQuery(query, { ...bounds, limit: limitParameter(ordersCap) })
        if (!read.ok) return badRequest(read.error)
        const { symbol, from, to, limit = defaultLimit } = read.value
        const orders = venue.read().trades({ ...guest, ...given({ symbol, fromMs: from, toMs: to }), limit })
        return json(writeOrders(orders.map(toOrder), wire))
      },
    },
    {
      method: 'GET',
      path: '/fills',
      handle: ({ guest, query }) => {
        const read = readQuery(query, {
          ...bounds,
          fromExecId: idParameter,
          toExecId: idParameter,
          limit: limitParameter(fillsCap),
        })
        if (!read.ok) return badRequest(read.error)
        const { symbol, from, to, fromExecId, toExecId, limit = defaultLimit } = read.value
        const asked = given({ symbol, fromMs: from, toMs: to, fromExecId, toExecId })
        return json(
          writeFills(
            venue
              .read()
              .fills({ ...guest, ...asked, limit })
              .map(toFill),
            wire,
          ),
        )
      },
    },
    {
      method: 'GET',
      path: '/internal/orders',
      handle: ({ guest, query }) => {
        const read = readQuery(query, {
          from: timeParameter,
          orderId: idParameter,
          limit: limitParameter(orderPageCap),
        })
        if (!read.ok) return badRequest(read.error)
        const { from, orderId: afterId = 0, limit = defaultLimit } = read.value
        const orders = venue.read().ordersAfter({ ...guest, ...given({ fromMs: from }), afterId, limit })
        const nextOrderId = String(orders.at(-1)?.exOrdId ?? query.get('orderId')?.[0] ?? 0)
        return json(writeOrderPage({ nextOrderId, orders: orders.map(toOrder) }, wire))
      },
    },
  ]
}
