import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { type Decimal, parseAmount } from '../domain/money.ts'
import { NumberText } from './json-read.ts'

/** A reader of one field: its value, or what the field must be, to be put after the field's name in a sentence. */
export type FieldReader<T> = (value: unknown) => { value: T } | { must: string }

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined

/** A field that has to be there. Its issue is worded to follow the field's name: `is missing`, `must be a number`. */
export function required<T>(read: FieldReader<T>) {
  return z.transform((value: unknown, context): T => {
    const reading = isMissing(value) ? { must: 'is missing' } : read(value)
    if ('value' in reading) return reading.value
    context.issues.push({
      code: 'custom',
      message: reading.must,
      input: value,
    })
    return z.NEVER
  })
}

/** A field that may be left out, or be null; both read as null. */
export function optional<T>(read: FieldReader<T>) {
  return z.transform((value: unknown, context): T | null => {
    if (isMissing(value)) return null
    const reading = read(value)
    if ('value' in reading) return reading.value
    context.issues.push({
      code: 'custom',
      message: reading.must,
      input: value,
    })
    return z.NEVER
  })
}

const textOf = (value: unknown): string | undefined =>
  value instanceof NumberText ? value.text : typeof value === 'string' ? value : undefined

const readAmount: FieldReader<Decimal> = (value) => {
  const text = textOf(value)
  const parsed = text === undefined ? undefined : parseAmount(text)
  return parsed === undefined ? { must: 'must be a number' } : { value: parsed }
}

const shortInteger = /^(0|-?[1-9]\d{0,17})$/
const int64Max = 2n ** 63n - 1n
const int64Min = -(2n ** 63n)
const notInteger = { must: 'must be a whole number' }

/** An int64 as a number or a string, plain or (as some writers put large ones) with an exponent: `1.7E12`. */
const readInt64: FieldReader<bigint> = (value) => {
  const text = textOf(value)
  if (text === undefined) return notInteger
  if (shortInteger.test(text)) return { value: BigInt(text) }
  const parsed = parseAmount(text)
  if (parsed === undefined || !parsed.isInteger() || parsed.abs().gt('1e19')) return notInteger
  const integer = BigInt(parsed.toFixed())
  return integer < int64Min || integer > int64Max ? notInteger : { value: integer }
}

const latestMs = 8_640_000_000_000_000n

/** Milliseconds since 1970, no further than a calendar goes. */
const readTimestamp: FieldReader<number> = (value) => {
  const reading = readInt64(value)
  const isTime = 'value' in reading && reading.value >= -latestMs && reading.value <= latestMs
  return isTime ? { value: Number(reading.value) } : { must: 'must be a time in milliseconds since 1970' }
}

const readScale: FieldReader<number> = (value) => {
  const reading = readInt64(value)
  const isScale = 'value' in reading && reading.value >= 0n && reading.value <= 40n
  return isScale ? { value: Number(reading.value) } : { must: 'must be a whole number from 0 to 40' }
}

/** Answers may write a text field as a number; what counts is its text. */
const readText: FieldReader<string> = (value) => {
  const text = textOf(value)
  return text === undefined ? { must: 'must be a string' } : { value: plainText(text) }
}

const readStrictText: FieldReader<string> = (value) =>
  typeof value === 'string' ? { value: plainText(value) } : { must: 'must be a string' }

const readBoolean: FieldReader<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { must: 'must be true or false' }

/** Blank text counts as missing: the service leaves some fields blank while they mean nothing. */
const blankAsMissing =
  <T>(read: FieldReader<T>): FieldReader<T | null> =>
  (value) =>
    typeof value === 'string' && value.trim() === '' ? { value: null } : read(value)

const readWord =
  <T extends string>(words: readonly T[]): FieldReader<T> =>
  (value) => {
    const word = words.find((candidate) => candidate === value)
    return word === undefined ? { must: `must be one of ${words.join(', ')}` } : { value: word }
  }

/** An amount: a JSON number or a string of one, plain or with an exponent, every digit kept. */
export const amount = required(readAmount)
export const optionalAmount = optional(blankAsMissing(readAmount))
export const int64 = required(readInt64)
export const optionalInt64 = optional(readInt64)
export const timestamp = required(readTimestamp)
export const optionalTimestamp = optional(readTimestamp)
/** A number of decimals. */
export const scale = required(readScale)
export const optionalScale = optional(readScale)
/** Text for reading answers: a number is taken by its digits, control characters are stripped. */
export const text = required(readText)
export const optionalText = optional(blankAsMissing(readText))
/** Text for reading requests: a string and nothing else, control characters are stripped. */
export const strictText = required(readStrictText)
export const optionalStrictText = optional(readStrictText)
export const boolean = required(readBoolean)
export const optionalBoolean = optional(readBoolean)
/** One of the wire's own words, in its own letters. */
export const word = <T extends string>(words: readonly T[]) => required(readWord(words))
export const optionalWord = <T extends string>(words: readonly T[]) => optional(readWord(words))
