import { err, ok, type Result } from '../base/result.ts'

declare global {
  interface JSON {
    /** The standard's third argument of a reviver, which the compiler's library does not know yet. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** A JSON number as it was written. It never becomes a double, and it can still be told from a string. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type JsonBounds = { maxLength: number; maxDepth: number }
export const defaultJsonBounds: JsonBounds = {
  maxLength: 32 * 1024 * 1024,
  maxDepth: 32,
}

/**
 * Reads JSON with every number as a `NumberText`. Never throws: malformed, too long (UTF-16 units) or too deep text
 * gives one sentence. Of a key that comes twice the last one counts, as the language's own parser has it; a key
 * `__proto__` is left out, so that no reader downstream can be led to a prototype.
 */
export function readJson(text: string, bounds: JsonBounds = defaultJsonBounds): Result<unknown> {
  if (text.length > bounds.maxLength) return err(`the JSON is longer than ${bounds.maxLength} characters`)
  if (isDeeperThan(text, bounds.maxDepth)) return err(`the JSON is nested deeper than ${bounds.maxDepth} levels`)
  try {
    return ok(JSON.parse(text, reviveExactly))
  } catch (error) {
    if (error instanceof SyntaxError) return err(text.trim() === '' ? 'the JSON is empty' : 'the JSON is malformed')
    throw error
  }
}

function reviveExactly(key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (key === '__proto__') return undefined
  return typeof value === 'number' ? new NumberText(context.source ?? String(value)) : value
}

const quote = 0x22
const backslash = 0x5c

/** Looked at before parsing, because the parser's reviver recurses and would exhaust the stack on hostile nesting. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** Index of the closing quote, or the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return text.length
}
