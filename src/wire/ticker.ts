import type { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import type { Listing } from '../domain/listing.ts'
import type { Ticker } from '../domain/market/ticker.ts'
import { sameAmount } from '../domain/money.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { entryReader, type Known, readListing, withoutTwins } from './listing.ts'
import { mapResult, message, named, ofAsked, optionalAmount, optionalNamed, readMessage } from './message.ts'

const figures = {
  price_24h: optionalAmount,
  volume_24h: optionalAmount,
  last_trade_price: optionalAmount,
}

/** PriceEvent of one requested symbol; may omit the symbol. */
const tickerMessage = message({ symbol: optionalNamed, ...figures })
/** PriceEvent in a list, where it is useless without its symbol. */
const listedTickerMessage = message({ symbol: named, ...figures })

/**
 * Refuses figures below zero: a last price of -5 would be drawn, recorded, and set off every alert below. A last price
 * of zero is none: nothing has traded.
 */
function toTicker(read: z.infer<typeof tickerMessage>, symbol: string): Result<Ticker> {
  const { last_trade_price: lastPrice, price_24h: price24h, volume_24h: volume24h } = read
  if (lastPrice?.lt(0)) return err('field "last_trade_price" must be 0 or more')
  if (price24h?.lt(0)) return err('field "price_24h" must be 0 or more')
  if (volume24h?.lt(0)) return err('field "volume_24h" must be 0 or more')
  return ok({ symbol: read.symbol ?? symbol, lastPrice: lastPrice?.isZero() ? null : lastPrice, price24h, volume24h })
}

export const fromTicker = (ticker: Ticker) => ({
  symbol: ticker.symbol,
  price_24h: ticker.price24h,
  volume_24h: ticker.volume24h,
  last_trade_price: ticker.lastPrice,
})

/** Reads the ticker of `symbol`. Refuses one that names another symbol or has no figures at all. */
export function readTicker(json: string, symbol: string): Result<Ticker> {
  const read = readMessage(tickerMessage, json)
  if (!read.ok) return read
  if (Object.values(read.value).every((field) => field === null)) return err('every field of a ticker is missing')
  const ticker = toTicker(read.value, symbol)
  return ticker.ok ? ofAsked('symbol', symbol, read.value.symbol, ticker.value) : ticker
}
export const writeTicker = (ticker: Ticker, mode: WireMode): string => writeJson(fromTicker(ticker), mode)

const readListed = entryReader(listedTickerMessage, (read) => toTicker(read, read.symbol))

const twins = {
  idOf: ({ symbol }: Ticker) => symbol,
  isSame: (left: Ticker, right: Ticker) =>
    sameAmount(left.lastPrice, right.lastPrice) &&
    sameAmount(left.price24h, right.price24h) &&
    sameAmount(left.volume24h, right.volume24h),
  reason: 'its "symbol" comes twice, with other figures',
  from: fromTicker,
}

export const readTickers = (json: string, known?: Known<Ticker>): Result<Listing<Ticker>> =>
  mapResult(readListing(json, readListed, known), (listing) => withoutTwins(listing, twins))
export const writeTickers = (tickers: readonly Ticker[], mode: WireMode): string =>
  writeJson(tickers.map(fromTicker), mode)
