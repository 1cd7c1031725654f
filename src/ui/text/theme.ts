import { usualTheme } from '../../themes/built-in.ts'
import {
  contrast,
  isLightColor,
  isMadeForLight,
  isWeakOn,
  type Style,
  type ThemeFile,
  tones,
  type Tone as WordTone,
} from '../../themes/tones.ts'
import { type ColorDepth, type Environment, readColorDepth, readGlyphSet, sgr } from '../terminal/colors.ts'

const barTones = ['bidBar', 'askBar'] as const
export type BarTone = (typeof barTones)[number]
/** What is written over a bar of depth in its own ink; every other word there has the ink of the bar. */
const overBars = ['bid', 'ask', 'grew', 'shrank', 'last', 'warn'] as const
type OverBar = (typeof overBars)[number]

/**
 * What a piece of text means: a tone of the themes, one of them over a bar, or blocks that are a bar themselves: they
 * have its ground as their ink.
 */
export type Tone = WordTone | `${OverBar} in ${BarTone}` | `blocks of ${BarTone}`

const isOverBar = (tone: Tone): tone is OverBar => overBars.some((each) => each === tone)

/** The tone as it is over a bar. */
export const toneInBar = (tone: Tone, bar: BarTone): Tone => (isOverBar(tone) ? `${tone} in ${bar}` : bar)

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
  /** Depth is a ground behind the numbers; else signs beside them. */
  readonly hasBarGround: boolean
}

/** Whether the bars of a theme are grounds on this terminal: where it has the colors, and is not one of few signs. */
function paintsBars({ tones: styles }: ThemeFile, depth: ColorDepth, glyphSet: 'unicode' | 'ascii'): boolean {
  if (glyphSet === 'ascii') return false
  return barTones.every((bar) => {
    const { bg, ansiBg } = styles[bar]
    return depth === '16' ? ansiBg !== undefined : (depth === 'true' || depth === '256') && bg !== undefined
  })
}

/** How everything is drawn over bars, and the bars themselves. */
function barStyles({ tones: styles }: ThemeFile, hasBarGround: boolean): [Tone, Style][] {
  return barTones.flatMap((bar): [Tone, Style][] => {
    const { bg, ansiBg, ...signs } = styles[bar]
    if (!hasBarGround)
      return [
        [bar, signs],
        [`blocks of ${bar}`, signs],
        ...overBars.map((tone): [Tone, Style] => [`${tone} in ${bar}`, styles[tone]]),
      ]
    return [
      [`blocks of ${bar}`, { fg: bg, ansi: ansiBg }],
      ...overBars.map((tone): [Tone, Style] => [`${tone} in ${bar}`, { ...styles[tone], bg, ansiBg }]),
    ]
  })
}

export function createTheme(
  file: ThemeFile,
  depth: ColorDepth,
  glyphSet: 'unicode' | 'ascii',
  takesLinks = true,
): Theme {
  const hasBarGround = paintsBars(file, depth, glyphSet)
  const styles: [Tone, Style][] = [
    ...tones.map((tone): [Tone, Style] => [tone, file.tones[tone]]),
    ...barStyles(file, hasBarGround),
  ]
  const on = Object.fromEntries(styles.map(([tone, style]) => [tone, sgr(style, depth)])) as Record<Tone, string>
  // On a ground of its own a tone is a strip, the line under it its edge.
  const underlined = new Set<Tone>(
    tones.filter((tone) => on[tone] !== '' && file.tones[tone].underline === true && file.tones[tone].bg === undefined),
  )
  return { name: file.name, on, underlined, glyphs: glyphSets[glyphSet], takesLinks, hasBarGround }
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
