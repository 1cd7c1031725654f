import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { isAllSeen, plainText } from '../base/text/plain-text.ts'
import { latestMs } from '../base/text/time-text.ts'
import { type Decimal, parseAmount } from '../domain/money.ts'
import { fieldTwice, type JsonBounds, NumberText, readJson, twiceText, writeJson } from './exact-json.ts'

/** The value of a field, or what the field must be, to follow its name in a sentence. */
type Reading<T> = { value: T } | { must: string }
export type FieldReader<T> = (value: unknown) => Reading<T>

/** The schema of a reader's values. Its issue is worded to follow the field's name: `must be a number`. */
export const field = <T, From = unknown>(read: (value: From) => Reading<T>) =>
  z.transform((value: From, context): T => {
    const reading = read(value)
    if ('value' in reading) return reading.value
    context.issues.push({ code: 'custom', message: reading.must, input: value })
    return z.NEVER
  })

export const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined

/** A required field. */
export const required = <T>(read: FieldReader<T>) =>
  field<T>((value) => (isMissing(value) ? { must: 'is missing' } : read(value)))

/** An optional field; missing and null both read as null. */
export const optional = <T>(read: FieldReader<T>) =>
  field<T | null>((value) => (isMissing(value) ? { value: null } : read(value)))

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

/** An int64 as a number or string, plain or with an exponent (`1.7E12`), which some writers use for large ones. */
const readInt64: FieldReader<bigint> = (value) => {
  const text = textOf(value)
  if (text === undefined) return notInteger
  if (shortInteger.test(text)) return { value: BigInt(text) }
  const parsed = parseAmount(text)
  if (parsed === undefined || !parsed.isInteger() || parsed.abs().gt('1e19')) return notInteger
  const integer = BigInt(parsed.toFixed())
  return integer < int64Min || integer > int64Max ? notInteger : { value: integer }
}

/** An id made by the caller, of a draft or a requested plan. */
export const readOwnId: FieldReader<string> = (value) =>
  typeof value === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(value)
    ? { value }
    : { must: 'must be 1 to 64 letters, digits and -' }

/** Milliseconds since 1970, within the range of a JavaScript date. */
const readTimestamp: FieldReader<number> = (value) => {
  const reading = readInt64(value)
  const isTime = 'value' in reading && reading.value >= -latestMs && reading.value <= latestMs
  return isTime ? { value: Number(reading.value) } : { must: 'must be a time in milliseconds since 1970' }
}

/** The time of an order or transfer. Services write 0 or less for none: as a time it would be of no day that counts. */
const readEntryTime: FieldReader<number | null> = (value) => {
  const reading = readTimestamp(value)
  return 'value' in reading && reading.value <= 0 ? { value: null } : reading
}

const readScale: FieldReader<number> = (value) => {
  const reading = readInt64(value)
  const isScale = 'value' in reading && reading.value >= 0n && reading.value <= 40n
  return isScale ? { value: Number(reading.value) } : { must: 'must be a whole number from 0 to 40' }
}

/** Answers may write a text field as a number; its text counts. */
const readText: FieldReader<string> = (value) => {
  const text = textOf(value)
  return text === undefined ? { must: 'must be a string' } : { value: plainText(text) }
}

/** Of every currency's addresses; far longer than any of them. */
const addressText = /^[!-~]{1,256}$/

/**
 * An address that receives money: one invisible character more, or a letter of another alphabet that looks alike, would
 * be another address. One that ends in a colon lacks its tag, and begins with one where the address is missing.
 */
const readAddress: FieldReader<string> = (value) => {
  const text = textOf(value) ?? ''
  const isWhole = addressText.test(text) && !text.startsWith(':') && !text.endsWith(':')
  return isWhole ? { value: text } : { must: 'cannot be trusted: do not pay to it' }
}

/**
 * Longer than any id, symbol, currency or whitelist id, and than the key of any write. What is longer would fill
 * sentences, the journal and paths: who asked by it would get no answer.
 */
export const nameLengthMax = 1_024

/**
 * What names one thing among others, exactly as received: without what cannot be seen in it, it would be the name of
 * another one.
 */
const readName: FieldReader<string> = (value) => {
  const text = textOf(value)
  if (text === undefined) return { must: 'must be a string' }
  if (text.length > nameLengthMax) return { must: `is longer than ${nameLengthMax} characters` }
  return isAllSeen(text) ? { value: text } : { must: 'has characters that cannot be seen' }
}

const readStrictText: FieldReader<string> = (value) =>
  typeof value === 'string' ? { value: plainText(value) } : { must: 'must be a string' }

const readStrictName: FieldReader<string> = (value) =>
  typeof value === 'string' ? readName(value) : { must: 'must be a string' }

const readBoolean: FieldReader<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { must: 'must be true or false' }

/** Blank text counts as missing, because the service leaves meaningless fields blank. */
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

/** An amount with all its digits: a JSON number or a string of one, plain or with an exponent. */
export const amount = required(readAmount)
export const optionalAmount = optional(blankAsMissing(readAmount))
export const int64 = required(readInt64)
export const optionalInt64 = optional(readInt64)
export const timestamp = required(readTimestamp)
export const optionalTimestamp = optional(readTimestamp)
export const entryTime = optional(readEntryTime)
/** A number of decimal places. */
export const scale = required(readScale)
export const optionalScale = optional(readScale)
/** Text in answers: numbers are taken by their digits, and control characters are removed. */
export const text = required(readText)
export const optionalText = optional(blankAsMissing(readText))
/** An id, a symbol, a currency: exactly as received, and refused with characters that cannot be seen. */
export const named = required(readName)
export const optionalNamed = optional(blankAsMissing(readName))
/** A payment address, exactly as received. */
export const payAddress = required(readAddress)
/** Text in requests: only strings; control characters are removed. */
export const strictText = required(readStrictText)
export const optionalStrictText = optional(readStrictText)
/** A name in requests: only strings, as they came. Money must not go to what a name only looks like. */
export const strictName = required(readStrictName)
export const optionalStrictName = optional(readStrictName)
export const boolean = required(readBoolean)
export const optionalBoolean = optional(readBoolean)
/** One of the given words, in this exact case. */
export const word = <T extends string>(words: readonly T[]) => required(readWord(words))
export const optionalWord = <T extends string>(words: readonly T[]) => optional(readWord(words))

// The schema library would accept a NumberText as an object without fields.
const notANumber: FieldReader<unknown> = (value) =>
  value instanceof NumberText ? { must: 'must be an object' } : { value }

/** The schema of a message: a JSON object with these fields; other fields are ignored. */
export const message = <Shape extends z.core.$ZodShape>(shape: Shape) => z.pipe(field(notANumber), z.object(shape))

/** Reads JSON text as a message. The error is one sentence that names the field. */
export function readMessage<T>(schema: z.ZodType<T>, json: string, bounds?: JsonBounds): Result<T> {
  const value = readJson(json, bounds)
  return value.ok ? checkMessage(schema, value.value) : value
}

/** Checks JSON parsed by `readJson` as a message. The error is one sentence that names the field. */
export function checkMessage<T>(schema: z.ZodType<T>, value: unknown): Result<T> {
  if (value === fieldTwice) return err(twiceText)
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return ok(parsed.data)
  return err(describeIssue(parsed.error.issues[0]))
}

/** Maps the value of a result; an error passes through. */
export const mapResult = <From, To>(result: Result<From>, map: (value: From) => To): Result<To> =>
  result.ok ? ok(map(result.value)) : result

/** Reads on from what was read; an error stays what it is. */
export const thenRead = <From, To>(result: Result<From>, next: (value: From) => Result<To>): Result<To> =>
  result.ok ? next(result.value) : result

/** Refuses an answer that names something other than what was asked for. An answer without a name passes. */
export const ofAsked = <T>(kind: string, asked: string, told: string | null, value: T): Result<T> =>
  told === null || told === asked ? ok(value) : err(`${kind} ${asked} was asked for, and the answer is about ${told}`)

/** Like `ofAsked` for a unique id, which the answer must contain. */
export const byId = <T>(kind: string, asked: string, told: string | null, value: T): Result<T> =>
  told === null
    ? err(`${kind} ${asked} was asked for, and the answer does not say which it is`)
    : ofAsked(kind, asked, told, value)

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the message is not understood'
  const name = fieldName(issue.path)
  return `${name === '' ? 'the message' : `field "${name}"`} ${mustOf(issue)}`
}

function mustOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.input === undefined && issue.path.length > 0) return 'is missing'
  return issue.expected === 'array' ? 'must be a list' : 'must be an object'
}

/** A path such as `orders[3].price`, with outside names made safe to print. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = ''
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`
    else name += `${name === '' ? '' : '.'}${plainText(String(part)).slice(0, 60)}`
  }
  return name
}

/** The body of a refusal. */
const errorMessage = message({ error: text })

/** The error text of a refusal, or null when the body has none. */
export function readErrorText(json: string): string | null {
  const read = readMessage(errorMessage, json)
  return read.ok && read.value.error !== '' ? read.value.error : null
}

export const writeError = (error: string): string => writeJson({ error }, 'numbers')
