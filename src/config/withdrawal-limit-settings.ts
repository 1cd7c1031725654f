import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { type ApprovalRule, type Bounds, defaultWithdrawalLimits, type WithdrawalLimits } from '../domain/limits.ts'
import type { Decimal } from '../domain/money.ts'
import { type BoundsSetting, boundsSetting, merged, none, readAmountBound } from './bounds-setting.ts'
import { setting } from './setting-readers.ts'

/** `true`: every withdrawal; an amount of USD: from this value on. */
const approvalSetting = setting((value): Result<ApprovalRule> => {
  if (typeof value === 'boolean') return ok({ kind: value ? 'always' : 'never' })
  const usd = readAmountBound(value)
  return usd === undefined
    ? err(
        'must be true, false, or the amount of USD from which on it is wanted (a whole number, or a decimal one in quotes)',
      )
    : ok({ kind: 'fromUsd', usd })
})

type DaySettings = ReadonlyMap<string, BoundsSetting<Decimal>>

const currencyBounds = boundsSetting(readAmountBound, 'an amount (a whole number, or a decimal one in quotes)')

/** Currency → what may leave of it on a day. */
const daySetting = z.optional(
  z.record(z.string(), currencyBounds).transform((table, context): DaySettings => {
    const days = new Map<string, BoundsSetting<Decimal>>()
    for (const [code, bounds] of Object.entries(table)) {
      const currency = code.toUpperCase()
      if (!/^[A-Z0-9]{1,20}$/.test(currency) || days.has(currency)) {
        const message = `names a currency (${days.has(currency) ? 'once' : 'such as BTC'}) in each line`
        context.issues.push({ code: 'custom', message, input: code, path: [code] })
        continue
      }
      if (bounds !== undefined) days.set(currency, bounds)
    }
    return days
  }),
)

/** What `[profiles.NAME.limits]` sets for money that goes out. */
export const withdrawalLimitShape = {
  withdrawal_day_usd: boundsSetting(readAmountBound, 'an amount of USD (a whole number, or a decimal one in quotes)'),
  withdrawal_day: daySetting,
  withdrawal_approval: approvalSetting,
}

type WithdrawalLimitSettings = Partial<{
  withdrawal_day_usd: BoundsSetting<Decimal> | undefined
  withdrawal_day: DaySettings | undefined
  withdrawal_approval: ApprovalRule | undefined
}>

/** The limits in force: what the table sets in the place of the defaults for this kind of exchange. */
export function withdrawalLimitsOf(
  settings: WithdrawalLimitSettings | undefined,
  kind: 'practice' | 'live',
): WithdrawalLimits {
  const standard = defaultWithdrawalLimits[kind]
  const days = [...(settings?.withdrawal_day ?? [])].map(([currency, set]): [string, Bounds<Decimal>] => [
    currency,
    merged(set, standard.dayPerCurrency.get(currency) ?? none),
  ])
  return {
    dayUsd: merged(settings?.withdrawal_day_usd, standard.dayUsd),
    dayPerCurrency: new Map([...standard.dayPerCurrency, ...days]),
    approval: settings?.withdrawal_approval ?? standard.approval,
  }
}
