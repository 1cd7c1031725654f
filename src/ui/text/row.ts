import { sameItems } from '../../base/same-items.ts'
import { graphemes } from '../../base/text/graphemes.ts'
import { cellText, cutWords, safeText, wrapWords, written } from './cells.ts'
import type { Tone } from './theme.ts'

/**
 * A piece of a row in one tone. Each UTF-16 unit of the text is one cell, see `cellText`. `link`: the address that a
 * click opens, if the screen is drawn by cells.
 */
export type Span = { readonly text: string; readonly tone: Tone; readonly link?: string }

/** One line of the screen before painting: text with the meaning of each piece. */
export type Row = readonly Span[]

/** An empty line. */
export const noRow: Row = []

export const span = (text: string, tone: Tone = 'text'): Span => ({ text, tone })

/**
 * Words wrapped over rows of `width` cells, with a blank cell on either side; external text must have passed
 * `cellText`.
 */
export const wordRows = (text: string, width: number, tone: Tone = 'text'): Row[] =>
  wrapWords(text, width - 2).map((line) => [span(` ${line}`, tone)])

/** Returns the previous row at a place if its key is unchanged, otherwise what `make` returns. */
export type KeepRow = (at: number, key: readonly unknown[], make: () => Row) => Row

/** Keeps the rows of one table, so that an unchanged row stays the same object. */
export function createRowKeeper(): KeepRow {
  const kept: { key: readonly unknown[]; row: Row }[] = []
  return (at, key, make) => {
    const before = kept[at]
    if (before !== undefined && sameItems(before.key, key)) return before.row
    const row = make()
    kept[at] = { key, row }
    return row
  }
}

/** A row's whole content as its key, for rows that are made before they can be compared. */
export const contentOf = (row: Row): readonly unknown[] => row.flatMap(({ text, tone, link }) => [text, tone, link])

/** A `KeepRow` that keeps nothing. */
export const makeEachRow: KeepRow = (_at, _key, make) => make()

/** The cell that marks the row the keys act on. */
export const cursorMark = (isMarked: boolean): Span => (isMarked ? span('>', 'cursor') : span(' '))

/** The row's plain text, as read on screen. */
export const rowText = (row: Row): string => written(row.map(({ text }) => text).join(''))

export const rowWidth = (row: Row): number => row.reduce((width, { text }) => width + text.length, 0)

/** Joins parts of a line with `between`; empty parts are omitted. */
export const joined = (between: string, parts: readonly Row[]): Row =>
  parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [span(between, 'label'), ...part]))

/** Whether two rows have the same text, tones and links. */
export function isSameRow(left: Row, right: Row): boolean {
  if (left === right) return true
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at += 1) {
    const one = left[at]
    const other = right[at]
    if (one?.text !== other?.text || one?.tone !== other?.tone || one?.link !== other?.link) return false
  }
  return true
}

function isFitted(row: Row, width: number): boolean {
  let cells = 0
  for (let at = 0; at < row.length; at += 1) {
    const { length } = row[at]?.text ?? ''
    if (length === 0) return false
    cells += length
  }
  return cells === width
}

/** The row as exactly `width` cells, padded or cut on the right; the same object if it already is. */
export function fitRow(row: Row, width: number): Row {
  if (isFitted(row, width)) return row
  const spans: Span[] = []
  let left = Math.max(0, width)
  for (const piece of row) {
    if (left === 0) break
    const { length } = piece.text
    if (length > left) spans.push({ ...piece, text: piece.text.slice(0, left) })
    else if (length > 0) spans.push(piece)
    left -= Math.min(length, left)
  }
  if (left > 0) spans.push(span(' '.repeat(left)))
  return spans
}

/** Parts of equal height side by side, row by row; each part sets its own width. */
export const besideEachOther = (parts: readonly (readonly Row[])[]): Row[] =>
  (parts[0] ?? []).map((_, at) => parts.flatMap((rows) => rows[at] ?? []))

/**
 * Drops the last comma-separated part of the reason after the last colon, or the whole reason; null if there is none.
 */
function withoutLastReason(row: Row): Row | null {
  const at = row.findLastIndex(({ text }) => text.includes(': '))
  const piece = row[at]
  if (piece === undefined) return null
  const text = piece.text.slice(0, Math.max(piece.text.lastIndexOf(': '), piece.text.lastIndexOf(', ')))
  return [...row.slice(0, at), { ...piece, text }, ...row.slice(at + 1)]
}

/**
 * A title or note in at most `width` cells. If too long, it first loses the reasons after its colons part by part,
 * which the log has in full, then its last words one at a time: half a word could mislead.
 */
export function fitWords(row: Row, width: number): Row {
  let kept = row
  while (rowWidth(kept) > width) {
    const shorter = withoutLastReason(kept)
    if (shorter === null) break
    kept = shorter
  }
  if (rowWidth(kept) <= width) return kept
  const text = cutWords(kept.map((piece) => piece.text).join(''), width)
  if (text === '') return []
  const fitted = fitRow(kept, text.length - 1)
  const tone = fitted.findLast(({ text: each }) => each.trim() !== '')?.tone ?? 'label'
  return [...fitted, span('…', tone)]
}

/** `start` at the left edge and `end` at the right; the left one is cut if both do not fit. */
export function edges(start: Row, end: Row, width: number): Row {
  const room = Math.max(0, width - rowWidth(end))
  return fitRow([...fitRow(start, room), ...end], width)
}

/** For each cell of a searched text, whether the search matched it: both cells of a wide character, or none. */
function foundCells(searched: string, positions: readonly number[]): boolean[] {
  const found = new Set(positions)
  return [...graphemes.segment(searched)].flatMap(({ segment, index }) => {
    const isFound = Array.from(segment, (_, at) => found.has(index + at)).some(Boolean)
    return Array.from(cellText(segment), () => isFound)
  })
}

/**
 * Text with the search matches in the tone of keys. `shown` are the cells of `searched`, or the first of them;
 * `positions` are offsets into `searched` itself.
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

/** More dots would only reveal the length of a secret. */
const dotsMax = 32

/** A secret being typed: one dot per character. */
export const dots = (length: number): string => `${'•'.repeat(Math.min(length, dotsMax))}_`

/** A typed value; if it is longer than its place, its end is shown, where the typing goes on. */
export function typedText(text: string, hasCaret: boolean, width: number): string {
  const full = `${safeText(text)}${hasCaret ? '_' : ''}`
  return full.length <= width ? full : `…${full.slice(full.length - width + 1)}`
}
