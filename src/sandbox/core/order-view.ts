import { Decimal, zero } from '../../domain/money.ts'
import { decimalFromUnits, ledgerScale } from '../ledger/units.ts'
import { exactQuotient } from './average-price.ts'
import type { Market } from './market.ts'
import type { FillData, OrderData } from './order-data.ts'
import type { FillView, OrderView } from './views.ts'

/** An order as it is reported. `market` is undefined only for an order that was refused for its unknown symbol. */
export function orderView(order: OrderData, market: Market | undefined): OrderView {
  const { refused } = order
  const common = {
    exOrdId: order.id,
    account: order.account,
    clOrdId: order.clOrdId,
    symbol: order.symbol,
    side: order.side,
    ordType: order.ordType,
    ordStatus: order.status,
    timeInForce: order.timeInForce,
    text: order.text,
    timestamp: order.atMs,
  }
  if (refused !== null) {
    const orderQty = new Decimal(refused.orderQty)
    return {
      ...common,
      price: decimalOrNull(refused.price),
      stopPx: decimalOrNull(refused.stopPx),
      orderQty,
      leavesQty: orderQty,
      cumQty: zero,
      avgPx: null,
      lastPx: null,
      lastShares: null,
    }
  }
  if (market === undefined) throw new Error(`order ${order.id} is of an unknown symbol`)
  return {
    ...common,
    price: times(order.limitTicks, market.tickSize),
    stopPx: times(order.stopTicks, market.tickSize),
    orderQty: market.lotSize.times(order.orderLots),
    leavesQty: market.lotSize.times(leavesLots(order)),
    cumQty: market.lotSize.times(order.cumLots),
    avgPx: averagePrice(order, market),
    lastPx: times(order.lastTicks, market.tickSize),
    lastShares: times(order.lastLots, market.lotSize),
  }
}

export function fillView(fill: FillData, market: Market): FillView {
  return {
    exOrdId: fill.orderId,
    tradeId: fill.tradeId,
    execId: fill.execId,
    account: fill.account,
    side: fill.side,
    symbol: fill.symbol,
    price: market.tickSize.times(fill.ticks),
    qty: market.lotSize.times(fill.lots),
    fee: decimalFromUnits(fill.feeUnits),
    timestamp: fill.atMs,
  }
}

/** What is still open, or was before the order ended; an untriggered stop is reported with none. */
const leavesLots = ({ status, openLots }: OrderData): number => (status === 'PENDING' ? 0 : openLots)

function averagePrice({ cumTickLots, cumLots }: OrderData, { tickUnits }: Market): Decimal | null {
  if (cumLots === 0) return null
  return exactQuotient(cumTickLots * tickUnits, BigInt(cumLots) * 10n ** BigInt(ledgerScale))
}

const times = (steps: number | null, step: Decimal): Decimal | null => (steps === null ? null : step.times(steps))
const decimalOrNull = (text: string | null): Decimal | null => (text === null ? null : new Decimal(text))
