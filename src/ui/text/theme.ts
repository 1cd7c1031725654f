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
/** Tones that keep their own text color over a depth bar; all others there take the bar's. */
const overBars = ['bid', 'ask', 'grew', 'shrank', 'last', 'warn'] as const
type OverBar = (typeof overBars)[number]

/**
 * The meaning of a piece of text: a tone of the themes, one of them over a bar, or blocks that are the bar themselves,
 * drawn with its background as their text color.
 */
export type Tone = WordTone | `${OverBar} in ${BarTone}` | `blocks of ${BarTone}`

const isOverBar = (tone: Tone): tone is OverBar => overBars.some((each) => each === tone)

/** The tone as drawn over a bar. */
export const toneInBar = (tone: Tone, bar: BarTone): Tone => (isOverBar(tone) ? `${tone} in ${bar}` : bar)

/** Decorative characters, one cell each in every set. */
export type Glyphs = Readonly<{
  frame: Frame
  focusFrame: Frame
  dialogFrame: Frame
  bar: string
  /** Steps of a one-cell bar, from low to full. */
  gauge: string
  /** Only ASCII is allowed: everything else is painted as its nearest substitute. */
  isAscii: boolean
}>
/** Corners clockwise from the top left, then the two line characters. */
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
    // None can be read as part of the number beside it.
    gauge: '_=#',
    isAscii: true,
  },
}

/** A theme prepared for one terminal: the sequence that switches each tone on. */
export type Theme = {
  readonly name: string
  readonly on: Readonly<Record<Tone, string>>
  /** Tones whose words are underlined. */
  readonly underlined: ReadonlySet<Tone>
  readonly glyphs: Glyphs
  /** Whether text may carry links. */
  readonly takesLinks: boolean
  /** Depth is a background behind the numbers; otherwise characters beside them. */
  readonly hasBarGround: boolean
}

/** Whether a theme's bars are backgrounds on this terminal: it must have the colors, and more than ASCII glyphs. */
function paintsBars({ tones: styles }: ThemeFile, depth: ColorDepth, glyphSet: 'unicode' | 'ascii'): boolean {
  if (glyphSet === 'ascii') return false
  return barTones.every((bar) => {
    const { bg, ansiBg } = styles[bar]
    return depth === '16' ? ansiBg !== undefined : (depth === 'true' || depth === '256') && bg !== undefined
  })
}

/** The styles of every tone over a bar, and of the bars themselves. */
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
  takesLinks: boolean,
): Theme {
  const hasBarGround = paintsBars(file, depth, glyphSet)
  const styles: [Tone, Style][] = [
    ...tones.map((tone): [Tone, Style] => [tone, file.tones[tone]]),
    ...barStyles(file, hasBarGround),
  ]
  const on = Object.fromEntries(styles.map(([tone, style]) => [tone, sgr(style, depth)])) as Record<Tone, string>
  // A tone with a background of its own is a strip; its underline is the strip's edge.
  const underlined = new Set<Tone>(
    tones.filter((tone) => on[tone] !== '' && file.tones[tone].underline === true && file.tones[tone].bg === undefined),
  )
  return { name: file.name, on, underlined, glyphs: glyphSets[glyphSet], takesLinks, hasBarGround }
}

/** A theme, dark unless given, for the terminal that the environment describes. */
export const readTheme = (env: Environment, file: ThemeFile = usualTheme): Theme =>
  createTheme(file, readColorDepth(env), readGlyphSet(env), !/^(?:dumb|linux)?$/.test(env.TERM ?? ''))

/**
 * The terminal's background before the desk draws: `#rrggbb`; `due` until its answer arrives; null if there will be
 * none.
 */
type TerminalGround = string | 'due' | null

/** Text colors for words without one of their own, on a background painted by the desk. */
const inks = { dark: { fg: '#e4eaf0', ansi: 'white' }, light: { fg: '#1f2328', ansi: 'black' } } as const

/** Minimum contrast with white of a background that counts as black, and vice versa. */
const closeContrast = 16

function isPainted(file: ThemeFile, depth: ColorDepth, ground: TerminalGround): boolean {
  // Until the terminal answers, assume a dark one, as most are.
  if (ground === 'due') return isMadeForLight(file) === true
  if (ground === null) return true
  if (depth !== '16') return isWeakOn(file, ground)
  // A terminal does not tell its sixteen colors: most suit black and white backgrounds, or ones close to them.
  const isLight = isLightColor(ground)
  return isLight !== isMadeForLight(file) || contrast(ground, isLight ? '#000000' : '#ffffff') < closeContrast
}

/**
 * The sequence for the text color and background of every cell without its own; empty if the terminal's own background
 * serves as well, or if colors are off.
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
