import type { SymbolStatus } from '../../domain/market/instrument.ts'
import type { PriceLevel } from '../engine/price-levels.ts'
import type { TickerWindowState } from '../engine/ticker-window.ts'
import { type FeeRates, VolumeWindow } from '../ledger/fees.ts'
import type { Deposit, Withdrawal } from '../ledger/wallet.ts'
import { type CurrencySpec, isRefused, type SymbolSpec } from './commands.ts'
import {
  Account,
  type ApiKey,
  type Currency,
  compileCurrency,
  Market,
  type WhitelistEntry,
  WorkingOrder,
} from './entities.ts'
import type { History, OrderData } from './history.ts'
import { enterOrder } from './order-commands.ts'
import { type Counters, ExchangeState } from './state.ts'
import { fillListener } from './symbol-commands.ts'
import { enterKey } from './transfer-commands.ts'

/** Whole numbers that may exceed the safe integers, as text. */
type BigText = string
type OrderSnapshot = Omit<OrderData, 'cumTickLots' | 'refused'> & { cumTickLots: BigText; holdPerLot: BigText }
type CurrencySnapshot = { spec: CurrencySpec; depositedUnits: BigText; withdrawnUnits: BigText }
type MarketSnapshot = {
  spec: SymbolSpec
  status: SymbolStatus
  auctionTime: string | null
  ticker: TickerWindowState
  /** In queue order, best price first: time priority is recorded nowhere else. */
  bids: readonly OrderSnapshot[]
  asks: readonly OrderSnapshot[]
  buyStops: readonly OrderSnapshot[]
  sellStops: readonly OrderSnapshot[]
}
type AccountSnapshot = {
  name: string
  hasTwoFactor: boolean
  /** Only currencies with a balance. */
  cells: readonly { currencyIndex: number; balance: BigText; held: BigText }[]
  volume: readonly { day: number; units: BigText }[]
  keys: readonly Readonly<ApiKey>[]
  whitelist: readonly WhitelistEntry[]
  addresses: readonly (readonly [currency: string, address: string])[]
}
type TransferSnapshot<T> = Omit<T, 'units' | 'feeUnits'> & { [K in keyof T & ('units' | 'feeUnits')]: BigText }

/** The whole exchange except its history, as plain JSON. Lists are in id order. */
export type ExchangeSnapshot = {
  version: 1
  nowMs: number
  counters: Counters
  currencies: readonly CurrencySnapshot[]
  markets: readonly MarketSnapshot[]
  tiers: readonly { fromUnits: BigText; rates: FeeRates }[]
  /** The fee account comes first. */
  accounts: readonly AccountSnapshot[]
  deposits: readonly TransferSnapshot<Deposit>[]
  withdrawals: readonly TransferSnapshot<Withdrawal>[]
}

export function takeSnapshot(state: ExchangeState): ExchangeSnapshot {
  const currencies = [...state.currencies.values()]
  return {
    version: 1,
    nowMs: state.nowMs,
    counters: { ...state.counters },
    currencies: currencies.map(({ spec, depositedUnits, withdrawnUnits }) => ({
      spec,
      depositedUnits: String(depositedUnits),
      withdrawnUnits: String(withdrawnUnits),
    })),
    markets: [...state.markets.values()].map(marketSnapshot),
    tiers: state.tiers.map(({ fromUnits, rates }) => ({ fromUnits: String(fromUnits), rates })),
    accounts: state.accounts.map((account) => accountSnapshot(account, currencies)),
    deposits: [...state.deposits.values()].map((deposit) => ({ ...deposit, units: String(deposit.units) })),
    withdrawals: [...state.withdrawals.values()].map((withdrawal) => ({
      ...withdrawal,
      units: String(withdrawal.units),
      feeUnits: String(withdrawal.feeUnits),
    })),
  }
}

const marketSnapshot = ({ spec, status, auctionTime, ticker, book, stops }: Market): MarketSnapshot => ({
  spec,
  status,
  auctionTime,
  ticker: ticker.state(),
  bids: queueSnapshot(book.bids.best),
  asks: queueSnapshot(book.asks.best),
  buyStops: queueSnapshot(stops.buys.best),
  sellStops: queueSnapshot(stops.sells.best),
})

function queueSnapshot(best: PriceLevel<WorkingOrder> | null): OrderSnapshot[] {
  const orders: OrderSnapshot[] = []
  for (let level = best; level !== null; level = level.worse)
    for (let order = level.first; order !== null; order = order.next) orders.push(orderSnapshot(order))
  return orders
}

function orderSnapshot(order: WorkingOrder): OrderSnapshot {
  const { refused: _, ...data } = order.data()
  return { ...data, cumTickLots: String(data.cumTickLots), holdPerLot: String(order.holdPerLot) }
}

const accountSnapshot = (account: Account, currencies: readonly Currency[]): AccountSnapshot => ({
  name: account.name,
  hasTwoFactor: account.hasTwoFactor,
  cells: currencies
    .map(({ index }) => ({ currencyIndex: index, cell: account.wallet.cell(index) }))
    .filter(({ cell }) => cell.balance > 0n)
    .map(({ currencyIndex, cell }) => ({ currencyIndex, balance: String(cell.balance), held: String(cell.held) })),
  volume: account.volume.state().map(({ day, units }) => ({ day, units: String(units) })),
  keys: account.keys.map((key) => ({ ...key })),
  whitelist: [...account.whitelist],
  addresses: [...account.freshAddresses],
})

/** Restores the state from a snapshot. Throws if the snapshot is inconsistent. */
export function restoreState(snapshot: ExchangeSnapshot, history: History): ExchangeState {
  const state = new ExchangeState(history)
  state.nowMs = snapshot.nowMs
  Object.assign(state.counters, snapshot.counters)
  state.tiers = snapshot.tiers.map(({ fromUnits, rates }) => ({ fromUnits: BigInt(fromUnits), rates }))
  for (const [index, { spec, depositedUnits, withdrawnUnits }] of snapshot.currencies.entries()) {
    const currency = compileCurrency(index, spec)
    if (isRefused(currency))
      throw new Error(`the snapshot's currency ${spec.code} is wrong: ${currency.refusal.message}`)
    currency.depositedUnits = BigInt(depositedUnits)
    currency.withdrawnUnits = BigInt(withdrawnUnits)
    state.currencies.set(spec.code, currency)
  }
  state.accounts.length = 0
  for (const account of snapshot.accounts) restoreAccount(state, account)
  const orders = snapshot.markets.flatMap((market) => restoreMarket(state, market))
  for (const order of orders.sort((left, right) => left.id - right.id)) enterOrder(state, order)
  for (const deposit of snapshot.deposits)
    state.deposits.set(deposit.depositId, { ...deposit, units: BigInt(deposit.units) })
  for (const withdrawal of snapshot.withdrawals)
    state.withdrawals.set(withdrawal.withdrawalId, {
      ...withdrawal,
      units: BigInt(withdrawal.units),
      feeUnits: BigInt(withdrawal.feeUnits),
    })
  return state
}

function restoreAccount(state: ExchangeState, snapshot: AccountSnapshot): void {
  const volume = new VolumeWindow(snapshot.volume.map(({ day, units }) => ({ day, units: BigInt(units) })))
  const account = new Account(state.accounts.length, snapshot.name, snapshot.hasTwoFactor, volume)
  state.accounts.push(account)
  for (const { currencyIndex, balance, held } of snapshot.cells) {
    account.wallet.cell(currencyIndex).credit(BigInt(balance))
    account.wallet.cell(currencyIndex).hold(BigInt(held))
  }
  for (const key of snapshot.keys) enterKey(state, account, { ...key })
  account.whitelist.push(...snapshot.whitelist)
  for (const [currency, address] of snapshot.addresses) account.freshAddresses.set(currency, address)
}

/** Restores the market with its queues; returns the orders in them, which are not registered with the state yet. */
function restoreMarket(state: ExchangeState, snapshot: MarketSnapshot): WorkingOrder[] {
  const { spec, status } = snapshot
  const base = state.currencies.get(spec.base)
  const counter = state.currencies.get(spec.counter)
  if (base === undefined || counter === undefined) throw new Error(`the snapshot has no currencies for ${spec.symbol}`)
  const id = state.markets.size + 1
  const market = new Market(id, spec, { base, counter }, status, fillListener(state), snapshot.ticker)
  market.auctionTime = snapshot.auctionTime
  state.markets.set(spec.symbol, market)
  const resting = [...snapshot.bids, ...snapshot.asks].map((order) => restoreOrder(state, market, order))
  for (const order of resting) market.book.rest(order, order.limitTicks ?? 0)
  const waiting = [...snapshot.buyStops, ...snapshot.sellStops].map((order) => restoreOrder(state, market, order))
  for (const order of waiting) market.stops.add(order, order.stopTicks ?? 0)
  return [...resting, ...waiting]
}

function restoreOrder(state: ExchangeState, market: Market, snapshot: OrderSnapshot): WorkingOrder {
  const holder = state.client(snapshot.account)
  if (holder === undefined) throw new Error(`the snapshot's order ${snapshot.id} belongs to nobody`)
  const data = { ...snapshot, cumTickLots: BigInt(snapshot.cumTickLots), refused: null }
  const order = new WorkingOrder(data, holder, market)
  order.holdPerLot = BigInt(snapshot.holdPerLot)
  return order
}
