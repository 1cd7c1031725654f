import type { Tone } from '../theme/theme.ts'
import { cellText } from './cells.ts'
import { type Span, span } from './row.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * For each cell of a searched text whether the search found what stands there: both cells of a wide character, or none.
 */
function foundCells(searched: string, positions: readonly number[]): boolean[] {
  const found = new Set(positions)
  return [...graphemes.segment(searched)].flatMap(({ segment, index }) => {
    const isFound = Array.from(segment, (_, at) => found.has(index + at)).some(Boolean)
    return Array.from(cellText(segment), () => isFound)
  })
}

/**
 * A text as it is shown with what a search found in it in the tone of keys. `shown` are the cells of the `searched`
 * text, or the first of them; `positions` are places in the searched text itself.
 */
export function highlighted(shown: string, searched: string, positions: readonly number[], tone: Tone): Span[] {
  const found = positions.length === 0 ? [] : foundCells(searched, positions)
  const spans: Span[] = []
  for (let at = 0; at < shown.length; at += 1) {
    const each: Tone = found[at] === true ? 'key' : tone
    const last = spans.at(-1)
    if (last?.tone === each) spans[spans.length - 1] = span(last.text + shown.charAt(at), each)
    else spans.push(span(shown.charAt(at), each))
  }
  return spans
}
