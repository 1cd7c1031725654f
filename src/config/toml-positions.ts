export type Position = { line: number; column: number }

/**
 * Where every key of a TOML document stands, by its path. The text has to be a document that the parser has taken: this
 * only walks over it, because the parser does not tell. A key inside an inline table has the position of its own name.
 */
export function tomlPositions(text: string): ReadonlyMap<string, Position> {
  return new Walk(text).positions()
}

/** A path as the key of the map. */
export const pathKey = (path: readonly string[]): string => path.join('\u0000')

const bareKey = /[A-Za-z0-9_-]/

class Walk {
  readonly #text: string
  readonly #found = new Map<string, Position>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  positions(): ReadonlyMap<string, Position> {
    let table: string[] = []
    for (;;) {
      this.#skipBlank(true)
      if (this.#at >= this.#text.length) return this.#found
      if (this.#peek() === '[') {
        while (this.#peek() === '[') this.#at++
        this.#skipBlank(false)
        table = this.#keyPath([])
        while (this.#peek() === ']' || this.#peek() === ' ' || this.#peek() === '\t') this.#at++
      } else this.#pair(table)
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  /** Blanks and comments, line ends too when `acrossLines`. */
  #skipBlank(acrossLines: boolean): void {
    for (;;) {
      const next = this.#peek()
      if (next === '#' && acrossLines) {
        while (this.#at < this.#text.length && this.#peek() !== '\n') this.#at++
      } else if (next === ' ' || next === '\t' || (acrossLines && (next === '\n' || next === '\r'))) this.#at++
      else return
    }
  }

  /** `key = value` */
  #pair(table: readonly string[]): void {
    const path = this.#keyPath(table)
    if (this.#peek() === '=') this.#at++
    this.#skipBlank(true)
    this.#value(path)
  }

  /** A dotted key; every prefix of it that is new gets this position. */
  #keyPath(table: readonly string[]): string[] {
    const start = this.#at
    const path = [...table]
    for (;;) {
      path.push(this.#keyPart())
      const key = pathKey(path)
      if (!this.#found.has(key)) this.#found.set(key, this.#positionOf(start))
      this.#skipBlank(false)
      if (this.#peek() !== '.') return path
      this.#at++
      this.#skipBlank(false)
    }
  }

  #keyPart(): string {
    const quote = this.#peek()
    if (quote === '"' || quote === "'") {
      const start = this.#at
      this.#string()
      return this.#text.slice(start + 1, this.#at - 1)
    }
    const start = this.#at
    while (bareKey.test(this.#peek())) this.#at++
    // Never without progress, whatever stands here.
    if (this.#at === start) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #value(path: readonly string[]): void {
    const next = this.#peek()
    if (next === '"' || next === "'") this.#string()
    else if (next === '{') this.#list('}', () => this.#pair(path))
    else if (next === '[') this.#list(']', () => this.#value(path))
    else while (this.#at < this.#text.length && !/[,\]}#\n]/.test(this.#peek())) this.#at++
  }

  #list(end: string, item: () => void): void {
    this.#at++
    while (this.#at < this.#text.length) {
      this.#skipBlank(true)
      if (this.#peek() === ',') this.#at++
      else if (this.#peek() === end) {
        this.#at++
        return
      } else item()
    }
  }

  #string(): void {
    const quote = this.#peek()
    const isLong = this.#text.startsWith(quote.repeat(3), this.#at)
    const end = isLong ? quote.repeat(3) : quote
    this.#at += end.length
    while (this.#at < this.#text.length && !this.#text.startsWith(end, this.#at)) {
      this.#at += quote === '"' && this.#peek() === '\\' ? 2 : 1
    }
    this.#at += end.length
    // Up to two quotes may stand before the three that end a long string.
    while (isLong && this.#peek() === quote) this.#at++
  }

  #positionOf(at: number): Position {
    const before = this.#text.slice(0, at).split('\n')
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
}
