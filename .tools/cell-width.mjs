// `string-width` segments every text that is not plain ASCII into graphemes, and every line of a framed pane has a
// border sign in it. Texts of characters that are one cell each on every terminal are measured by their length; all
// others by the library.
import stringWidth from 'string-width-published'

const sgr = /\u001b\[[\d;]*m/g
const oneCellEach =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2190-\u2193\u2500-\u259f\u2800-\u28ff]*$/

export default function cellWidth(text, options) {
  if (options === undefined && typeof text === 'string') {
    const plain = text.includes('\u001b') ? text.replace(sgr, '') : text
    if (oneCellEach.test(plain)) return plain.length
  }
  return stringWidth(text, options)
}
