import { isUnseen } from './plain-text.ts'
import { err, ok, type Result } from './result.ts'

const mask = '•••'

/** A key to a service. However it is printed, logged, inspected or made JSON of, it shows as `•••`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The key itself, for the one place that sends it. */
  reveal(): string {
    return this.#value
  }

  /**
   * `text` with every copy of the key masked: for words that come back from a service. Characters that show as nothing
   * hide no copy: whoever takes them out would put it together.
   */
  redact(text: string): string {
    return masked(text, this.#value, false)
  }

  /**
   * `redact` for JSON text: copies hidden by escapes, which its reader would resolve, are masked too. JSON stays JSON.
   */
  redactJson(json: string): string {
    return masked(json, this.#value, true)
  }

  toString(): string {
    return mask
  }

  toJSON(): string {
    return mask
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask
  }
}

/** Reads a key as a file, a command or the environment gives it: spaces and line ends around it are no part of it. */
export function readSecret(text: string): Result<Secret> {
  const value = text.trim()
  if (value === '') return err('the key is empty')
  return /^[\x21-\x7e]+$/.test(value)
    ? ok(new Secret(value))
    : err('the key has characters that cannot stand in a request header: is it the whole file, or more than one line?')
}

// Copies in any other text are the key letter by letter. A control character in a string of JSON has to be escaped.
const hidesInText = /[^\x20-\x7e]/
const hidesInJson = /[\\\x7f-\uffff]/

function masked(text: string, key: string, isJson: boolean): string {
  if (key === '') return text
  // First what its reader sees: letter by letter, a copy could begin in the middle of an escape.
  const bare = (isJson ? hidesInJson : hidesInText).test(text) ? withoutCopies(text, key, isJson) : text
  return bare.replaceAll(key, mask)
}

const backslash = 0x5c

function withoutCopies(text: string, key: string, isJson: boolean): string {
  const first = key.charCodeAt(0)
  let kept = ''
  let from = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code !== first && code !== backslash) {
      at += 1
      continue
    }
    const end = endOfCopy(text, at, key, isJson)
    if (end === null) {
      at = endOfUnit(text, at, isJson)
      continue
    }
    kept += text.slice(from, at) + mask
    at = end
    from = end
  }
  return kept + text.slice(from)
}

/** Where the copy of the key that begins here ends; null where none begins. */
function endOfCopy(text: string, start: number, key: string, isJson: boolean): number | null {
  let at = start
  for (let count = 0; count < key.length; ) {
    if (at >= text.length) return null
    const end = endOfUnit(text, at, isJson)
    const unit = unitOf(text, at, end)
    if (unit === key.charCodeAt(count)) {
      count += 1
      at = end
      continue
    }
    const next = count === 0 ? null : endOfUnseen(text, end, unit, isJson)
    if (next === null) return null
    at = next
  }
  return at
}

/** Where a character that shows as nothing ends, of which the first unit is known; null for any other. */
function endOfUnseen(text: string, end: number, unit: number, isJson: boolean): number | null {
  const isFirstOfTwo = unit >= 0xd800 && unit <= 0xdbff && end < text.length
  if (!isFirstOfTwo) return isUnseen(unit) ? end : null
  const endOfSecond = endOfUnit(text, end, isJson)
  const pair = String.fromCharCode(unit, unitOf(text, end, endOfSecond))
  return isUnseen(pair.codePointAt(0) ?? unit) ? endOfSecond : null
}

const hexUnit = /\\u[\da-f]{4}/iy

/** A unit is one of UTF-16, as it is or as JSON escapes it. */
function endOfUnit(text: string, at: number, isJson: boolean): number {
  if (!isJson || text.charCodeAt(at) !== backslash) return at + 1
  hexUnit.lastIndex = at
  return Math.min(at + (hexUnit.test(text) ? 6 : 2), text.length)
}

const controls: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, f: 12, r: 13 }

function unitOf(text: string, at: number, end: number): number {
  if (end - at === 1) return text.charCodeAt(at)
  if (end - at === 6) return Number.parseInt(text.slice(at + 2, end), 16)
  return controls[text.charAt(at + 1)] ?? text.charCodeAt(at + 1)
}
