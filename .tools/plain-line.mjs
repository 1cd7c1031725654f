// What nearly every line of a screen is: characters of one cell each, in styles that are switched on together and off
// by a reset. Such a text is what it would be after cleaning and re-writing, ends in the plain style, and is as wide as
// it has characters outside of its sequences.

/**
 * Characters that take exactly one cell on every terminal: Latin letters, common punctuation, arrows, box drawing,
 * blocks, braille.
 */
export const oneCellEach =
  '\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2015\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u2190-\\u2193\\u2500-\\u259f\\u2800-\\u28ff'

const plain = `[${oneCellEach}]*`
const plainLine = new RegExp(`^${plain}(?:\\u001b\\[[1-9][\\d;]*m${plain}\\u001b\\[0?m${plain})*$`)

export const isPlainLine = (text) => plainLine.test(text)
