import { plainText } from '../../base/plain-text.ts'
import { cellsOf, splitsCharacter } from './wide-cells.ts'

// Ranges whose every character takes exactly one cell in a terminal: Latin, Greek and Cyrillic letters without
// combining marks, common punctuation, arrows, box drawing, block elements. Anything else could shift what stands right
// of it.
const ranges =
  '\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2015\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u20ac\\u2190-\\u2193\\u2500-\\u259f'
const oneCellEach = new RegExp(`^[${ranges}]*$`)
/** The same and stand-ins, see `wide-cells.ts`. */
const cellsAlready = new RegExp(`^[${ranges}\\ue000-\\uf8ff]*$`)

/** By far the most text there is; everything else is some microseconds of work, done once for what is drawn often. */
const onlyAscii = /^[\u0020-\u007e]*$/
const laidOut = new Map<string, string>()
const laidOutMost = 1_000

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

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
  if (laidOut.size >= laidOutMost) laidOut.clear()
  laidOut.set(plain, cells)
  return cells
}

/** The same for text of which parts may have come through `cellText` already. */
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
export const nameMost = 20

/**
 * A name from outside in at most `most` cells; of a longer one its start and its end stay, so that two names seldom
 * look alike.
 */
export function nameText(name: string, most = nameMost): string {
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
