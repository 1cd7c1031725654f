import { type ThemeFile, type Tone, tones } from '../../themes/tones.ts'
import type { Row } from '../text/row.ts'
import { written } from '../text/wide-cells.ts'
import { inAscii } from './ascii.ts'
import type { ColourDepth } from './colour-depth.ts'
import { sgr } from './sgr.ts'

export type { ThemeFile, Tone } from '../../themes/tones.ts'
export { tones } from '../../themes/tones.ts'

/** Characters that only decorate; every set is one cell each. */
export type Glyphs = Readonly<{
  frame: Frame
  focusFrame: Frame
  dialogFrame: Frame
  bar: string
  /** Steps of a bar of one cell, from little to all. */
  gauge: string
  /** Only ASCII may be written: everything else is painted as what comes nearest to it. */
  isAscii: boolean
}>
/** Corners from the top left clockwise, then the two lines. */
type Frame = Readonly<{
  topLeft: string
  topRight: string
  bottomRight: string
  bottomLeft: string
  across: string
  down: string
}>

const frame = (corners: string, across: string, down: string): Frame => {
  const [topLeft = '+', topRight = '+', bottomRight = '+', bottomLeft = '+'] = corners
  return { topLeft, topRight, bottomRight, bottomLeft, across, down }
}

const glyphSets: Readonly<Record<'unicode' | 'ascii', Glyphs>> = {
  unicode: {
    frame: frame('┌┐┘└', '─', '│'),
    focusFrame: frame('┏┓┛┗', '━', '┃'),
    dialogFrame: frame('╔╗╝╚', '═', '║'),
    bar: '█',
    gauge: '▁▂▃▄▅▆▇█',
    isAscii: false,
  },
  ascii: {
    frame: frame('++++', '-', '|'),
    focusFrame: frame('####', '=', '#'),
    dialogFrame: frame('****', '*', '*'),
    bar: '#',
    // No sign that could belong to the number beside it.
    gauge: '_=#',
    isAscii: true,
  },
}

/** A theme made ready for one terminal: the sequence that switches each tone on. */
export type Theme = { readonly name: string; readonly on: Readonly<Record<Tone, string>>; readonly glyphs: Glyphs }

export function createTheme(file: ThemeFile, depth: ColourDepth, glyphSet: 'unicode' | 'ascii'): Theme {
  const on = Object.fromEntries(tones.map((tone) => [tone, sgr(file.tones[tone], depth)])) as Record<Tone, string>
  return { name: file.name, on, glyphs: glyphSets[glyphSet] }
}

/** The row as a string for the terminal. `instead` paints every span in one tone: how a stale pane is dimmed. */
export function paint(row: Row, theme: Theme, instead?: Tone): string {
  let line = ''
  for (const { text, tone } of row) {
    const start = theme.on[instead ?? tone]
    line += start === '' ? text : `${start}${text}\u001b[0m`
  }
  const { isAscii } = theme.glyphs
  return isAscii ? inAscii(line) : written(line)
}
