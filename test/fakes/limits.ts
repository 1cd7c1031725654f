import { defaultLimits, type Limits, type WithdrawalLimits } from '../../src/domain/limits.ts'
import type { Ticker } from '../../src/domain/market/ticker.ts'
import type { LimitContext } from '../../src/domain/orders/checks/value-checks.ts'
import { amount } from './amounts.ts'

/** No bounds. */
export const noWithdrawalLimits: WithdrawalLimits = {
  dayUsd: { soft: null, hard: null },
  dayPerCurrency: new Map(),
  approval: { kind: 'never' },
}

/** No bounds of anything: for what is not about limits. */
export const noLimits: Limits = {
  orderNotionalUsd: { soft: null, hard: null },
  dayNotionalUsd: { soft: null, hard: null },
  openOrders: { soft: null, hard: null },
  collarPercent: { soft: null, hard: null },
  duplicateWithinMs: 0,
  perSymbol: new Map(),
  withdrawals: noWithdrawalLimits,
}

/** A practice desk's limits on a quiet day: no order working, none filled, none sent. */
export const quietDay = (change: Partial<LimitContext> = {}): LimitContext & { exchangeNowMs: number } => ({
  limits: defaultLimits.practice,
  tickers: { kind: 'missing' },
  openOrders: { kind: 'fresh', value: [] },
  filledToday: { kind: 'fresh', value: new Map() },
  recentOrders: [],
  ownDrafts: new Map(),
  nowMs: 1_700_000_000_000,
  exchangeNowMs: 1_700_000_000_000,
  ...change,
})

/** Tickers of symbols that last traded at these prices, as fresh as can be. */
export const lastTrades = (prices: Readonly<Record<string, string>>): LimitContext['tickers'] => ({
  kind: 'fresh',
  value: new Map(
    Object.entries(prices).map(([symbol, price]): [string, Ticker] => [
      symbol,
      { symbol, lastPrice: amount(price), price24h: null, volume24h: null },
    ]),
  ),
})
