import type { OrderStatus } from '../../domain/orders/order.ts'
import type { BookOrder } from '../engine/book-order.ts'
import type { PriceLevel } from '../engine/price-level.ts'
import type { Cell } from '../ledger/wallet.ts'
import type { Account } from './account.ts'
import type { Market } from './market.ts'
import type { OrderData } from './order-data.ts'

/** An accepted order that has not ended: in the book, among the stops, or being executed right now. */
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
  /** What an IOC order must fill at once, or else nothing. */
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
  /** What the order may spend comes from here: counter currency for a buy, base for a sell. */
  readonly spends: Cell
  /** Held for each open lot, in minor units; 0 for a market order, which spends at once what is available. */
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

  /** The order as it stands now, free of its place in the book. */
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
