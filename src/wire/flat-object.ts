import { err, ok, type Result } from '../base/result.ts'
import { NumberText, readJson, twiceText } from './exact-json.ts'

/** A field of a JSON object. Numbers keep their original text; `nested` is an object or a list. */
export type FlatField = { readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'nested'; readonly text: string }

const space = /[ \t\n\r]*/y
const numberText = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const plainString = /"([^"\\\u0000-\u001f]*)"/y
const anyString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const word = /true|false|null/y

/**
 * Thrown to leave the fast reader when the text is not an object of plain values; the general reader then names the
 * fault.
 */
const notFlat = Symbol('not flat')

class Reader {
  private at = 0
  private readonly json: string
  constructor(json: string) {
    this.json = json
  }

  object(): Map<string, FlatField> {
    const fields = new Map<string, FlatField>()
    this.skip()
    this.take('{')
    this.skip()
    if (this.json[this.at] === '}') this.at += 1
    else this.members(fields)
    this.skip()
    if (this.at !== this.json.length) throw notFlat
    return fields
  }

  private members(fields: Map<string, FlatField>): void {
    for (;;) {
      this.skip()
      const name = this.string()
      // Readers disagree about which duplicate counts; the general reader reports it.
      if (fields.has(name) || name === '__proto__') throw notFlat
      this.skip()
      this.take(':')
      this.skip()
      fields.set(name, this.value())
      this.skip()
      if (this.json[this.at] !== ',') break
      this.at += 1
    }
    this.take('}')
  }

  private value(): FlatField {
    const first = this.json[this.at]
    if (first === '"') return { kind: 'string', text: this.string() }
    if (first === 't' || first === 'f' || first === 'n') {
      const text = this.match(word)
      return { kind: text === 'null' ? 'null' : 'boolean', text }
    }
    return { kind: 'number', text: this.match(numberText) }
  }

  private string(): string {
    plainString.lastIndex = this.at
    const plain = plainString.exec(this.json)
    if (plain !== null) {
      this.at = plainString.lastIndex
      return plain[1] ?? ''
    }
    const value: unknown = JSON.parse(this.match(anyString))
    if (typeof value !== 'string') throw notFlat
    return value
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const text = pattern.exec(this.json)?.[0]
    if (text === undefined) throw notFlat
    this.at = pattern.lastIndex
    return text
  }

  private skip(): void {
    const code = this.json.charCodeAt(this.at)
    if (code > 0x20) return
    space.lastIndex = this.at
    space.exec(this.json)
    this.at = space.lastIndex
  }

  private take(sign: string): void {
    if (this.json[this.at] !== sign) throw notFlat
    this.at += 1
  }
}

function general(json: string): Result<Map<string, FlatField>> {
  const read = readJson(json)
  if (!read.ok) return read
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof NumberText)
    return err('the JSON is not an object')
  const fields = new Map<string, FlatField>()
  for (const [name, part] of Object.entries(value)) fields.set(name, fieldOf(part))
  return hasDropped(json, fields.size) ? err(twiceText) : ok(fields)
}

function fieldOf(part: unknown): FlatField {
  if (part === null) return { kind: 'null', text: 'null' }
  if (part instanceof NumberText) return { kind: 'number', text: part.text }
  if (typeof part === 'string') return { kind: 'string', text: part }
  if (typeof part === 'boolean') return { kind: 'boolean', text: String(part) }
  return { kind: 'nested', text: '' }
}

/** True when the outermost object has a field that `readJson` drops: readers may take it for another one. */
function hasDropped(json: string, known: number): boolean {
  let depth = 0
  let names = 0
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  for (const [token, colon] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && colon !== undefined) names += 1
  }
  return names !== known
}

/**
 * Reads a JSON object of plain values in one pass, every number by its text. The error is one sentence: malformed, not
 * an object, or a duplicate field, about which readers would disagree.
 */
export function readFlatObject(json: string): Result<Map<string, FlatField>> {
  try {
    return ok(new Reader(json).object())
  } catch (error) {
    if (error !== notFlat) throw error
    return general(json)
  }
}
