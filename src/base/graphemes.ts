/** Takes text apart into what a reader takes for one character, whatever it is made of. */
export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
