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
export type Theme = {
  readonly name: string
  readonly on: Readonly<Record<Tone, string>>
  /** Tones with a line under their words. */
  readonly underlined: ReadonlySet<Tone>
  readonly glyphs: Glyphs
}

export function createTheme(file: ThemeFile, depth: ColourDepth, glyphSet: 'unicode' | 'ascii'): Theme {
  const on = Object.fromEntries(tones.map((tone) => [tone, sgr(file.tones[tone], depth)])) as Record<Tone, string>
  // On a ground of its own a tone is a strip, the line under it its edge.
  const underlined = new Set(
    tones.filter((tone) => on[tone] !== '' && file.tones[tone].underline === true && file.tones[tone].bg === undefined),
  )
  return { name: file.name, on, underlined, glyphs: glyphSets[glyphSet] }
}

/** Cells between columns, before and after words: a line under them would look like a value. */
const gaps = /^ +| +$| {2,}/g

/** The row as a string for the terminal. `instead` paints every span in one tone: how a stale pane is dimmed. */
export function paint(row: Row, theme: Theme, instead?: Tone): string {
  let line = ''
  for (const { text, tone } of row) {
    const shown = instead ?? tone
    const start = theme.on[shown]
    const words = theme.underlined.has(shown) ? text.replace(gaps, '\u001b[24m$&\u001b[4m') : text
    line += start === '' ? text : `${start}${words}\u001b[0m`
  }
  const { isAscii } = theme.glyphs
  return isAscii ? inAscii(line) : written(line)
}
