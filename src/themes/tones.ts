/** What a piece of text means; a theme says how each looks. Every meaning is also there in words, signs or position. */
export const tones = [
  'text', // what is read most
  'dim', // old, secondary, or waiting
  'label', // the name of a value
  'title', // a pane's name, a column's head
  'key', // a key one may press
  'bid',
  'ask',
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
  'bidBar', // depth, drawn as a bar
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
/** The sixteen colours every terminal names, in the order of their numbers. */
export const ansiColors = [...plainColors, ...brightColors] as const
export type AnsiColor = (typeof ansiColors)[number]

/** How a tone looks, as a theme file writes it. `ansi` and `ansiBg` name the colour where only 16 exist. */
export type Style = Readonly<{
  /** `#rrggbb`, for 24-bit terminals and, as the nearest one, for those of 256 colours. */
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
   * The background its colours are made for, `#rrggbb`; painted where the terminal's own would make words hard to read.
   */
  background?: string | undefined
  tones: Readonly<Record<Tone, Style>>
}>
