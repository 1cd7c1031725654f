import type { SymbolStatus } from '../../../src/domain/market/instrument.ts'
import type { OrderType, TimeInForce } from '../../../src/domain/orders/order.ts'
import type { Side } from '../../../src/domain/side.ts'
import type { Command, OrderRequest } from '../../../src/sandbox/core/commands.ts'
import type { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { seeded } from '../../bench/book-workload.ts'

const symbols = ['BTC-USD', 'ETH-BTC'] as const
const accountCount = 4
const dayMs = 24 * 3_600_000

/**
 * An endless, seeded stream of commands of every kind: sensible ones, foolish ones and plain nonsense. Looks at the
 * exchange only to name orders and transfers that are there.
 */
export class RandomCommands {
  private readonly random: (below: number) => number
  private nowMs: number
  private count = 0
  private readonly midTicks = { 'BTC-USD': 120_000, 'ETH-BTC': 50_000 }

  constructor(seed: number, startMs: number) {
    this.random = seeded(seed)
    this.nowMs = startMs
  }

  next(exchange: Exchange): Command {
    this.nowMs += this.random(400)
    if (this.random(120) === 0) this.nowMs += this.random(2 * dayMs)
    this.count += 1
    const atMs = this.nowMs
    const account = 1 + this.random(accountCount)
    const draw = this.random(1_000)
    if (draw < 750) return { type: 'placeOrder', atMs, ...this.orderRequest(account) }
    if (draw < 850) return { type: 'cancelOrder', atMs, account, exOrdId: this.someOrder(exchange, account) }
    if (draw < 853)
      return { type: 'cancelOrders', atMs, account, ...(this.chance(2) ? { symbol: this.pick(symbols) } : {}) }
    if (draw < 880) return { type: 'setSymbolStatus', atMs, symbol: this.pick(symbols), status: this.status() }
    if (draw < 890) return { type: 'advanceTime', atMs }
    if (draw < 895) return this.feeTiers(atMs)
    return this.transfer(exchange, account, atMs)
  }

  private orderRequest(account: number): OrderRequest {
    const symbol = this.pick(symbols)
    if (this.chance(4)) this.midTicks[symbol] += this.random(21) - 10
    const side = this.pick<Side>(['BUY', 'SELL'])
    const ordType = this.pick<OrderType>(['LIMIT', 'LIMIT', 'LIMIT', 'LIMIT', 'MARKET', 'STOP', 'STOPLIMIT'])
    const timeInForce = this.timeInForce(ordType)
    const priced = ordType === 'LIMIT' || ordType === 'STOPLIMIT'
    const stopped = ordType === 'STOP' || ordType === 'STOPLIMIT'
    return {
      account,
      // Few different ids, so that live ones are met again.
      clOrdId: `c${this.random(2_000)}`,
      symbol: this.random(200) === 0 ? 'NO-PE' : symbol,
      side,
      ordType,
      amounts: {
        orderQty: this.quantity(symbol),
        ...(priced ? { price: this.price(symbol, side) } : {}),
        ...(stopped ? { stopPx: this.price(symbol, side === 'BUY' ? 'SELL' : 'BUY') } : {}),
        ...(timeInForce === 'IOC' && this.chance(4) ? { minQty: this.quantity(symbol) } : {}),
      },
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...(timeInForce === 'GTD' ? { expireDate: this.expireDate() } : {}),
      ...(ordType === 'LIMIT' && this.chance(6) && timeInForce === 'GTC' ? { execInst: 'ALO' as const } : {}),
    }
  }

  private timeInForce(ordType: OrderType): TimeInForce | undefined {
    if (ordType === 'MARKET') return this.pick([undefined, 'IOC', 'FOK'] as const)
    if (ordType === 'LIMIT') return this.pick([undefined, 'GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTD', 'GTD'] as const)
    return this.pick([undefined, 'GTC', 'GTD'] as const)
  }

  private quantity(symbol: (typeof symbols)[number]): string {
    if (this.random(60) === 0) return this.pick(['0', '-1', '0.00001', '1e9', 'lots', '33'])
    const scale = symbol === 'BTC-USD' ? 4 : 2
    return `${1 + this.random(this.random(10) === 0 ? 50_000 : 3_000)}e-${scale}`
  }

  /** Mostly on the passive side of the mid, so that books fill up; sometimes through it. */
  private price(symbol: (typeof symbols)[number], side: Side): string {
    if (this.random(60) === 0) return this.pick(['0', '-5', '60000.25', '1e20', ''])
    const away = this.random(40) - 6
    const ticks = this.midTicks[symbol] + (side === 'BUY' ? -away : away)
    return symbol === 'BTC-USD' ? `${ticks * 5}e-1` : `${ticks}e-6`
  }

  private expireDate(): number {
    const day = new Date(this.nowMs + (this.random(4) - 1) * dayMs).toISOString()
    return Number(day.slice(0, 10).replaceAll('-', ''))
  }

  /** Mostly open: whatever it was, it soon opens again. */
  private status(): SymbolStatus {
    return this.chance(3) ? this.pick(['halt', 'halt', 'halt-freeze', 'suspend', 'close']) : 'open'
  }

  private feeTiers(atMs: number): Command {
    const makerPpm = this.random(2_000)
    const cheap = { volumeUsd: '5000000', makerPpm: 0, takerPpm: this.random(500) }
    return {
      type: 'setFeeTiers',
      atMs,
      tiers: [{ volumeUsd: '0', makerPpm, takerPpm: makerPpm + this.random(2_000) }, cheap],
    }
  }

  private transfer(exchange: Exchange, account: number, atMs: number): Command {
    const currency = this.pick(['USD', 'BTC', 'ETH', 'DOGE'])
    const depositId = this.pick(exchange.read.deposits({ account }).map((one) => one.depositId)) ?? 'd-0'
    const withdrawalId = this.pick(exchange.read.withdrawals({ account }).map((one) => one.withdrawalId)) ?? 'w-0'
    const beneficiary = this.pick(exchange.read.whitelist(account).map((one) => one.whitelistId)) ?? 'wl-0'
    const amount = this.pick(['0.5', '12.25', '3e-7', '-1', '100000'])
    const send = this.chance(5) ? 'max' : { amount }
    return this.pick<Command>([
      { type: 'requestDepositAddress', atMs, account, currency },
      { type: 'startDeposit', atMs, account, currency, amount },
      { type: 'confirmDeposit', atMs, depositId },
      { type: 'confirmDeposit', atMs, depositId },
      { type: 'rejectDeposit', atMs, depositId },
      { type: 'addWhitelistEntry', atMs, account, currency, name: 'somewhere' },
      { type: 'createWithdrawal', atMs, account, currency, beneficiary, send },
      { type: 'createWithdrawal', atMs, account, currency, beneficiary, send },
      { type: 'completeWithdrawal', atMs, withdrawalId },
      { type: 'failWithdrawal', atMs, withdrawalId },
      { type: 'refundWithdrawal', atMs, withdrawalId },
      { type: 'rejectWithdrawal', atMs, withdrawalId },
      { type: 'setTwoFactor', atMs, account, isOn: !this.chance(4) },
    ])
  }

  private someOrder(exchange: Exchange, account: number): number {
    if (this.random(30) === 0) return 1 + this.random(this.count)
    const working = exchange.read.orders({ account, statuses: ['OPEN', 'PART_FILLED', 'PENDING'], limit: 200 })
    return this.pick(working.map(({ exOrdId }) => exOrdId)) ?? 0
  }

  private chance(oneIn: number): boolean {
    return this.random(oneIn) === 0
  }

  private pick<T>(values: readonly [T, ...T[]]): T
  private pick<T>(values: readonly T[]): T | undefined
  private pick<T>(values: readonly T[]): T | undefined {
    return values[this.random(Math.max(values.length, 1))]
  }
}
