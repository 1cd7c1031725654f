import type { Instrument } from '../../src/domain/market/instrument.ts'
import { Decimal } from '../../src/domain/money.ts'

/** An instrument to test with: half-dollar ticks, lots of 0.0001, between 0.0010 and 100. */
export function anInstrument(change: Partial<Instrument> = {}): Instrument {
  return {
    symbol: 'BTC-USD',
    base: 'BTC',
    counter: 'USD',
    baseScale: 8,
    counterScale: 2,
    tickSize: new Decimal('0.50'),
    priceScale: 2,
    lotSize: new Decimal('0.0001'),
    quantityScale: 4,
    minQuantity: new Decimal('0.0010'),
    maxQuantity: new Decimal('100'),
    status: 'open',
    auction: { price: null, quantity: null, time: null, imbalance: null },
    ...change,
  }
}
