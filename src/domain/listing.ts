import { utcDayStart } from '../base/time-text.ts'

/**
 * An entry of a list that this program cannot read: a word it does not know, a required field that is missing. It is
 * shown raw and counted; the rest of the list counts without it, and what depends on it cannot be judged.
 */
export type UnreadableEntry = {
  /** What is wrong, after the entry's name in a sentence: `field "ordType" must be one of LIMIT, …`. */
  reason: string
  /** Its time in ms since 1970, where that can be read. */
  atMs: number | null
  /** Its fields by the wire's names, as text fit for a screen, in the order they came; at most `fieldsMax` of them. */
  fields: Readonly<Record<string, string>>
}

/** What a list of the service came to. */
export type Listing<T> = {
  entries: readonly T[]
  unreadable: readonly UnreadableEntry[]
}

/** A list in which everything could be read. */
export const readableListing = <T>(entries: readonly T[]): Listing<T> => ({ entries, unreadable: noneUnreadable })

export const noneUnreadable: readonly UnreadableEntry[] = []

/** More fields than any message of the services has. */
export const fieldsMax = 40

/** An unreadable entry in one line: `exOrdId 64, ordType TRAIL, side BUY`, the fields that came first. */
export function rawText({ fields }: UnreadableEntry): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  return parts.length === 0 ? 'no fields' : parts.join(', ')
}

/** Names an unreadable entry among others of its list, so that it is reported once: all it says. */
export const unreadableKey = (entry: UnreadableEntry): string => rawText(entry)

/** Two lists of unreadable entries say the same. */
export const isSameUnreadable = (left: readonly UnreadableEntry[], right: readonly UnreadableEntry[]): boolean =>
  left === right ||
  (left.length === right.length &&
    left.every((entry, index) => {
      const other = right[index]
      return other !== undefined && unreadableKey(entry) === unreadableKey(other)
    }))

/** Unreadable entries that may be of the UTC day of `nowMs`: those before it change no sum of the day. */
export const unreadableToday = (entries: readonly UnreadableEntry[], nowMs: number): readonly UnreadableEntry[] =>
  entries.filter((entry) => (entry.atMs ?? nowMs) >= utcDayStart(nowMs))
