import type { z } from 'zod'
import type { Result } from '../base/result.ts'
import type { Listing } from '../domain/listing.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { sides } from '../domain/orders/order.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { readListing } from './listing.ts'
import { amount, int64, message, text, timestamp, word } from './message.ts'

/** Fill. */
export const fillMessage = message({
  exOrdId: int64,
  tradeId: int64,
  execId: int64,
  side: word(sides),
  symbol: text,
  price: amount,
  qty: amount,
  fee: amount,
  timestamp,
})
export type FillMessage = z.infer<typeof fillMessage>

export const toFill = (read: FillMessage): Fill => ({
  orderId: read.exOrdId.toString(),
  tradeId: read.tradeId.toString(),
  execId: read.execId.toString(),
  symbol: read.symbol,
  side: read.side,
  price: read.price,
  quantity: read.qty,
  fee: read.fee,
  timestampMs: read.timestamp,
})

export const fromFill = (fill: Fill): FillMessage => ({
  exOrdId: BigInt(fill.orderId),
  tradeId: BigInt(fill.tradeId),
  execId: BigInt(fill.execId),
  side: fill.side,
  symbol: fill.symbol,
  price: fill.price,
  qty: fill.quantity,
  fee: fill.fee,
  timestamp: fill.timestampMs,
})

export const readFills = (json: string): Result<Listing<Fill>> => readListing(json, fillMessage, toFill)
export const writeFills = (fills: readonly Fill[], mode: WireMode): string => writeJson(fills.map(fromFill), mode)
