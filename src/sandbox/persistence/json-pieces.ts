/** A list of `length` items or fewer stays in one piece. */
const itemsMax = 1_000

type Path = readonly (string | number)[]
/** Part of a value: the items to add to the list at this path; the first piece has no path and is all the rest. */
type Piece = { path: Path; items: readonly unknown[] } | { whole: unknown }

/**
 * A large JSON value as pieces of JSON text, each made only when it is asked for, so that nobody has to wait for all of
 * it. The value must not change meanwhile.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  const long: { path: Path; list: readonly unknown[] }[] = []
  const whole = withoutLong(value, [], (path, list) => long.push({ path, list }))
  yield JSON.stringify({ whole } satisfies Piece)
  for (const { path, list } of long)
    for (let from = 0; from < list.length; from += itemsMax)
      yield JSON.stringify({ path, items: list.slice(from, from + itemsMax) } satisfies Piece)
}

/** The value with its long lists empty; `found` is told of each. Items of a long list stay whole. */
function withoutLong(value: unknown, path: Path, found: (path: Path, list: readonly unknown[]) => void): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    if (value.length <= itemsMax) return value.map((item, index) => withoutLong(item, [...path, index], found))
    found(path, value)
    return []
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLong(item, [...path, key], found)]))
}

/** The value again. Throws when the pieces are not those of one value. */
export function joinPieces(pieces: Iterable<string>): unknown {
  let value: unknown
  for (const text of pieces) {
    const piece: Piece = JSON.parse(text)
    if ('whole' in piece) value = piece.whole
    else listAt(value, piece.path).push(...piece.items)
  }
  return value
}

function listAt(value: unknown, path: Path): unknown[] {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null) throw new Error(`nothing is at ${path.join('.')}`)
    found = Reflect.get(found, step)
  }
  if (!Array.isArray(found)) throw new Error(`no list is at ${path.join('.')}`)
  return found
}
