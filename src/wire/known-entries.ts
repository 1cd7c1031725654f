import { endOfString, type JsonBounds, NumberText, readJson } from './exact-json.ts'

/** A longer text is read anew each time, so that what is kept stays small. UTF-16 units. */
export const keptLengthMax = 1024 * 1024

/** For an entry, and for what is around all of them: together no deeper than what is read as a whole may be. */
const bounds: JsonBounds = { maxLength: keptLengthMax, maxDepth: 16 }

/** JSON whose lists have been read entry by entry. */
export type Outline<T> = {
  /** What `readJson` makes of the text; what its lists hold is told by `entriesOf` alone. */
  value: unknown
  entriesOf(list: readonly unknown[]): readonly T[]
}

/**
 * What the entries of the last answer came to, by their JSON text: one that comes again in the same words is not read
 * again, and is the very object of before.
 */
export class KnownEntries<T> {
  #known: ReadonlyMap<string, T> = new Map()

  /**
   * Reads JSON whose lists hold objects and nothing else, each by `read` unless it is known. Null for any other text
   * and for a malformed one: `readJson` reads or refuses it.
   */
  outline(json: string, read: (value: unknown) => T): Outline<T> | null {
    if (json.length > keptLengthMax) return null
    // Made anew with each answer: an earlier one's texts would keep all of that answer in memory.
    const seen = new Map<string, T>()
    const parts = splitLists(json, (text) => {
      const value = seen.get(text) ?? this.#known.get(text) ?? readEntry(text, read)
      if (value !== undefined) seen.set(text, value)
      return value
    })
    const around = parts === null ? null : readJson(parts.around, bounds)
    if (parts === null || !around?.ok) return null
    this.#known = seen
    const entriesOf = ([place]: readonly unknown[]) =>
      (place instanceof NumberText ? parts.lists.get(place.text) : undefined) ?? []
    return { value: around.value, entriesOf }
  }
}

function readEntry<T>(text: string, read: (value: unknown) => T): T | undefined {
  const value = readJson(text, bounds)
  return value.ok ? read(value.value) : undefined
}

type Parts<T> = { around: string; lists: ReadonlyMap<string, readonly T[]> }

/**
 * The JSON with the number of each list in place of its entries, and the lists; null where one holds anything else than
 * objects. An object is cut off at its first brace: where that stands in a string, or closes an inner object, the cut
 * is no JSON, so that it is never taken for the object.
 */
function splitLists<T>(json: string, entryOf: (text: string) => T | undefined): Parts<T> | null {
  const lists = new Map<string, readonly T[]>()
  let around = ''
  let from = 0
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '"') at = endOfString(json, at)
    if (json[at] !== '[') continue
    const list: T[] = []
    let next = afterSpace(json, at + 1)
    // A list without entries stays as it is.
    if (json[next] === ']') continue
    around += `${json.slice(from, at)}[${lists.size}]`
    for (;;) {
      at = json[next] === '{' ? json.indexOf('}', next) + 1 : 0
      const entry = at === 0 ? undefined : entryOf(json.slice(next, at))
      if (entry === undefined) return null
      list.push(entry)
      at = afterSpace(json, at)
      if (json[at] !== ',') break
      next = afterSpace(json, at + 1)
    }
    if (json[at] !== ']') return null
    lists.set(`${lists.size}`, list)
    from = at + 1
  }
  return { around: around + json.slice(from), lists }
}

/** The place of what follows spaces as JSON has them. */
function afterSpace(json: string, start: number): number {
  let at = start
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return at
}
