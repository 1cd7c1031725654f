import stringWidth from 'string-width'
import { graphemes } from '../../base/text/graphemes.ts'
import { plainText } from '../../base/text/plain-text.ts'

// Rows are laid out by counting UTF-16 units, so each must be exactly one cell. A character that a terminal draws over
// two cells, or that consists of several code units, is therefore replaced by a stand-in as long as its width in cells:
// a private-use character, plus a filler for the second cell. `written` restores the text when a row is painted.

const firstCode = 0xe000
/** Capacity for stand-ins: more distinct characters than a market's names and messages use. */
const codesMax = 6_399
const filler = '\uf8ff'
const standIn = /[\ue000-\uf8fe]\uf8ff?|\uf8ff/g
const hasStandIn = /[\ue000-\uf8ff]/

// Skin tones and variation selectors: terminals disagree about their width, and the base character is clear without
// them.
const variation = /[\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}]/gu
/** One base character with up to three zero-width marks, as real words have them. */
const drawable = /^[^\s\p{M}\p{Co}\p{Cs}\p{Cn}\p{Regional_Indicator}]\p{Mn}{0,3}$/u

type Known = { text: string; width: 1 | 2 }

const known: Known[] = []
const standInOf = new Map<string, string>()

/**
 * A grapheme for use in a row: itself if it is one code unit in one cell, otherwise its stand-in; `?` if its width on a
 * terminal is uncertain.
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

/** The text for a terminal: every stand-in restored. If a cut split one, the remaining half is blank. */
export function written(cells: string): string {
  if (!hasStandIn.test(cells)) return cells
  return cells.replace(standIn, (found) => {
    const one = known[found.charCodeAt(0) - firstCode]
    if (one === undefined) return ' '.repeat(found.length)
    if (one.width === found.length) return one.text
    return one.width === 2 ? ' ' : `${one.text} `
  })
}

/** Whether cutting the text here would split a wide character. */
const splitsCharacter = (cells: string, at: number): boolean => cells[at] === filler

// Ranges whose every character takes exactly one cell in a terminal: Latin, Greek and Cyrillic letters without
// combining marks, common punctuation, arrows, box drawing, block elements. Anything else could shift the cells to its
// right.
const ranges = [
  ...['\\u0020-\\u007e', '\\u00a1-\\u00ac', '\\u00ae-\\u02ff', '\\u0370-\\u0482', '\\u048a-\\u052f', '\\u2010-\\u2015'],
  ...['\\u2018-\\u201e', '\\u2020-\\u2022', '\\u2026', '\\u20ac', '\\u2190-\\u2193', '\\u2500-\\u259f'],
].join('')
const oneCellEach = new RegExp(`^[${ranges}]*$`)
/** Text that is one cell per code unit, stand-ins from `cellText` included. */
const cellsAlready = new RegExp(`^[${ranges}\\ue000-\\uf8ff]*$`)

/** A fast path: most text is ASCII. Everything else takes microseconds, and is cached for text that is drawn often. */
const onlyAscii = /^[\u0020-\u007e]*$/
const laidOut = new Map<string, string>()
const laidOutMax = 1_000

/**
 * Makes external text safe for a row: no control characters, and one cell per code unit, so that `length` is the width.
 * Wide and multi-unit characters become stand-ins until the row is painted; characters of uncertain width become `?`.
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

/** `cellText` for text that may have passed it in part already. */
export const safeText = (text: string): string => (cellsAlready.test(text) ? text : cellText(text))

/** Cuts text to at most `width` cells and marks the cut with `…`. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return width <= 0 ? '' : `${text.slice(0, width - 1)}…`
}

/**
 * Cuts a sentence after the last whole word that fits and marks the cut: half an id, verb or key would read as a
 * different one.
 */
export function cutWords(text: string, width: number): string {
  if (text.length <= width) return text
  const end = text.lastIndexOf(' ', width - 1)
  // A single word that is too long: its start is better than nothing.
  return end <= 0 || text.slice(0, end).trim() === '' ? cut(text, width) : `${text.slice(0, end)}…`
}

/** Longer names of symbols and currencies are cut, to keep what is beside them on screen. */
const nameMax = 20

/**
 * An external name in at most `most` cells. A longer one keeps its start and end, so that two names rarely look alike.
 */
export function nameText(name: string, most = nameMax): string {
  const text = cellText(name)
  if (text.length <= most) return text
  const end = Math.floor((most - 1) / 2)
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`
}

/** Exactly `width` cells, text left-aligned. */
export const left = (text: string, width: number): string => cut(text, width).padEnd(Math.max(0, width))

/** Exactly `width` cells, text right-aligned. */
export const right = (text: string, width: number): string => cut(text, width).padStart(Math.max(0, width))

/** An amount right-aligned in exactly `width` cells. A number is never cut: one that does not fit is shown as `###`. */
export const amount = (text: string, width: number): string =>
  text.length > width ? '#'.repeat(Math.max(0, width)) : text.padStart(Math.max(0, width))

/** Wraps a sentence into lines of at most `width` cells, at spaces if possible. */
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

/** Lines at the foot of the screen: the notice line and the key line. */
export const footLines = 2

/** Minimum terminal size of a full desk, in cells. */
export const columnsMin = 80
export const rowsMin = 24

/** Whether the terminal is too small for a full desk. */
export const isCompact = ({ columns, rows }: { columns: number; rows: number }): boolean =>
  columns < columnsMin || rows < rowsMin
