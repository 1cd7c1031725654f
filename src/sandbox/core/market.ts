import type { SymbolStatus } from '../../domain/market/instrument.ts'
import { type Decimal, fromScaled } from '../../domain/money.ts'
import type { Side } from '../../domain/orders/order.ts'
import { type FillListener, MatchingBook } from '../engine/matching-book.ts'
import { Stops } from '../engine/stops.ts'
import { TickerWindow, type TickerWindowState } from '../engine/ticker-window.ts'
import { ppm } from '../ledger/fees.ts'
import { ledgerScale, unitsFromScaled } from '../ledger/units.ts'
import type { SymbolSpec } from './commands.ts'
import type { Currency } from './currency.ts'
import { invalid, type Refused } from './done.ts'
import type { WorkingOrder } from './working-order.ts'

/** Scale of tick and lot together: what the ledger has left beside the six decimals of a fee rate. */
const tickLotScaleMax = ledgerScale - 6

/** One symbol: its rules in whole ticks, lots and minor units, its book, its stops, its last 24 hours. */
export class Market {
  readonly id: number
  readonly spec: SymbolSpec
  readonly base: Currency
  readonly counter: Currency
  readonly tickSize: Decimal
  readonly lotSize: Decimal
  readonly tickUnits: bigint
  readonly lotUnits: bigint
  /** What one lot at a price of one tick costs, in minor units of the counter currency; and a millionth of it. */
  readonly tickLotUnits: bigint
  readonly tickLotPpmUnits: bigint
  /** Fewest and most units of the base currency in an order; the most is null without a limit. */
  readonly minUnits: bigint
  readonly maxUnits: bigint | null
  status: SymbolStatus
  auctionTime: string | null = null
  readonly book: MatchingBook<WorkingOrder>
  readonly stops = new Stops<WorkingOrder>()
  readonly ticker: TickerWindow
  /** Open lots of all working orders a side, waiting stops too: their sum stays a safe integer. */
  readonly workingLots: Record<Side, number> = { BUY: 0, SELL: 0 }
  /** The lowest and highest trade that no stop was checked against yet; `low` above `high`: there is none. */
  readonly uncheckedTicks = { low: Number.POSITIVE_INFINITY, high: 0 }

  constructor(
    id: number,
    spec: SymbolSpec,
    currencies: { base: Currency; counter: Currency },
    status: SymbolStatus,
    listener: FillListener<WorkingOrder>,
    ticker?: TickerWindowState,
  ) {
    this.id = id
    this.spec = spec
    this.base = currencies.base
    this.counter = currencies.counter
    this.tickSize = fromScaled(spec.minPriceIncrement, spec.minPriceIncrementScale)
    this.lotSize = fromScaled(spec.lotSize, spec.lotSizeScale)
    this.tickUnits = unitsFromScaled(spec.minPriceIncrement, spec.minPriceIncrementScale)
    this.lotUnits = unitsFromScaled(spec.lotSize, spec.lotSizeScale)
    const tickLotScale = spec.minPriceIncrementScale + spec.lotSizeScale
    this.tickLotUnits = BigInt(spec.minPriceIncrement) * unitsFromScaled(spec.lotSize, tickLotScale)
    this.tickLotPpmUnits = this.tickLotUnits / ppm
    this.minUnits = unitsFromScaled(spec.minOrderSize, spec.minOrderSizeScale)
    this.maxUnits = spec.maxOrderSize === 0 ? null : unitsFromScaled(spec.maxOrderSize, spec.maxOrderSizeScale)
    this.status = status
    this.book = new MatchingBook<WorkingOrder>(listener)
    this.ticker = new TickerWindow(ticker)
  }

  /** Minor units of the counter currency for one lot at a price, with a fee of `rate` parts per million on top. */
  costPerLot(ticks: number, rate: number): bigint {
    return BigInt(ticks) * (this.tickLotUnits + this.tickLotPpmUnits * BigInt(rate))
  }
}

/** Refuses rules that are not whole numbers, or so fine that a fee could not be exact. */
export function checkSymbolSpec(spec: SymbolSpec, base: Currency): Refused | null {
  const numbers = {
    minPriceIncrement: spec.minPriceIncrement,
    lotSize: spec.lotSize,
    minOrderSize: spec.minOrderSize,
    maxOrderSize: spec.maxOrderSize,
  }
  for (const [field, value] of Object.entries(numbers)) {
    const least = field === 'minPriceIncrement' || field === 'lotSize' ? 1 : 0
    if (!Number.isSafeInteger(value) || value < least)
      return invalid(field, `${field} is not a whole number from ${least}`)
  }
  const scales = {
    minPriceIncrementScale: spec.minPriceIncrementScale,
    lotSizeScale: spec.lotSizeScale,
    minOrderSizeScale: spec.minOrderSizeScale,
    maxOrderSizeScale: spec.maxOrderSizeScale,
  }
  for (const [field, value] of Object.entries(scales))
    if (!Number.isInteger(value) || value < 0 || value > tickLotScaleMax)
      return invalid(field, `${field} is not a whole number from 0 to ${tickLotScaleMax}`)
  if (spec.minPriceIncrementScale + spec.lotSizeScale > tickLotScaleMax)
    return invalid('lotSizeScale', `The scales of tick and lot are more than ${tickLotScaleMax} together`)
  if (!fromScaled(spec.lotSize, spec.lotSizeScale).times(fromScaled(1, -base.spec.scale)).isInteger())
    return invalid('lotSize', `The lot is finer than ${base.spec.code} can be split`)
  return null
}
