import { sameItems } from '../../base/same-items.ts'

/**
 * A function that gives its last result again, the very same object, while it is asked with the very same arguments.
 */
export function memoizeLast<Arguments extends readonly unknown[], Result>(
  make: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  let last: { given: Arguments; result: Result } | null = null
  return (...given) => {
    if (last !== null && sameItems(last.given, given)) return last.result
    const result = make(...given)
    last = { given, result }
    return result
  }
}

/** A function that gives back the list it was given the time before, the very same one, where the two hold the same. */
export function keepSame<Item>(): (list: readonly Item[]) => readonly Item[] {
  let last: readonly Item[] = []
  return (list) => {
    if (!sameItems(last, list)) last = list
    return last
  }
}
