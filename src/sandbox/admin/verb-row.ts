import { err, ok, type Result } from '../../base/result.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../base/text/time-text.ts'
import type { PracticeVerb, VerbArgument } from '../../domain/desk/practice-verb.ts'
import { Decimal, parseAmount } from '../../domain/money.ts'

const kebab = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

type Reading = (text: string) => Result<string>

/** A required flag for one field. */
const one = (field: string, placeholder: string, meaning: string, read: Reading): VerbArgument => ({
  name: kebab(field),
  placeholder,
  meaning,
  isRequired: true,
  fields: [field],
  read: (typed) => {
    const value = read(typed)
    return value.ok ? ok({ [field]: value.value }) : value
  },
})

/** Makes a flag optional. */
export const optional = (flag: VerbArgument): VerbArgument => ({ ...flag, isRequired: false })

/** Text as typed. */
export const text = (field: string, placeholder: string, meaning: string): VerbArgument =>
  one(field, placeholder, meaning, (typed) => (typed.trim() === '' ? err('must not be empty') : ok(typed)))

/** A currency or symbol code, in either case. */
export const code = (field: string, meaning: string): VerbArgument =>
  one(field, kebab(field).toUpperCase(), meaning, (typed) =>
    typed.trim() === '' ? err('must not be empty') : ok(typed.toUpperCase()),
  )

/** One of these words, which `meaning` must list. */
export const word = (field: string, words: readonly string[], meaning: string): VerbArgument => ({
  ...one(field, field.toUpperCase(), meaning, (typed) =>
    words.includes(typed) ? ok(typed) : err(`must be one of ${words.join(', ')}`),
  ),
  offers: words,
})

/** One of these upper-case words, in either case. */
export const capitalWord = (field: string, words: readonly string[], meaning: string): VerbArgument => ({
  ...one(field, kebab(field).toUpperCase(), meaning, (typed) => {
    const capital = typed.toUpperCase()
    return words.includes(capital) ? ok(capital) : err(`must be one of ${words.join(', ')}`)
  }),
  offers: words,
})

/** Comma-separated codes, without spaces. */
export const codes = (field: string, meaning: string): VerbArgument =>
  one(field, 'CODE,…', meaning, (typed) =>
    /^\w+(,\w+)*$/.test(typed) ? ok(typed.toUpperCase()) : err('must be codes with commas between, such as EUR,USD'),
  )

/** A whole number between two inclusive bounds. */
export const whole = (field: string, placeholder: string, meaning: string, [least, most]: readonly [number, number]) =>
  one(field, placeholder, meaning, (typed) => {
    const isWithin = /^\d{1,16}$/.test(typed) && Number(typed) >= least && Number(typed) <= most
    return isWithin ? ok(typed) : err(`must be a whole number from ${least} to ${most}`)
  })

/** An amount of money, exact. */
export const amount = (field: string, meaning: string): VerbArgument =>
  one(field, 'AMOUNT', meaning, (typed) => {
    const value = parseAmount(typed)
    return value?.gt(0) ? ok(value.toString()) : err('must be an amount above 0, such as 0.5')
  })

/** A fraction, 0 to 1. */
export const share = (field: string, meaning: string): VerbArgument =>
  one(field, 'SHARE', meaning, (typed) => {
    const value = parseAmount(typed)
    return value?.gte(0) && value.lte(1) ? ok(value.toString()) : err('must be a number from 0 to 1, such as 0.2')
  })

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: secondMs, m: minuteMs, h: hourMs, d: dayMs }

/** A duration with its unit, such as `3600s`, `1.5h` or `250ms`; a plain number is in milliseconds. */
export const duration = (field: string, meaning: string): VerbArgument =>
  one(field, 'TIME', `${meaning}: 250ms, 90s, 15m, 12h, 2d; a number alone is ms`, (typed) => {
    const [, digits, unit = 'ms'] = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)?$/.exec(typed) ?? []
    const lengthMs = digits === undefined ? undefined : new Decimal(digits).times(unitMs[unit] ?? 1)
    return lengthMs?.isInteger() ? ok(lengthMs.toString()) : err('must be a time such as 250ms, 90s, 15m, 12h or 2d')
  })

/** A UTC time of day, with or without a colon. */
export const timeOfDay = (field: string, meaning: string): VerbArgument =>
  one(field, 'HHMM', meaning, (typed) =>
    /^([01]\d|2[0-3]):?[0-5]\d$/.test(typed) ? ok(typed.replace(':', '')) : err('must be a time of day such as 1430'),
  )

/**
 * A decimal size sent as a whole number and its scale: `0.50` as 50 and 2. If `zero` says so, 0 is allowed and means no
 * limit.
 */
export const scaled = (field: string, meaning: string, zero: 'no size' | 'no limit' = 'no size'): VerbArgument => ({
  name: kebab(field),
  placeholder: 'SIZE',
  meaning,
  isRequired: true,
  fields: [field, `${field}Scale`],
  read: (typed) => {
    const [, whole, decimals = ''] = /^(\d{1,13})(?:\.(\d{1,18}))?$/.exec(typed) ?? []
    if (whole === undefined) return err('must be a plain number with at most 18 decimals, such as 0.001')
    const units = BigInt(whole + decimals)
    if (units === 0n && zero === 'no size') return err('must be above 0')
    return ok({ [field]: units.toString(), [`${field}Scale`]: decimals.length.toString() })
  },
})

/** A new symbol's name, which implies its two currencies. */
export const newSymbol = (meaning: string): VerbArgument => ({
  name: 'symbol',
  placeholder: 'BASE-COUNTER',
  meaning,
  isRequired: true,
  fields: ['symbol', 'base', 'counter'],
  read: (typed) => {
    const symbol = typed.toUpperCase()
    const [, base, counter] = /^([^-]+)-([^-]+)$/.exec(symbol) ?? []
    return base === undefined || counter === undefined
      ? err('must be two currencies with a dash between, such as SOL-BTC')
      : ok({ symbol, base, counter })
  },
})

/** A flag without a value. */
export const onSwitch = (field: string, meaning: string): VerbArgument => ({
  name: kebab(field),
  placeholder: null,
  meaning,
  isRequired: false,
  fields: [field],
  read: () => ok({ [field]: true }),
})

type Arguments = { words?: VerbArgument[]; flags?: VerbArgument[]; example?: string; note?: string; isFinal?: true }

/** A row of the command table; `command` is its noun and verb. */
export function row(
  command: string,
  summary: string,
  { words = [], flags = [], example = '', note, ...more }: Arguments,
): PracticeVerb {
  const [noun = '', verb = ''] = command.split(' ')
  return { noun, verb, summary, words, flags, example, note: note ?? null, ...more }
}
