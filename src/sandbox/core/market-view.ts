import type { Decimal } from '../../domain/money.ts'
import { indicativeAuction } from '../engine/auction.ts'
import type { PriceLevel } from '../engine/price-level.ts'
import type { Market } from './market.ts'
import type { AuctionView, BookEntryView, BookView, SymbolView, TickerView, TopOfBook } from './views.ts'
import type { WorkingOrder } from './working-order.ts'

type Level = PriceLevel<WorkingOrder>

export const l2View = (market: Market, depth = Number.POSITIVE_INFINITY): BookView => ({
  symbol: market.spec.symbol,
  bids: levelEntries(market, market.book.bids.best, depth),
  asks: levelEntries(market, market.book.asks.best, depth),
})

/** `depth` counts price levels here, too: a level is shown with all its orders. */
export const l3View = (market: Market, depth = Number.POSITIVE_INFINITY): BookView => ({
  symbol: market.spec.symbol,
  bids: orderEntries(market, market.book.bids.best, depth),
  asks: orderEntries(market, market.book.asks.best, depth),
})

function levelEntries(market: Market, best: Level | null, depth: number): BookEntryView[] {
  const entries: BookEntryView[] = []
  for (let level = best; level !== null && entries.length < depth; level = level.worse)
    entries.push({ px: price(market, level.ticks), qty: market.lotSize.times(level.lots), num: level.orderCount })
  return entries
}

function orderEntries(market: Market, best: Level | null, depth: number): BookEntryView[] {
  const entries: BookEntryView[] = []
  let levelCount = 0
  for (let level = best; level !== null && levelCount < depth; level = level.worse) {
    const px = price(market, level.ticks)
    for (let order = level.first; order !== null; order = order.next)
      entries.push({ px, qty: market.lotSize.times(order.openLots), num: order.id })
    levelCount += 1
  }
  return entries
}

export function topOfBook({ book, ticker }: Market): TopOfBook {
  const bid = book.bids.best
  const ask = book.asks.best
  return {
    bidTicks: bid?.ticks ?? null,
    bidLots: bid?.lots ?? 0,
    askTicks: ask?.ticks ?? null,
    askLots: ask?.lots ?? 0,
    lastTicks: ticker.lastTicks,
  }
}

export function tickerView(market: Market, atMs: number): TickerView {
  const { ticker, lotSize, spec } = market
  const ticks24h = ticker.priceTicks(atMs)
  return {
    symbol: spec.symbol,
    lastTradePrice: ticker.lastTicks === null ? null : price(market, ticker.lastTicks),
    price24h: ticks24h === null ? null : price(market, ticks24h),
    volume24h: lotSize.times(ticker.volumeLots(atMs).toString()),
  }
}

export const symbolView = (market: Market): SymbolView => ({
  id: market.id,
  spec: market.spec,
  baseScale: market.base.spec.scale,
  counterScale: market.counter.spec.scale,
  status: market.status,
  auction: market.status === 'halt' || market.status === 'halt-freeze' ? auctionView(market) : null,
})

function auctionView(market: Market): AuctionView {
  const auction = indicativeAuction(market.book, market.ticker.lastTicks)
  return {
    price: auction === null ? null : price(market, auction.ticks),
    size: market.lotSize.times(auction?.lots ?? 0),
    imbalance: market.lotSize.times(auction?.imbalanceLots ?? 0),
    time: market.auctionTime,
  }
}

const price = ({ tickSize }: Market, ticks: number): Decimal => tickSize.times(ticks)
