/** True when two lists hold the same items (`Object.is`) in the same order. */
export function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at += 1) if (!Object.is(left[at], right[at])) return false
  return true
}
