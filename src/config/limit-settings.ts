import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import {
  type ApprovalRule,
  type Bounds,
  defaultLimits,
  defaultWithdrawalLimits,
  type Limits,
  type OrderLimits,
  type WithdrawalLimits,
} from '../domain/limits.ts'
import { Decimal, parseAmount } from '../domain/money.ts'
import { setting } from './setting-readers.ts'

/** What a person set of one limit: `undefined` leaves the default, null takes the bound away. */
type BoundsSetting<T> = { soft?: T | null; hard?: T | null }

/** A bound, `"none"`, or a table of both; a bare value is the hard one. */
const boundsSetting = <T extends Decimal | number>(readBound: (value: unknown) => T | undefined, what: string) =>
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
    return isSoftOver(bounds)
      ? err('must have its soft bound at or below its hard one: over it soft never asks')
      : ok(bounds)
  })

/** Whether the soft bound is over the hard one, so that it can never ask. */
const isSoftOver = ({ soft = null, hard = null }: BoundsSetting<Decimal | number>): boolean =>
  soft !== null && hard !== null && new Decimal(soft).gt(hard)

const boundOf = <T>(value: unknown, readBound: (value: unknown) => T | undefined): T | null | undefined =>
  value === 'none' ? null : readBound(value)

/** An amount above zero, as a whole number or in quotes. */
function readAmountBound(value: unknown): Decimal | undefined {
  const amount = typeof value === 'bigint' || typeof value === 'string' ? parseAmount(value.toString()) : undefined
  return amount?.gt(0) === true ? amount : undefined
}

const none: Bounds<never> = { soft: null, hard: null }

/** The bounds in force: what is set in the place of the standard ones. */
const merged = <T>(set: BoundsSetting<T> | undefined, standard: Bounds<T>): Bounds<T> => ({
  soft: set?.soft === undefined ? standard.soft : set.soft,
  hard: set?.hard === undefined ? standard.hard : set.hard,
})

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
const withdrawalLimitShape = {
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
function withdrawalLimitsOf(
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
