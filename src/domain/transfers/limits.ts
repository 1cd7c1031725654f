import type { Bounds } from '../limits.ts'
import { Decimal } from '../money.ts'

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
