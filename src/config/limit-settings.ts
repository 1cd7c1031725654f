import { z } from 'zod'
import { err, ok } from '../base/result.ts'
import { type Bounds, defaultLimits, type Limits, type OrderLimits } from '../domain/limits.ts'
import type { Decimal } from '../domain/money.ts'
import { type BoundsSetting, boundsSetting, isSoftOver, merged, none, readAmountBound } from './bounds-setting.ts'
import { setting } from './setting-readers.ts'
import { withdrawalLimitShape, withdrawalLimitsOf } from './withdrawal-limit-settings.ts'

const readCountBound = (value: unknown): number | undefined =>
  typeof value === 'bigint' && value > 0n && value <= 100_000n ? Number(value) : undefined

const longestDuplicateMs = 3_600_000

const orderLimitShape = {
  order_notional_usd: boundsSetting(readAmountBound, 'an amount of USD (a whole number, or a decimal one in quotes)'),
  day_notional_usd: boundsSetting(readAmountBound, 'an amount of USD (a whole number, or a decimal one in quotes)'),
  open_orders: boundsSetting(readCountBound, 'a whole number of orders'),
  collar_percent: boundsSetting(readAmountBound, 'a percentage (a whole number, or a decimal one in quotes)'),
  duplicate_within_ms: setting((value) =>
    typeof value === 'bigint' && value >= 0n && value <= BigInt(longestDuplicateMs)
      ? ok(Number(value))
      : err(`must be a whole number of milliseconds from 0 (never) to ${longestDuplicateMs}`),
  ),
}

export const orderLimitNames = Object.keys(orderLimitShape)
export const limitNames = [...orderLimitNames, 'per_symbol', ...Object.keys(withdrawalLimitShape)]

const orderLimitTable = z.strictObject(orderLimitShape)
/** The table `[profiles.NAME.limits]`. */
export const limitTable = z.strictObject({
  ...orderLimitShape,
  per_symbol: z.optional(z.record(z.string(), orderLimitTable)),
  ...withdrawalLimitShape,
})
export type LimitSettings = z.infer<typeof limitTable>

/** The limits in force: what the table sets in the place of the defaults for this kind of exchange. */
export function limitsOf(settings: LimitSettings | undefined, kind: 'practice' | 'live'): Limits {
  const standard = defaultLimits[kind]
  const general = orderLimits(settings ?? {}, standard)
  const perSymbol = Object.entries(settings?.per_symbol ?? {}).map(
    ([symbol, table]) => [symbol.toUpperCase(), partialLimits(table, general)] as const,
  )
  return { ...general, perSymbol: new Map(perSymbol), withdrawals: withdrawalLimitsOf(settings, kind) }
}

const boundNames = [
  ['order_notional_usd', 'orderNotionalUsd'],
  ['day_notional_usd', 'dayNotionalUsd'],
  ['open_orders', 'openOrders'],
  ['collar_percent', 'collarPercent'],
] as const

type AnyBounds = Bounds<Decimal | number> | undefined
/** A bound as it is set, and as it is in force with what is not set. */
type Told = { name: string; set: BoundsSetting<Decimal | number> | undefined; inForce: AnyBounds }

/**
 * What is wrong with limits as they are in force, as a sentence: a soft bound that is set over a hard one it meets
 * elsewhere.
 */
export function limitsComplaint(settings: LimitSettings | undefined, limits: Limits): string | null {
  if (settings === undefined) return null
  const { withdrawals } = limits
  const told: Told[] = [
    ...boundNames.map(([name, key]) => ({ name, set: settings[name], inForce: limits[key] })),
    ...Object.entries(settings.per_symbol ?? {}).flatMap(([symbol, table]) =>
      boundNames.map(([name, key]) => ({
        name: `per_symbol.${symbol}.${name}`,
        set: table[name],
        inForce: limits.perSymbol.get(symbol.toUpperCase())?.[key],
      })),
    ),
    { name: 'withdrawal_day_usd', set: settings.withdrawal_day_usd, inForce: withdrawals.dayUsd },
  ]
  const wrong = told.find(({ set, inForce }) => set?.soft !== undefined && inForce !== undefined && isSoftOver(inForce))
  return wrong === undefined
    ? null
    : `limits.${wrong.name} has its soft bound over the hard one in force: set hard beside it, or a lower soft`
}

type OrderLimitTable = z.infer<typeof orderLimitTable>

const orderLimits = (table: OrderLimitTable, standard: OrderLimits): OrderLimits => ({
  orderNotionalUsd: merged(table.order_notional_usd, standard.orderNotionalUsd),
  dayNotionalUsd: merged(table.day_notional_usd, standard.dayNotionalUsd),
  openOrders: merged(table.open_orders, standard.openOrders),
  collarPercent: merged(table.collar_percent, standard.collarPercent),
  duplicateWithinMs: table.duplicate_within_ms ?? standard.duplicateWithinMs,
})

/**
 * Only what the symbol's own table sets; its day value and open orders start from no bound, because the general ones
 * hold beside them.
 */
function partialLimits(table: OrderLimitTable, general: OrderLimits): Partial<OrderLimits> {
  const all = orderLimits(table, { ...general, dayNotionalUsd: none, openOrders: none })
  return {
    ...(table.order_notional_usd === undefined ? {} : { orderNotionalUsd: all.orderNotionalUsd }),
    ...(table.day_notional_usd === undefined ? {} : { dayNotionalUsd: all.dayNotionalUsd }),
    ...(table.open_orders === undefined ? {} : { openOrders: all.openOrders }),
    ...(table.collar_percent === undefined ? {} : { collarPercent: all.collarPercent }),
    ...(table.duplicate_within_ms === undefined ? {} : { duplicateWithinMs: all.duplicateWithinMs }),
  }
}
