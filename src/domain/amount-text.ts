import { err, ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import { Decimal, parseAmount } from './money.ts'

/** Commas that are certainly thousands separators: at least two, or followed by a decimal point. */
const grouped = /^-?[1-9]\d{0,2}(,\d{3}(,\d{3})+(\.\d*)?|,\d{3}\.\d+)$/
/** Points that can only be thousands separators. */
const groupedByPoints = /^-?[1-9]\d{0,2}(\.\d{3}){2,}$/
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
/** Longer pastes are not amounts. */
const pastedMax = 200

/** A text, truncated for a sentence. */
const shown = (text: string): string => plainText(text).slice(0, 24)
const quoted = (text: string): string => `"${shown(text)}"`

/**
 * The unambiguous texts that one with a comma may mean, the smaller first: `1,000` may be 1 or 1000. A comma before
 * other than three digits, behind a zero or points groups no thousands: `0,05` is 0.05, and never 5, a hundredfold.
 * None when the comma is not the problem.
 */
export function waysToRead(text: string): string[] {
  const plain = text.replace(/\.$/, '')
  // Without zeros at its end: 60.000 is sixty thousand to whoever writes a decimal comma.
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(plain))
    return [plain.replace(',', '.').replace(/\.?0+$/, ''), plain.replace(',', '')]
  if (groupedByPoints.test(plain)) return [plain.replaceAll('.', '')]
  return /^-?(\d{1,3}(\.\d{3})*|\d{4,}),\d+$/.test(text) ? [text.replaceAll('.', '').replace(',', '.')] : []
}

/**
 * The texts to write instead, with the letter behind the digits, the likelier one first: three digits behind a comma
 * are mostly thousands.
 */
function commaOffer(text: string, suffix: string): string | null {
  const ways = waysToRead(text).map((way) => `${way}${suffix}`)
  const ordered = /^-?[1-9]\d{0,2},\d{3}\.?$/.test(text) ? ways.toReversed() : ways
  return ordered.length === 0 ? null : ordered.join(' or ')
}

/**
 * Why a text is not certainly an amount. For an ambiguous one the text says what to write instead. A `currency` problem
 * is a complete sentence; the others continue the name of the field: `price is missing`.
 */
type AmountProblem = { kind: 'missing' | 'unreadable' | 'ambiguous' | 'currency'; text: string }

/** Digits and their signs as East Asian keyboards write them: one reading in a field, a line and a script. */
export const plainWidth = (text: string): string =>
  text.replace(/[\uff04\uff05\uff0b-\uff0e\uff10-\uff19\uff20]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  )

/** What an amount is not; digits of other scripts look like ones to whoever types them. */
const notANumber = (text: string): string =>
  /[^\P{Nd}\d]/u.test(text) ? 'has other digits than 0 to 9' : 'is not a number'

/**
 * Reads the digits of an amount, without surrounding spaces and thousands separators. `suffix`: the letter that was
 * typed behind them, without which what to write instead would be a thousandth of it.
 */
function readDigits(typed: string, suffix = ''): Result<Decimal, AmountProblem> {
  const trimmed = plainWidth(typed)
  const plain = (grouped.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed)
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
  // A point without a digit says nothing, and must not become 0.
  const isDigits = /\d/.test(trimmed) && !/e/i.test(plain) && trimmed.length <= longestText
  const value = isDigits ? parseAmount(plain) : undefined
  if (value !== undefined) return ok(value)
  const offer = commaOffer(trimmed, suffix)
  if (offer === null) return err({ kind: 'unreadable', text: notANumber(trimmed) })
  const said = quoted(`${trimmed}${suffix}`)
  if (waysToRead(trimmed).length === 1) {
    const has = groupedByPoints.test(trimmed) ? 'points between its thousands' : 'a decimal comma'
    return err({ kind: 'ambiguous', text: `${said} has ${has}: write ${offer}` })
  }
  return err({ kind: 'ambiguous', text: `${said} can be read in two ways: write ${offer}` })
}

/**
 * The purpose of an amount and its currency; with null, an unknown one, none may be named. `suffix`: the letter of a
 * multiple that was typed behind it.
 */
export type AmountUse = { what: 'quantity' | 'price' | 'amount'; unit: string | null; suffix?: string }

/** The currency code of a sign or code; unknown signs are unchanged. */
export const currencyOf = (text: string): string => signs[text] ?? text.toUpperCase()

/** True for a single currency sign, such as `$`. */
export const isCurrencySign = (text: string): boolean => /^\p{Sc}$/u.test(text)

/** Splits a currency sign or code before or after the digits. */
export function splitCurrency(text: string): { digits: string; currency: string | null } {
  const sign = /^(-?)(\p{Sc})\s*(.*)$/u.exec(text)
  if (sign !== null) return { digits: `${sign[1] ?? ''}${sign[3] ?? ''}`, currency: currencyOf(sign[2] ?? '') }
  const after = /^(.*\d\.?)\s*([A-Za-z]{2,10}|\p{Sc})$/u.exec(text)
  if (after !== null) return { digits: after[1] ?? '', currency: currencyOf(after[2] ?? '') }
  // Further words make it a sentence: the BUY of a pasted order is not its currency.
  const before = /^([A-Za-z]{2,10})\s*(-?[\d.][^A-Za-z]*)$/.exec(text)
  return before === null
    ? { digits: text, currency: null }
    : { digits: before[2] ?? '', currency: currencyOf(before[1] ?? '') }
}

/** The problem of an amount in another currency than expected: `$5` is money, not five of anything. */
export function currencyProblem(text: string, currency: string, { what, unit }: AmountUse): AmountProblem {
  const isNot = what === 'quantity' ? ', not a quantity' : ''
  const remedy = unit === null ? 'type digits only' : `type the ${what} in ${unit}`
  return { kind: 'currency', text: `${shown(text)} is an amount of ${currency}${isNot}: ${remedy}` }
}

/**
 * Reads a typed amount: `0.05`, `64,209.50`, `$64,209.50` when prices are in USD. Refuses ambiguous texts and other
 * currencies.
 */
export function readAmountText(text: string, use: AmountUse): Result<Decimal, AmountProblem> {
  const trimmed = text.trim()
  if (trimmed === '') return err({ kind: 'missing', text: 'is missing' })
  const { digits, currency } = splitCurrency(trimmed)
  if (currency !== null && currency !== use.unit?.toUpperCase()) return err(currencyProblem(trimmed, currency, use))
  return readDigits(digits.trim(), use.suffix)
}

/** Multiples by the letter after the digits. */
export const multiples: Readonly<Record<string, Decimal>> = {
  '': new Decimal(1),
  k: new Decimal(1_000),
  m: new Decimal(1_000_000),
}

/** Reads an amount where `64k` can only mean 64,000: a price, or a quantity that cannot be money. */
export function readShortAmount(text: string, use: AmountUse): Result<Decimal, AmountProblem> {
  const [, digits = text, suffix = ''] = /^(.*\d\.?)\s*([km])$/i.exec(text.trim()) ?? []
  const read = readAmountText(digits, { ...use, suffix })
  return read.ok ? ok(read.value.times(multiples[suffix.toLowerCase()] ?? 1)) : read
}

/** Reads plain digits like `readAmountText`; undefined when they are not certainly an amount. */
export function readTypedAmount(text: string): Decimal | undefined {
  const read = readDigits(text.trim())
  return read.ok ? read.value : undefined
}

/**
 * Reads text pasted into an amount field: `64,209.50`, `$64,209.50`, `64209.5 USD`, `64 209.50`. The error is a
 * complete sentence.
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
