import { err, ok, type Result } from '../../base/result.ts'
import { Decimal } from '../money.ts'

/** What a person may move at most, in USD; null: no limit of this kind. Zero: nothing at all. */
export type PersonLimits = {
  /** The value of one order. */
  readonly orderUsd: Decimal | null
  /** The values of all orders of a UTC day together. */
  readonly dayUsd: Decimal | null
  /** The values of all withdrawals of a UTC day together. */
  readonly withdrawDayUsd: Decimal | null
}

export const personLimitNames = ['orderUsd', 'dayUsd', 'withdrawDayUsd'] as const
export type PersonLimitName = (typeof personLimitNames)[number]

/** What is to be set: a name that is left out stays as it is, null takes the limit away. */
export type PersonLimitsChange = { readonly [Name in PersonLimitName]?: Decimal | null }

export const noPersonLimits: PersonLimits = { orderUsd: null, dayUsd: null, withdrawDayUsd: null }

/** What counts for a person: one by one, their own limit where there is one, else that of the role. */
export const effectiveLimits = (own: PersonLimits, ofRole: PersonLimits): PersonLimits => ({
  orderUsd: own.orderUsd ?? ofRole.orderUsd,
  dayUsd: own.dayUsd ?? ofRole.dayUsd,
  withdrawDayUsd: own.withdrawDayUsd ?? ofRole.withdrawDayUsd,
})

/** Digits before the point: far above any account, and what a slip of the keyboard makes is refused. */
const wholeDigitsMax = 15
const decimalsMax = 8
const amountPattern = new RegExp(`^\\d{1,${wholeDigitsMax}}(\\.\\d{1,${decimalsMax}})?$`)

/**
 * Reads a limit as it is typed: an amount of USD from zero on in plain digits, or `none`, which is null. The error
 * follows the name of the limit.
 */
export function readLimitText(text: string): Result<Decimal | null> {
  if (text === 'none') return ok(null)
  return amountPattern.test(text)
    ? ok(new Decimal(text))
    : err(`must be an amount of USD in plain digits, such as 25000 or 0.5, or none`)
}
