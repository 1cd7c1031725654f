import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import xterm from '@xterm/headless'
import { drawing } from './pty-process.ts'
import { type Size, wholeText } from './terminal-screen.ts'
import type { Version } from './versions.ts'
import type { Workshop } from './workshop.ts'

/** A style as every drawing below is given it: attributes by name, colours by number, -1 for the terminal's own. */
export type CellStyle = { attributes: readonly Attribute[]; ink: number; ground: number }
export const attributes = ['bold', 'dim', 'italic', 'underline', 'reverse'] as const
export type Attribute = (typeof attributes)[number]

/**
 * A frame row by row: the characters, and the style of each by its number in the table. The second half of a wide
 * character is the empty text.
 */
export type CellFrame = readonly { glyphs: readonly string[]; styles: readonly number[] }[]
export type Frames = {
  frames: readonly CellFrame[]
  styles: readonly CellStyle[]
  lines: readonly (readonly string[])[]
}

const run = promisify(execFile)

/**
 * The frames of a tape as Ink makes them, one after each update, as what a terminal shows when it is given the whole of
 * each.
 */
export async function framesOf(
  { name, consoleProgram }: Version,
  { columns, rows }: Size,
  { tapePath, home }: Workshop,
): Promise<Frames> {
  const path = `${tapePath}-frames-${name}-${columns}x${rows}`
  const size = `${columns}x${rows}`
  const env = { ...drawing(home), FORCE_COLOR: '2' }
  await run(process.execPath, [consoleProgram, tapePath, path, size], { env })
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): readonly string[] => JSON.parse(line))
  const reader = createCellReader(columns, rows)
  const frames: CellFrame[] = []
  for (const frame of lines) frames.push(await reader.read(frame))
  return { frames, styles: reader.styles, lines }
}

/** Reads cells out of a terminal emulator, so that no part of the program judges itself. */
function createCellReader(columns: number, rows: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  const styles: CellStyle[] = [{ attributes: [], ink: -1, ground: -1 }]
  const ids = new Map<string, number>([['|-1|-1', 0]])
  const idOf = (cell: xterm.IBufferCell): number => {
    const is = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()]
    const worn = attributes.filter((_, at) => is[at] !== 0)
    const ink = cell.isFgDefault() ? -1 : cell.getFgColor()
    const ground = cell.isBgDefault() ? -1 : cell.getBgColor()
    const key = `${worn.join()}|${ink}|${ground}`
    const known = ids.get(key)
    if (known !== undefined) return known
    styles.push({ attributes: worn, ink, ground })
    ids.set(key, styles.length - 1)
    return styles.length - 1
  }
  /** What shows of a blank is its ground and its lines: ink and weight are left out for every drawing alike. */
  const styleOf = (cell: xterm.IBufferCell, glyph: string): number =>
    glyph === ' ' && cell.isBgDefault() && !cell.isInverse() && !cell.isUnderline() ? 0 : idOf(cell)

  return {
    styles,
    async read(lines: readonly string[]): Promise<CellFrame> {
      await new Promise<void>((resolve) => terminal.write(wholeText(lines), resolve))
      return Array.from({ length: rows }, (_, row) => {
        const glyphs: string[] = []
        const worn: number[] = []
        for (let column = 0; column < columns; column += 1) {
          const cell = terminal.buffer.active.getLine(row)?.getCell(column)
          const glyph = cell === undefined || (cell.getWidth() > 0 && cell.getChars() === '') ? ' ' : cell.getChars()
          glyphs.push(glyph)
          worn.push(cell === undefined ? 0 : styleOf(cell, glyph))
        }
        return { glyphs, styles: worn }
      })
    },
  }
}
