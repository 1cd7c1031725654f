import type { Side } from '../../domain/orders/order.ts'
import { unitsPerOne } from '../ledger/units.ts'
import { dollar, type WorkingOrder } from './entities.ts'
import { finishFilled } from './execution.ts'
import type { ExchangeState } from './state.ts'

/**
 * Books one fill: money, fees, volumes, executions, ticker. In an open market the taker pays the taker rate and the
 * maker the maker rate; in an auction (the market is not open yet) both had been resting, and both pay the maker rate.
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
  // In continuous trading the taker's own flow says what becomes of it; in an auction both sides only rest.
  if (takerSide === null) finishFilled(state, taker)
}

/** What was held for the lots goes; of it only the price and the fee are paid: the rest is available again. */
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

/** Volume counts in USD at the counter currency's last price; a counter without any price counts nothing. */
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
