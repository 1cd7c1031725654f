import type { SymbolStatus } from '../../domain/market/instrument.ts'
import type { PriceLevel } from '../engine/price-levels.ts'
import type { TickerWindowState } from '../engine/ticker-window.ts'
import type { FeeRates } from '../ledger/fees.ts'
import type { Deposit, Withdrawal } from '../ledger/wallet.ts'
import type { CurrencySpec, SymbolSpec } from './commands.ts'
import type { Account, ApiKey, Currency, Market, WhitelistEntry, WorkingOrder } from './entities.ts'
import type { OrderData } from './order-data.ts'
import type { Counters, ExchangeState } from './state.ts'

/** Whole numbers that may leave the safe integers, as text. */
type BigText = string
type OrderSnapshot = Omit<OrderData, 'cumTickLots' | 'refused'> & { cumTickLots: BigText; holdPerLot: BigText }
type CurrencySnapshot = { spec: CurrencySpec; depositedUnits: BigText; withdrawnUnits: BigText }
type MarketSnapshot = {
  spec: SymbolSpec
  status: SymbolStatus
  auctionTime: string | null
  ticker: TickerWindowState
  /** Each in the order of its queue, best price first: time priority is nowhere else. */
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

/** The whole exchange but its history, as plain JSON. Lists are in the order of their ids. */
export type ExchangeSnapshot = {
  version: 1
  nowMs: number
  counters: Counters
  currencies: readonly CurrencySnapshot[]
  markets: readonly MarketSnapshot[]
  tiers: readonly { fromUnits: BigText; rates: FeeRates }[]
  /** The fee account is the first. */
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
