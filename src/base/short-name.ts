import stringWidth from 'string-width'
import { plainText } from './plain-text.ts'

// The blank sign of Braille, and signs that have no picture everybody knows: each may be drawn as nothing.
const blank = /[\u2800\p{Co}\p{Cn}]/gu
/** Longer ones are not looked at to their end. */
const lengthMost = 1_000
const takesRoom = (sign: string): boolean => stringWidth(sign) > 0
const oneCellEach = /^[\x20-\x7e]*$/

/**
 * A name from outside as one line of at most `cellsMost` cells, cut behind them. Only what takes room of its own stays:
 * a name of marks alone would look like none, and hide who it is. Empty where nothing is left.
 */
export function shortName(text: string, cellsMost: number): string {
  const seen = [...plainText(text.slice(0, lengthMost)).normalize('NFC').replace(blank, '')].filter(takesRoom).join('')
  const plain = seen.replace(/\s+/g, ' ').trim().normalize('NFC')
  if (oneCellEach.test(plain)) return plain.slice(0, cellsMost).trim()
  let [name, cells] = ['', 0]
  for (const sign of plain) {
    cells += stringWidth(sign)
    if (cells > cellsMost) break
    name += sign
  }
  return name.trim()
}
