import { err, ok, type Result } from './result.ts'
import { isUnseen } from './text/plain-text.ts'

const mask = '•••'

/** A key to a service. Shows as `•••` in any print, log, inspection or JSON. */
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
   * Masks every copy of the key in `text`, for text that comes back from a service. Also masks copies with invisible
   * characters inside, which removing those would reveal.
   */
  redact(text: string): string {
    return masked(text, this.#value, false)
  }

  /**
   * Like `redact` for JSON text: also masks copies hidden by escapes, which a JSON reader would resolve. The result is
   * valid JSON.
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

/** Reads a key from a file's, a command's or a variable's text; surrounding spaces and line ends are ignored. */
export function readSecret(text: string): Result<Secret> {
  const value = text.trim()
  if (value === '') return err('the key is empty')
  return /^[\x21-\x7e]+$/.test(value)
    ? ok(new Secret(value))
    : err('the key has characters that cannot stand in a request header: is it the whole file, or more than one line?')
}

// Other texts can contain the key only as it is. JSON must escape control characters.
const hidesInText = /[^\x20-\x7e]/
const hidesInJson = /[\\\x7f-\uffff]/

function masked(text: string, key: string, isJson: boolean): string {
  if (key === '') return text
  // Decoded copies first: a literal copy could start in the middle of an escape.
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

/** End of the copy of the key that starts here; null when there is none. */
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

/** End of the invisible character whose first unit is given; null for a visible one. */
function endOfUnseen(text: string, end: number, unit: number, isJson: boolean): number | null {
  const isFirstOfTwo = unit >= 0xd800 && unit <= 0xdbff && end < text.length
  if (!isFirstOfTwo) return isUnseen(unit) ? end : null
  const endOfSecond = endOfUnit(text, end, isJson)
  const pair = String.fromCharCode(unit, unitOf(text, end, endOfSecond))
  return isUnseen(pair.codePointAt(0) ?? unit) ? endOfSecond : null
}

const hexUnit = /\\u[\da-f]{4}/iy

/** End of one UTF-16 unit, literal or as a JSON escape. */
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
