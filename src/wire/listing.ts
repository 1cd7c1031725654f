import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { fieldsMost, type Listing, noneUnreadable, type UnreadableEntry } from '../domain/listing.ts'
import { NumberText, readJson } from './exact-json.ts'
import type { KnownEntries } from './known-entries.ts'
import { checkMessage, mapResult, message, optionalTimestamp } from './message.ts'

/** A list whose entries are read one by one. */
export const anyList = z.array(z.unknown())

const valueMost = 80

/** A value as text fit for a screen, cut: an unreadable entry is shown, not kept whole. */
function rawValue(value: unknown): string {
  if (value instanceof NumberText) return value.text.slice(0, valueMost)
  if (typeof value === 'string') return plainText(value).slice(0, valueMost)
  if (typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? '[…]' : '{…}'
}

/** The fields of a value as text. What is no object is one field without a name. */
function rawFields(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || value instanceof NumberText || Array.isArray(value))
    return { entry: rawValue(value) }
  const fields = Object.entries(value).slice(0, fieldsMost)
  return Object.fromEntries(fields.map(([name, field]) => [plainText(name).slice(0, valueMost), rawValue(field)]))
}

/** An entry of a list that cannot be read, with why. */
const unreadableEntry = (value: unknown, reason: string): UnreadableEntry => ({
  reason,
  atMs: rawTimeMs(value),
  fields: rawFields(value),
})

const timed = message({ timestamp: optionalTimestamp })

function rawTimeMs(value: unknown): number | null {
  const read = checkMessage(timed, value)
  return read.ok ? read.value.timestamp : null
}

type Entry<T> = Result<T, UnreadableEntry>

/** Reads an entry of a list, JSON that `readJson` has read. */
export type EntryReader<T> = (value: unknown) => Entry<T>

/** The last answer's entries, for the reader of the next one. */
export type Known<T> = KnownEntries<Entry<T>>

/** A reader of entries; `map` may refuse what the schema lets pass, with a clause that says why. */
export const entryReader =
  <Message, T>(schema: z.ZodType<Message>, map: (message: Message) => Result<T>): EntryReader<T> =>
  (value) => {
    const read = checkMessage(schema, value)
    const entry = read.ok ? map(read.value) : read
    return entry.ok ? entry : err(unreadableEntry(value, entry.error))
  }

/**
 * Reads JSON text as a message with lists whose entries are read one by one: one that cannot be read costs only itself.
 * `listing` gives the entries of a list of the message; those that are known are the very objects of before.
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

/** Reads JSON text as a list, each entry by itself. An error only when the whole is not a list. */
export const readListing = <T>(json: string, readEntry: EntryReader<T>, known?: Known<T>): Result<Listing<T>> =>
  mapResult(readWithEntries(json, anyList, readEntry, known), ({ message, listing }) => listing(message))
