/**
 * Merges two sorted sequences, reading the first one by one: `isBefore` says whether an item of the second precedes one
 * of the first.
 */
export function* mergeSorted<First, Second>(
  first: Iterable<First>,
  second: readonly Second[],
  isBefore: (second: Second, first: First) => boolean,
): Generator<First | Second> {
  let at = 0
  for (const item of first) {
    for (let other = second[at]; other !== undefined && isBefore(other, item); other = second[at]) {
      yield other
      at += 1
    }
    yield item
  }
  yield* second.slice(at)
}
