import { sameItems } from './same-items.ts'

/**
 * Returns a function that calls `make` again only when one of the given values is another object or value than in the
 * last call.
 */
export function whileSame<Result>(): (given: readonly unknown[], make: () => Result) => Result {
  let last: { given: readonly unknown[]; result: Result } | null = null
  return (given, make) => {
    if (last === null || !sameItems(last.given, given)) last = { given, result: make() }
    return last.result
  }
}

/** Memoizes the last call: the same result object while the arguments are the same (`Object.is`). */
export function memoizeLast<Arguments extends readonly unknown[], Result>(
  make: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const last = whileSame<Result>()
  return (...given) => last(given, () => make(...given))
}

/** Memoizes by the identity of an object that is never changed; what it made goes with the object. */
export function memoizeByObject<Of extends object, Result>(make: (of: Of) => Result): (of: Of) => Result {
  const made = new WeakMap<Of, { result: Result }>()
  return (of) => {
    const before = made.get(of)
    if (before !== undefined) return before.result
    const result = make(of)
    made.set(of, { result })
    return result
  }
}

/** Returns a function that gives its previous list when the new one holds the same items in the same order. */
export function keepSame<Item>(): (list: readonly Item[]) => readonly Item[] {
  let last: readonly Item[] = []
  return (list) => {
    if (!sameItems(last, list)) last = list
    return last
  }
}

/** Like `keepSame` for a map; values are compared by `isEqual`. */
export function keepEqual<Key, Value>(
  isEqual: (left: Value, right: Value) => boolean,
): (map: ReadonlyMap<Key, Value>) => ReadonlyMap<Key, Value> {
  let last: ReadonlyMap<Key, Value> = new Map()
  return (map) => {
    const isLast = ([key, value]: [Key, Value]) => {
      const before = last.get(key)
      return before !== undefined && isEqual(value, before)
    }
    if (map.size !== last.size || ![...map].every(isLast)) last = map
    return last
  }
}
