import type { Piece } from '../terminal/screen/picture.ts'
import { linkTo } from '../terminal/screen/styles.ts'
import { written } from './cells.ts'
import type { Row } from './row.ts'
import type { Theme } from './theme.ts'

/** An ASCII character for each of the desk's symbols outside the ranges below. */
const signs: Readonly<Record<string, string>> = {
  '…': '~',
  '•': '*',
  '·': '.',
  '×': 'x',
  '−': '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '↑': '^',
  '↓': 'v',
  '←': '<',
  '→': '>',
  '▲': '^',
  '△': '^',
  '▴': '^',
  '▼': 'v',
  '▽': 'v',
  '▾': 'v',
  '▶': '>',
  '▸': '>',
  '◀': '<',
  '◂': '<',
  '●': '*',
  '○': 'o',
  '◆': '*',
  '◇': 'o',
  '■': '#',
  '□': 'o',
  '✓': '+',
  '✗': 'x',
  '★': '*',
  '≈': '~',
  '≤': '<',
  '≥': '>',
  '±': '~',
  '€': 'E',
  '£': 'L',
  '¥': 'Y',
}
/**
 * ASCII for a partly filled cell, from empty to full: characters that cannot be read as part of a number beside them.
 */
const shades = [' ', '_', '_', '_', '=', '=', '#', '#', '#'] as const
const shade = (eighths: number): string => shades[Math.max(0, Math.min(8, eighths))] ?? '#'

const across = /[─━═╌╍┄┅┈┉╴╶╸╺]/
const down = /[│┃║╎╏┆┇┊┋╵╷╹╻]/

/** Eighths of the cell that each block from U+2580 to U+259F fills, in code order. */
const blockEighths = [4, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 4, 2, 4, 6, 1, 1, 2, 2, 2, 6, 4, 6, 6, 2, 4, 6]

function dotCount(pattern: number): number {
  let count = 0
  for (let rest = pattern; rest > 0; rest >>= 1) count += rest & 1
  return count
}

/** The ASCII substitute of a character, one cell wide; a question mark if there is none. */
export function asciiFor(character: string): string {
  const sign = signs[character]
  if (sign !== undefined) return sign
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x2500 && code <= 0x257f) return across.test(character) ? '-' : down.test(character) ? '|' : '+'
  if (code >= 0x2580 && code <= 0x259f) return shade(blockEighths[code - 0x2580] ?? 8)
  if (code >= 0x2800 && code <= 0x28ff) return shade(dotCount(code - 0x2800))
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '')
  return /^[\x20-\x7e]$/.test(bare) ? bare : '?'
}

const beyondAscii = /[^\u001b\u0020-\u007e]/g

/** A painted line in ASCII only, of the same length. */
export const inAscii = (line: string): string => line.replace(beyondAscii, asciiFor)

/** Gaps between columns, and before and after words: an underline there would look like a value. */
const gaps = /^ +| +$| {2,}/g

const underlineOff = '\u001b[24m'

/** Splits a span into words and gaps; gaps are not underlined. */
function wordsAndGaps(text: string, on: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { index, 0: gap } of text.matchAll(gaps)) {
    if (index > at) pieces.push({ text: text.slice(at, index), on })
    pieces.push({ text: gap, on: on + underlineOff })
    at = index + gap.length
  }
  return at === text.length ? pieces : [...pieces, { text: text.slice(at), on }]
}

/** The row as styled pieces for the terminal. */
export function paintedPieces(row: Row, theme: Theme): Piece[] {
  const inSigns = theme.glyphs.isAscii ? inAscii : written
  const pieces: Piece[] = []
  for (const { text, tone, link } of row) {
    const on = link === undefined || !theme.takesLinks ? theme.on[tone] : theme.on[tone] + linkTo(link)
    const signs = inSigns(text)
    if (theme.underlined.has(tone)) pieces.push(...wordsAndGaps(signs, on))
    else pieces.push({ text: signs, on })
  }
  return pieces
}

/** A row as a string, without links. */
export const paint = (row: Row, theme: Theme): string =>
  paintedPieces(row, { ...theme, takesLinks: false })
    .map(({ text, on }) => (on === '' ? text : `${on}${text}\u001b[0m`))
    .join('')
