import { anyPriceTicks } from '../engine/book-order.ts'
import type { Fillable, MatchEnd } from '../engine/matching-book.ts'
import { endOrder, releaseHold } from './order-end.ts'
import type { ExchangeState } from './state.ts'
import type { WorkingOrder } from './working-order.ts'

export const insufficientBalance = 'Insufficient Balance'
export const selfMatch = 'Self match'

/** Why the rest of an order was cancelled, for a reader. */
const endTexts: Record<MatchEnd, string | null> = {
  filled: null,
  dry: 'Not enough liquidity',
  selfMatch,
  unpaid: insufficientBalance,
}

/** Lets a new or a just triggered order trade, and settles what becomes of the rest of it. */
export function activate(state: ExchangeState, order: WorkingOrder): void {
  const limitTicks = order.limitTicks
  if (limitTicks === null) executeMarket(state, order)
  else executeLimit(state, order, limitTicks)
}

/**
 * A market order pays from what is available when it runs, so it holds nothing. A triggered stop first gives back what
 * it held as an estimate at its stop price.
 */
function executeMarket(state: ExchangeState, order: WorkingOrder): void {
  releaseHold(order)
  const fillable = order.market.book.fillable(order, anyPriceTicks[order.side], order.openLots, payer(order))
  if (cannotStart(state, order, fillable)) return
  order.market.book.match(order, anyPriceTicks[order.side], fillable.lots)
  endOrder(state, order, fillable.end === 'filled' ? 'FILLED' : 'CANCELED', endTexts[fillable.end])
}

function executeLimit(state: ExchangeState, order: WorkingOrder, limitTicks: number): void {
  const { book, status } = order.market
  if (status !== 'open') {
    rest(state, order, limitTicks)
    return
  }
  if (order.timeInForce === 'FOK' || order.minLots > 0)
    if (cannotStart(state, order, book.fillable(order, limitTicks, order.openLots))) return
  const end = book.match(order, limitTicks, order.openLots)
  if (end === 'filled') endOrder(state, order, 'FILLED', null)
  else if (end === 'selfMatch' || order.timeInForce === 'IOC') endOrder(state, order, 'CANCELED', endTexts[end])
  else rest(state, order, limitTicks)
}

function rest(state: ExchangeState, order: WorkingOrder, limitTicks: number): void {
  order.market.book.rest(order, limitTicks)
  order.status = order.cumLots > 0 ? 'PART_FILLED' : 'OPEN'
  state.emitOrder(order)
}

/** Cancels, untouched, an order that must fill whole (FOK) or by a minimum at once, and cannot. */
function cannotStart(state: ExchangeState, order: WorkingOrder, { lots, end }: Fillable): boolean {
  const neededLots = order.timeInForce === 'FOK' ? order.openLots : order.minLots
  if (lots >= neededLots) return false
  endOrder(state, order, 'CANCELED', endTexts[end])
  return true
}

/** How many of the lots at a price the holder can still pay for, each answer counted as spent. */
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
 * Sets off the stops that trades since the last call have reached, in the order in which they were reached, and those that
 * the fills of these reach, until none is left.
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
