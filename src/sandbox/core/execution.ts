import type { OrderStatus } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/side.ts'
import { indicativeAuction, selfMatchesAt } from '../engine/auction.ts'
import type { MatchEnd } from '../engine/matching-book.ts'
import { anyPriceTicks } from '../engine/price-levels.ts'
import { unitsPerOne } from '../ledger/units.ts'
import { dollar, type Market, type WorkingOrder } from './entities.ts'
import type { ExchangeState } from './state.ts'

export const insufficientBalance = 'Insufficient Balance'
const selfMatch = 'Self match'

/** Why the rest of an order was canceled, as text. */
const endTexts: Record<MatchEnd, string | null> = {
  filled: null,
  dry: 'Not enough liquidity',
  selfMatch,
  unpaid: insufficientBalance,
}

/** Executes a new or just-triggered order, and settles its remainder. */
export function activate(state: ExchangeState, order: WorkingOrder): void {
  const limitTicks = order.limitTicks
  if (limitTicks === null) executeMarket(state, order)
  else executeLimit(state, order, limitTicks)
}

/**
 * A market order pays from the available balance when it executes, so it holds nothing. A triggered stop first releases
 * the hold estimated from its stop price.
 */
function executeMarket(state: ExchangeState, order: WorkingOrder): void {
  const { book } = order.market
  const limitTicks = anyPriceTicks[order.side]
  releaseHold(order)
  if (isOutOfReach(state, order, limitTicks)) return
  const { lots, end } = book.fillable(order, limitTicks, order.openLots, payer(order))
  if (lots >= lotsAtOnce(order)) book.match(order, limitTicks, lots)
  endOrder(state, order, order.openLots === 0 ? 'FILLED' : 'CANCELED', endTexts[end])
}

function executeLimit(state: ExchangeState, order: WorkingOrder, limitTicks: number): void {
  const { book, status } = order.market
  if (status !== 'open') {
    rest(state, order, limitTicks)
    return
  }
  const neededLots = lotsAtOnce(order)
  if (neededLots > 0) {
    if (isOutOfReach(state, order, limitTicks)) return
    const fillable = book.fillable(order, limitTicks, neededLots)
    if (fillable.lots < neededLots) {
      endOrder(state, order, 'CANCELED', endTexts[fillable.end])
      return
    }
  }
  const end = book.match(order, limitTicks, order.openLots)
  if (end === 'filled') endOrder(state, order, 'FILLED', null)
  else if (end === 'selfMatch' || order.timeInForce === 'IOC') endOrder(state, order, 'CANCELED', endTexts[end])
  else rest(state, order, limitTicks)
}

/** Lots that must fill at once or not at all: all of a FOK, the minimum quantity of an IOC. */
const lotsAtOnce = (order: WorkingOrder): number => (order.timeInForce === 'FOK' ? order.openLots : order.minLots)

/** Cancels an order that must fill more at once than the book holds within its limit. */
function isOutOfReach(state: ExchangeState, order: WorkingOrder, limitTicks: number): boolean {
  if (order.market.book.holds(order.side, limitTicks, lotsAtOnce(order))) return false
  endOrder(state, order, 'CANCELED', endTexts.dry)
  return true
}

function rest(state: ExchangeState, order: WorkingOrder, limitTicks: number): void {
  order.market.book.rest(order, limitTicks)
  order.status = order.cumLots > 0 ? 'PART_FILLED' : 'OPEN'
  state.emitOrder(order)
}

/** Returns how many lots at a price the account can still pay for; each answer counts as spent. */
function payer(order: WorkingOrder): (ticks: number, lots: number) => number {
  const { market, side, takerPpm } = order
  let leftUnits = order.spends.available
  return (ticks, lots) => {
    const lotUnits = side === 'BUY' ? market.costPerLot(ticks, takerPpm) : market.lotUnits
    const wantedUnits = lotUnits * BigInt(lots)
    const payable = wantedUnits <= leftUnits ? lots : Number(leftUnits / lotUnits)
    leftUnits -= lotUnits * BigInt(payable)
    return payable
  }
}

/**
 * Triggers the stops reached by trades since the last call, in the order reached, and those reached by their fills,
 * until none is left.
 */
export function runTriggeredStops(state: ExchangeState, market: WorkingOrder['market']): void {
  const triggered: WorkingOrder[] = []
  let done = 0
  for (;;) {
    const { low, high } = market.uncheckedTicks
    market.uncheckedTicks.low = Number.POSITIVE_INFINITY
    market.uncheckedTicks.high = 0
    for (let stop = market.stops.takeTriggered(low, high); stop !== undefined; ) {
      triggered.push(stop)
      stop = market.stops.takeTriggered(low, high)
    }
    const next = triggered[done]
    if (next === undefined) return
    done += 1
    activate(state, next)
  }
}

/**
 * Executes all crossing orders in one step at one price; for a market that is not open yet. If two orders of one
 * account would match, the newer one is canceled first, and the price is determined again without it.
 */
export function uncross(state: ExchangeState, market: Market): void {
  for (;;) {
    const auction = indicativeAuction(market.book, market.ticker.lastTicks)
    if (auction === null) return
    const own = selfMatchesAt(market.book, auction.ticks)
    for (const order of own) withdrawOrder(state, order, 'CANCELED', selfMatch)
    if (own.length > 0) continue
    market.book.uncross(auction.ticks)
    return
  }
}

type EndStatus = Extract<OrderStatus, 'FILLED' | 'CANCELED' | 'EXPIRED'>

/** Ends a working order that is no longer in a queue: releases its hold, and moves it to the history. */
function endOrder(state: ExchangeState, order: WorkingOrder, status: EndStatus, text: string | null): void {
  releaseHold(order)
  order.status = status
  order.text = text
  order.market.workingLots[order.side] -= order.openLots
  state.orders.delete(order.id)
  state.expiries.remove(order)
  order.holder.workingOrders.delete(order.clOrdId)
  state.history.addOrder(order.data())
  state.emitOrder(order)
}

/** Removes an order from the book or from the stops, and ends it. */
export function withdrawOrder(state: ExchangeState, order: WorkingOrder, status: EndStatus, text: string | null): void {
  if (order.status === 'PENDING') order.market.stops.remove(order)
  else order.market.book.remove(order)
  endOrder(state, order, status, text)
}

/** Sets a resting order's status after a fill: it ends once nothing is open. */
function finishFilled(state: ExchangeState, order: WorkingOrder): void {
  if (order.openLots === 0) {
    endOrder(state, order, 'FILLED', null)
    return
  }
  order.status = 'PART_FILLED'
  state.emitOrder(order)
}

/** Releases what is held for the open lots; afterwards nothing is held. */
function releaseHold(order: WorkingOrder): void {
  if (order.openLots > 0) order.spends.release(order.holdPerLot * BigInt(order.openLots))
  order.holdPerLot = 0n
}

/** Ends every GTD order whose day is over. */
export function expireDue(state: ExchangeState): void {
  while (state.expiries.nextMs <= state.nowMs)
    for (const order of state.expiries.nextOrders()) withdrawOrder(state, order, 'EXPIRED', null)
}

/**
 * Books one fill: money, fees, volumes, executions, ticker. In an open market the taker pays the taker rate and the
 * maker the maker rate; in an auction (the market is not open yet) both orders were resting, and both pay the maker
 * rate.
 */
export function settleFill(
  state: ExchangeState,
  taker: WorkingOrder,
  maker: WorkingOrder,
  ticks: number,
  lots: number,
) {
  const { market } = taker
  const takerSide: Side | null = market.status === 'open' ? taker.side : null
  const tickLots = ticks * lots
  const notionalUnits = BigInt(tickLots) * market.tickLotUnits
  const feePpmUnits = BigInt(tickLots) * market.tickLotPpmUnits
  const takerFeeUnits = feePpmUnits * BigInt(takerSide === null ? taker.makerPpm : taker.takerPpm)
  const makerFeeUnits = feePpmUnits * BigInt(maker.makerPpm)
  movePosition(taker, lots, notionalUnits, takerFeeUnits)
  movePosition(maker, lots, notionalUnits, makerFeeUnits)
  state.feeAccount.wallet.cell(market.counter.index).credit(takerFeeUnits + makerFeeUnits)

  market.ticker.add(state.nowMs, ticks, lots)
  const unchecked = market.uncheckedTicks
  unchecked.low = Math.min(unchecked.low, ticks)
  unchecked.high = Math.max(unchecked.high, ticks)
  addVolumes(state, taker, maker, notionalUnits)

  const tradeId = state.nextId('trade')
  const [buy, sell] = taker.side === 'BUY' ? [taker, maker] : [maker, taker]
  state.events.push({
    type: 'trade',
    tradeId,
    symbol: market.spec.symbol,
    ticks,
    lots,
    takerSide,
    buyOrderId: buy.id,
    sellOrderId: sell.id,
    atMs: state.nowMs,
  })
  recordFill(state, taker, tradeId, ticks, lots, takerFeeUnits)
  recordFill(state, maker, tradeId, ticks, lots, makerFeeUnits)
  finishFilled(state, maker)
  // In continuous trading the taker's own code path finishes it; in an auction both sides only rest.
  if (takerSide === null) finishFilled(state, taker)
}

/** Uses up the hold of these lots: price and fee are paid from it, and the rest becomes available again. */
function movePosition(order: WorkingOrder, lots: number, notionalUnits: bigint, feeUnits: bigint): void {
  const { market, holder } = order
  const lotUnits = BigInt(lots) * market.lotUnits
  const heldUnits = order.holdPerLot * BigInt(lots)
  if (order.side === 'BUY') {
    order.spends.pay(notionalUnits + feeUnits, heldUnits)
    holder.wallet.cell(market.base.index).credit(lotUnits)
  } else {
    order.spends.pay(lotUnits, heldUnits)
    holder.wallet.cell(market.counter.index).credit(notionalUnits - feeUnits)
  }
}

/** Volume counts in USD at the counter currency's last price; without any price it counts as zero. */
function addVolumes(state: ExchangeState, taker: WorkingOrder, maker: WorkingOrder, notionalUnits: bigint): void {
  const { counter } = taker.market
  const usdUnits =
    counter.spec.code === dollar ? notionalUnits : (notionalUnits * (state.usdRateUnits(counter) ?? 0n)) / unitsPerOne
  taker.holder.volume.add(state.nowMs, usdUnits)
  maker.holder.volume.add(state.nowMs, usdUnits)
}

function recordFill(
  state: ExchangeState,
  order: WorkingOrder,
  tradeId: number,
  ticks: number,
  lots: number,
  feeUnits: bigint,
): void {
  order.cumLots += lots
  order.cumTickLots += BigInt(ticks * lots)
  order.lastTicks = ticks
  order.lastLots = lots
  order.market.workingLots[order.side] -= lots
  state.history.addFill({
    execId: state.nextId('execution'),
    tradeId,
    orderId: order.id,
    account: order.account,
    symbol: order.symbol,
    side: order.side,
    ticks,
    lots,
    feeUnits,
    atMs: state.nowMs,
  })
}
