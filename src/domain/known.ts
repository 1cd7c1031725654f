/**
 * A value the checks rest on, or why it cannot be relied on: never seen, older than its limit, or only a part of what
 * there is, because some of it cannot be read.
 */
export type Known<T> =
  | { kind: 'fresh'; value: T }
  | { kind: 'missing' }
  | { kind: 'stale'; ageMs: number }
  /** `unreadableCount` 0: the list could not be read to its end. */
  | { kind: 'partial'; value: T; unreadableCount: number }

/** The value, held against how many of its entries cannot be read and whether all of them were read. */
export const partly = <T>(value: T, unreadableCount: number, isWhole = true): Known<T> =>
  unreadableCount === 0 && isWhole ? { kind: 'fresh', value } : { kind: 'partial', value, unreadableCount }

/** The same knowledge of another value. */
export const mapKnown = <From, To>(known: Known<From>, map: (value: From) => To): Known<To> =>
  known.kind === 'fresh' || known.kind === 'partial' ? { ...known, value: map(known.value) } : known

/** Why a value cannot be relied on, in words; null when it can. */
export function unreliable(name: string, known: Known<unknown>): string | null {
  switch (known.kind) {
    case 'fresh':
      return null
    case 'missing':
      return `${name} not loaded`
    case 'stale':
      return `${name} ${Math.floor(known.ageMs / 1000)} s old`
    case 'partial':
      return known.unreadableCount === 0
        ? `${name} incomplete`
        : `${name}: ${known.unreadableCount} unreadable ${known.unreadableCount === 1 ? 'entry' : 'entries'}`
  }
}
