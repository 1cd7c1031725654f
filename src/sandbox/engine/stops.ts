import { type BookOrder, PriceLevels } from './price-levels.ts'

/** Stop orders that wait for a price: a buy for the last trade at or above its stop, a sell for one at or below. */
export class Stops<O extends BookOrder<O>> {
  /** The lowest buy stop and the highest sell stop go first: the market reaches them first. */
  readonly buys = new PriceLevels<O>('lowest')
  readonly sells = new PriceLevels<O>('highest')

  add(order: O, stopTicks: number): void {
    this.own(order).append(order, stopTicks)
  }

  /** O(1) while other stops wait at the same price. */
  remove(order: O): void {
    this.own(order).remove(order)
  }

  /**
   * Takes out the next stop that trades between `lowTicks` and `highTicks` set off, or undefined: nearest stop price
   * first on each side, then the oldest; between the two sides the older order.
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

/** True when a last trade at `lastTicks` sets off a stop at `stopTicks`. */
export const isTriggered = (side: 'BUY' | 'SELL', stopTicks: number, lastTicks: number): boolean =>
  side === 'BUY' ? lastTicks >= stopTicks : lastTicks <= stopTicks
