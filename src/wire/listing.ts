import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import { fieldsMost, type Listing, noneUnreadable, type UnreadableEntry } from '../domain/listing.ts'
import { NumberText } from './exact-json.ts'
import { checkMessage, message, optionalTimestamp, readMessage } from './message.ts'

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

/**
 * Reads each entry of a list by itself: one that cannot be read costs only itself. `map` may refuse what the schema
 * lets pass, with a clause that says why.
 */
export function readEntries<Message, T>(
  values: readonly unknown[],
  schema: z.ZodType<Message>,
  map: (message: Message) => Result<T>,
): Listing<T> {
  const entries: T[] = []
  const unreadable: UnreadableEntry[] = []
  for (const value of values) {
    const read = checkMessage(schema, value)
    const entry = read.ok ? map(read.value) : read
    if (entry.ok) entries.push(entry.value)
    else unreadable.push(unreadableEntry(value, entry.error))
  }
  return { entries, unreadable: unreadable.length === 0 ? noneUnreadable : unreadable }
}

/** Reads JSON text as a list, each entry by itself. An error only when the whole is not a list. */
export function readListing<Message, T>(
  json: string,
  schema: z.ZodType<Message>,
  map: (message: Message) => T,
): Result<Listing<T>> {
  const read = readMessage(anyList, json)
  return read.ok ? ok(readEntries(read.value, schema, (message) => ok(map(message)))) : read
}
