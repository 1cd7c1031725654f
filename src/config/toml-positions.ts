export type Position = { line: number; column: number }

/** The positions of a document's keys. */
export type Positions = {
  /** Number of keys and tables named in the text. */
  readonly count: number
  /**
   * The position of a path, or of its nearest enclosing table named in the text; the start of the text when there is
   * none.
   */
  at(path: readonly string[]): Position
}

/**
 * Finds the position of every key of a TOML document, by its path. The text must be valid: this only scans it, because
 * the parser reports no positions. A key inside an inline table has its own position. The time is linear in the length
 * of the text, whatever it contains.
 */
export function tomlPositions(text: string): Positions {
  const walk = new Walk(text)
  const top = walk.positions()
  return {
    count: walk.count,
    at(path) {
      let node = top
      for (const part of path) {
        const inner = node.inside.get(part)
        if (inner === undefined) break
        node = inner
      }
      return node.position
    },
  }
}

type Node = { readonly position: Position; readonly inside: Map<string, Node> }

/** No setting is nested deeper; anything deeper counts as one mistake of its table. */
const deepest = 10

const bareKey = /[A-Za-z0-9_-]/

/** A table or key while its path is read; the depth also counts path parts without a node of their own. */
type Place = { readonly node: Node; readonly depth: number }

class Walk {
  readonly #text: string
  #at = 0
  #line = 1
  #lineStart = 0
  /** Line ends before this offset are counted. */
  #counted = 0
  count = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The node of the whole text, with its tables and keys inside. */
  positions(): Node {
    const top: Node = { position: { line: 1, column: 1 }, inside: new Map() }
    let table: Place = { node: top, depth: 0 }
    for (;;) {
      this.#skipBlank(true)
      if (this.#at >= this.#text.length) return top
      if (this.#peek() === '[') {
        while (this.#peek() === '[') this.#at++
        this.#skipBlank(false)
        table = this.#keyPath({ node: top, depth: 0 })
        while (this.#peek() === ']' || this.#peek() === ' ' || this.#peek() === '\t') this.#at++
      } else this.#pair(table)
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  /** Skips blanks and comments, and line ends too when `acrossLines`. */
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
  #pair(table: Place): void {
    const place = this.#keyPath(table)
    if (this.#peek() === '=') this.#at++
    this.#skipBlank(true)
    this.#value(place)
  }

  /** A dotted key; every new prefix of it gets this position. */
  #keyPath(table: Place): Place {
    const position = this.#positionOf(this.#at)
    let { node, depth } = table
    for (;;) {
      const part = this.#keyPart()
      if (depth < deepest) node = this.#inside(node, part, position)
      depth += 1
      this.#skipBlank(false)
      if (this.#peek() !== '.') return { node, depth }
      this.#at++
      this.#skipBlank(false)
    }
  }

  #inside({ inside }: Node, part: string, position: Position): Node {
    const known = inside.get(part)
    if (known !== undefined) return known
    const node: Node = { position, inside: new Map() }
    inside.set(part, node)
    this.count += 1
    return node
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
    // Always advances, whatever is here.
    if (this.#at === start) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #value(path: Place): void {
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
    // Up to two quotes may precede the three that end a multi-line string.
    while (isLong && this.#peek() === quote) this.#at++
  }

  /** Offsets are queried in increasing order, so each character is read once. */
  #positionOf(at: number): Position {
    for (; this.#counted < at; this.#counted++) {
      if (this.#text.charAt(this.#counted) !== '\n') continue
      this.#line += 1
      this.#lineStart = this.#counted + 1
    }
    return { line: this.#line, column: at - this.#lineStart + 1 }
  }
}
