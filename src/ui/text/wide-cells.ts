import stringWidth from 'string-width'

// Rows are laid out by counting characters, so every character in them must be one cell. What a terminal draws over two
// cells, or out of several characters, is therefore kept as a stand-in of as many characters as it has cells: one from
// Unicode's private area, and a filler for the second cell. `written` puts the real text back when a row is painted.

const firstCode = 0xe000
/** Stand-ins there are: more different characters than a market's names and messages have. */
const codesMost = 6_399
const filler = '\uf8ff'
const standIn = /[\ue000-\uf8fe]\uf8ff?|\uf8ff/g
const hasStandIn = /[\ue000-\uf8ff]/

// Skin tones and the choice between text and picture: terminals disagree about their width, the sign alone is clear.
const variation = /[\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}]/gu
/** One sign, with marks on it that take no room; a few at most, as real words have them. */
const drawable = /^[^\s\p{M}\p{Co}\p{Cs}\p{Cn}\p{Regional_Indicator}]\p{Mn}{0,3}$/u

type Known = { text: string; width: 1 | 2 }

const known: Known[] = []
const standInOf = new Map<string, string>()

/**
 * A grapheme as it may stand in a row: itself where it is one character in one cell, else its stand-in. What a terminal
 * may draw wider or narrower than is known becomes a question mark.
 */
export function cellsOf(grapheme: string): string {
  const before = standInOf.get(grapheme)
  if (before !== undefined) return before
  const text = grapheme.normalize('NFC').replace(variation, '')
  const width = drawable.test(text) ? stringWidth(text) : 0
  if (width === 1 && text.length === 1) return text
  if ((width !== 1 && width !== 2) || known.length === codesMost) return '?'
  const cells = String.fromCharCode(firstCode + known.length) + (width === 2 ? filler : '')
  known.push({ text, width })
  standInOf.set(grapheme, cells)
  return cells
}

/**
 * The text for a terminal: each stand-in as what it stands for. Where a cut took one half of it, the other is blank.
 */
export function written(cells: string): string {
  if (!hasStandIn.test(cells)) return cells
  return cells.replace(standIn, (found) => {
    const one = known[found.charCodeAt(0) - firstCode]
    if (one === undefined) return ' '.repeat(found.length)
    if (one.width === found.length) return one.text
    return one.width === 2 ? ' ' : `${one.text} `
  })
}

/** Whether text cut at this place would leave half a character. */
export const splitsCharacter = (cells: string, at: number): boolean => cells[at] === filler
