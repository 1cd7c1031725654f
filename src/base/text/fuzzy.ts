/** How well a text matches what was typed: a score (higher is better) and the matched positions, ascending. */
type FuzzyMatch = { score: number; positions: readonly number[] }

const wordStartPoints = 8
const neighbourPoints = 5
const gapPoint = -1
/** Lower bound of the penalty for characters before the first match. */
const leadPointsMin = -4
/** Longer texts are matched by their beginning, to bound the work: no name here is nearly that long. */
const textMax = 120
const queryMax = 60

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** A letter or digit that follows neither, or an upper-case letter after a lower-case one. */
function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1]
  const here = text[at]
  if (!isWordCharacter(here)) return false
  return !isWordCharacter(before) || (/\p{Ll}/u.test(before ?? '') && /\p{Lu}/u.test(here ?? ''))
}

/** A character in lower case, where that is one character too: positions stay those of the text. */
function foldedAt(text: string, at: number): string {
  const character = text.charAt(at)
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower : character
}

/** Lower case character by character. */
const folded = (text: string): string[] => Array.from({ length: text.length }, (_, at) => foldedAt(text, at))

/** A prepared text: its characters in lower case, and the points for a match at each. */
type Text = { letters: readonly string[]; points: readonly number[] }

const pointsOf = (text: string): readonly number[] =>
  Array.from({ length: text.length }, (_, at) => (isWordStart(text, at) ? wordStartPoints : 0))

/** Whether what is wanted occurs in that order: most texts that are asked end here, so nothing is prepared for it. */
function hasInOrder(text: string, wanted: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < text.length && count < wanted.length; at += 1)
    if (foldedAt(text, at) === wanted[count]) count += 1
  return count === wanted.length
}

/**
 * One placement of the characters typed so far, with the position of the last one; a linked list, so that keeping the
 * best is cheap.
 */
type Placement = { score: number; at: number; before: Placement | null }

const better = (left: Placement | null, right: Placement | null): Placement | null =>
  left === null || (right !== null && right.score > left.score) ? right : left

/** For each position of the text, the best placement that puts the next typed character there. */
function nextPlacements(character: string, text: Text, before: readonly (Placement | null)[] | null) {
  // The best placement further left than the neighbor, minus one point per character between.
  let jump: Placement | null = null
  return text.letters.map((letter, at): Placement | null => {
    if (jump !== null) jump = { ...jump, score: jump.score + gapPoint }
    const far = before?.[at - 2] ?? null
    jump = better(jump, far === null ? null : { ...far, score: far.score + gapPoint })
    if (letter !== character) return null
    const points = text.points[at] ?? 0
    if (before === null) return { score: points + Math.max(leadPointsMin, gapPoint * at), at, before: null }
    const neighbour = before[at - 1] ?? null
    const step = neighbour === null ? null : { ...neighbour, score: neighbour.score + neighbourPoints }
    const from = better(step, jump)
    return from === null ? null : { score: from.score + points, at, before: from }
  })
}

/**
 * Matches when the typed characters occur in the text in their order, ignoring case, spaces typed, and characters
 * between. Scores the best placement: word starts and neighbors gain points, gaps lose points. An empty query matches
 * everything; null is no match.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const wanted = folded(query.slice(0, queryMax)).filter((character) => character.trim() !== '')
  const read = text.slice(0, textMax)
  if (wanted.length === 0) return { score: 0, positions: [] }
  if (!hasInOrder(read, wanted)) return null
  const prepared = { letters: folded(read), points: pointsOf(read) }
  let placements: readonly (Placement | null)[] | null = null
  for (const character of wanted) placements = nextPlacements(character, prepared, placements)
  const best = (placements ?? []).reduce(better, null)
  const positions: number[] = []
  for (let each = best; each !== null; each = each.before) positions.push(each.at)
  return { score: best?.score ?? 0, positions: positions.reverse() }
}

/** True when the match consists of beginnings of words (`gr co`, `cop`) instead of scattered letters. */
export const isByWords = (positions: readonly number[], text: string): boolean =>
  positions.every((at, place) => isWordStart(text, at) || positions[place - 1] === at - 1)

/** The matching items, best first; equal matches, and all items for an empty query, keep their order. */
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
