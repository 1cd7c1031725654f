import type { Fees } from '../../domain/balance.ts'
import type { Level, OrderByOrderBook } from '../../domain/market/book.ts'
import type { Auction, Instrument } from '../../domain/market/instrument.ts'
import type { Ticker } from '../../domain/market/ticker.ts'
import { fromScaled } from '../../domain/money.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Deposit, Withdrawal } from '../../domain/transfers/transfer.ts'
import { fromLevel } from '../../wire/book.ts'
import { type WireMode, writeJson } from '../../wire/exact-json.ts'
import type {
  AuctionView,
  BookEntryView,
  BookView,
  DepositView,
  FeesView,
  FillView,
  OrderView,
  SymbolView,
  TickerView,
  WithdrawalView,
} from '../core/views.ts'

// Converts the core's views to the domain's types, which the wire writes.

export const toOrder = (view: OrderView): Order => ({
  orderId: String(view.exOrdId),
  clientOrderId: view.clOrdId,
  symbol: view.symbol,
  side: view.side,
  type: view.ordType,
  status: view.ordStatus,
  limitPrice: view.price,
  leavesQuantity: view.leavesQty,
  cumQuantity: view.cumQty,
  averagePrice: view.avgPx,
  lastQuantity: view.lastShares,
  lastPrice: view.lastPx,
  text: view.text,
  timestampMs: view.timestamp,
})

export const toFill = (view: FillView): Fill => ({
  orderId: String(view.exOrdId),
  tradeId: String(view.tradeId),
  execId: String(view.execId),
  symbol: view.symbol,
  side: view.side,
  price: view.price,
  quantity: view.qty,
  fee: view.fee,
  timestampMs: view.timestamp,
})

export const toLevel = ({ px, qty, num }: BookView['bids'][number]): Level => ({
  price: px,
  quantity: qty,
  orderCount: BigInt(num),
})

export const toOrderByOrderBook = ({ symbol, bids, asks }: BookView): OrderByOrderBook => ({
  symbol,
  bids: bids.map(({ px, qty, num }) => ({ price: px, quantity: qty, orderId: String(num) })),
  asks: asks.map(({ px, qty, num }) => ({ price: px, quantity: qty, orderId: String(num) })),
})

export const toTicker = (view: TickerView): Ticker => ({
  symbol: view.symbol,
  lastPrice: view.lastTradePrice,
  price24h: view.price24h,
  volume24h: view.volume24h,
})

export function toInstrument({ id, spec, baseScale, counterScale, status, auction }: SymbolView): Instrument {
  return {
    symbol: spec.symbol,
    id: BigInt(id),
    base: spec.base,
    counter: spec.counter,
    baseScale,
    counterScale,
    tickSize: fromScaled(spec.minPriceIncrement, spec.minPriceIncrementScale),
    priceScale: spec.minPriceIncrementScale,
    lotSize: fromScaled(spec.lotSize, spec.lotSizeScale),
    quantityScale: spec.lotSizeScale,
    minQuantity: fromScaled(spec.minOrderSize, spec.minOrderSizeScale),
    maxQuantity: spec.maxOrderSize === 0 ? null : fromScaled(spec.maxOrderSize, spec.maxOrderSizeScale),
    status,
    auction: toAuction(auction),
  }
}

const toAuction = (view: AuctionView | null): Auction => ({
  price: view?.price ?? null,
  quantity: view?.size ?? null,
  time: view?.time ?? null,
  imbalance: view?.imbalance ?? null,
})

export const toFees = (view: FeesView): Fees => ({
  makerRate: view.makerRate,
  takerRate: view.takerRate,
  volumeUsd: view.volumeInUSD,
})

export const toDeposit = ({ account: _account, timestamp, ...view }: DepositView): Deposit => ({
  ...view,
  timestampMs: timestamp,
})

export const toWithdrawal = ({ account: _account, timestamp, ...view }: WithdrawalView): Withdrawal => ({
  ...view,
  timestampMs: timestamp,
})

/**
 * Writes level 2 books like `writeBook` of the wire. A desk polls a book twice a second, and only a few of its hundred
 * levels change in between, so each entry's text is cached.
 */
export function createBookWriter(wire: WireMode): (book: BookView) => string {
  const texts = new WeakMap<BookEntryView, string>()
  const textOf = (entry: BookEntryView): string => {
    const known = texts.get(entry)
    if (known !== undefined) return known
    // Each entry has two amounts, so in `mixed` mode, which alternates numbers and strings, every entry starts with a
    // number.
    const text = writeJson(fromLevel(toLevel(entry)), wire)
    texts.set(entry, text)
    return text
  }
  const side = (entries: readonly BookEntryView[]) => `[${entries.map(textOf).join(',')}]`
  return ({ symbol, bids, asks }) => `{"symbol":${JSON.stringify(symbol)},"bids":${side(bids)},"asks":${side(asks)}}`
}
