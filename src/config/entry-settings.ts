import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { currencyOf } from '../domain/amount-text.ts'
import { type EntryRules, presetsMax } from '../domain/entry-rules.ts'
import { Decimal } from '../domain/money.ts'
import { readSizeText } from '../domain/orders/sizing.ts'
import { usualSwap } from '../domain/plans/terms.ts'
import { readAmountBound } from './limit-settings.ts'
import { namedSettings, type SettingRow, setting, symbolTwiceText, tableOf } from './setting-rows.ts'

const amountUsd = setting((value) => {
  // Refuses exponents, whose zeros are easily misread.
  const amount = typeof value === 'string' && /e/i.test(value) ? undefined : readAmountBound(value)
  return amount === undefined
    ? err('must be an amount of USD above zero (a whole number, or a decimal one in quotes)')
    : ok(amount)
})

/** A number within bounds: a whole number, or a decimal in quotes. */
const numberWithin = (least: string, most: string) =>
  setting((value) => {
    const number = typeof value === 'string' && /e/i.test(value) ? undefined : readAmountBound(value)
    return number === undefined || number.lt(least) || number.gt(most)
      ? err(`must be from ${least} to ${most} (a whole number, or a decimal one in quotes)`)
      : ok(new Decimal(number))
  })

/** All settings of `[entry]`. */
export const entryRows = {
  confirm_above_usd: {
    reader: amountUsd,
    name: 'confirmAboveUsd',
    standard: null,
    example: '500',
    says: 'ONE-KEY: an order worth no more goes without a review; left out: every order has one',
  },
  plan_near_percent: {
    reader: numberWithin('0.01', '5'),
    name: 'swapNearPercent',
    standard: usualSwap.swapNearPercent,
    example: '"0.15"',
    says: 'OCO and bracket: the target takes the place of the stop within this share of its price',
  },
  plan_back_times: {
    reader: numberWithin('1.1', '10'),
    name: 'swapBackTimes',
    standard: usualSwap.swapBackTimes,
    example: '2',
    says: 'and the stop comes back beyond this multiple of that distance',
  },
} as const satisfies Readonly<Record<string, SettingRow>>

/** The table `[entry]`: rules of order entry. */
export const entryTable = tableOf(entryRows, '')

const sizeTextMax = 32

/** The currencies named in a size, as base and as counter currency: either may be meant. */
const pairsIn = (text: string) => [
  { base: '?', counter: 'USD' },
  ...(text.match(/\b(?!risk|stop|sl\b)[a-z]{2,10}|\p{Sc}/giu) ?? []).flatMap((word) => {
    const currency = currencyOf(word)
    return [
      { base: '?', counter: currency },
      { base: currency, counter: 'USD' },
    ]
  }),
]

/** Checks sizes as the ticket reads them. `default` is for any symbol, so its amounts may be in any currency. */
function readSizes(name: string, value: unknown): Result<readonly string[]> {
  const texts: readonly unknown[] = Array.isArray(value) ? value : []
  const sizes = texts.filter((text) => typeof text === 'string')
  if (sizes.length === 0 || sizes.length < texts.length || sizes.length > presetsMax)
    return err(`must be a list of 1 to ${presetsMax} sizes in quotes, such as ["0.01", "$500", "10%"]`)
  const [base = '', counter = ''] = name.split('-')
  if (name !== 'default' && !/^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$/.test(name))
    return err('must be called default, or by a symbol such as BTC-USD')
  const isSize = (text: string) =>
    (name === 'default' ? pairsIn(text) : [{ base, counter }]).some((pair) => readSizeText(text, pair).ok)
  const wrong = sizes.find((text) => text.length > sizeTextMax || !isSize(text))
  return wrong === undefined ? ok(sizes) : err('must be sizes such as "0.01", "$500", "10%" or "half"')
}

/** The table `[sizes]`: the preset sizes of the ticket, by symbol or `default`. */
export const sizesTable = z.record(z.string(), z.unknown()).transform((table, context) => {
  const sizes = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(table)) {
    const symbol = name === 'default' ? name : name.toUpperCase()
    const read = sizes.has(symbol) ? err(symbolTwiceText) : readSizes(symbol, value)
    if (read.ok) sizes.set(symbol, read.value)
    else context.issues.push({ code: 'custom', message: read.error, input: name, path: [name] })
  }
  return sizes
})

/** The entry rules of both tables. */
export const entryRulesOf = (
  entry: z.infer<typeof entryTable> = {},
  sizes: EntryRules['sizes'] = new Map(),
): EntryRules => ({ ...namedSettings(entryRows, entry), sizes })
