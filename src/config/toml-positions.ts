export type Position = { line: number; column: number }

/** Where the keys of a document stand. */
export type Positions = {
  /** How many keys and tables have a name in the text. */
  readonly count: number
  /**
   * Where a path stands, or the nearest table around it that the text names; the start of the text when there is none.
   */
  at(path: readonly string[]): Position
}

/**
 * Where every key of a TOML document stands, by its path. The text has to be a document that the parser has taken: this
 * only walks over it, because the parser does not tell. A key inside an inline table has the position of its own name.
 * The time it takes grows with the length of the text alone, whatever is in it.
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

/** No setting lies deeper; what does is one mistake with the table around it. */
const deepest = 10

const bareKey = /[A-Za-z0-9_-]/

/** A table or key while its names are read: how deep it lies counts names that have no node of their own, too. */
type Place = { readonly node: Node; readonly depth: number }

class Walk {
  readonly #text: string
  #at = 0
  #line = 1
  #lineStart = 0
  /** Line ends before this place have been counted. */
  #counted = 0
  count = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The node of the whole text; its tables and keys are inside. */
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
  #pair(table: Place): void {
    const place = this.#keyPath(table)
    if (this.#peek() === '=') this.#at++
    this.#skipBlank(true)
    this.#value(place)
  }

  /** A dotted key; every prefix of it that is new gets this position. */
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
    // Never without progress, whatever stands here.
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
    // Up to two quotes may stand before the three that end a long string.
    while (isLong && this.#peek() === quote) this.#at++
  }

  /** Asked for places in the order of the text: no character is looked at twice. */
  #positionOf(at: number): Position {
    for (; this.#counted < at; this.#counted++) {
      if (this.#text.charAt(this.#counted) !== '\n') continue
      this.#line += 1
      this.#lineStart = this.#counted + 1
    }
    return { line: this.#line, column: at - this.#lineStart + 1 }
  }
}
