import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Decimal, parseAmount } from './money.ts'

/** Commas between thousands that can be nothing else: there are two of them, or a point with digits follows. */
const grouped = /^-?[1-9]\d{0,2}(,\d{3}(,\d{3})+(\.\d*)?|,\d{3}\.\d+)$/
const groupedBySpace = /^-?[1-9]\d{0,2}([ '’_]\d{3})+(\.\d*)?$/
const signs: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₿': 'BTC',
  '₹': 'INR',
  '₩': 'KRW',
  '₺': 'TRY',
}
const longestText = 80
/** A longer paste is not an amount, and is not looked through for one. */
const pastedMax = 200

/** A text as it may stand in a sentence. */
const shown = (text: string): string => plainText(text).slice(0, 24)
const quoted = (text: string): string => `"${shown(text)}"`

/**
 * What may be written in the place of a text whose comma has two meanings: `0,05` is 0.05 to some and nothing to
 * others, `1,000` is 1000 to some and 1.000 to others. Null where the comma is not what is wrong.
 */
function commaOffer(text: string): string | null {
  if (/^-?[1-9]\d{0,2},\d{3}\.?$/.test(text)) {
    const plain = text.replace(/\.$/, '')
    return `${plain.replace(',', '')} or ${plain.replace(',', '.')}`
  }
  if (!/^-?\d{1,3}(\.\d{3})*,\d+$/.test(text)) return null
  const asPoint = text.replaceAll('.', '').replace(',', '.')
  return text.includes('.') ? asPoint : `${asPoint} or ${text.replace(',', '').replace(/^(-?)0+(?=\d)/, '$1')}`
}

/**
 * Why a text is not surely an amount. An ambiguous one is a number to some and another to others; its text says what to
 * write instead. A currency's sentence stands by itself; the other texts go on from the name of what they are for:
 * `price is missing`.
 */
type AmountProblem = { kind: 'missing' | 'unreadable' | 'ambiguous' | 'currency'; text: string }

/** Reads the digits of an amount: spaces around and commas between thousands are taken out. */
function readDigits(trimmed: string): Result<Decimal, AmountProblem> {
  const plain = (grouped.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed)
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
  const value = /e/i.test(plain) || trimmed.length > longestText ? undefined : parseAmount(plain)
  if (value !== undefined) return ok(value)
  const offer = commaOffer(trimmed)
  if (offer === null) return err({ kind: 'unreadable', text: 'is not a number' })
  return err({ kind: 'ambiguous', text: `${quoted(trimmed)} can be read in two ways: write ${offer}` })
}

/** What an amount is for, and the currency it is in: null while that is not known, and then none may be named. */
export type AmountUse = { what: 'quantity' | 'price' | 'amount'; unit: string | null }

/** The code of the currency that a sign or code means; a sign that is not known stays as it is. */
export const currencyOf = (text: string): string => signs[text] ?? text.toUpperCase()

/** Whether a word by itself is a currency's sign, such as `$`. */
export const isCurrencySign = (text: string): boolean => /^\p{Sc}$/u.test(text)

/** A currency's sign or code before or after the digits, in the order it is looked for. */
export function splitCurrency(text: string): { digits: string; currency: string | null } {
  const sign = /^(-?)(\p{Sc})\s*(.*)$/u.exec(text)
  if (sign !== null) return { digits: `${sign[1] ?? ''}${sign[3] ?? ''}`, currency: currencyOf(sign[2] ?? '') }
  const after = /^(.*\d\.?)\s*([A-Za-z]{2,10}|\p{Sc})$/u.exec(text)
  if (after !== null) return { digits: after[1] ?? '', currency: currencyOf(after[2] ?? '') }
  const before = /^([A-Za-z]{2,10})\s*(-?[\d.].*)$/.exec(text)
  return before === null
    ? { digits: text, currency: null }
    : { digits: before[2] ?? '', currency: currencyOf(before[1] ?? '') }
}

/**
 * That a text is an amount of another currency than the one that belongs there: `$5` is money, and not five of
 * anything.
 */
export function currencyProblem(text: string, currency: string, { what, unit }: AmountUse): AmountProblem {
  const isNot = what === 'quantity' ? ', not a quantity' : ''
  const remedy = unit === null ? 'type digits only' : `type the ${what} in ${unit}`
  return { kind: 'currency', text: `${shown(text)} is an amount of ${currency}${isNot}: ${remedy}` }
}

/**
 * Reads an amount as a person types it: `0.05`, `64,209.50`, `$64,209.50` where prices are in USD. What could be read
 * in two ways is not guessed at, and an amount of another currency than its own is refused.
 */
export function readAmountText(text: string, use: AmountUse): Result<Decimal, AmountProblem> {
  const trimmed = text.trim()
  if (trimmed === '') return err({ kind: 'missing', text: 'is missing' })
  const { digits, currency } = splitCurrency(trimmed)
  if (currency !== null && currency !== use.unit?.toUpperCase()) return err(currencyProblem(trimmed, currency, use))
  return readDigits(digits.trim())
}

/** What a letter behind the digits of an amount makes of it; nothing where there is none. */
export const multiples: Readonly<Record<string, Decimal>> = {
  '': new Decimal(1),
  k: new Decimal(1_000),
  m: new Decimal(1_000_000),
}

/** Reads an amount where `64k` can only be 64,000: a price, or a quantity that cannot be money. */
export function readShortAmount(text: string, use: AmountUse): Result<Decimal, AmountProblem> {
  const [, digits = text, suffix = ''] = /^(.*\d\.?)\s*([km])$/i.exec(text.trim()) ?? []
  const read = readAmountText(digits, use)
  return read.ok ? ok(read.value.times(multiples[suffix.toLowerCase()] ?? 1)) : read
}

/** Reads plain digits as `readAmountText` does; undefined when they are not surely an amount. */
export function readTypedAmount(text: string): Decimal | undefined {
  const read = readDigits(text.trim())
  return read.ok ? read.value : undefined
}

/**
 * Reads what was pasted into an amount's field: `64,209.50`, `$64,209.50`, `64209.5 USD`, `64 209.50`. The sentence of
 * a failure stands by itself.
 */
export function readPastedAmount(text: string, use: AmountUse): Result<Decimal> {
  if (text.length > pastedMax) return err('Paste is too long for one amount. Field unchanged.')
  const trimmed = plainText(text)
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .trim()
  if (trimmed === '') return err('Paste is empty. Field unchanged.')
  const { digits, currency } = splitCurrency(trimmed)
  if (currency !== null && currency !== use.unit?.toUpperCase())
    return err(`${currencyProblem(trimmed, currency, use).text}.`)
  const plain = digits.trim()
  const read = readDigits(groupedBySpace.test(plain) ? plain.replace(/[ '’_]/g, '') : plain)
  if (read.ok) return read
  return err(
    read.error.kind === 'ambiguous'
      ? `Pasted ${read.error.text}.`
      : `Paste ${quoted(trimmed)} is not one amount. Field unchanged.`,
  )
}
