import { expect } from 'vitest'
import type {
  CommandArguments,
  CommandOf,
  CommandType,
  CommandValues,
  FeeTier,
  OrderReport,
  OrderRequest,
  Refusal,
  SymbolSpec,
} from '../../../src/sandbox/core/commands.ts'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import type { OrderView } from '../../../src/sandbox/core/views.ts'

export const noonMs = Date.UTC(2026, 10, 20, 12)
export const [alice, bob, carol] = [1, 2, 3] as const

export const btcUsd: SymbolSpec = {
  symbol: 'BTC-USD',
  base: 'BTC',
  counter: 'USD',
  minPriceIncrement: 50,
  minPriceIncrementScale: 2,
  lotSize: 1,
  lotSizeScale: 4,
  minOrderSize: 5,
  minOrderSizeScale: 4,
  maxOrderSize: 50,
  maxOrderSizeScale: 0,
}
export const ethBtc: SymbolSpec = {
  ...btcUsd,
  symbol: 'ETH-BTC',
  base: 'ETH',
  counter: 'BTC',
  minPriceIncrement: 1,
  minPriceIncrementScale: 6,
  lotSizeScale: 2,
  minOrderSize: 1,
  minOrderSizeScale: 2,
  maxOrderSize: 0,
}
/** Maker 0.1%, taker 0.2%; from a million USD on 0.05% and 0.1%. */
export const tiers: readonly FeeTier[] = [
  { volumeUsd: '0', makerPpm: 1_000, takerPpm: 2_000 },
  { volumeUsd: '1000000', makerPpm: 500, takerPpm: 1_000 },
]

type OrderOptions = Partial<Omit<OrderRequest, 'amounts'>> & { stopPx?: string; minQty?: string }

/**
 * An exchange with USD, BTC, ETH and XRP, two symbols and three accounts of 1,000,000 USD, 100 BTC and 1,000 ETH each,
 * and short ways to trade on it. Every command is one millisecond after the last, and money and holds are checked after
 * it.
 */
export class Floor {
  readonly exchange: Exchange
  nowMs = noonMs
  private orderCount = 0

  constructor(exchange = new Exchange()) {
    this.exchange = exchange
    this.addCurrency('USD', 2, 'fiat', '15')
    this.addCurrency('BTC', 8, 'crypto', '0.0005')
    this.addCurrency('ETH', 18, 'crypto', '0.005')
    this.addCurrency('XRP', 6, 'crypto', '0.25', true)
    this.run('addSymbol', { spec: btcUsd })
    this.run('addSymbol', { spec: ethBtc })
    this.run('setFeeTiers', { tiers })
    for (const name of ['alice', 'bob', 'carol']) {
      const { account } = this.run('addAccount', { name, hasTwoFactor: true })
      this.fund(account, 'USD', '1000000')
      this.fund(account, 'BTC', '100')
      this.fund(account, 'ETH', '1000')
    }
  }

  get read() {
    return this.exchange.read
  }

  /** Carries a command out; a refusal fails the test. */
  run<T extends CommandType>(type: T, args: CommandArguments[T]): CommandValues[T] {
    const outcome = this.send(type, args)
    if (!outcome.ok) throw new Error(`${type} was refused: ${outcome.refusal.message}`)
    return outcome.value
  }

  /** Carries a command out that must be refused. */
  refuse<T extends CommandType>(type: T, args: CommandArguments[T]): Refusal {
    const outcome = this.send(type, args)
    if (outcome.ok) throw new Error(`${type} was not refused`)
    expect(outcome.events).toEqual([])
    return outcome.refusal
  }

  send<T extends CommandType>(type: T, args: CommandArguments[T]) {
    this.nowMs += 1
    const command = { type, atMs: this.nowMs, ...args } as CommandOf<T>
    const outcome = this.exchange.execute<T>(command)
    this.exchange.checkConservation()
    return outcome
  }

  fund(account: number, currency: string, amount: string): void {
    this.run('confirmDeposit', this.run('startDeposit', { account, currency, amount }))
  }

  buy(account: number, orderQty: string, price?: string, options: OrderOptions = {}): OrderView {
    return this.place(account, 'BUY', orderQty, price, options)
  }

  sell(account: number, orderQty: string, price?: string, options: OrderOptions = {}): OrderView {
    return this.place(account, 'SELL', orderQty, price, options)
  }

  /** LIMIT with a price, MARKET without; with a stopPx STOPLIMIT and STOP. */
  place(
    account: number,
    side: 'BUY' | 'SELL',
    orderQty: string,
    price?: string,
    options: OrderOptions = {},
  ): OrderView {
    return this.order(account, this.run('placeOrder', this.request(account, side, orderQty, price, options)))
  }

  request(
    account: number,
    side: 'BUY' | 'SELL',
    orderQty: string,
    price?: string,
    { stopPx, minQty, ...options }: OrderOptions = {},
  ): OrderRequest {
    this.orderCount += 1
    const plainType = price === undefined ? 'MARKET' : 'LIMIT'
    const stopType = price === undefined ? 'STOP' : 'STOPLIMIT'
    return {
      account,
      clOrdId: `order${this.orderCount}`,
      symbol: 'BTC-USD',
      side,
      ordType: stopPx === undefined ? plainType : stopType,
      amounts: {
        orderQty,
        ...(price === undefined ? {} : { price }),
        ...(stopPx === undefined ? {} : { stopPx }),
        ...(minQty === undefined ? {} : { minQty }),
      },
      ...options,
    }
  }

  /** The order as it stands now. */
  order(account: number, { exOrdId }: Pick<OrderReport, 'exOrdId'>): OrderView {
    const view = this.read.order(account, exOrdId)
    if (view === undefined) throw new Error(`there is no order ${exOrdId}`)
    return view
  }

  cancel(account: number, { exOrdId }: Pick<OrderReport, 'exOrdId'>): OrderView {
    return this.order(account, this.run('cancelOrder', { account, exOrdId }))
  }

  /** `balance` and `available` as text. */
  money(account: number, currency: string): { balance: string; available: string } {
    const view = this.read.balance(account, currency)
    if (view === undefined) throw new Error(`there is no ${currency}`)
    return { balance: view.balance.toFixed(), available: view.available.toFixed() }
  }

  /** Level 2 as `[price, quantity, orders]`, best first. */
  book(symbol = 'BTC-USD'): { bids: string[]; asks: string[] } {
    const view = this.read.l2(symbol)
    const line = ({ px, qty, num }: { px: { toFixed(): string }; qty: { toFixed(): string }; num: number }) =>
      `${px.toFixed()} ${qty.toFixed()} ${num}`
    return { bids: view?.bids.map(line) ?? [], asks: view?.asks.map(line) ?? [] }
  }

  private addCurrency(
    code: string,
    scale: number,
    kind: 'fiat' | 'crypto',
    withdrawalFee: string,
    hasTag = false,
  ): void {
    this.run('addCurrency', { currency: { code, scale, kind, hasTag, withdrawalFee } })
  }
}

/** What a test says of an order: only what is given is compared. */
export function state(order: OrderView): Record<string, string | null> {
  const text = (value: { toFixed(): string } | null) => value?.toFixed() ?? null
  return {
    status: order.ordStatus,
    leaves: text(order.leavesQty),
    cum: text(order.cumQty),
    avg: text(order.avgPx),
    last: text(order.lastPx),
    shares: text(order.lastShares),
    text: order.text,
  }
}
