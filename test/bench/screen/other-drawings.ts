import type { CellFrame, CellStyle } from './frames.ts'

/**
 * The bytes of the cells that changed, without a word about where they are or how they look: no drawing can send less.
 */
export function minBytes(before: CellFrame, after: CellFrame): number {
  let bytes = 0
  after.forEach(({ glyphs, styles }, row) => {
    glyphs.forEach((glyph, column) => {
      const shown = before[row]
      if (shown?.glyphs[column] !== glyph || shown.styles[column] !== styles[column]) bytes += Buffer.byteLength(glyph)
    })
  })
  return bytes
}

const codes = { bold: '1', dim: '2', italic: '3', underline: '4', reverse: '7' } as const

function colour(number: number, first: number): string {
  if (number < 8) return String(first + number)
  return number < 16 ? String(first + 52 + number) : `${first + 8};5;${number}`
}

/** A style from the plain one, in one sequence. */
function worn({ attributes, ink, ground }: CellStyle): string {
  const parts = attributes.map((name) => codes[name])
  return `\u001b[${[...parts, ...(ground < 0 ? [] : [colour(ground, 40)]), ...(ink < 0 ? [] : [colour(ink, 30)])].join(';')}m`
}

/**
 * A frame as blessed draws it: line by line, every line that changed is gone through from its start; cells that did not
 * change are jumped over with a move to the right, a style is put off before another is put on, and a line's blank end
 * is erased. Around it the cursor is hidden, and kept.
 */
export function blessedLike(before: CellFrame, after: CellFrame, styles: readonly CellStyle[]): string {
  const lines = after.map((line, row) => lineLike(before[row], line, row, styles)).join('')
  return lines === '' ? '' : `\u001b7\u001b[?25l${lines}\u001b8\u001b[?25h`
}

type Line = CellFrame[number]

function lineLike(shown: Line | undefined, { glyphs, styles: worns }: Line, row: number, styles: readonly CellStyle[]) {
  let end = glyphs.length
  while (end > 0 && glyphs[end - 1] === ' ' && worns[end - 1] === 0) end -= 1
  const isChanged = (column: number): boolean =>
    shown === undefined || shown.glyphs[column] !== glyphs[column] || shown.styles[column] !== worns[column]
  let out = ''
  let style = 0
  let at = 0
  for (let column = 0; column < glyphs.length; column += 1) {
    if (!isChanged(column)) continue
    if (column > at) out += `\u001b[${column - at}C`
    if (column >= end && glyphs.length - column > 3) {
      out += `${style === 0 ? '' : '\u001b[m'}\u001b[K`
      style = 0
      break
    }
    const next = worns[column] ?? 0
    if (next !== style) {
      if (style !== 0) out += '\u001b[m'
      const look = styles[next]
      if (next !== 0 && look !== undefined) out += worn(look)
      style = next
    }
    out += glyphs[column]
    at = column + 1
  }
  if (out === '') return ''
  return `\u001b[${row + 1};1H${out}${style === 0 ? '' : '\u001b[m'}`
}
