import type { OrderStatus } from '../../domain/orders/order.ts'
import type { Tier } from '../ledger/fees.ts'
import { unitsPerOne } from '../ledger/units.ts'
import type { Deposit, Withdrawal } from '../ledger/wallet.ts'
import type { AccountId, CoreEvent } from './commands.ts'
import { Account, type ApiKey, type Currency, dollar, type Market, type WorkingOrder } from './entities.ts'
import type { History } from './history.ts'

/** The last number assigned of each kind; all start at 1. */
export type Counters = {
  order: number
  trade: number
  execution: number
  key: number
  whitelist: number
  address: number
  deposit: number
  withdrawal: number
}

/** Collects the fees; it cannot log in. */
export const feeAccountId: AccountId = 0

/** The exchange's whole state except its history. Only command handlers change it. */
export class ExchangeState {
  nowMs = 0
  readonly counters: Counters = {
    order: 0,
    trade: 0,
    execution: 0,
    key: 0,
    whitelist: 0,
    address: 0,
    deposit: 0,
    withdrawal: 0,
  }
  readonly currencies = new Map<string, Currency>()
  readonly markets = new Map<string, Market>()
  /** By account id. */
  readonly accounts: Account[] = [new Account(feeAccountId, 'fees', false)]
  tiers: readonly Tier[] = []
  readonly keysByHash = new Map<string, ApiKey>()
  readonly keysById = new Map<number, ApiKey>()
  /** Every working order, by id. */
  readonly orders = new Map<number, WorkingOrder>()
  readonly expiries = new Expiries()
  readonly deposits = new Map<string, Deposit>()
  readonly withdrawals = new Map<string, Withdrawal>()
  /** Events of the current command so far. */
  events: CoreEvent[] = []
  readonly history: History

  constructor(history: History) {
    this.history = history
  }

  nextId(kind: keyof Counters): number {
    this.counters[kind] += 1
    return this.counters[kind]
  }

  get feeAccount(): Account {
    const account = this.accounts[feeAccountId]
    if (account === undefined) throw new Error('there is no fee account')
    return account
  }

  /** A client's account; undefined for the fee account too. */
  client(id: AccountId): Account | undefined {
    return id === feeAccountId ? undefined : this.accounts[id]
  }

  emitOrder(order: { id: number; account: AccountId; symbol: string; status: OrderStatus }): void {
    this.events.push({
      type: 'order',
      exOrdId: order.id,
      account: order.account,
      symbol: order.symbol,
      status: order.status,
      atMs: this.nowMs,
    })
  }

  /**
   * USD per unit of the currency, in minor units: from the last trade against USD, otherwise the configured rate; null
   * without either.
   */
  usdRateUnits(currency: Currency): bigint | null {
    if (currency.spec.code === dollar) return unitsPerOne
    const market = this.markets.get(`${currency.spec.code}-${dollar}`)
    const lastTicks = market?.ticker.lastTicks ?? null
    if (market === undefined || lastTicks === null) return currency.usdRateUnits
    return BigInt(lastTicks) * market.tickUnits
  }
}

/** Working GTD orders by the moment they expire: one moment per day. */
class Expiries {
  private readonly byMs = new Map<number, Set<WorkingOrder>>()
  /** Every moment of `byMs`, earliest last. */
  private readonly moments: number[] = []

  /** The next moment at which an order expires; Infinity if there is none. */
  get nextMs(): number {
    return this.moments.at(-1) ?? Number.POSITIVE_INFINITY
  }

  add(order: WorkingOrder): void {
    const atMs = order.expiresAtMs
    if (atMs === null) return
    const due = this.byMs.get(atMs)
    if (due !== undefined) {
      due.add(order)
      return
    }
    this.byMs.set(atMs, new Set([order]))
    this.moments.splice(this.positionOf(atMs), 0, atMs)
  }

  remove(order: WorkingOrder): void {
    const atMs = order.expiresAtMs
    const due = atMs === null ? undefined : this.byMs.get(atMs)
    if (atMs === null || due === undefined) return
    due.delete(order)
    if (due.size > 0) return
    this.byMs.delete(atMs)
    this.moments.splice(this.positionOf(atMs), 1)
  }

  /** The orders that expire at the next moment, oldest first. */
  nextOrders(): readonly WorkingOrder[] {
    return [...(this.byMs.get(this.nextMs) ?? [])].sort((left, right) => left.id - right.id)
  }

  private positionOf(atMs: number): number {
    let low = 0
    let high = this.moments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.moments[middle] ?? 0) > atMs) low = middle + 1
      else high = middle
    }
    return low
  }
}
