import type { OrderStatus } from '../../domain/orders/order.ts'
import type { Tier } from '../ledger/fees.ts'
import type { Deposit, Withdrawal } from '../ledger/transfers.ts'
import { unitsPerOne } from '../ledger/units.ts'
import { Account, type ApiKey } from './account.ts'
import type { AccountId } from './commands.ts'
import { type Currency, dollar } from './currency.ts'
import { Expiries } from './expiries.ts'
import type { History } from './history.ts'
import type { Market } from './market.ts'
import type { CoreEvent } from './results.ts'
import type { WorkingOrder } from './working-order.ts'

/** The last number given out of each kind; every one starts at 1. */
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

/** Collects the fees; nobody logs in to it. */
export const feeAccountId: AccountId = 0

/** Everything the exchange knows but its history. Only command handlers change it. */
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
  /** Every order that has not ended, by id. */
  readonly orders = new Map<number, WorkingOrder>()
  readonly expiries = new Expiries()
  readonly deposits = new Map<string, Deposit>()
  readonly withdrawals = new Map<string, Withdrawal>()
  /** What the present command did so far. */
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

  /** A client's account; undefined for the fee account, too. */
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

  /** USD for one unit of the currency, in minor units: the last trade against USD, else what was told; else null. */
  usdRateUnits(currency: Currency): bigint | null {
    if (currency.spec.code === dollar) return unitsPerOne
    const market = this.markets.get(`${currency.spec.code}-${dollar}`)
    const lastTicks = market?.ticker.lastTicks ?? null
    if (market === undefined || lastTicks === null) return currency.usdRateUnits
    return BigInt(lastTicks) * market.tickUnits
  }
}
