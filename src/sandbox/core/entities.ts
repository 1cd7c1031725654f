import type { SymbolStatus } from '../../domain/market/instrument.ts'
import { type Decimal, fromScaled } from '../../domain/money.ts'
import type { OrderStatus } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/side.ts'
import { type FillListener, MatchingBook, Stops } from '../engine/matching-book.ts'
import type { BookOrder, PriceLevel } from '../engine/price-levels.ts'
import { TickerWindow, type TickerWindowState } from '../engine/ticker-window.ts'
import { ppm, VolumeWindow } from '../ledger/fees.ts'
import { ledgerScale, unitsFromScaled, unitsFromText } from '../ledger/units.ts'
import { type Cell, Wallet } from '../ledger/wallet.ts'
import { type AccountId, type CurrencySpec, invalid, type Refused, type SymbolSpec } from './commands.ts'
import type { OrderData } from './history.ts'

export const dollar = 'USD'

/** A currency with its amounts in minor units. The sums only grow: what came in, and what left for good. */
export class Currency {
  readonly index: number
  readonly spec: CurrencySpec
  /** The smallest amount of it that can be withdrawn. */
  readonly stepUnits: bigint
  readonly withdrawalFeeUnits: bigint
  /** The configured value of one unit in USD; null if none was given. */
  readonly usdRateUnits: bigint | null
  depositedUnits = 0n
  /** Without the fees, which the exchange keeps. */
  withdrawnUnits = 0n

  constructor(index: number, spec: CurrencySpec, withdrawalFeeUnits: bigint, usdRateUnits: bigint | null) {
    this.index = index
    this.spec = spec
    this.stepUnits = 10n ** BigInt(ledgerScale - spec.scale)
    this.withdrawalFeeUnits = withdrawalFeeUnits
    this.usdRateUnits = usdRateUnits
  }
}

/** Reads a currency's amounts; refuses those that the ledger cannot hold. */
export function compileCurrency(index: number, spec: CurrencySpec): Currency | Refused {
  if (!/^[A-Z0-9]{1,10}$/.test(spec.code))
    return invalid('code', 'A currency code is 1 to 10 capital letters and digits')
  if (!Number.isInteger(spec.scale) || spec.scale < 0 || spec.scale > 18)
    return invalid('scale', 'A currency scale is a whole number from 0 to 18')
  const feeUnits = unitsFromText(spec.withdrawalFee)
  if (typeof feeUnits === 'string' || feeUnits < 0n)
    return invalid('withdrawalFee', 'The withdrawal fee is not an amount of 0 or more')
  const rateUnits = spec.usdRate === undefined ? null : unitsFromText(spec.usdRate)
  if (typeof rateUnits === 'string' || (rateUnits !== null && rateUnits < 0n))
    return invalid('usdRate', 'The USD rate is not an amount of 0 or more')
  return new Currency(index, spec, feeUnits, rateUnits)
}

export type ApiKey = {
  readonly keyId: number
  readonly account: AccountId
  readonly tokenHash: string
  state: 'unverified' | 'verified' | 'revoked'
}
export type WhitelistEntry = { readonly whitelistId: string; readonly currency: string; readonly name: string }

/** A client of the exchange, with everything that belongs to it. */
export class Account {
  readonly id: AccountId
  readonly name: string
  hasTwoFactor: boolean
  readonly wallet = new Wallet()
  readonly volume: VolumeWindow
  readonly keys: ApiKey[] = []
  readonly whitelist: WhitelistEntry[] = []
  /** By currency code: the address for the next deposit. Used addresses are removed. */
  readonly freshAddresses = new Map<string, string>()
  /** Working orders by client order id, oldest first: an id of a working order cannot be reused. */
  readonly workingOrders = new Map<string, WorkingOrder>()

  constructor(id: AccountId, name: string, hasTwoFactor: boolean, volume = new VolumeWindow()) {
    this.id = id
    this.name = name
    this.hasTwoFactor = hasTwoFactor
    this.volume = volume
  }
}

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
  /** The cost of one lot at a price of one tick, in minor units of the counter currency; and a millionth of it. */
  readonly tickLotUnits: bigint
  readonly tickLotPpmUnits: bigint
  /** Minimum and maximum order size in units of the base currency; the maximum is null if there is no limit. */
  readonly minUnits: bigint
  readonly maxUnits: bigint | null
  status: SymbolStatus
  auctionTime: string | null = null
  readonly book: MatchingBook<WorkingOrder>
  readonly stops = new Stops<WorkingOrder>()
  readonly ticker: TickerWindow
  /** Open lots of all working orders per side, pending stops included: their sum stays a safe integer. */
  readonly workingLots: Record<Side, number> = { BUY: 0, SELL: 0 }
  /** The lowest and highest trade not yet checked against stops; `low` above `high` means there is none. */
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

/** An accepted order that has not ended: resting in the book, pending as a stop, or being executed. */
export class WorkingOrder implements OrderData, BookOrder<WorkingOrder> {
  readonly id: OrderData['id']
  readonly account: OrderData['account']
  readonly clOrdId: OrderData['clOrdId']
  readonly symbol: OrderData['symbol']
  readonly side: OrderData['side']
  readonly ordType: OrderData['ordType']
  readonly timeInForce: OrderData['timeInForce']
  readonly execInst: OrderData['execInst']
  readonly expiresAtMs: OrderData['expiresAtMs']
  readonly atMs: OrderData['atMs']
  readonly orderLots: OrderData['orderLots']
  readonly limitTicks: OrderData['limitTicks']
  readonly stopTicks: OrderData['stopTicks']
  readonly makerPpm: OrderData['makerPpm']
  readonly takerPpm: OrderData['takerPpm']
  readonly refused = null
  /** Lots that an IOC order must fill at once, or else none. */
  readonly minLots: number
  status: OrderStatus
  text: string | null
  openLots: number
  cumLots: number
  cumTickLots: bigint
  lastTicks: number | null
  lastLots: number | null

  readonly holder: Account
  readonly market: Market
  /** Funds the order spends: counter currency for a buy, base for a sell. */
  readonly spends: Cell
  /** Held per open lot, in minor units; 0 for a market order, which pays from the available balance. */
  holdPerLot = 0n

  level: PriceLevel<WorkingOrder> | null = null
  previous: WorkingOrder | null = null
  next: WorkingOrder | null = null

  constructor(data: OrderData, holder: Account, market: Market, minLots = 0) {
    this.id = data.id
    this.account = data.account
    this.clOrdId = data.clOrdId
    this.symbol = data.symbol
    this.side = data.side
    this.ordType = data.ordType
    this.timeInForce = data.timeInForce
    this.execInst = data.execInst
    this.expiresAtMs = data.expiresAtMs
    this.atMs = data.atMs
    this.orderLots = data.orderLots
    this.limitTicks = data.limitTicks
    this.stopTicks = data.stopTicks
    this.makerPpm = data.makerPpm
    this.takerPpm = data.takerPpm
    this.status = data.status
    this.text = data.text
    this.openLots = data.openLots
    this.cumLots = data.cumLots
    this.cumTickLots = data.cumTickLots
    this.lastTicks = data.lastTicks
    this.lastLots = data.lastLots
    this.minLots = minLots
    this.holder = holder
    this.market = market
    this.spends = holder.wallet.cell((data.side === 'BUY' ? market.counter : market.base).index)
  }

  get owner(): number {
    return this.account
  }

  /** A copy of the order's current data, without its place in the book. */
  data(): OrderData {
    return {
      id: this.id,
      account: this.account,
      clOrdId: this.clOrdId,
      symbol: this.symbol,
      side: this.side,
      ordType: this.ordType,
      timeInForce: this.timeInForce,
      execInst: this.execInst,
      expiresAtMs: this.expiresAtMs,
      atMs: this.atMs,
      orderLots: this.orderLots,
      limitTicks: this.limitTicks,
      stopTicks: this.stopTicks,
      makerPpm: this.makerPpm,
      takerPpm: this.takerPpm,
      status: this.status,
      text: this.text,
      openLots: this.openLots,
      cumLots: this.cumLots,
      cumTickLots: this.cumTickLots,
      lastTicks: this.lastTicks,
      lastLots: this.lastLots,
      refused: null,
    }
  }
}
