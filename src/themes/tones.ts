/** What a piece of text means; a theme says how each looks. Every meaning is also there in words, signs or position. */
export const tones = [
  'text', // what is read most
  'dim', // old, secondary, or waiting
  'label', // the name of a value
  'title', // a pane's name, a column's head
  'key', // a key one may press
  'bid',
  'ask',
  'grew', // a quantity that has just become more
  'shrank', // or less
  'own', // one's own orders
  'last', // the last trade's price
  'cursor', // where the keys act
  'good',
  'warn',
  'bad',
  'border',
  'focusBorder',
  'practice',
  'live',
  'monitor',
  'safe',
  'armed',
  'halted',
  'bidBar', // depth, drawn as a bar: a ground behind the numbers, or signs beside them
  'askBar',
] as const
export type Tone = (typeof tones)[number]

const plainColors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const brightColors = [
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const
/** The sixteen colors every terminal names, in the order of their numbers. */
export const ansiColors = [...plainColors, ...brightColors] as const

/** How a tone looks, as a theme file writes it. `ansi` and `ansiBg` name the color where only 16 exist. */
export type Style = Readonly<{
  /** `#rrggbb`, for 24-bit terminals and, as the nearest one, for those of 256 colors. */
  fg?: string | undefined
  bg?: string | undefined
  ansi?: string | undefined
  ansiBg?: string | undefined
  bold?: boolean | undefined
  dim?: boolean | undefined
  reverse?: boolean | undefined
  underline?: boolean | undefined
}>

/** A complete theme: a look for every tone. */
export type ThemeFile = Readonly<{
  name: string
  /**
   * The background its colors are made for, `#rrggbb`; painted where the terminal's own would make words hard to read.
   */
  background?: string | undefined
  tones: Readonly<Record<Tone, Style>>
}>

/** Linear light of a `#rrggbb`, each channel from 0 to 1. */
export type Light = readonly [number, number, number]

export function lightOf(hex: string): Light {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

const luminance = ([red, green, blue]: Light): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** WCAG 2 contrast, from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(lightOf(one)), luminance(lightOf(other))].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** Whether black can be read better on it than white. */
export const isLightColor = (hex: string): boolean => contrast(hex, '#000000') > contrast(hex, '#ffffff')

/** What is not read: it only leads the eye. On a ground of its own a bar has numbers in it, which are. */
export const drawnTones: readonly Tone[] = ['border', 'focusBorder', 'bidBar', 'askBar']

/**
 * The least contrast of a word that the theme writes on the ground itself; one without a color has the terminal's own,
 * which suits its ground.
 */
function weakest(file: ThemeFile, ground: string): number {
  const inks = tones.flatMap((tone) => {
    const { fg, bg } = file.tones[tone]
    return fg === undefined || bg !== undefined || drawnTones.includes(tone) ? [] : [fg]
  })
  return Math.min(...inks.map((ink) => contrast(ink, ground)))
}

/** Contrasts that count, the best first: WCAG's enhanced and its least one. */
const marks = [7, 4.5] as const

/**
 * Whether a word of the theme would be worse to read on this ground than on the one that it was made for, as far as
 * that counts.
 */
export function isWeakOn(file: ThemeFile, ground: string): boolean {
  if (file.background === undefined) return false
  const own = weakest(file, file.background)
  return weakest(file, ground) < (marks.find((mark) => own >= mark) ?? own)
}

/** Whether the theme is made for a light ground; null for one that is made for any. */
export const isMadeForLight = ({ background }: ThemeFile): boolean | null =>
  background === undefined ? null : isLightColor(background)
