import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BigGlyphs, bigSizeIn, bigText, bigTextSize } from '../../../../src/ui/panes/wall/big-text.ts'

test('digits and signs of a price, in blocks and in ASCII', () => {
  expect(bigText('12.5', 1, 'ascii')).toEqual([
    ' #  ###   ###',
    '##    #   #  ',
    ' #  ###   ###',
    ' #  #       #',
    '### ### # ###',
  ])
  expect(bigText('-7%', 1, 'blocks')).toEqual([
    '    ███ █ █',
    '      █   █',
    '███   █  █ ',
    '      █ █  ',
    '      █ █ █',
  ])
})

test('a dot of size 2 is a square of two cells, of size 4 twice as high', () => {
  expect(bigText('1', 2, 'ascii')).toEqual(['  ##  ', '####  ', '  ##  ', '  ##  ', '######'])
  const large = bigText('1', 4, 'ascii')
  expect(large).toHaveLength(10)
  expect(large.slice(0, 3)).toEqual(['    ####    ', '    ####    ', '########    '])
})

test('words are drawn in capitals; what the font has not is a question mark', () => {
  expect(bigText('stale', 1, 'blocks')).toEqual(bigText('STALE', 1, 'blocks'))
  expect(bigText('€', 1, 'blocks')).toEqual(bigText('?', 1, 'blocks'))
  expect(bigText('', 3, 'blocks')).toEqual([])
})

test('every word that the wall shouts fits at 80 columns, and no letter of it is a question mark', () => {
  const unknown = bigText('?', 1, 'ascii').join('/')
  for (const word of ['UNKNOWN', 'HALTED', 'STALE', 'FAILING', 'FROZEN', 'MARKET', 'LIMIT', 'NOTICE', 'ALERT']) {
    expect(bigTextSize(word, 1).width).toBeLessThanOrEqual(33)
    for (const letter of word) expect(bigText(letter, 1, 'ascii').join('/')).not.toBe(unknown)
  }
})

test('the largest size that fits is found, and 0 where none does', () => {
  expect(bigSizeIn('64,210.50', { width: 127, height: 10 }, 4)).toBe(3)
  expect(bigSizeIn('64,210.50', { width: 128, height: 5 }, 4)).toBe(2)
  expect(bigSizeIn('64,210.50', { width: 20, height: 50 }, 4)).toBe(0)
})

const texts = fc.string({ unit: fc.constantFrom(...'0123456789.,:-+%/_ ?ABCDEFGHIJKLMNOPQRSTUVWXYZ'), maxLength: 12 })
const glyphSets: readonly BigGlyphs[] = ['blocks', 'ascii']

test('every line is as long as is said, of one sign and blanks; both sets draw the same dots', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, size) => {
      const [blocks = [], ascii = []] = glyphSets.map((glyphs) => bigText(text, size, glyphs))
      const { width, height } = bigTextSize(text, size)
      expect(blocks).toHaveLength(height)
      for (const line of blocks) expect(line).toHaveLength(width)
      expect(blocks.join('\n')).toMatch(/^[█ \n]*$/)
      expect(ascii).toEqual(blocks.map((line) => line.replaceAll('█', '#')))
    }),
    { numRuns: 100 },
  )
})

test('digits are equally wide: a price that changes stands still', () => {
  const widths = new Set([...'0123456789'].map((digit) => bigTextSize(digit, 2).width))
  expect(widths.size).toBe(1)
})
