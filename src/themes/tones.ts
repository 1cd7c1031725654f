/** Meanings of text; a theme gives each a look. Every meaning is also shown by words, signs or position. */
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
/** The sixteen colors every terminal has, in the order of their numbers. */
export const ansiColors = [...plainColors, ...brightColors] as const

/** The look of a tone in a theme file. `ansi` and `ansiBg` name the color for terminals with only 16. */
export type Style = Readonly<{
  /** `#rrggbb`, for 24-bit terminals; 256-color terminals get the nearest color. */
  fg?: string | undefined
  bg?: string | undefined
  ansi?: string | undefined
  ansiBg?: string | undefined
  bold?: boolean | undefined
  dim?: boolean | undefined
  reverse?: boolean | undefined
  underline?: boolean | undefined
}>

/** A complete theme, with a look for every tone. */
export type ThemeFile = Readonly<{
  name: string
  /**
   * The background its colors are designed for, `#rrggbb`; painted when text would be hard to read on the terminal's
   * own.
   */
  background?: string | undefined
  tones: Readonly<Record<Tone, Style>>
}>

/** Linear light of a `#rrggbb` color, each channel from 0 to 1. */
export type Light = readonly [number, number, number]

export function lightOf(hex: string): Light {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

const luminance = ([red, green, blue]: Light): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** WCAG 2 contrast ratio, from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(lightOf(one)), luminance(lightOf(other))].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** True when black is more readable on this color than white. */
export const isLightColor = (hex: string): boolean => contrast(hex, '#000000') > contrast(hex, '#ffffff')

/** Tones that guide the eye and are not read. Bars with a background contain numbers and are read. */
export const drawnTones: readonly Tone[] = ['border', 'focusBorder', 'bidBar', 'askBar']

/**
 * The lowest contrast of the theme's text on the given background. Text without a color uses the terminal's own, which
 * suits its background.
 */
function weakest(file: ThemeFile, ground: string): number {
  const inks = tones.flatMap((tone) => {
    const { fg, bg } = file.tones[tone]
    return fg === undefined || bg !== undefined || drawnTones.includes(tone) ? [] : [fg]
  })
  return Math.min(...inks.map((ink) => contrast(ink, ground)))
}

/** Contrast thresholds, best first: WCAG's enhanced (AAA) and minimum (AA). */
const marks = [7, 4.5] as const

/** True when the theme's text drops below a threshold on this background that it reaches on its own. */
export function isWeakOn(file: ThemeFile, ground: string): boolean {
  if (file.background === undefined) return false
  const own = weakest(file, file.background)
  return weakest(file, ground) < (marks.find((mark) => own >= mark) ?? own)
}

/** True when the theme is designed for a light background; null for any background. */
export const isMadeForLight = ({ background }: ThemeFile): boolean | null =>
  background === undefined ? null : isLightColor(background)
