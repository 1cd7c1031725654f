import { VolumeWindow } from '../ledger/fees.ts'
import { enterKey } from './account-commands.ts'
import { Account, compileCurrency, Market, WorkingOrder } from './entities.ts'
import type { History } from './history.ts'
import { enterOrder } from './order-commands.ts'
import { isRefused } from './results.ts'
import type { ExchangeSnapshot } from './snapshot.ts'
import { ExchangeState } from './state.ts'
import { fillListener } from './symbol-commands.ts'

type MarketSnapshot = ExchangeSnapshot['markets'][number]
type AccountSnapshot = ExchangeSnapshot['accounts'][number]
type OrderSnapshot = MarketSnapshot['bids'][number]

/** The state a snapshot was taken of. Throws when the snapshot does not hold together. */
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

/** Makes the market with its queues; gives back the orders in them, which are not known to the state yet. */
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
