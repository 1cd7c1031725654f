import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import { fieldsMax, type Listing, noneUnreadable, type UnreadableEntry } from '../domain/listing.ts'
import { Decimal } from '../domain/money.ts'
import { endOfString, entriesMax, type JsonBounds, NumberText, readJson } from './exact-json.ts'
import { checkMessage, entryTime, mapResult, message } from './message.ts'

/** Longer texts (UTF-16 units) are not cached, to bound memory. The rules of 10,000 symbols are half as long. */
export const keptLengthMax = 8 * 1024 * 1024

/** Limits for an entry and for the text around entries: together no deeper than a whole text may be. */
const bounds: JsonBounds = { maxLength: keptLengthMax, maxDepth: 16 }

/** JSON whose lists were read entry by entry. */
export type Outline<T> = {
  /** The text as `readJson` returns it; the contents of its lists are in `entriesOf` alone. */
  value: unknown
  entriesOf(list: readonly unknown[]): readonly T[]
}

/**
 * Caches the entries of the last answer by their JSON text: an entry with the same text is not read again and stays the
 * same object.
 */
export class KnownEntries<T> {
  #known: ReadonlyMap<string, T> = new Map()

  /**
   * Reads JSON whose lists contain only objects, each with `read` unless cached. Null for any other or malformed text,
   * which `readJson` then reads or refuses.
   */
  outline(json: string, read: (value: unknown) => T): Outline<T> | null {
    if (json.length > keptLengthMax) return null
    // A new map per answer, because the old map's keys would keep the whole earlier answer in memory.
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

  /**
   * Reads a JSON map whose values are all objects, each with its name by `read` unless cached. Null for any other,
   * malformed or too long text, and where a name comes twice: `readJson` then reads or refuses it.
   */
  map(json: string, read: (name: string, value: unknown) => T): ReadonlyMap<string, T> | null {
    if (json.length > keptLengthMax) return null
    const seen = new Map<string, T>()
    const values = splitMap(json, (nameText, valueText) => {
      const name = readJson(nameText, bounds)
      // No object has a field of that name: what the whole text is read into does not.
      if (!name.ok || typeof name.value !== 'string' || name.value === '__proto__') return undefined
      const { value: text } = name
      const key = `${nameText}${valueText}`
      const value = this.#known.get(key) ?? readEntry(valueText, (entry) => read(text, entry))
      if (value === undefined) return undefined
      seen.set(key, value)
      return [text, value]
    })
    if (values !== null) this.#known = seen
    return values
  }
}

function readEntry<T>(text: string, read: (value: unknown) => T): T | undefined {
  const value = readJson(text, bounds)
  return value.ok ? read(value.value) : undefined
}

type Parts<T> = { around: string; lists: ReadonlyMap<string, readonly T[]> }

/**
 * Splits the JSON into the lists and the text around them, with each list's number in place of its entries; null when a
 * list contains anything but objects. An object is cut at its first closing brace: if that brace is in a string or
 * closes an inner object, the piece is not valid JSON and is never taken for the object.
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
    // An empty list stays in the text.
    if (json[next] === ']') continue
    around += `${json.slice(from, at)}[${lists.size}]`
    for (;;) {
      at = json[next] === '{' ? json.indexOf('}', next) + 1 : 0
      const entry = at === 0 ? undefined : entryOf(json.slice(next, at))
      if (entry === undefined || list.length === entriesMax) return null
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

/** Splits a JSON map of objects into names and values; as `splitLists`, null for any other text. */
function splitMap<T>(
  json: string,
  entryOf: (nameText: string, valueText: string) => readonly [string, T] | undefined,
): ReadonlyMap<string, T> | null {
  const values = new Map<string, T>()
  let at = afterSpace(json, 0)
  if (json[at] !== '{') return null
  do {
    const nameAt = afterSpace(json, at + 1)
    if (json[nameAt] !== '"') return null
    const nameEnd = endOfString(json, nameAt) + 1
    const colonAt = afterSpace(json, nameEnd)
    const valueAt = afterSpace(json, colonAt + 1)
    const valueEnd = json.indexOf('}', valueAt) + 1
    if (json[colonAt] !== ':' || json[valueAt] !== '{' || valueEnd === 0) return null
    const entry = entryOf(json.slice(nameAt, nameEnd), json.slice(valueAt, valueEnd))
    if (entry === undefined || values.has(entry[0]) || values.size === entriesMax) return null
    values.set(...entry)
    at = afterSpace(json, valueEnd)
  } while (json[at] === ',')
  return json[at] === '}' && afterSpace(json, at + 1) === json.length ? values : null
}

/** The position after JSON white space. */
function afterSpace(json: string, start: number): number {
  let at = start
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return at
}

/** A list whose entries are read one by one. */
export const anyList = z.array(z.unknown())

const valueMax = 80

/** A value as text for display, truncated. */
function rawValue(value: unknown): string {
  if (value instanceof NumberText) return value.text.slice(0, valueMax)
  if (typeof value === 'string') return plainText(value).slice(0, valueMax)
  if (typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? '[…]' : '{…}'
}

/** The fields of a value as text. A value that is not an object is one field without a name. */
function rawFields(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || value instanceof NumberText || Array.isArray(value))
    return { entry: rawValue(value) }
  const fields = Object.entries(value).slice(0, fieldsMax)
  return Object.fromEntries(fields.map(([name, field]) => [plainText(name).slice(0, valueMax), rawValue(field)]))
}

/** An unreadable entry of a list, with the reason. */
const unreadableEntry = (value: unknown, reason: string): UnreadableEntry => ({
  reason,
  atMs: rawTimeMs(value),
  fields: rawFields(value),
})

const timed = message({ timestamp: entryTime })

function rawTimeMs(value: unknown): number | null {
  const read = checkMessage(timed, value)
  return read.ok ? read.value.timestamp : null
}

type Entry<T> = Result<T, UnreadableEntry>

/** Reads a list entry that `readJson` has parsed. */
export type EntryReader<T> = (value: unknown) => Entry<T>

/** The cached entries of the last answer, for the reader of the next one. */
export type Known<T> = KnownEntries<Entry<T>>

/** Creates an entry reader; `map` may refuse a valid message, with a clause that says why. */
export const entryReader =
  <Message, T>(schema: z.ZodType<Message>, map: (message: Message) => Result<T>): EntryReader<T> =>
  (value) => {
    const read = checkMessage(schema, value)
    const entry = read.ok ? map(read.value) : read
    return entry.ok ? entry : err(unreadableEntry(value, entry.error))
  }

/**
 * Reads JSON text as a message whose lists are read entry by entry: an unreadable entry costs only itself. `listing`
 * returns the entries of one of the message's lists; cached ones stay the same objects.
 */
export function readWithEntries<Message, T>(
  json: string,
  schema: z.ZodType<Message>,
  readEntry: EntryReader<T>,
  known?: Known<T>,
): Result<{ message: Message; listing: (list: readonly unknown[]) => Listing<T> }> {
  const outline = known?.outline(json, readEntry) ?? null
  const value = outline === null ? readJson(json) : ok(outline.value)
  const message = value.ok ? checkMessage(schema, value.value) : value
  if (!message.ok) return message
  const listing = (list: readonly unknown[]) => toListing(outline?.entriesOf(list) ?? list.map(readEntry))
  return ok({ message: message.value, listing })
}

function toListing<T>(read: readonly Entry<T>[]): Listing<T> {
  const entries: T[] = []
  const unreadable: UnreadableEntry[] = []
  for (const entry of read) {
    if (entry.ok) entries.push(entry.value)
    else unreadable.push(entry.error)
  }
  return { entries, unreadable: unreadable.length === 0 ? noneUnreadable : unreadable }
}

/** Reads JSON text as a list, each entry by itself. Fails only when the text is not a list. */
export const readListing = <T>(json: string, readEntry: EntryReader<T>, known?: Known<T>): Result<Listing<T>> =>
  mapResult(readWithEntries(json, anyList, readEntry, known), ({ message, listing }) => listing(message))

/** How entries that tell of one and the same thing are found and compared. */
type Twins<T> = {
  /** What the entry tells of; null or empty where it does not say. */
  idOf: (entry: T) => string | null
  isSame: (left: T, right: T) => boolean
  /** Why those that differ are unreadable. */
  reason: string
  /** The entry in the wire's fields. */
  from: (entry: T) => Readonly<Record<string, unknown>>
}

/**
 * What is told twice in one list counts once, or its money would count twice; where the two differ, nothing tells which
 * is true, and all that tell of it are unreadable. The same listing where each is told once.
 */
export function withoutTwins<T>(listing: Listing<T>, { idOf, isSame, reason, from }: Twins<T>): Listing<T> {
  const first = new Map<string, T>()
  const torn = new Set<string>()
  const once: T[] = []
  for (const entry of listing.entries) {
    const id = idOf(entry) ?? ''
    const other = first.get(id)
    if (other === undefined) once.push(entry)
    else if (!isSame(other, entry)) torn.add(id)
    if (id !== '') first.set(id, other ?? entry)
  }
  if (once.length === listing.entries.length) return listing
  const isTorn = (entry: T) => torn.has(idOf(entry) ?? '')
  const odd = listing.entries.filter(isTorn).map((entry) => unreadableEntry(withoutNull(from(entry)), reason))
  return {
    entries: once.filter((entry) => !isTorn(entry)),
    unreadable: odd.length === 0 ? listing.unreadable : [...listing.unreadable, ...odd],
  }
}

/** The fields that were told, with numbers as the wire has them. */
const withoutNull = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'string' ? value : new NumberText(numberText(value))]],
    ),
  )

const numberText = (value: unknown): string => (Decimal.isDecimal(value) ? value.toFixed() : String(value))
