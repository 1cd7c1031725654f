import type { Quote, Watch, WatchedPrice } from '../../../src/domain/alerts/watch.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'

/** A watch for BTC-USD above 70,000 that has seen no price yet. */
export const aWatch = (more: Partial<Watch> = {}): Watch => ({
  id: 3,
  symbol: 'BTC-USD',
  price: 'last',
  comparison: '>',
  level: new Decimal('70000'),
  priceScale: 2,
  isAtOnce: false,
  repeats: false,
  state: { kind: 'unseen' },
  ...more,
})

export const aQuote = (price: string | Decimal, of: WatchedPrice = 'last', symbol = 'BTC-USD'): Quote => ({
  symbol,
  prices: { [of]: new Decimal(price) },
})

export const aFill = (more: Partial<Fill> = {}): Fill => ({
  orderId: '9912017',
  tradeId: '771203',
  execId: '88001',
  symbol: 'BTC-USD',
  side: 'SELL',
  price: new Decimal('64212.50'),
  quantity: new Decimal('0.03'),
  fee: new Decimal('1.9'),
  timestampMs: 0,
  ...more,
})
