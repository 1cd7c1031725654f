/** The glyph of large text: full blocks, or `#` if only ASCII is allowed. */
export type BigGlyphs = 'blocks' | 'ascii'

const fillOf = (glyphs: BigGlyphs): string => (glyphs === 'ascii' ? '#' : '█')

/** Lines of dots per character of the font. */
const dotLines = 5

/**
 * Each character as lines of dots from the top, separated by blanks; digits have equal width, so prices do not jump.
 */
const font: Readonly<Record<string, string>> = {
  '0': '### #.# #.# #.# ###',
  '1': '.#. ##. .#. .#. ###',
  '2': '### ..# ### #.. ###',
  '3': '### ..# ### ..# ###',
  '4': '#.# #.# ### ..# ..#',
  '5': '### #.. ### ..# ###',
  '6': '### #.. ### #.# ###',
  '7': '### ..# ..# ..# ..#',
  '8': '### #.# ### #.# ###',
  '9': '### #.# ### ..# ###',
  '.': '. . . . #',
  ',': '.. .. .. .# #.',
  ':': '. # . # .',
  '-': '... ... ### ... ...',
  '+': '... .#. ### .#. ...',
  '%': '#.# ..# .#. #.. #.#',
  '/': '..# ..# .#. #.. #..',
  _: '... ... ... ... ###',
  ' ': '.. .. .. .. ..',
  '?': '### ..# .## ... .#.',
  A: '### #.# ### #.# #.#',
  B: '##. #.# ##. #.# ##.',
  C: '### #.. #.. #.. ###',
  D: '##. #.# #.# #.# ##.',
  E: '### #.. ##. #.. ###',
  F: '### #.. ##. #.. #..',
  G: '### #.. #.# #.# ###',
  H: '#.# #.# ### #.# #.#',
  I: '### .#. .#. .#. ###',
  J: '..# ..# ..# #.# ###',
  K: '#..# #.#. ##.. #.#. #..#',
  L: '#.. #.. #.. #.. ###',
  M: '#...# ##.## #.#.# #...# #...#',
  N: '#..# ##.# #.## #..# #..#',
  O: '### #.# #.# #.# ###',
  P: '### #.# ### #.. #..',
  Q: '### #.# #.# ### ..#',
  R: '### #.# ##. #.# #.#',
  S: '### #.. ### ..# ###',
  T: '### .#. .#. .#. .#.',
  U: '#.# #.# #.# #.# ###',
  V: '#.# #.# #.# #.# .#.',
  W: '#...# #...# #.#.# ##.## #...#',
  X: '#.# #.# .#. #.# #.#',
  Y: '#.# #.# .#. .#. .#.',
  Z: '### ..# .#. #.. ###',
}

const unknownSign = font['?'] ?? ''

/** Lines of dots per character; letters are drawn as capitals, unknown characters as `?`. */
const signsOf = (text: string): readonly (readonly string[])[] =>
  Array.from(text.toUpperCase(), (character) => (font[character] ?? unknownSign).split(' '))

/**
 * Lines per dot: a dot is `size` cells wide and half as many high, rounded up, because a cell is about twice as high as
 * wide.
 */
const dotHeight = (size: number): number => Math.ceil(size / 2)

/** Cells that a text takes across and down in a size; zero for an empty one. */
export function bigTextSize(text: string, size: number): { width: number; height: number } {
  const signs = signsOf(text)
  const dots = signs.reduce((sum, [line = '']) => sum + line.length, 0) + Math.max(0, signs.length - 1)
  return { width: dots * size, height: signs.length === 0 ? 0 : dotLines * dotHeight(size) }
}

/**
 * Text drawn large: digits, Latin letters and the characters of amounts, one dot apart, each dot `size` cells wide.
 * `size` is a whole number, 1 or more. All lines have the same width; empty for an empty text.
 */
export function bigText(text: string, size: number, glyphs: BigGlyphs): string[] {
  const signs = signsOf(text)
  if (signs.length === 0) return []
  const fill = fillOf(glyphs).repeat(size)
  const blank = ' '.repeat(size)
  return Array.from({ length: dotLines }, (_, at) => {
    const dots = signs.map((lines) => lines[at] ?? '').join('.')
    return Array.from(dots, (dot) => (dot === '#' ? fill : blank)).join('')
  }).flatMap((line) => Array.from({ length: dotHeight(size) }, () => line))
}

/** Lines that a band adds above and below its letters, together. */
export const bandEdges = 2

/** The line above or below a band's letters. */
export const bandEdge = (glyphs: BigGlyphs, width: number): string[] => [fillOf(glyphs).repeat(width)]

/**
 * Text cut out of a solid band of `width` cells, which is visible from farther away than letters. The text must fit
 * with a cell on either side.
 */
export function bigBand(text: string, size: number, glyphs: BigGlyphs, width: number): string[] {
  const fill = fillOf(glyphs)
  const lines = bigText(text, size, glyphs).map((line) => {
    const cut = Array.from(line, (cell) => (cell === ' ' ? fill : ' ')).join('')
    return `${fill}${cut}`.padEnd(width, fill)
  })
  return [...bandEdge(glyphs, width), ...lines, ...bandEdge(glyphs, width)]
}

/** The largest size up to `most` in which a text fits; 0 if it fits in none. */
export function bigSizeIn(text: string, room: { width: number; height: number }, most: number): number {
  for (let size = most; size >= 1; size -= 1) {
    const { width, height } = bigTextSize(text, size)
    if (width <= room.width && height <= room.height) return size
  }
  return 0
}
