import { type Decimal, parseAmount } from './money.ts'
import { plainText } from './plain-text.ts'
import { err, ok, type Result } from './result.ts'

const grouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/
const groupedBySpace = /^-?[1-9]\d{0,2}([ '’_]\d{3})+(\.\d*)?$/
const signs: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₿': 'BTC' }
const longestText = 80
/** A longer paste is no amount, and is not looked through for one. */
const pastedMost = 200

/** A text as it may be quoted in a sentence. */
const quoted = (text: string): string => `"${plainText(text).slice(0, 24)}"`

/** What a comma between digits may have meant: `0,05` is 0.05 to some and nothing to others. */
function commaOffer(text: string): string | null {
  return /^\d{1,3}(\.\d{3})*,\d+$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : null
}

/**
 * Why a text is not surely an amount. `text` goes on from the name of what it is for: `price is missing`. An ambiguous one is a number
 * to some and another to others; the text says what to write instead.
 */
export type AmountProblem = { kind: 'missing' | 'unreadable' | 'ambiguous'; text: string }

/**
 * Reads an amount as a person types it: spaces around and commas between thousands are taken out. What could be read in two ways is
 * not guessed at.
 */
export function readAmountText(text: string): Result<Decimal, AmountProblem> {
  const trimmed = text.trim()
  if (trimmed === '') return err({ kind: 'missing', text: 'is missing' })
  const plain = (grouped.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed)
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
  const value = /e/i.test(plain) || trimmed.length > longestText ? undefined : parseAmount(plain)
  if (value !== undefined) return ok(value)
  const offer = commaOffer(trimmed)
  if (offer === null) return err({ kind: 'unreadable', text: 'is not a number' })
  return err({ kind: 'ambiguous', text: `${quoted(trimmed)} can be read in two ways: write ${offer}` })
}

/** Reads an amount as `readAmountText` does; undefined when it is not surely one. */
export function readTypedAmount(text: string): Decimal | undefined {
  const read = readAmountText(text)
  return read.ok ? read.value : undefined
}

/** A currency's sign or code before or after the digits, in the order it is looked for. */
function splitUnit(text: string): { digits: string; unit: string | null } {
  const sign = /^(-?)([$€£¥₿])\s*(.*)$/u.exec(text) ?? null
  if (sign !== null) return { digits: `${sign[1] ?? ''}${sign[3] ?? ''}`, unit: signs[sign[2] ?? ''] ?? null }
  const after = /^(.*\d\.?)\s*([A-Za-z]{2,10}|[$€£¥₿])$/u.exec(text)
  if (after !== null) return { digits: after[1] ?? '', unit: signs[after[2] ?? ''] ?? (after[2] ?? '').toUpperCase() }
  const before = /^([A-Za-z]{2,10})\s*(-?[\d.].*)$/.exec(text)
  return before === null
    ? { digits: text, unit: null }
    : { digits: before[2] ?? '', unit: (before[1] ?? '').toUpperCase() }
}

/**
 * Reads what was pasted into an amount's field: `64,209.50`, `$64,209.50`, `64209.5 USD`, `64 209.50`. A currency that is named must
 * be `unit`, the one the field is in; null takes any. The sentence of a failure stands by itself.
 */
export function readPastedAmount(text: string, unit: string | null): Result<Decimal> {
  if (text.length > pastedMost) return err('What was pasted is too long for one amount: the field stays as it was.')
  const trimmed = plainText(text)
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .trim()
  if (trimmed === '') return err('What was pasted is empty: the field stays as it was.')
  const { digits, unit: named } = splitUnit(trimmed)
  if (named !== null && unit !== null && named !== unit.toUpperCase())
    return err(`What was pasted is in ${named}, the field in ${unit}: it stays as it was.`)
  const plain = digits.trim()
  const read = readAmountText(groupedBySpace.test(plain) ? plain.replace(/[ '’_]/g, '') : plain)
  if (read.ok) return read
  return err(
    read.error.kind === 'ambiguous'
      ? `Pasted ${read.error.text}.`
      : `What was pasted, ${quoted(trimmed)}, is not one amount: the field stays as it was.`,
  )
}
