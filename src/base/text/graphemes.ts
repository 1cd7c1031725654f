/** Splits text into graphemes: what a reader sees as one character, however it is encoded. */
export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
