// `string-width` segments every text that is not plain ASCII into graphemes, and every line of a framed pane has a
// border sign in it. Texts of characters that are one cell each on every terminal are measured by their length; all
// others by the library.
import stringWidth from 'string-width-published'
import { oneCellEach } from './plain-line.mjs'

const sgr = /\u001b\[[\d;]*m/g
const oneCellLine = new RegExp(`^[${oneCellEach}]*$`)

export default function cellWidth(text, options) {
  if (options === undefined && typeof text === 'string') {
    const plain = text.includes('\u001b') ? text.replace(sgr, '') : text
    if (oneCellLine.test(plain)) return plain.length
  }
  return stringWidth(text, options)
}
