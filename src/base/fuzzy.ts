/** How well a text answers what was typed, and which of its characters did, ascending. */
type FuzzyMatch = { score: number; positions: readonly number[] }

const wordStartPoints = 8
const neighbourPoints = 5
const gapPoint = -1
/** What stands before the first match costs, but not without end. */
const leadPointsLeast = -4
/** Longer texts are matched by their beginning: no name here comes near it, and the work stays bounded. */
const textMost = 120
const queryMost = 60

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** A letter or digit after none, or a capital after a small letter. */
function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1]
  const here = text[at]
  if (!isWordCharacter(here)) return false
  return !isWordCharacter(before) || (/\p{Ll}/u.test(before ?? '') && /\p{Lu}/u.test(here ?? ''))
}

/** Lower case by single characters, so that positions stay those of the text. */
const folded = (text: string): string[] =>
  Array.from({ length: text.length }, (_, at) => {
    const lower = text.charAt(at).toLowerCase()
    return lower.length === 1 ? lower : text.charAt(at)
  })

/** A text made ready: its letters in lower case, and what a match at each is worth. */
type Text = { letters: readonly string[]; points: readonly number[] }

const readText = (text: string): Text => ({
  letters: folded(text),
  points: Array.from({ length: text.length }, (_, at) => (isWordStart(text, at) ? wordStartPoints : 0)),
})

/**
 * One placement of the typed characters so far, the last one at a known place; linked, so that the best is cheap to
 * keep.
 */
type Placement = { score: number; at: number; before: Placement | null }

const better = (left: Placement | null, right: Placement | null): Placement | null =>
  left === null || (right !== null && right.score > left.score) ? right : left

/** For each character of the text the best placement that ends there with the next typed character. */
function nextPlacements(character: string, text: Text, before: readonly (Placement | null)[] | null) {
  // The best of those further left than the neighbour, less a point for each character between.
  let jump: Placement | null = null
  return text.letters.map((letter, at): Placement | null => {
    if (jump !== null) jump = { ...jump, score: jump.score + gapPoint }
    const far = before?.[at - 2] ?? null
    jump = better(jump, far === null ? null : { ...far, score: far.score + gapPoint })
    if (letter !== character) return null
    const points = text.points[at] ?? 0
    if (before === null) return { score: points + Math.max(leadPointsLeast, gapPoint * at), at, before: null }
    const neighbour = before[at - 1] ?? null
    const step = neighbour === null ? null : { ...neighbour, score: neighbour.score + neighbourPoints }
    const from = better(step, jump)
    return from === null ? null : { score: from.score + points, at, before: from }
  })
}

/**
 * Whether the typed characters stand in the text in their order, whatever the case and whatever lies between; blanks
 * typed are not looked for. The best way to place them counts: starts of words and neighbours win, gaps cost. An empty
 * query matches everything.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const wanted = folded(query.slice(0, queryMost)).filter((character) => character.trim() !== '')
  const read = readText(text.slice(0, textMost))
  let placements: readonly (Placement | null)[] | null = null
  for (const character of wanted) {
    placements = nextPlacements(character, read, placements)
    if (placements.every((each) => each === null)) return null
  }
  const best = (placements ?? []).reduce(better, null)
  if (wanted.length > 0 && best === null) return null
  const positions: number[] = []
  for (let each = best; each !== null; each = each.before) positions.push(each.at)
  return { score: best?.score ?? 0, positions: positions.reverse() }
}

/** Whether what was typed stands there as beginnings of words, and not as letters from anywhere: `gr co`, `cop`. */
export const isByWords = (positions: readonly number[], text: string): boolean =>
  positions.every((at, place) => isWordStart(text, at) || positions[place - 1] === at - 1)

/**
 * The items that match, best first; those that match equally well, and all of them while nothing is typed, keep their
 * order.
 */
export function fuzzyFind<T>(
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
): { item: T; match: FuzzyMatch }[] {
  return items
    .flatMap((item) => {
      const match = fuzzyMatch(query, textOf(item))
      return match === null ? [] : [{ item, match }]
    })
    .toSorted((left, right) => right.match.score - left.match.score)
}
