import type { Side } from '../../domain/side.ts'
import { type BookOrder, type PriceLevel, PriceLevels } from './price-levels.ts'

/** Called for every fill, after the book has been updated. It must not change the book. */
export interface FillListener<O> {
  onFill(taker: O, maker: O, ticks: number, lots: number): void
}

/**
 * Why matching stopped. `filled`: everything wanted. `dry`: nothing more within the limit. `selfMatch`: the next order
 * in the queue has the same owner. `unpaid`: the money ran out.
 */
export type MatchEnd = 'filled' | 'dry' | 'selfMatch' | 'unpaid'
type Fillable = { lots: number; end: MatchEnd }

/**
 * The order book of one symbol in whole ticks and lots, with price-time priority. Every sum of lots must stay a safe
 * integer: the caller limits what it admits.
 */
export class MatchingBook<O extends BookOrder<O>> {
  readonly bids = new PriceLevels<O>('highest')
  readonly asks = new PriceLevels<O>('lowest')
  private readonly listener: FillListener<O>

  constructor(listener: FillListener<O>) {
    this.listener = listener
  }

  /** The queue side that orders of this side rest in. */
  own(side: Side): PriceLevels<O> {
    return side === 'BUY' ? this.bids : this.asks
  }

  /** The queue side that orders of this side trade with. */
  opposite(side: Side): PriceLevels<O> {
    return side === 'BUY' ? this.asks : this.bids
  }

  /** Adds a resting order without matching it. It may cross the other side only while an auction book builds. */
  rest(order: O, ticks: number): void {
    this.own(order.side).append(order, ticks)
  }

  /** Removes a resting order. O(1) while its level has other orders. */
  remove(order: O): void {
    this.own(order.side).remove(order)
  }

  /** Whether an order of this side and limit would match immediately. */
  crosses(side: Side, limitTicks: number): boolean {
    const best = this.opposite(side).best
    return best !== null && (side === 'BUY' ? best.ticks <= limitTicks : best.ticks >= limitTicks)
  }

  /**
   * Executes up to `maxLots` of the taker's open lots against the other side, best price and oldest order first, no
   * worse than `limitTicks`. The taker must not rest in the book. Stops at the first order of the same owner.
   */
  match(taker: O, limitTicks: number, maxLots: number): MatchEnd {
    const isBuy = taker.side === 'BUY'
    const levels = isBuy ? this.asks : this.bids
    let leftLots = Math.min(maxLots, taker.openLots)
    while (leftLots > 0) {
      const level = levels.best
      if (level === null || (isBuy ? level.ticks > limitTicks : level.ticks < limitTicks)) return 'dry'
      const maker = firstOf(level)
      if (maker.owner === taker.owner) return 'selfMatch'
      const lots = Math.min(maker.openLots, leftLots)
      leftLots -= lots
      this.fill(taker, maker, level.ticks, lots)
    }
    return 'filled'
  }

  /**
   * Whether the other side holds `wantedLots` within the limit, whoever owns them. Looks at price levels only, so it is
   * a cheap check before `fillable`.
   */
  holds(side: Side, limitTicks: number, wantedLots: number): boolean {
    const isBuy = side === 'BUY'
    let lots = 0
    for (let level = this.opposite(side).best; level !== null && lots < wantedLots; level = level.worse) {
      if (isBuy ? level.ticks > limitTicks : level.ticks < limitTicks) break
      lots += level.lots
    }
    return lots >= wantedLots
  }

  /**
   * How many of `wantedLots` would execute now. `payableLots`, if given, is called order by order for the number of
   * lots at a price that can be paid for; it may keep count.
   */
  fillable(
    taker: { side: Side; owner: number },
    limitTicks: number,
    wantedLots: number,
    payableLots?: (ticks: number, lots: number) => number,
  ): Fillable {
    const isBuy = taker.side === 'BUY'
    let filledLots = 0
    for (let level = this.opposite(taker.side).best; level !== null; level = level.worse) {
      if (isBuy ? level.ticks > limitTicks : level.ticks < limitTicks) break
      for (let maker = level.first; maker !== null; maker = maker.next) {
        if (filledLots === wantedLots) return { lots: filledLots, end: 'filled' }
        if (maker.owner === taker.owner) return { lots: filledLots, end: 'selfMatch' }
        const lots = Math.min(maker.openLots, wantedLots - filledLots)
        const payable = payableLots === undefined ? lots : payableLots(level.ticks, lots)
        filledLots += payable
        if (payable < lots) return { lots: filledLots, end: 'unpaid' }
      }
    }
    return { lots: filledLots, end: filledLots === wantedLots ? 'filled' : 'dry' }
  }

  /**
   * Executes everything that crosses at one price, both sides in price-time priority. Matches within one owner must
   * have been prevented (see `selfMatchesAt`). The later order of each pair is reported as the taker.
   */
  uncross(ticks: number): void {
    for (;;) {
      const bestBid = this.bids.best
      const bestAsk = this.asks.best
      if (bestBid === null || bestAsk === null || bestBid.ticks < ticks || bestAsk.ticks > ticks) return
      const bid = firstOf(bestBid)
      const ask = firstOf(bestAsk)
      const lots = Math.min(bid.openLots, ask.openLots)
      const [taker, maker] = bid.id > ask.id ? [bid, ask] : [ask, bid]
      this.fill(taker, maker, ticks, lots)
    }
  }

  private fill(taker: O, maker: O, ticks: number, lots: number): void {
    this.reduce(taker, lots)
    this.reduce(maker, lots)
    this.listener.onFill(taker, maker, ticks, lots)
  }

  private reduce(order: O, lots: number): void {
    order.openLots -= lots
    if (order.level === null) return
    order.level.lots -= lots
    if (order.openLots === 0) this.remove(order)
  }
}

function firstOf<O extends BookOrder<O>>(level: PriceLevel<O>): O {
  if (level.first === null) throw new Error(`the level at ${level.ticks} ticks is empty`)
  return level.first
}

/** Pending stop orders: a buy triggers on a last trade at or above its stop price, a sell at or below. */
export class Stops<O extends BookOrder<O>> {
  /** The lowest buy stop and the highest sell stop come first: the market reaches them first. */
  readonly buys = new PriceLevels<O>('lowest')
  readonly sells = new PriceLevels<O>('highest')

  add(order: O, stopTicks: number): void {
    this.own(order).append(order, stopTicks)
  }

  /** O(1) while other stops are pending at the same price. */
  remove(order: O): void {
    this.own(order).remove(order)
  }

  /**
   * Removes and returns the next stop triggered by trades between `lowTicks` and `highTicks`, or undefined: on each
   * side the nearest stop price first, then the oldest; between the sides the older order.
   */
  takeTriggered(lowTicks: number, highTicks: number): O | undefined {
    const buyLevel = this.buys.best
    const sellLevel = this.sells.best
    const buy = buyLevel !== null && isTriggered('BUY', buyLevel.ticks, highTicks) ? buyLevel.first : null
    const sell = sellLevel !== null && isTriggered('SELL', sellLevel.ticks, lowTicks) ? sellLevel.first : null
    const order = buy !== null && (sell === null || buy.id < sell.id) ? buy : sell
    if (order === null) return undefined
    this.remove(order)
    return order
  }

  private own(order: O): PriceLevels<O> {
    return order.side === 'BUY' ? this.buys : this.sells
  }
}

/** Whether a last trade at `lastTicks` triggers a stop at `stopTicks`. */
export const isTriggered = (side: Side, stopTicks: number, lastTicks: number): boolean =>
  side === 'BUY' ? lastTicks >= stopTicks : lastTicks <= stopTicks
