import { err, ok, type Result } from '../../base/result.ts'
import { Decimal } from '../money.ts'
import { usdText } from '../usd-value.ts'

/** Limits of a person in USD; null for none. Zero permits nothing. */
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

/** Limits to set: missing ones stay, null removes the limit. */
export type PersonLimitsChange = { readonly [Name in PersonLimitName]?: Decimal | null }

export const noPersonLimits: PersonLimits = { orderUsd: null, dayUsd: null, withdrawDayUsd: null }

/** A person's effective limits: for each, their own or else the role's. */
export const effectiveLimits = (own: PersonLimits, ofRole: PersonLimits): PersonLimits => ({
  orderUsd: own.orderUsd ?? ofRole.orderUsd,
  dayUsd: own.dayUsd ?? ofRole.dayUsd,
  withdrawDayUsd: own.withdrawDayUsd ?? ofRole.withdrawDayUsd,
})

/** True where a limit allows less than before. */
export const isLowered = (before: PersonLimits, now: PersonLimits): boolean =>
  personLimitNames.some((name) => {
    const [was, is] = [before[name], now[name]]
    return is !== null && (was === null || is.lt(was))
  })

/** Maximum digits before the decimal point, far above any account; more are a typing mistake. */
const wholeDigitsMax = 15
const decimalsMax = 8
const amountPattern = new RegExp(`^\\d{1,${wholeDigitsMax}}(\\.\\d{1,${decimalsMax}})?$`)

/**
 * Reads a typed limit: an amount of USD, zero or more, in plain digits, or `none`, which is null. The error follows the
 * limit's name.
 */
export function readLimitText(text: string): Result<Decimal | null> {
  if (text === 'none') return ok(null)
  return amountPattern.test(text)
    ? ok(new Decimal(text))
    : err(`must be an amount of USD in plain digits, such as 25000 or 0.5, or none`)
}

/** Why a limit cannot be held against it, as a clause. */
export const unvalued = 'its value in USD is not known'

/** Why a person's limits stop an order, as a clause; null when they do not. `unknown` says why it has no value. */
export function overPersonLimits(
  { orderUsd, dayUsd }: Pick<PersonLimits, 'orderUsd' | 'dayUsd'>,
  usd: Decimal | null,
  before: Decimal,
  unknown: string = unvalued,
): string | null {
  if (orderUsd === null && dayUsd === null) return null
  if (usd === null) return `${unknown}, and your orders have a limit`
  if (orderUsd !== null && usd.gt(orderUsd))
    return `an order of ${usdText(usd)} is over your limit ${usdText(orderUsd)}`
  const sum = before.plus(usd)
  return dayUsd !== null && sum.gt(dayUsd)
    ? `your orders of the day would be ${usdText(sum)}, over your limit ${usdText(dayUsd)}`
    : null
}
