import stringWidth from 'string-width'
import { plainText } from './plain-text.ts'

// Blank Braille, private-use and unassigned characters: a terminal may draw each as nothing.
const blank = /[\u2800\p{Co}\p{Cn}]/gu
/** Only this many characters of a name are read. */
const lengthMax = 1_000
const takesRoom = (sign: string): boolean => stringWidth(sign) > 0
const oneCellEach = /^[\x20-\x7e]*$/

/**
 * A name from outside as one line, truncated to `cellsMax` cells. Keeps only characters with a width of their own,
 * because a name of marks alone would be invisible. Empty when nothing is left.
 */
export function shortName(text: string, cellsMax: number): string {
  const seen = [...plainText(text.slice(0, lengthMax)).normalize('NFC').replace(blank, '')].filter(takesRoom).join('')
  const plain = seen.replace(/\s+/g, ' ').trim().normalize('NFC')
  if (oneCellEach.test(plain)) return plain.slice(0, cellsMax).trim()
  let [name, cells] = ['', 0]
  for (const sign of plain) {
    cells += stringWidth(sign)
    if (cells > cellsMax) break
    name += sign
  }
  return name.trim()
}
