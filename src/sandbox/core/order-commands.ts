import { isTriggered } from '../engine/matching-book.ts'
import { ratesFor } from '../ledger/fees.ts'
import {
  type AccountId,
  type CommandArguments,
  conflict,
  type Done,
  done,
  invalid,
  type OrderReport,
  type OrderRequest,
  unknown,
} from './commands.ts'
import { type Account, type Market, WorkingOrder } from './entities.ts'
import { activate, insufficientBalance, runTriggeredStops, withdrawOrder } from './execution.ts'
import type { OrderData } from './history.ts'
import {
  checkShape,
  type OrderAmounts,
  type OrderShape,
  parseAmounts,
  readAmounts,
  sentAmounts,
} from './order-validation.ts'
import type { ExchangeState } from './state.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Places an order: accepts it and executes what the book allows, or returns it REJECTED with the reason if it breaks a
 * business rule. Only a malformed request, or one of an unknown account, gets no order as its answer.
 */
export function placeOrder(state: ExchangeState, request: OrderRequest): Done<OrderReport> {
  const account = state.client(request.account)
  if (account === undefined) return unknown('account')
  const sent = parseAmounts(request)
  if (!sent.ok) return sent
  const shape = checkShape(request)
  if (!shape.ok) return shape
  if (request.symbol.length > 40) return invalid('symbol', 'symbol is longer than 40 characters')

  const market = state.markets.get(request.symbol)
  const rejected = (text: string) => done(reject(state, request, shape.value, market, text))
  if (market === undefined) return rejected('Unknown symbol')
  const amounts = readAmounts(request.ordType, sent.value, market)
  if (typeof amounts === 'string') return rejected(amounts)
  const asked = { account, market, request, shape: shape.value, amounts }
  const refusal = statusRefusal(asked) ?? orderRefusal(state, asked)
  if (refusal !== undefined) return rejected(refusal)
  const order = newOrder(state, asked)
  return canPay(order) ? done(accept(state, order)) : rejected(insufficientBalance)
}

/** A well-formed order request. */
type Asked = { account: Account; market: Market; request: OrderRequest; shape: OrderShape; amounts: OrderAmounts }

function statusRefusal({ request: { ordType }, shape: { timeInForce }, market: { status } }: Asked) {
  if (status === 'open') return undefined
  if (status !== 'halt') return `Symbol is not open: its status is ${status}`
  const mayRest = ordType === 'LIMIT' && (timeInForce === 'GTC' || timeInForce === 'GTD')
  return mayRest ? undefined : 'Symbol is halted: it takes LIMIT orders with GTC or GTD only'
}

function orderRefusal(state: ExchangeState, asked: Asked): string | undefined {
  const { account, market, request, shape, amounts } = asked
  if (shape.expiresAtMs !== null && shape.expiresAtMs <= state.nowMs) return 'The expireDate is past'
  if (account.workingOrders.has(request.clOrdId)) return 'Duplicate clOrdId: an order with it is still working'
  if (market.workingLots[request.side] + amounts.lots > Number.MAX_SAFE_INTEGER)
    return 'The quantity is too large for the book'
  const isMaker = request.execInst !== 'ALO' || !market.book.crosses(request.side, amounts.limitTicks ?? 0)
  return isMaker ? undefined : 'ALO order would match'
}

function newOrder(state: ExchangeState, { account, market, request, shape, amounts }: Asked): WorkingOrder {
  const rates = ratesFor(state.tiers, account.volume.total(state.nowMs))
  const data = blankOrder(state, request, shape)
  data.id = state.counters.order + 1
  data.makerPpm = rates.makerPpm
  data.takerPpm = rates.takerPpm
  data.orderLots = amounts.lots
  data.openLots = amounts.lots
  data.limitTicks = amounts.limitTicks
  data.stopTicks = amounts.stopTicks
  return new WorkingOrder(data, account, market, amounts.minLots)
}

/**
 * Whether the available balance covers the order. A stop without a limit is estimated at its stop price; once
 * triggered, it pays from the available balance. A market order needs the money for one lot at the best price.
 */
function canPay(order: WorkingOrder): boolean {
  const { market, side, spends, takerPpm } = order
  const ticks = order.limitTicks ?? order.stopTicks
  if (ticks !== null) {
    const holdPerLot = side === 'BUY' ? market.costPerLot(ticks, takerPpm) : market.lotUnits
    if (holdPerLot * BigInt(order.openLots) > spends.available) return false
    order.holdPerLot = holdPerLot
    return true
  }
  const bestTicks = market.book.opposite(side).best?.ticks
  const minUnits = side === 'SELL' ? market.lotUnits : market.costPerLot(bestTicks ?? 0, takerPpm)
  return spends.available >= minUnits
}

function accept(state: ExchangeState, order: WorkingOrder): OrderReport {
  const { market, spends } = order
  state.nextId('order')
  enterOrder(state, order)
  spends.hold(order.holdPerLot * BigInt(order.openLots))
  const { lastTicks } = market.ticker
  const mustWait =
    order.stopTicks !== null && (lastTicks === null || !isTriggered(order.side, order.stopTicks, lastTicks))
  if (mustWait) {
    market.stops.add(order, order.stopTicks ?? 0)
    state.emitOrder(order)
  } else {
    activate(state, order)
    runTriggeredStops(state, market)
  }
  return report(order)
}

/** Registers a working order with everything that tracks it. */
export function enterOrder(state: ExchangeState, order: WorkingOrder): void {
  state.orders.set(order.id, order)
  order.holder.workingOrders.set(order.clOrdId, order)
  state.expiries.add(order)
  order.market.workingLots[order.side] += order.openLots
}

/** Records a rejected order in the history with the amounts as sent. Nothing is held for it. */
function reject(
  state: ExchangeState,
  request: OrderRequest,
  shape: OrderShape,
  market: Market | undefined,
  text: string,
): OrderReport {
  const order = blankOrder(state, request, shape)
  order.id = state.nextId('order')
  order.status = 'REJECTED'
  order.text = text
  order.refused = sentAmounts(request, market)
  state.history.addOrder(order)
  state.emitOrder(order)
  return report(order)
}

/** The fields that the request determines; the caller fills in the rest. */
function blankOrder(state: ExchangeState, request: OrderRequest, shape: OrderShape): Mutable<OrderData> {
  return {
    id: 0,
    account: request.account,
    clOrdId: request.clOrdId,
    symbol: request.symbol,
    side: request.side,
    ordType: request.ordType,
    timeInForce: shape.timeInForce,
    execInst: request.execInst ?? null,
    expiresAtMs: shape.expiresAtMs,
    atMs: state.nowMs,
    orderLots: 0,
    limitTicks: null,
    stopTicks: null,
    makerPpm: 0,
    takerPpm: 0,
    status: 'PENDING',
    text: null,
    openLots: 0,
    cumLots: 0,
    cumTickLots: 0n,
    lastTicks: null,
    lastLots: null,
    refused: null,
  }
}

/** The immediate answer to the sender. */
const report = (order: OrderData): OrderReport => ({
  exOrdId: order.id,
  ordStatus: order.status,
  text: order.text,
  openLots: order.openLots,
  cumLots: order.cumLots,
})

const frozen = 'Symbol is frozen: orders cannot be canceled now'

/** Cancels one working order of the account. */
export function cancelOrder(
  state: ExchangeState,
  { account, exOrdId }: CommandArguments['cancelOrder'],
): Done<OrderReport> {
  const order = state.orders.get(exOrdId)
  if (order === undefined || order.account !== account) {
    const hasEnded = state.history.order(account, exOrdId) !== undefined
    return hasEnded ? conflict('The order has ended') : unknown('order')
  }
  if (order.market.status === 'halt-freeze') return conflict(frozen)
  withdrawOrder(state, order, 'CANCELED', null)
  return done(report(order))
}

/**
 * Cancels every working order of the account, or of one symbol. Orders of frozen symbols stay, which is no refusal: the
 * list of orders tells what stays.
 */
export function cancelOrders(
  state: ExchangeState,
  { account, symbol }: { account: AccountId; symbol?: string },
): Done<{ canceledIds: readonly number[] }> {
  const holder = state.client(account)
  if (holder === undefined) return unknown('account')
  const market = symbol === undefined ? undefined : state.markets.get(symbol)
  if (symbol !== undefined && market === undefined) return unknown('symbol')
  const canceled = [...holder.workingOrders.values()].filter(
    (order) => (market === undefined || order.market === market) && order.market.status !== 'halt-freeze',
  )
  for (const order of canceled) withdrawOrder(state, order, 'CANCELED', null)
  return done({ canceledIds: canceled.map(({ id }) => id) })
}
