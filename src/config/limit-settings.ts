import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import {
  type ApprovalRule,
  type Bounds,
  defaultLimits,
  defaultWithdrawalLimits,
  duplicateMaxMs,
  type Limits,
  type OrderLimits,
  type WithdrawalLimits,
} from '../domain/limits.ts'
import { Decimal, parseAmount } from '../domain/money.ts'
import { type SettingRow, setting, symbolTwiceText, tableOf } from './setting-rows.ts'

/** A configured limit: undefined keeps the default, null removes the bound. */
type BoundsSetting<T> = { soft?: T | null; hard?: T | null }

/** A bound, `"none"`, or a table of both bounds; a single value is the hard bound. */
const boundsSetting = <T extends Decimal | number>(readBound: (value: unknown) => T | undefined, what: string) =>
  setting((value): Result<BoundsSetting<T>> => {
    const must = `must be ${what}, "none", or a table of both bounds such as { soft = 1, hard = 2 }`
    const bare = boundOf(value, readBound)
    if (bare !== undefined) return ok({ hard: bare })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(must)
    // A table without bounds, or a date, which has nothing in it either, would leave the default as if it were set.
    if (Object.keys(value).length === 0) return err(must)
    const bounds: BoundsSetting<T> = {}
    for (const [name, inner] of Object.entries(value)) {
      const bound = boundOf(inner, readBound)
      if ((name !== 'soft' && name !== 'hard') || bound === undefined) return err(must)
      bounds[name] = bound
    }
    return isSoftOver(bounds)
      ? err('must have its soft bound at or below its hard one: otherwise the soft one never applies')
      : ok(bounds)
  })

/** True when the soft bound exceeds the hard one, so that it would never ask. */
const isSoftOver = ({ soft = null, hard = null }: BoundsSetting<Decimal | number>): boolean =>
  soft !== null && hard !== null && new Decimal(soft).gt(hard)

const boundOf = <T>(value: unknown, readBound: (value: unknown) => T | undefined): T | null | undefined =>
  value === 'none' ? null : readBound(value)

/** An amount above zero, as a whole number or in quotes. */
export function readAmountBound(value: unknown): Decimal | undefined {
  const amount = typeof value === 'bigint' || typeof value === 'string' ? parseAmount(value.toString()) : undefined
  return amount?.gt(0) === true ? amount : undefined
}

const none: Bounds<never> = { soft: null, hard: null }

/** The effective bounds: configured ones in place of the defaults. A usual soft one over the hard one asks nothing. */
function merged<T extends Decimal | number>(set: BoundsSetting<T> | undefined, standard: Bounds<T>): Bounds<T> {
  const hard = set?.hard === undefined ? standard.hard : set.hard
  if (set?.soft !== undefined) return { soft: set.soft, hard }
  const { soft } = standard
  return { soft: soft !== null && hard !== null && new Decimal(soft).gt(hard) ? null : soft, hard }
}

/** `true` for every withdrawal; an amount of USD for withdrawals from that value. */
const approvalSetting = setting((value): Result<ApprovalRule> => {
  if (typeof value === 'boolean') return ok({ kind: value ? 'always' : 'never' })
  const usd = readAmountBound(value)
  return usd === undefined
    ? err(
        'must be true, false, or the amount of USD from which it is required (a whole number, or a decimal one in ' +
          'quotes)',
      )
    : ok({ kind: 'fromUsd', usd })
})

type DaySettings = ReadonlyMap<string, BoundsSetting<Decimal>>

const currencyBounds = boundsSetting(readAmountBound, 'an amount (a whole number, or a decimal one in quotes)')

/** Maximum withdrawals per currency and day. */
const daySetting = z.optional(
  z.record(z.string(), currencyBounds).transform((table, context): DaySettings => {
    const days = new Map<string, BoundsSetting<Decimal>>()
    for (const [code, bounds] of Object.entries(table)) {
      const currency = code.toUpperCase()
      // Those of every other limit, where this one has them by currency: they would limit nothing.
      if (['SOFT', 'HARD'].includes(currency)) {
        const message = 'is a bound, where each line names a currency, such as BTC = { soft = 1, hard = 2 }'
        context.issues.push({ code: 'custom', message, input: code, path: [code] })
        continue
      }
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

const usd = boundsSetting(readAmountBound, 'an amount of USD (a whole number, or a decimal one in quotes)')

/** The withdrawal limits in `[profiles.NAME.limits]`. */
const withdrawalLimitShape = {
  withdrawal_day_usd: usd,
  withdrawal_day: daySetting,
  withdrawal_approval: approvalSetting,
}

type WithdrawalLimitSettings = Partial<{
  withdrawal_day_usd: BoundsSetting<Decimal> | undefined
  withdrawal_day: DaySettings | undefined
  withdrawal_approval: ApprovalRule | undefined
}>

/** The effective limits: the table's in place of the defaults for this kind of exchange. */
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

/**
 * All order limits by their name in the file. `ofSymbol`: a symbol's own limit applies instead of the general one, or
 * beside it, because the general one covers the whole account.
 */
export const orderLimitRows = {
  order_notional_usd: { reader: usd, name: 'orderNotionalUsd', ofSymbol: 'instead' },
  day_notional_usd: { reader: usd, name: 'dayNotionalUsd', ofSymbol: 'beside' },
  open_orders: {
    reader: boundsSetting(readCountBound, 'a whole number of orders, 1 or more'),
    name: 'openOrders',
    ofSymbol: 'beside',
  },
  collar_percent: {
    reader: boundsSetting(readAmountBound, 'a percentage (a whole number, or a decimal one in quotes)'),
    name: 'collarPercent',
    ofSymbol: 'instead',
  },
  duplicate_within_ms: {
    reader: setting((value) =>
      typeof value === 'bigint' && value >= 0n && value <= BigInt(duplicateMaxMs)
        ? ok(Number(value))
        : err(`must be a whole number of milliseconds from 0 (never) to ${duplicateMaxMs}`),
    ),
    name: 'duplicateWithinMs',
    ofSymbol: 'instead',
  },
} as const satisfies Readonly<Record<string, OrderLimitRow>>

type OrderLimitRow = SettingRow & { name: keyof OrderLimits; ofSymbol: 'instead' | 'beside' }
const orderLimits = Object.entries<OrderLimitRow>(orderLimitRows) as [keyof typeof orderLimitRows, OrderLimitRow][]

const orderLimitTable = tableOf(orderLimitRows, '')
type OrderLimitTable = z.infer<typeof orderLimitTable>
/** The table `[profiles.NAME.limits]`. */
export const limitTable = z.strictObject({
  ...orderLimitTable.shape,
  per_symbol: z.optional(z.record(z.string(), orderLimitTable)),
  ...withdrawalLimitShape,
})
type LimitSettings = z.infer<typeof limitTable>

/** The effective limits: the table's in place of the defaults for this kind of exchange. */
export function limitsOf(settings: LimitSettings | undefined, kind: 'practice' | 'live'): Limits {
  const standard = defaultLimits[kind]
  const general = { ...standard, ...setLimits(settings ?? {}, standard) }
  const perSymbol = Object.entries(settings?.per_symbol ?? {}).map(
    ([symbol, table]) => [symbol.toUpperCase(), ofSymbol(table, general)] as const,
  )
  return { ...general, perSymbol: new Map(perSymbol), withdrawals: withdrawalLimitsOf(settings, kind) }
}

/** A configured limit, and the effective one after defaults. */
type Told = { name: string; set: SetLimit; inForce: Limit | undefined }

/** A symbol with two tables of limits, of which the later one alone would count. */
function symbolTwice(settings: LimitSettings): string | undefined {
  const symbols = Object.keys(settings.per_symbol ?? {})
  return symbols.find((symbol, at) =>
    symbols.slice(0, at).some((other) => other.toUpperCase() === symbol.toUpperCase()),
  )
}

/**
 * What is wrong with the effective limits, as a sentence: two tables of one symbol, or a configured soft bound above a
 * hard bound from elsewhere.
 */
export function limitsComplaint(settings: LimitSettings | undefined, limits: Limits): string | null {
  if (settings === undefined) return null
  const twice = symbolTwice(settings)
  if (twice !== undefined) return `limits.per_symbol.${twice} ${symbolTwiceText}`
  const { withdrawals } = limits
  const told: Told[] = [
    ...orderLimits.map(([key, { name }]) => ({ name: key, set: settings[key], inForce: limits[name] })),
    ...Object.entries(settings.per_symbol ?? {}).flatMap(([symbol, table]) =>
      orderLimits.map(([key, { name }]) => ({
        name: `per_symbol.${symbol}.${key}`,
        set: table[key],
        inForce: limits.perSymbol.get(symbol.toUpperCase())?.[name],
      })),
    ),
    { name: 'withdrawal_day_usd', set: settings.withdrawal_day_usd, inForce: withdrawals.dayUsd },
  ]
  const wrong = told.find(
    ({ set, inForce }) =>
      typeof set === 'object' && set.soft !== undefined && typeof inForce === 'object' && isSoftOver(inForce),
  )
  return wrong === undefined
    ? null
    : `limits.${wrong.name} has its soft bound over the hard one in force: set hard beside it, or a lower soft`
}

type Limit = OrderLimits[keyof OrderLimits]
type SetLimit = OrderLimitTable[keyof OrderLimitTable]

function inForce(set: SetLimit, standard: Limit): Limit {
  if (typeof standard === 'number') return typeof set === 'number' ? set : standard
  return typeof set === 'number' ? standard : (merged<Decimal | number>(set, standard) as Limit)
}

/** The limits of a table, each completed with the bound it leaves to `standard`. */
function setLimits(table: OrderLimitTable, standard: OrderLimits): Partial<OrderLimits> {
  const set = orderLimits.flatMap(([key, { name }]) =>
    table[key] === undefined ? [] : [[name, inForce(table[key], standard[name])]],
  )
  return Object.fromEntries(set) as Partial<OrderLimits>
}

/** The limits of a symbol's own table; those that apply beside the general limits start without bounds. */
function ofSymbol(table: OrderLimitTable, general: OrderLimits): Partial<OrderLimits> {
  const beside = orderLimits.flatMap(([, row]) => (row.ofSymbol === 'beside' ? [[row.name, none]] : []))
  return setLimits(table, { ...general, ...Object.fromEntries(beside) })
}
