import { err, ok, type Result } from '../base/result.ts'
import { Decimal } from '../domain/money.ts'

declare global {
  interface JSON {
    /** The reviver's third argument is standard, but missing in the compiler's library. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** A JSON number in its original text. It never becomes a double, and is distinguishable from a string. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type JsonBounds = { maxLength: number; maxDepth: number }
const defaultJsonBounds: JsonBounds = {
  maxLength: 32 * 1024 * 1024,
  maxDepth: 32,
}

/**
 * Values, lists and objects in one text: a hundred times what the longest page has. Of the smallest ones a text of
 * 16 MiB holds so many that reading them took seconds and a gigabyte.
 */
const partsMax = 1_000_000
/**
 * Entries of one list: far more than any page or book has, and what may still be the arguments of one call. 90,000
 * transfers kept a desk from its keys for half a minute.
 */
export const entriesMax = 50_000

/**
 * Reads JSON with every number as a `NumberText`. Never throws: malformed, too long (UTF-16 units), too deeply nested
 * text or one of too many parts is one sentence. Readers disagree about which value of a field that comes twice counts,
 * so none does: the object is read as a symbol, which no reader takes for a value, and the outermost one is refused. A
 * key `__proto__` is dropped, so that no later reader can reach a prototype through it.
 */
export function readJson(text: string, bounds: JsonBounds = defaultJsonBounds): Result<unknown> {
  if (text.length > bounds.maxLength) return err(`the JSON is longer than ${bounds.maxLength} characters`)
  const nameCount = countNames(text, bounds.maxDepth)
  if (!nameCount.ok) return nameCount
  try {
    const read = reviveExactly(text)
    if (read.nameCount === nameCount.value) return ok(read.value)
    const { value } = reviveExactly(withoutTwice(text), twiceText)
    return value === fieldTwice ? err(twiceText) : ok(value)
  } catch (error) {
    if (error instanceof SyntaxError) return err(text.trim() === '' ? 'the JSON is empty' : 'the JSON is malformed')
    throw error
  }
}

/** Why an object in which a field comes twice is none, as a clause. */
export const twiceText = 'a field comes twice'
/** What an object in which a field comes twice is read as. A text of these words beside one is given up with it. */
export const fieldTwice: unique symbol = Symbol(twiceText)

/**
 * The value, with `fieldTwice` for a text that is `mark`, and how many fields its objects have: fewer than the text
 * names where one comes twice.
 */
function reviveExactly(text: string, mark?: string): { value: unknown; nameCount: number } {
  // The whole value is revived as the one field of an object.
  let nameCount = -1
  const value: unknown = JSON.parse(text, function (this: unknown, key, each, context) {
    if (!Array.isArray(this)) nameCount += 1
    if (key === '__proto__') return undefined
    if (each === mark) return fieldTwice
    return typeof each === 'number' ? new NumberText(context.source ?? String(each)) : each
  })
  return { value, nameCount }
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c

/**
 * How many fields the objects of a text name; an error for a text nested deeper than `maxDepth` or of too many parts.
 * Counted before parsing, because the reviver recurses and hostile nesting would exhaust the stack.
 */
function countNames(text: string, maxDepth: number): Result<number> {
  let depth = 0
  let count = 0
  let parts = 0
  /** Of the open list or object at each depth: how many commas it has. */
  const commas: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === colon) count++
    else if (code === comma) {
      parts++
      const entries = (commas[depth] ?? 0) + 1
      commas[depth] = entries
      if (entries >= entriesMax) return err(`the JSON has a list of more than ${entriesMax} entries`)
    } else if (code === 0x7b || code === 0x5b) {
      depth++
      parts++
      commas[depth] = 0
      if (depth > maxDepth) return err(`the JSON is nested deeper than ${maxDepth} levels`)
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return parts > partsMax ? err(`the JSON has more than ${partsMax} parts`) : ok(count)
}

/** Well-formed JSON with `twiceText` in the place of each object in which a field comes twice. */
function withoutTwice(json: string): string {
  // The text of each open object and, outermost, of what is around them: joined once each, in linear time.
  const outermost = { text: '', names: new Set<unknown>(), isTwice: false }
  const open = [outermost]
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}]|[^"{}]+/g)) {
    if (token === '{') open.push({ text: '', names: new Set(), isTwice: false })
    const innermost = open.at(-1) ?? outermost
    innermost.text += token
    if (token.startsWith('"') && token.endsWith(':')) {
      const name: unknown = JSON.parse(token.slice(0, -1))
      innermost.isTwice ||= innermost.names.has(name)
      innermost.names.add(name)
    }
    if (token !== '}') continue
    open.pop()
    const around = open.at(-1) ?? outermost
    around.text += innermost.isTwice ? JSON.stringify(twiceText) : innermost.text
  }
  return outermost.text
}

/** Index of the closing quote, or the end of the text when there is none. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return text.length
}

/** How amounts are written: as JSON numbers, as strings, or alternating, so that readers must handle both. */
export type WireMode = 'numbers' | 'strings' | 'mixed'
export const wireModes: readonly WireMode[] = ['numbers', 'strings', 'mixed']

/**
 * Values that can be written. A `Decimal` is an amount and follows the mode; `number` (safe integers only) and `bigint`
 * are always written as integers; null and undefined fields are omitted, which means the same on this wire.
 */
export type Writable =
  | null
  | undefined
  | boolean
  | string
  | number
  | bigint
  | Decimal
  | readonly Writable[]
  | { readonly [field: string]: Writable }

/**
 * Writes JSON with all digits of every amount, without exponents or trailing zeros. Throws RangeError on a `number`
 * that is not an integer.
 */
export function writeJson(value: Writable, mode: WireMode): string {
  let amountCount = 0
  const write = (part: Writable): string => {
    if (part === null || part === undefined) return 'null'
    if (typeof part === 'string') return JSON.stringify(part)
    if (typeof part === 'boolean' || typeof part === 'bigint') return part.toString()
    if (typeof part === 'number') return writeInteger(part)
    if (isAmount(part)) {
      const isQuoted = mode === 'strings' || (mode === 'mixed' && amountCount++ % 2 === 1)
      return isQuoted ? `"${writeAmount(part)}"` : writeAmount(part)
    }
    if (isList(part)) return `[${part.map(write).join(',')}]`
    let fields = ''
    for (const field of Object.keys(part)) {
      const inner = part[field]
      if (inner === null || inner === undefined) continue
      fields += `${fields === '' ? '' : ','}${JSON.stringify(field)}:${write(inner)}`
    }
    return `{${fields}}`
  }
  return write(value)
}

/** Plain digits of an amount: `0.00054044`, never `5.4044E-4`; zero has no sign. */
export function writeAmount(amount: Decimal): string {
  if (!amount.isFinite()) throw new RangeError(`${amount.toString()} is not an amount`)
  return amount.isZero() ? '0' : amount.toFixed()
}

function writeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer that can be written exactly`)
  return value.toString()
}

const isAmount = (value: object): value is Decimal => Decimal.isDecimal(value)
const isList = (value: object): value is readonly Writable[] => Array.isArray(value)
