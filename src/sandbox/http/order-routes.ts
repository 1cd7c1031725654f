import { err, ok, type Result } from '../../base/result.ts'
import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts'
import {
  idParameter,
  limitParameter,
  type Query,
  type RequestBody,
  readQuery,
  timeParameter,
  wordParameter,
} from '../../http-server/request.ts'
import {
  type Answer,
  badRequest,
  checkJsonType,
  given,
  json,
  jsonBounds,
  notFound,
  nothing,
  type RouteRequest,
} from '../../http-server/route.ts'
import { writeFills, writeOrder, writeOrderPage, writeOrders } from '../../wire/order.ts'
import { type NewOrder, readCancelAll, readNewOrder } from '../../wire/order-requests.ts'
import type { AccountId, OrderRequest } from '../core/commands.ts'
import { type ExchangeContext, type ExchangeRoute, type Guest, listedSymbol, refusal } from './exchange-route.ts'
import { toFill, toOrder } from './to-domain.ts'

type ExchangeRequest = RouteRequest<Guest>

/** Placing, showing and canceling orders. */
export function orderRoutes(desk: ExchangeContext): ExchangeRoute[] {
  const { exchange } = desk
  return [
    { method: 'POST', path: '/orders', handle: (request) => placeOrder(desk, request) },
    { method: 'DELETE', path: '/orders', handle: (request) => cancelOrders(desk, request) },
    {
      method: 'GET',
      path: '/orders/:orderId',
      handle: ({ guest, params }) => {
        const orderId = readOrderId(params.orderId)
        return orderId === undefined ? notFound : showOrder(desk, guest.account, orderId)
      },
    },
    {
      method: 'DELETE',
      path: '/orders/:orderId',
      handle: async ({ guest, params }) => {
        const exOrdId = readOrderId(params.orderId)
        if (exOrdId === undefined) return notFound
        const outcome = await exchange.submit('cancelOrder', { account: guest.account, exOrdId })
        if (outcome.ok) return nothing
        return outcome.refusal.kind === 'notFound' ? notFound : refusal(outcome.refusal)
      },
    },
  ]
}

/** An id that the exchange may have assigned; undefined for any other text. */
const readOrderId = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined

function showOrder({ exchange, wire }: ExchangeContext, account: AccountId, exOrdId: number): Answer {
  const order = exchange.read().order(account, exOrdId)
  return order === undefined ? notFound : json(writeOrder(toOrder(order), wire))
}

async function placeOrder(desk: ExchangeContext, { guest, body }: ExchangeRequest): Promise<Answer> {
  const wrongType = checkJsonType(body)
  if (wrongType !== null) return wrongType
  const read = readNewOrder(body.text, jsonBounds)
  if (!read.ok) return badRequest(read.error)
  const outcome = await desk.exchange.submit('placeOrder', toRequest(guest.account, read.value))
  return outcome.ok ? showOrder(desk, guest.account, outcome.value.exOrdId) : refusal(outcome.refusal)
}

function toRequest(account: AccountId, order: NewOrder): OrderRequest {
  const { orderQuantity, limitPrice, stopPrice, minQuantity, timeInForce, expireDate } = order
  return {
    account,
    clOrdId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    ordType: order.type,
    amounts: {
      orderQty: orderQuantity.toString(),
      ...given({ price: limitPrice?.toString(), stopPx: stopPrice?.toString(), minQty: minQuantity?.toString() }),
    },
    ...given({ timeInForce, expireDate: expireDate === null ? null : Number(expireDate) }),
    ...(order.postOnly ? { execInst: 'ALO' } : {}),
  }
}

async function cancelOrders(desk: ExchangeContext, { guest, query, body }: ExchangeRequest): Promise<Answer> {
  const symbol = symbolToCancel(desk, query, body)
  if (!symbol.ok) return badRequest(symbol.error)
  const outcome = await desk.exchange.submit('cancelOrders', {
    account: guest.account,
    ...given({ symbol: symbol.value }),
  })
  return outcome.ok ? nothing : refusal(outcome.refusal)
}

/**
 * The symbol named in the query or in a JSON body; undefined if neither names one, which means every symbol. So an
 * unreadable body is refused: it may contain a symbol, and canceling everything would not be what was meant.
 */
function symbolToCancel(desk: ExchangeContext, query: Query, body: RequestBody): Result<string | undefined> {
  const fromQuery = readQuery(query, { symbol: listedSymbol(desk) })
  if (!fromQuery.ok) return fromQuery
  if (body.text.trim() === '') return ok(fromQuery.value.symbol)
  const fromBody = readCancelAll(body.text, jsonBounds)
  if (!fromBody.ok) return fromBody
  const symbol = fromBody.value.symbol ?? fromQuery.value.symbol
  if (symbol === undefined) return ok(undefined)
  if (desk.exchange.read().status(symbol) === undefined) return err('field "symbol" is not a symbol of this exchange')
  const isTwofold = fromQuery.value.symbol !== undefined && fromQuery.value.symbol !== symbol
  return isTwofold ? err('field "symbol" and query parameter "symbol" differ') : ok(symbol)
}

const defaultLimit = 100
const ordersCap = 100
const fillsCap = 1_000
const orderPageCap = 1_000

/** The last id of an earlier page, as text: an empty page gives it back with all its digits. */
const cursorParameter = (text: string) => {
  const reading = idParameter(text)
  return 'must' in reading ? reading : { value: text }
}

const workingStatuses: readonly OrderStatus[] = ['OPEN', 'PART_FILLED', 'PENDING']

/** The statuses listed for a requested one: an open order that is partly filled is still open. */
const statusesFor = (status: OrderStatus | undefined): readonly OrderStatus[] =>
  status === undefined ? workingStatuses : status === 'OPEN' ? ['OPEN', 'PART_FILLED'] : [status]

/** Lists of orders, trades and fills: newest first, except the one by id. */
export function historyRoutes(desk: ExchangeContext): ExchangeRoute[] {
  const { exchange, wire } = desk
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
        const orders = exchange.read().orders({ ...guest, ...asked, statuses: statusesFor(status), limit })
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
        const orders = exchange.read().trades({ ...guest, ...given({ symbol, fromMs: from, toMs: to }), limit })
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
            exchange
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
          orderId: cursorParameter,
          limit: limitParameter(orderPageCap),
        })
        if (!read.ok) return badRequest(read.error)
        const { from, orderId: after = '0', limit = defaultLimit } = read.value
        const asked = given({ fromMs: from })
        const orders = exchange.read().ordersAfter({ ...guest, ...asked, afterId: Number(after), limit })
        const nextOrderId = String(orders.at(-1)?.exOrdId ?? after)
        return json(writeOrderPage({ nextOrderId, orders: orders.map(toOrder) }, wire))
      },
    },
  ]
}
