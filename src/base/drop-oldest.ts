/** A map or a set, which has its keys in the order in which they were put in. */
type Kept<Key> = { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean }

/** Drops the oldest of what is kept until it is at most `most`. What is used again must be put in anew to stay. */
export function dropOldest<Key>(kept: Kept<Key>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return
    kept.delete(key)
  }
}
