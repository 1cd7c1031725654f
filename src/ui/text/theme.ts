import { usualTheme } from '../../themes/built-in.ts'
import {
  contrast,
  isLightColor,
  isMadeForLight,
  isWeakOn,
  type ThemeFile,
  type Tone,
  tones,
} from '../../themes/tones.ts'
import { type ColorDepth, type Environment, readColorDepth, readGlyphSet, sgr } from '../terminal/colors.ts'

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
  /** Whether words may open an address. */
  readonly takesLinks: boolean
}

export function createTheme(
  file: ThemeFile,
  depth: ColorDepth,
  glyphSet: 'unicode' | 'ascii',
  takesLinks = true,
): Theme {
  const on = Object.fromEntries(tones.map((tone) => [tone, sgr(file.tones[tone], depth)])) as Record<Tone, string>
  // On a ground of its own a tone is a strip, the line under it its edge.
  const underlined = new Set(
    tones.filter((tone) => on[tone] !== '' && file.tones[tone].underline === true && file.tones[tone].bg === undefined),
  )
  return { name: file.name, on, underlined, glyphs: glyphSets[glyphSet], takesLinks }
}

/** A theme, dark unless given, for the terminal that the environment describes. */
export const readTheme = (env: Environment, file: ThemeFile = usualTheme): Theme =>
  createTheme(file, readColorDepth(env), readGlyphSet(env), !/^(?:dumb|linux)?$/.test(env.TERM ?? ''))

/**
 * What is behind the desk before it draws: the terminal's ground, `#rrggbb`; `due` while its answer is still to come,
 * null where there will be none.
 */
type TerminalGround = string | 'due' | null

/** Words without a color of their own on a ground that the desk paints. */
const inks = { dark: { fg: '#e4eaf0', ansi: 'white' }, light: { fg: '#1f2328', ansi: 'black' } } as const

/** Of a ground that is close to black or white with the other one. */
const closeContrast = 16

function isPainted(file: ThemeFile, depth: ColorDepth, ground: TerminalGround): boolean {
  // Until the terminal has said what it is, most are dark.
  if (ground === 'due') return isMadeForLight(file) === true
  if (ground === null) return true
  if (depth !== '16') return isWeakOn(file, ground)
  // What its sixteen colors are a terminal does not say: most suit black and white, or what is close to them.
  const isLight = isLightColor(ground)
  return isLight !== isMadeForLight(file) || contrast(ground, isLight ? '#000000' : '#ffffff') < closeContrast
}

/**
 * The sequence for the ink and the ground of every cell that says nothing else; empty where the terminal's own ground
 * is as good, or nobody wants colors.
 */
export function paintedGround(file: ThemeFile, depth: ColorDepth, ground: TerminalGround): string {
  const { background: bg } = file
  if (bg === undefined || depth === 'plain' || depth === 'attributes' || !isPainted(file, depth, ground)) return ''
  const isLight = isLightColor(bg)
  const { fg, ansi } = file.tones.text
  const usual = isLight ? inks.light : inks.dark
  const ansiBg = isLight ? 'brightWhite' : 'black'
  return sgr({ fg: fg ?? usual.fg, ansi: ansi ?? usual.ansi, bg, ansiBg }, depth)
}
