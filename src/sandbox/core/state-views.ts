import type { Balance } from '../../domain/balance.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { indicativeAuction } from '../engine/auction.ts'
import type { PriceLevel } from '../engine/price-levels.ts'
import { ratesFor } from '../ledger/fees.ts'
import { decimalFromUnits, ledgerScale } from '../ledger/units.ts'
import type { Deposit, Withdrawal } from '../ledger/wallet.ts'
import type { Account, ApiKey, Currency, Market, WorkingOrder } from './entities.ts'
import type { FillData, OrderData } from './history.ts'
import type { ExchangeState } from './state.ts'
import type {
  AccountView,
  AuctionView,
  BookEntryView,
  BookView,
  DepositView,
  FeesView,
  FillView,
  KeyView,
  OrderView,
  SymbolView,
  TickerView,
  TopOfBook,
  WithdrawalView,
} from './views.ts'

/** An order as reported. `market` is undefined only for an order that was rejected for its unknown symbol. */
export function orderView(order: OrderData, market: Market | undefined): OrderView {
  const { refused } = order
  const common = {
    exOrdId: order.id,
    account: order.account,
    clOrdId: order.clOrdId,
    symbol: order.symbol,
    side: order.side,
    ordType: order.ordType,
    ordStatus: order.status,
    timeInForce: order.timeInForce,
    text: order.text,
    timestamp: order.atMs,
  }
  if (refused !== null) {
    const orderQty = new Decimal(refused.orderQty)
    return {
      ...common,
      price: decimalOrNull(refused.price),
      stopPx: decimalOrNull(refused.stopPx),
      orderQty,
      leavesQty: orderQty,
      cumQty: zero,
      avgPx: null,
      lastPx: null,
      lastShares: null,
    }
  }
  if (market === undefined) throw new Error(`order ${order.id} is of an unknown symbol`)
  return {
    ...common,
    price: times(order.limitTicks, market.tickSize),
    stopPx: times(order.stopTicks, market.tickSize),
    orderQty: market.lotSize.times(order.orderLots),
    leavesQty: market.lotSize.times(leavesLots(order)),
    cumQty: market.lotSize.times(order.cumLots),
    avgPx: averagePrice(order, market),
    lastPx: times(order.lastTicks, market.tickSize),
    lastShares: times(order.lastLots, market.lotSize),
  }
}

export function fillView(fill: FillData, market: Market): FillView {
  return {
    exOrdId: fill.orderId,
    tradeId: fill.tradeId,
    execId: fill.execId,
    account: fill.account,
    side: fill.side,
    symbol: fill.symbol,
    price: market.tickSize.times(fill.ticks),
    qty: market.lotSize.times(fill.lots),
    fee: decimalFromUnits(fill.feeUnits),
    timestamp: fill.atMs,
  }
}

/** Quantity still open, or open when the order ended; 0 for an untriggered stop. */
const leavesLots = ({ status, openLots }: OrderData): number => (status === 'PENDING' ? 0 : openLots)

function averagePrice({ cumTickLots, cumLots }: OrderData, { tickUnits }: Market): Decimal | null {
  if (cumLots === 0) return null
  return exactQuotient(cumTickLots * tickUnits, BigInt(cumLots) * 10n ** BigInt(ledgerScale))
}

const times = (steps: number | null, step: Decimal): Decimal | null => (steps === null ? null : step.times(steps))
const decimalOrNull = (text: string | null): Decimal | null => (text === null ? null : new Decimal(text))

const shownDigits = 24

/**
 * `numerator` / `denominator`, both above zero: exact if the decimal expansion ends, otherwise 24 significant digits,
 * half-even.
 */
export function exactQuotient(numerator: bigint, denominator: bigint): Decimal {
  const divisor = gcd(numerator, denominator)
  const reduced = denominator / divisor
  const twos = powerOf(reduced, 2n)
  const fives = powerOf(reduced, 5n)
  const whole = new Decimal((numerator / divisor).toString())
  if (2n ** BigInt(twos) * 5n ** BigInt(fives) !== reduced)
    return whole.div(new Decimal(reduced.toString())).toSignificantDigits(shownDigits)
  // The expansion ends after as many places as the larger power; the digits are joined as text, which does not round.
  const places = Math.max(twos, fives)
  const digits = ((numerator / divisor) * (10n ** BigInt(places) / reduced)).toString()
  return new Decimal(`${digits}e-${places}`)
}

function gcd(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** How often `prime` divides `value`. */
function powerOf(value: bigint, prime: bigint): number {
  let power = 0
  for (let rest = value; rest % prime === 0n; rest /= prime) power += 1
  return power
}

type Level = PriceLevel<WorkingOrder>

export const l2View = (market: Market, depth = Number.POSITIVE_INFINITY): BookView => ({
  symbol: market.spec.symbol,
  bids: levelEntries(market, market.book.bids.best, depth),
  asks: levelEntries(market, market.book.asks.best, depth),
})

/** `depth` counts price levels here too: a level is shown with all its orders. */
export const l3View = (market: Market, depth = Number.POSITIVE_INFINITY): BookView => ({
  symbol: market.spec.symbol,
  bids: orderEntries(market, market.book.bids.best, depth),
  asks: orderEntries(market, market.book.asks.best, depth),
})

/** Each level's last entry: most levels of a book do not change between two reads. */
const shownLevels = new WeakMap<Level, { lots: number; entry: BookEntryView }>()

function levelEntry(market: Market, level: Level): BookEntryView {
  const { lots, orderCount } = level
  const shown = shownLevels.get(level)
  if (shown !== undefined && shown.lots === lots && shown.entry.num === orderCount) return shown.entry
  const entry = { px: price(market, level.ticks), qty: market.lotSize.times(lots), num: orderCount }
  shownLevels.set(level, { lots, entry })
  return entry
}

function levelEntries(market: Market, best: Level | null, depth: number): BookEntryView[] {
  const entries: BookEntryView[] = []
  for (let level = best; level !== null && entries.length < depth; level = level.worse)
    entries.push(levelEntry(market, level))
  return entries
}

function orderEntries(market: Market, best: Level | null, depth: number): BookEntryView[] {
  const entries: BookEntryView[] = []
  let levelCount = 0
  for (let level = best; level !== null && levelCount < depth; level = level.worse) {
    const px = price(market, level.ticks)
    for (let order = level.first; order !== null; order = order.next)
      entries.push({ px, qty: market.lotSize.times(order.openLots), num: order.id })
    levelCount += 1
  }
  return entries
}

export function topOfBook({ book, ticker }: Market): TopOfBook {
  const bid = book.bids.best
  const ask = book.asks.best
  return {
    bidTicks: bid?.ticks ?? null,
    bidLots: bid?.lots ?? 0,
    askTicks: ask?.ticks ?? null,
    askLots: ask?.lots ?? 0,
    lastTicks: ticker.lastTicks,
  }
}

export function tickerView(market: Market, atMs: number): TickerView {
  const { ticker, lotSize, spec } = market
  const ticks24h = ticker.priceTicks(atMs)
  return {
    symbol: spec.symbol,
    lastTradePrice: ticker.lastTicks === null ? null : price(market, ticker.lastTicks),
    price24h: ticks24h === null ? null : price(market, ticks24h),
    volume24h: lotSize.times(ticker.volumeLots(atMs).toString()),
  }
}

export const symbolView = (market: Market): SymbolView => ({
  id: market.id,
  spec: market.spec,
  baseScale: market.base.spec.scale,
  counterScale: market.counter.spec.scale,
  status: market.status,
  auction: market.status === 'halt' || market.status === 'halt-freeze' ? auctionView(market) : null,
})

function auctionView(market: Market): AuctionView {
  const auction = indicativeAuction(market.book, market.ticker.lastTicks)
  return {
    price: auction === null ? null : price(market, auction.ticks),
    size: market.lotSize.times(auction?.lots ?? 0),
    imbalance: market.lotSize.times(auction?.imbalanceLots ?? 0),
    time: market.auctionTime,
  }
}

const price = ({ tickSize }: Market, ticks: number): Decimal => tickSize.times(ticks)

export const accountView = (account: Account): AccountView => ({
  account: account.id,
  name: account.name,
  hasTwoFactor: account.hasTwoFactor,
  keys: account.keys.map(keyView),
})

export const keyView = ({ keyId, account, state }: ApiKey): KeyView => ({ keyId, account, state })

/** The rates of an order placed at `atMs`. */
export function feesView(state: ExchangeState, account: Account, atMs: number): FeesView {
  const volumeUnits = account.volume.total(atMs)
  const { makerPpm, takerPpm } = ratesFor(state.tiers, volumeUnits)
  return {
    makerRate: new Decimal(makerPpm).times('0.000001'),
    takerRate: new Decimal(takerPpm).times('0.000001'),
    volumeInUSD: decimalFromUnits(volumeUnits),
  }
}

export function balanceView(state: ExchangeState, account: Account, currency: Currency): Balance {
  const cell = account.wallet.cell(currency.index)
  const rateUnits = state.usdRateUnits(currency)
  const rate = rateUnits === null ? zero : decimalFromUnits(rateUnits)
  const balance = decimalFromUnits(cell.balance)
  const available = decimalFromUnits(cell.available)
  return {
    currency: currency.spec.code,
    balance,
    available,
    balanceLocal: balance.times(rate),
    availableLocal: available.times(rate),
    rate,
  }
}

export const depositView = (deposit: Deposit): DepositView => ({
  depositId: deposit.depositId,
  account: deposit.account,
  currency: deposit.currency,
  amount: decimalFromUnits(deposit.units),
  address: deposit.address,
  txHash: deposit.txHash,
  state: deposit.state,
  timestamp: deposit.atMs,
})

export const withdrawalView = (withdrawal: Withdrawal): WithdrawalView => ({
  withdrawalId: withdrawal.withdrawalId,
  account: withdrawal.account,
  currency: withdrawal.currency,
  amount: decimalFromUnits(withdrawal.units),
  fee: decimalFromUnits(withdrawal.feeUnits),
  beneficiary: withdrawal.beneficiary,
  state: withdrawal.state,
  timestamp: withdrawal.atMs,
})
