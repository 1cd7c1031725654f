/** Number of letters to insert, delete, replace or swap with their neighbor to turn one name into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.MAX_SAFE_INTEGER,
      )
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? from.length
}

const longestName = 40

/**
 * The names the user may have meant by a wrong one: the closest, if at most a third of their letters differ; several
 * when equally close. Dashes before a flag do not count as letters.
 */
export function nearestNames(wrong: string, names: readonly string[]): string[] {
  if (wrong.length > longestName) return []
  const lower = wrong.toLowerCase()
  const found = [...new Set(names)].flatMap((name) => {
    const most = Math.max(1, Math.floor(name.replace(/^-+/, '').length / 3))
    // Each extra letter costs at least 1, which excludes most of thousands of names without computing the distance.
    if (Math.abs(name.length - lower.length) > most) return []
    const distance = editDistance(lower, name.toLowerCase())
    // With no letter in common, as `x` and `@`, it is another word and no slip.
    const isAlike = distance <= most && distance < Math.max(name.length, lower.length)
    return isAlike ? [{ name, distance }] : []
  })
  const least = Math.min(...found.map(({ distance }) => distance))
  return found.filter(({ distance }) => distance === least).map(({ name }) => name)
}

/** The first of `nearestNames`, or null. */
export const nearestName = (wrong: string, names: readonly string[]): string | null =>
  nearestNames(wrong, names)[0] ?? null

/** `, did you mean "x"?` as the end of a sentence about a wrong name; empty when no name is close. */
export const suggestion = (wrong: string, names: readonly string[]): string => suggestionOf(nearestNames(wrong, names))

/** Like `suggestion`, for nearest names already found. */
export const suggestionOf = ([name]: readonly string[]): string =>
  name === undefined ? '' : `, did you mean "${name}"?`

/** Makes a sentence of a clause about a wrong name: ends it with the question for a close name, or with `end`. */
export const withSuggestion = (clause: string, wrong: string, names: readonly string[], end = '.'): string =>
  `${clause}${suggestion(wrong, names) || end}`

/**
 * The closest symbols to a wrong one, whose currencies are compared each by itself: `-USD` is in most symbols, and says
 * nothing of the other half. None where both currencies are traded, as in a pair that was delisted: it is not mistyped,
 * and another one would be an order in something else.
 */
function nearestSymbols(wrong: string, symbols: readonly string[]): string[] {
  const [base, counter, ...others] = wrong.toLowerCase().split('-')
  if (base === undefined || counter === undefined || others.length > 0) return nearestNames(wrong, symbols)
  const pairs = symbols.map((symbol) => ({ symbol, parts: symbol.toLowerCase().split('-') }))
  const known = new Set(pairs.flatMap(({ parts }) => parts))
  if (known.has(base) && known.has(counter)) return []
  const [bases, counters] = [base, counter].map((part) => new Set(nearestNames(part, [...known])))
  return nearestNames(wrong, symbols).filter((symbol) => {
    const [ofBase = '', ofCounter = ''] = symbol.toLowerCase().split('-')
    return bases?.has(ofBase) === true && counters?.has(ofCounter) === true
  })
}

const symbolsMax = 3

/**
 * The symbols that a wrong one may stand for: the closest, or a few of those that begin with it, such as btc; none when
 * none is close.
 */
export function symbolsMeant(wrong: string, symbols: readonly string[]): string[] {
  const [near] = nearestSymbols(wrong, symbols)
  if (near !== undefined) return [near]
  if (wrong === '') return []
  return symbols.filter((symbol) => symbol.toLowerCase().startsWith(wrong.toLowerCase())).slice(0, symbolsMax)
}

/** `, did you mean "BTC-USD" or "BTC-EUR"?` for the symbols that a wrong one may mean; empty when none is close. */
export function symbolSuggestion(wrong: string, symbols: readonly string[]): string {
  const meant = symbolsMeant(wrong, symbols)
  return meant.length === 0 ? '' : `, did you mean ${meant.map((symbol) => `"${symbol}"`).join(' or ')}?`
}

/**
 * The entry with the typed name: an exact match, or else the only match ignoring case; undefined when there is none or
 * several.
 */
export function ofTypedName<T>(entries: readonly T[], nameOf: (entry: T) => string, typed: string): T | undefined {
  const exact = entries.find((entry) => nameOf(entry) === typed)
  if (exact !== undefined) return exact
  const alike = entries.filter((entry) => nameOf(entry).toLowerCase() === typed.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}
