import { utcDayStart } from '../base/text/time-text.ts'

/**
 * An unreadable entry of a list, with an unknown word or a missing field. It is shown raw and counted; the rest of the
 * list is used without it, and anything that depends on it cannot be judged.
 */
export type UnreadableEntry = {
  /** What is wrong, to follow the entry's name in a sentence: `field "ordType" must be one of LIMIT, …`. */
  reason: string
  /** Its time in ms since 1970, if readable. */
  atMs: number | null
  /** Its fields by the wire's names as printable text, in their order; at most `fieldsMax`. */
  fields: Readonly<Record<string, string>>
  /** It stands for all that lies behind: the list was not read to its end. */
  isRest?: true
}

/** The entries of a list: readable and unreadable ones. */
export type Listing<T> = {
  entries: readonly T[]
  unreadable: readonly UnreadableEntry[]
}

/** A list without unreadable entries. */
export const readableListing = <T>(entries: readonly T[]): Listing<T> => ({ entries, unreadable: noneUnreadable })

export const noneUnreadable: readonly UnreadableEntry[] = []

/** More fields than any message of the services has. */
export const fieldsMax = 40

/** An unreadable entry in one line: `exOrdId 64, ordType TRAIL, side BUY`, its first fields. */
export function rawText({ fields }: UnreadableEntry): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  return parts.length === 0 ? 'no fields' : parts.join(', ')
}

/** Identifies an unreadable entry by its whole text, so that it is reported once. */
export const unreadableKey = (entry: UnreadableEntry): string => rawText(entry)

/** True when two lists of unreadable entries are equal. */
export const isSameUnreadable = (left: readonly UnreadableEntry[], right: readonly UnreadableEntry[]): boolean =>
  left === right ||
  (left.length === right.length &&
    left.every((entry, index) => {
      const other = right[index]
      return other !== undefined && unreadableKey(entry) === unreadableKey(other)
    }))

/** Unreadable entries that may be of the UTC day of `nowMs`; earlier ones do not affect the day's sums. */
export const unreadableToday = (entries: readonly UnreadableEntry[], nowMs: number): readonly UnreadableEntry[] =>
  entries.filter((entry) => (entry.atMs ?? nowMs) >= utcDayStart(nowMs))
