import { hourMs } from '../base/text/time-text.ts'
import { Decimal } from './money.ts'

/** When a withdrawal needs a second person's approval; `fromUsd`: from this value on, and when the value is unknown. */
export type ApprovalRule = { kind: 'never' } | { kind: 'always' } | { kind: 'fromUsd'; usd: Decimal }

/** The desk's own limits of withdrawals, checked before anything is sent. */
export type WithdrawalLimits = {
  /** Maximum value in USD of all withdrawals of a UTC day, including this one. */
  dayUsd: Bounds<Decimal>
  /** Currency → its maximum per UTC day, including this withdrawal. */
  dayPerCurrency: ReadonlyMap<string, Bounds<Decimal>>
  approval: ApprovalRule
}

const bounds = (soft: string, hard: string): Bounds<Decimal> => ({ soft: new Decimal(soft), hard: new Decimal(hard) })

/**
 * A moment of the day whose sums limit what is sent, by the wall clock and how far the exchange's is ahead of it. The
 * earlier one counts, and what is dated later counts with it: whichever clock is off, and in whichever direction an
 * answer misdates itself, nothing of today is left out.
 */
export const dayNowMs = (wallMs: number, skewMs: number | null): number => wallMs + Math.min(0, skewMs ?? 0)

/** Limits for those who set none: generous with play money, careful with money. */
export const defaultWithdrawalLimits: Readonly<Record<'practice' | 'live', WithdrawalLimits>> = {
  practice: { dayUsd: bounds('250000', '2000000'), dayPerCurrency: new Map(), approval: { kind: 'never' } },
  live: { dayUsd: bounds('10000', '50000'), dayPerCurrency: new Map(), approval: { kind: 'never' } },
}

/** A bound that the user may confirm (`soft`) and one that always blocks (`hard`); null for none. */
export type Bounds<T> = { soft: T | null; hard: T | null }

/** The desk's own limits of orders, checked before anything is sent. */
export type OrderLimits = {
  /** Maximum value of an order in USD. */
  orderNotionalUsd: Bounds<Decimal>
  /** Maximum value in USD of the UTC day's fills, working orders and this order. */
  dayNotionalUsd: Bounds<Decimal>
  /** Maximum number of working orders, including this one. */
  openOrders: Bounds<number>
  /** Maximum distance of the price from the mid in percent, on either side. */
  collarPercent: Bounds<Decimal>
  /** Time in ms in which a duplicate of a sent order is blocked, at most `duplicateMaxMs`; 0 for never. */
  duplicateWithinMs: number
}

/** No limit looks back further at sent orders than this: for so long they are remembered. */
export const duplicateMaxMs = hourMs

/**
 * The desk's limits. `perSymbol` replaces the general order value, collar and duplicate window for a symbol. Its day
 * value and open orders count that symbol only and apply in addition to the general ones, which cover the whole
 * account.
 */
export type Limits = OrderLimits & {
  perSymbol: ReadonlyMap<string, Partial<OrderLimits>>
  withdrawals: WithdrawalLimits
}

/** Limits for those who set none: generous with play money, careful with money. */
export const defaultLimits: Readonly<Record<'practice' | 'live', Limits>> = {
  practice: {
    orderNotionalUsd: bounds('100000', '1000000'),
    dayNotionalUsd: { soft: null, hard: new Decimal('50000000') },
    openOrders: { soft: null, hard: 200 },
    collarPercent: bounds('10', '50'),
    duplicateWithinMs: 2_000,
    perSymbol: new Map(),
    withdrawals: defaultWithdrawalLimits.practice,
  },
  live: {
    orderNotionalUsd: bounds('10000', '25000'),
    dayNotionalUsd: { soft: null, hard: new Decimal('250000') },
    openOrders: { soft: null, hard: 20 },
    collarPercent: bounds('2', '5'),
    duplicateWithinMs: 5_000,
    perSymbol: new Map(),
    withdrawals: defaultWithdrawalLimits.live,
  },
}

export const hasBound = (limit: Bounds<unknown>): boolean => limit.soft !== null || limit.hard !== null

/** Names of symbols or currencies. */
export type Names = { has(name: string): boolean }

export const noNames: Names = new Set()

/** The symbols that an exchange lists; `unread` are those whose rules are there and cannot be read. */
export type ListedSymbols = { listed: ReadonlySet<string>; unread: Names }

/** Whether the exchange does not have a symbol. */
export const isUnlisted = (symbol: string, listed: Names, unread: Names): boolean =>
  !listed.has(symbol) && !unread.has(symbol)

/** Names in limits that the exchange does not have: such limits bound nothing. */
export const unlistedNames = (names: Iterable<string>, listed: Names, unread: Names): string[] =>
  [...names].filter((name) => isUnlisted(name, listed, unread))

/** Why a loaded list has no rules of a symbol, as a clause: it is not listed, or its rules are there and unreadable. */
export const noRulesReason = (symbol: string, listed: Names, unread: Names) =>
  isUnlisted(symbol, listed, unread) ? `the exchange does not list ${symbol}` : `the rules of ${symbol} cannot be read`

/** The limits of a symbol's orders: its own, or else the general ones. */
export const limitsFor = (limits: Limits, symbol: string): OrderLimits => ({
  ...limits,
  ...limits.perSymbol.get(symbol),
})
