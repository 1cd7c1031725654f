import stringWidth from 'string-width'
import { graphemes } from '../../base/graphemes.ts'
import { plainText } from '../../base/plain-text.ts'

// Rows are laid out by counting characters, so every character in them must be one cell. What a terminal draws over two
// cells, or out of several characters, is therefore kept as a stand-in of as many characters as it has cells: one from
// Unicode's private area, and a filler for the second cell. `written` puts the real text back when a row is painted.

const firstCode = 0xe000
/** Stand-ins there are: more different characters than a market's names and messages have. */
const codesMax = 6_399
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
function cellsOf(grapheme: string): string {
  const before = standInOf.get(grapheme)
  if (before !== undefined) return before
  const text = grapheme.normalize('NFC').replace(variation, '')
  const width = drawable.test(text) ? stringWidth(text) : 0
  if (width === 1 && text.length === 1) return text
  if ((width !== 1 && width !== 2) || known.length === codesMax) return '?'
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
const splitsCharacter = (cells: string, at: number): boolean => cells[at] === filler

// Ranges whose every character takes exactly one cell in a terminal: Latin, Greek and Cyrillic letters without
// combining marks, common punctuation, arrows, box drawing, block elements. Anything else could shift what stands right
// of it.
const ranges = [
  ...['\\u0020-\\u007e', '\\u00a1-\\u00ac', '\\u00ae-\\u02ff', '\\u0370-\\u0482', '\\u048a-\\u052f', '\\u2010-\\u2015'],
  ...['\\u2018-\\u201e', '\\u2020-\\u2022', '\\u2026', '\\u20ac', '\\u2190-\\u2193', '\\u2500-\\u259f'],
].join('')
const oneCellEach = new RegExp(`^[${ranges}]*$`)
/** One cell each, or a stand-in that `cellText` made. */
const cellsAlready = new RegExp(`^[${ranges}\\ue000-\\uf8ff]*$`)

/** By far the most text there is; everything else is some microseconds of work, done once for what is drawn often. */
const onlyAscii = /^[\u0020-\u007e]*$/
const laidOut = new Map<string, string>()
const laidOutMax = 1_000

/**
 * Text from outside as it may stand in a row: no control characters, and every character one cell, so that `length` is
 * the width. What takes two cells or is made of several characters is replaced by a stand-in until the row is painted;
 * what terminals may draw with different widths becomes a question mark.
 */
export function cellText(text: string): string {
  if (onlyAscii.test(text)) return text
  const plain = plainText(text)
  if (oneCellEach.test(plain)) return plain
  const before = laidOut.get(plain)
  if (before !== undefined) return before
  let cells = ''
  for (const { segment } of graphemes.segment(plain)) cells += oneCellEach.test(segment) ? segment : cellsOf(segment)
  if (laidOut.size >= laidOutMax) laidOut.clear()
  laidOut.set(plain, cells)
  return cells
}

/** `cellText` for text of which parts may have come through it already. */
export const safeText = (text: string): string => (cellsAlready.test(text) ? text : cellText(text))

/** Cuts text that is too long and marks the cut; `width` cells at most. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return width <= 0 ? '' : `${text.slice(0, width - 1)}…`
}

/**
 * Cuts a sentence that is too long after its last whole word and marks the cut: half an id, verb or key is another one.
 */
export function cutWords(text: string, width: number): string {
  if (text.length <= width) return text
  const end = text.lastIndexOf(' ', width - 1)
  // A single word that is too long is all there is: its start says more than nothing.
  return end <= 0 || text.slice(0, end).trim() === '' ? cut(text, width) : `${text.slice(0, end)}…`
}

/** Longer names of symbols and currencies are cut: what stands beside them must stay on screen. */
const nameMax = 20

/**
 * A name from outside in at most `most` cells; of a longer one its start and its end stay, so that two names seldom
 * look alike.
 */
export function nameText(name: string, most = nameMax): string {
  const text = cellText(name)
  if (text.length <= most) return text
  const end = Math.floor((most - 1) / 2)
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`
}

/** Exactly `width` cells, text on the left. */
export const left = (text: string, width: number): string => cut(text, width).padEnd(Math.max(0, width))

/** Exactly `width` cells, text on the right. */
export const right = (text: string, width: number): string => cut(text, width).padStart(Math.max(0, width))

/** An amount on the right of exactly `width` cells. A number is never cut: one that has no room is shown as `###`. */
export const amount = (text: string, width: number): string =>
  text.length > width ? '#'.repeat(Math.max(0, width)) : text.padStart(Math.max(0, width))

/** Breaks a sentence into lines of at most `width` cells, between words where it can. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    let rest = word
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line)
      line = ''
    }
    while (rest.length > width && width > 0) {
      const at = width > 1 && splitsCharacter(rest, width) ? width - 1 : width
      lines.push(rest.slice(0, at))
      rest = rest.slice(at)
    }
    line = line === '' ? rest : `${line} ${rest}`
  }
  return line === '' ? lines : [...lines, line]
}

/** Lines at the foot of the screen: the last notice, and the keys. */
export const footLines = 2

/** Cells from which on there is a whole desk. */
export const columnsMin = 80
export const rowsMin = 24

/** Not a whole desk: compact, or less. */
export const isCompact = ({ columns, rows }: { columns: number; rows: number }): boolean =>
  columns < columnsMin || rows < rowsMin
