import { sameItems } from './same-items.ts'

/** Makes something from values, and not again while each of them is the very same. */
export function whileSame<Result>(): (given: readonly unknown[], make: () => Result) => Result {
  let last: { given: readonly unknown[]; result: Result } | null = null
  return (given, make) => {
    if (last === null || !sameItems(last.given, given)) last = { given, result: make() }
    return last.result
  }
}

/**
 * A function that gives its last result again, the very same object, while it is asked with the very same arguments.
 */
export function memoizeLast<Arguments extends readonly unknown[], Result>(
  make: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const last = whileSame<Result>()
  return (...given) => last(given, () => make(...given))
}

/** A function that gives back the list it was given the time before, the very same one, where the two hold the same. */
export function keepSame<Item>(): (list: readonly Item[]) => readonly Item[] {
  let last: readonly Item[] = []
  return (list) => {
    if (!sameItems(last, list)) last = list
    return last
  }
}

/** The same of a map, whose values are held against each other by `isEqual`. */
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
