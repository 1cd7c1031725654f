import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import { type Instrument, type SymbolStatus, symbolStatuses } from '../domain/market/instrument.ts'
import { Decimal, fromScaled, zero } from '../domain/money.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import type { KnownEntries } from './listing.ts'
import {
  checkMessage,
  type FieldReader,
  mapResult,
  message,
  named,
  optionalAmount,
  optionalInt64,
  optionalNamed,
  optionalScale,
  optionalText,
  readMessage,
  required,
  thenRead,
} from './message.ts'

const readStatus: FieldReader<SymbolStatus> = (value) => {
  const status = value === 'closed' ? 'close' : symbolStatuses.find((candidate) => candidate === value)
  return status === undefined ? { must: `must be one of ${symbolStatuses.join(', ')}` } : { value: status }
}

/** SymbolStatus. Does not contain its symbol, which is in the path, or the key in the map of symbols. */
const symbolMessage = message({
  base_currency: optionalNamed,
  counter_currency: optionalNamed,
  base_currency_scale: optionalScale,
  counter_currency_scale: optionalScale,
  min_price_increment: optionalInt64,
  min_price_increment_scale: optionalScale,
  min_order_size: optionalInt64,
  min_order_size_scale: optionalScale,
  max_order_size: optionalInt64,
  max_order_size_scale: optionalScale,
  lot_size: optionalInt64,
  lot_size_scale: optionalScale,
  status: required(readStatus),
  id: optionalInt64,
  auction_price: optionalAmount,
  auction_size: optionalAmount,
  auction_time: optionalText,
  imbalance: optionalAmount,
})
type SymbolMessage = z.infer<typeof symbolMessage>

/** The readable symbols of a map, and by name the others, each with a sentence that says why it cannot be read. */
export type SymbolsReading = {
  instruments: ReadonlyMap<string, Instrument>
  unread: ReadonlyMap<string, string>
}

const scaledOrNull = (units: bigint | null, scale: number | null): Decimal | null =>
  units === null || units <= 0n ? null : fromScaled(units, scale ?? 0)

/** Fields that mean something only together with their scale. */
const scaledFields = [
  ['min_price_increment', 'min_price_increment_scale'],
  ['min_order_size', 'min_order_size_scale'],
  ['max_order_size', 'max_order_size_scale'],
  ['lot_size', 'lot_size_scale'],
] as const satisfies readonly (readonly [keyof SymbolMessage, keyof SymbolMessage])[]

/**
 * Defaults: a missing or zero tick is the smallest unit of the counter currency, a missing or zero lot that of the base
 * currency, a missing minimum is zero, and a missing or zero maximum is no limit, because the exchange enforces its
 * own. Without scales a symbol has no usable rules.
 */
function toInstrument(symbol: string, read: SymbolMessage): Result<Instrument> {
  const [baseOfName, counterOfName] = symbol.split('-')
  const base = read.base_currency ?? baseOfName
  const counter = read.counter_currency ?? counterOfName
  if (!base || !counter) return err(`symbol ${symbol} does not say its two currencies`)
  // A symbol is BASE-COUNTER, so rules with other currencies belong to another symbol, and BTC-USD-PERP is no BTC.
  if (symbol !== `${base}-${counter}`) return err(`symbol ${symbol}: its currencies are those of ${base}-${counter}`)
  const unscaled = scaledFields.find(([units, scale]) => (read[units] ?? 0n) > 0n && read[scale] === null)
  // Without its scale a number is ambiguous: 50 may be 50 or 0.50.
  if (unscaled !== undefined) return err(`symbol ${symbol}: field "${unscaled[1]}" is missing`)
  const baseScale = read.base_currency_scale ?? read.lot_size_scale
  if (baseScale === null) return err(`symbol ${symbol}: field "base_currency_scale" is missing`)
  const counterScale = read.counter_currency_scale ?? read.min_price_increment_scale
  if (counterScale === null) return err(`symbol ${symbol}: field "counter_currency_scale" is missing`)
  const tickSize = scaledOrNull(read.min_price_increment, read.min_price_increment_scale)
  const lotSize = scaledOrNull(read.lot_size, read.lot_size_scale)
  return ok({
    symbol,
    ...(read.id === null ? {} : { id: read.id }),
    base,
    counter,
    baseScale,
    counterScale,
    tickSize: tickSize ?? fromScaled(1, counterScale),
    priceScale: tickSize === null ? counterScale : (read.min_price_increment_scale ?? 0),
    lotSize: lotSize ?? fromScaled(1, baseScale),
    quantityScale: lotSize === null ? baseScale : (read.lot_size_scale ?? 0),
    minQuantity: scaledOrNull(read.min_order_size, read.min_order_size_scale) ?? zero,
    maxQuantity: scaledOrNull(read.max_order_size, read.max_order_size_scale),
    status: read.status,
    auction: {
      price: read.auction_price?.isZero() ? null : read.auction_price,
      quantity: read.auction_size,
      time: read.auction_time,
      imbalance: read.imbalance,
    },
  })
}

/** A size as whole units and their scale, which is at least `minScale`: 0.05 is 5 and 2, 100 is 100 and 0. */
function toScaled(size: Decimal, minScale = 0): { units: bigint; scale: number } {
  const scale = Math.max(size.decimalPlaces(), minScale)
  return {
    units: BigInt(size.times(new Decimal(10).pow(scale)).toFixed()),
    scale,
  }
}

export function fromInstrument(instrument: Instrument): SymbolMessage {
  const tick = toScaled(instrument.tickSize, instrument.priceScale)
  const lot = toScaled(instrument.lotSize, instrument.quantityScale)
  const minimum = toScaled(instrument.minQuantity)
  const maximum = toScaled(instrument.maxQuantity ?? zero)
  return {
    base_currency: instrument.base,
    counter_currency: instrument.counter,
    base_currency_scale: instrument.baseScale,
    counter_currency_scale: instrument.counterScale,
    min_price_increment: tick.units,
    min_price_increment_scale: tick.scale,
    min_order_size: minimum.units,
    min_order_size_scale: minimum.scale,
    max_order_size: maximum.units,
    max_order_size_scale: maximum.scale,
    lot_size: lot.units,
    lot_size_scale: lot.scale,
    status: instrument.status,
    id: instrument.id ?? null,
    auction_price: instrument.auction.price,
    auction_size: instrument.auction.quantity,
    auction_time: instrument.auction.time,
    imbalance: instrument.auction.imbalance,
  }
}

export const readSymbol = (json: string, symbol: string): Result<Instrument> =>
  thenRead(readMessage(symbolMessage, json), (read) => toInstrument(symbol, read))

function readListed(symbol: string, value: unknown): Result<Instrument> {
  const [name, read] = [checkMessage(named, symbol), checkMessage(symbolMessage, value)]
  if (!name.ok) return err(`symbol ${plainText(symbol)}: its name has characters that cannot be seen`)
  return read.ok ? toInstrument(symbol, read.value) : err(`symbol ${symbol}: ${read.error}`)
}

function readEach(json: string): Result<ReadonlyMap<string, Result<Instrument>>> {
  const map = readMessage(z.record(z.string(), z.unknown()), json)
  return mapResult(
    map,
    (values) => new Map(Object.entries(values).map(([name, value]) => [name, readListed(name, value)])),
  )
}

/**
 * Reads the map of all symbols. Fails only when the text is not a map, or has no readable symbol. An entry that stands
 * in `known` with the same text is the same object: of 10,000 symbols an auction changes one.
 */
export function readSymbols(json: string, known?: KnownEntries<Result<Instrument>>): Result<SymbolsReading> {
  const each = known?.map(json, readListed) ?? null
  const map = each === null ? readEach(json) : ok(each)
  if (!map.ok) return map
  const instruments = new Map<string, Instrument>()
  const unread = new Map<string, string>()
  for (const [symbol, instrument] of map.value) {
    if (instrument.ok) instruments.set(symbol, instrument.value)
    else unread.set(symbol, instrument.error)
  }
  // An error that comes with status 200 is a map too: believed, it would take all symbols away.
  if (instruments.size === 0) return err([...unread.values()][0] ?? 'no symbol is listed')
  return ok({ instruments, unread })
}

export const writeSymbol = (instrument: Instrument, mode: WireMode): string =>
  writeJson(fromInstrument(instrument), mode)
export const writeSymbols = (listed: readonly Instrument[], mode: WireMode): string =>
  writeJson(Object.fromEntries(listed.map((each) => [each.symbol, fromInstrument(each)])), mode)
