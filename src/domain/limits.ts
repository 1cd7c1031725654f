import { Decimal } from './money.ts'

/**
 * When a second person has to agree before a withdrawal may go; `fromUsd`: from this value on, and whenever the value
 * cannot be told.
 */
export type ApprovalRule = { kind: 'never' } | { kind: 'always' } | { kind: 'fromUsd'; usd: Decimal }

/** The limits a withdrawal is held against. They are the desk's own, checked before anything is sent. */
export type WithdrawalLimits = {
  /** Value in USD of all that left on the UTC day, the withdrawal among it: at most this much. */
  dayUsd: Bounds<Decimal>
  /** Currency → what may leave of it on a UTC day, in that currency, the withdrawal among it. */
  dayPerCurrency: ReadonlyMap<string, Bounds<Decimal>>
  approval: ApprovalRule
}

const bounds = (soft: string, hard: string): Bounds<Decimal> => ({ soft: new Decimal(soft), hard: new Decimal(hard) })

/** Limits for those who set none: generous with play money, careful with money. */
export const defaultWithdrawalLimits: Readonly<Record<'practice' | 'live', WithdrawalLimits>> = {
  practice: { dayUsd: bounds('250000', '2000000'), dayPerCurrency: new Map(), approval: { kind: 'never' } },
  live: { dayUsd: bounds('10000', '50000'), dayPerCurrency: new Map(), approval: { kind: 'never' } },
}

/** No bound at all. */
export const noWithdrawalLimits: WithdrawalLimits = {
  dayUsd: { soft: null, hard: null },
  dayPerCurrency: new Map(),
  approval: { kind: 'never' },
}

/** A bound that the user may confirm (`soft`) and one that always blocks (`hard`); null: no such bound. */
export type Bounds<T> = { soft: T | null; hard: T | null }

/** The limits one order is held against. They are the desk's own, checked before anything is sent. */
export type OrderLimits = {
  /** Value of one order in USD: at most this much. */
  orderNotionalUsd: Bounds<Decimal>
  /** Value in USD of the UTC day's fills, of what is working, and of the order: at most this much. */
  dayNotionalUsd: Bounds<Decimal>
  /** Working orders, the new one among them: at most this many. */
  openOrders: Bounds<number>
  /** Distance of the price from the mid, in percent of the mid: at most this much, on either side. */
  collarPercent: Bounds<Decimal>
  /** A duplicate of an order sent less than this many ms ago is blocked; 0: never. */
  duplicateWithinMs: number
}

/**
 * The desk's limits. What `perSymbol` names takes the place of the general order value, collar and duplicate window for
 * that symbol. Its day value and open orders count that symbol alone and hold beside the general ones, which count the
 * whole account.
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

/** No bound at all: for what is not an order of a person. */
export const noLimits: Limits = {
  orderNotionalUsd: { soft: null, hard: null },
  dayNotionalUsd: { soft: null, hard: null },
  openOrders: { soft: null, hard: null },
  collarPercent: { soft: null, hard: null },
  duplicateWithinMs: 0,
  perSymbol: new Map(),
  withdrawals: noWithdrawalLimits,
}

export const hasBound = (limit: Bounds<unknown>): boolean => limit.soft !== null || limit.hard !== null

/** The limits of one symbol's orders: its own where it has any, the general ones where not. */
export const limitsFor = (limits: Limits, symbol: string): OrderLimits => ({
  ...limits,
  ...limits.perSymbol.get(symbol),
})
