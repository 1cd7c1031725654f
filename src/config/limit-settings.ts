import { z } from 'zod'
import { type Bounds, defaultLimits, type Limits, type OrderLimits } from '../domain/limits.ts'
import type { Decimal } from '../domain/money.ts'
import { parseAmount } from '../domain/money.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { setting } from './setting-readers.ts'

/** What a person set of one limit: `undefined` leaves the default, null takes the bound away. */
type BoundsSetting<T> = { soft?: T | null; hard?: T | null }

/** A bound, `"none"`, or a table of both; a bare value is the hard one. */
const boundsSetting = <T>(readBound: (value: unknown) => T | undefined, what: string) =>
  setting((value): Result<BoundsSetting<T>> => {
    const must = `must be ${what}, "none", or a table of both bounds such as { soft = 1, hard = 2 }`
    const bare = boundOf(value, readBound)
    if (bare !== undefined) return ok({ hard: bare })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(must)
    const bounds: BoundsSetting<T> = {}
    for (const [name, inner] of Object.entries(value)) {
      const bound = boundOf(inner, readBound)
      if ((name !== 'soft' && name !== 'hard') || bound === undefined) return err(must)
      bounds[name] = bound
    }
    return ok(bounds)
  })

const boundOf = <T>(value: unknown, readBound: (value: unknown) => T | undefined): T | null | undefined =>
  value === 'none' ? null : readBound(value)

function readAmountBound(value: unknown): Decimal | undefined {
  const amount = typeof value === 'bigint' || typeof value === 'string' ? parseAmount(value.toString()) : undefined
  return amount?.gt(0) === true ? amount : undefined
}

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
export const limitNames = [...orderLimitNames, 'per_symbol']

const orderLimitTable = z.strictObject(orderLimitShape)
/** The table `[profiles.NAME.limits]`. */
export const limitTable = z.strictObject({
  ...orderLimitShape,
  per_symbol: z.optional(z.record(z.string(), orderLimitTable)),
})
export type LimitSettings = z.infer<typeof limitTable>

/** The limits in force: what the table sets in the place of the defaults for this kind of exchange. */
export function limitsOf(settings: LimitSettings | undefined, kind: 'practice' | 'live'): Limits {
  const standard = defaultLimits[kind]
  const general = orderLimits(settings ?? {}, standard)
  const perSymbol = Object.entries(settings?.per_symbol ?? {}).map(
    ([symbol, table]) => [symbol.toUpperCase(), partialLimits(table, general)] as const,
  )
  return { ...general, perSymbol: new Map(perSymbol), withdrawals: standard.withdrawals }
}

const merged = <T>(set: BoundsSetting<T> | undefined, standard: Bounds<T>): Bounds<T> => ({
  soft: set?.soft === undefined ? standard.soft : set.soft,
  hard: set?.hard === undefined ? standard.hard : set.hard,
})

type OrderLimitTable = z.infer<typeof orderLimitTable>

const orderLimits = (table: OrderLimitTable, standard: OrderLimits): OrderLimits => ({
  orderNotionalUsd: merged(table.order_notional_usd, standard.orderNotionalUsd),
  dayNotionalUsd: merged(table.day_notional_usd, standard.dayNotionalUsd),
  openOrders: merged(table.open_orders, standard.openOrders),
  collarPercent: merged(table.collar_percent, standard.collarPercent),
  duplicateWithinMs: table.duplicate_within_ms ?? standard.duplicateWithinMs,
})

const none: Bounds<never> = { soft: null, hard: null }

/** Only what the symbol's own table sets; its day value and open orders start from no bound, because the general ones hold beside them. */
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
