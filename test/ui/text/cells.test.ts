import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import {
  amount,
  cellText,
  cut,
  cutWords,
  left,
  right,
  safeText,
  wrapWords,
  written,
} from '../../../src/ui/text/cells.ts'
import { edges, fitRow, fitWords, rowText, rowWidth, span, typedText } from '../../../src/ui/text/row.ts'

const shown = (text: string): string => written(cellText(text))

test('what steers the terminal is taken out, what terminals draw differently becomes a question mark', () => {
  expect(cellText('BTC-USD')).toBe('BTC-USD')
  expect(cellText('a\u001b[2Jb\nc\u202Ed')).toBe('a[2Jb cd')
  // A lone mark, a flag, ten marks on one letter, a character nobody knows, two of nobody's but ours.
  expect(shown(`\u0301 🇫🇷 x${'\u0301'.repeat(10)} \u{10ffff} \ue000\uf8ff`)).toBe('? ? ? ? ??')
})

test.each([
  ['金-USD', 6],
  ['한국', 4],
  ['ｶﾅ ｗ', 5],
  ['💹!', 3],
  ['é e\u0301 x\u0323\u0301', 5],
  ['👍🏽', 2],
  ['❤\ufe0f', 1],
  ['𝒜', 1],
])('%s takes %i cells, by which it is laid out', (text, width) => {
  const cells = cellText(text)
  expect(cells).toHaveLength(width)
  expect(stringWidth(written(cells))).toBe(width)
  expect(right(cells, 8)).toHaveLength(8)
  expect(stringWidth(written(right(cells, 8)))).toBe(8)
})

test('what is read is what was written: a skin tone and a choice of picture or text apart', () => {
  for (const text of ['金-USD 한국', '💹!', 'x\u0323\u0301 ｶ']) expect(shown(text)).toBe(text.normalize('NFC'))
  expect(shown('👍🏽 ❤\ufe0f')).toBe('👍 ❤')
})

test('wherever a row is cut, it keeps its width and shows no half character', () => {
  const any = fc.string({ unit: fc.constantFrom('a', '金', '💹', 'x\u0323', '한', 'é', '-') })
  fc.assert(
    fc.property(any, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }), (text, width, from) => {
      const cells = cellText(text)
      expect(stringWidth(written(cells))).toBe(cells.length)
      for (const part of [cut(cells, width), left(cells, width), cells.slice(from), cells.slice(from, from + width)])
        expect(stringWidth(written(part))).toBe(part.length)
    }),
  )
})

test('wide words break between characters', () => {
  expect(wrapWords(cellText('金金金金金'), 5).map(written)).toEqual(['金金', '金金', '金'])
})

test('cells that are cells already stay, unsafe text beside them does not', () => {
  const cells = `1 Ladder ${cellText('金')}`
  expect(safeText(cells)).toBe(cells)
  expect(safeText('a\u001bb')).toBe('ab')
})

test('text is cut with a mark, a number is never cut', () => {
  expect(cut('a81fK2x10Dd5', 8)).toBe('a81fK2x…')
  expect(left('ab', 4)).toBe('ab  ')
  expect(right('ab', 4)).toBe('  ab')
  expect(amount('64209.50', 8)).toBe('64209.50')
  expect(amount('64209.50', 5)).toBe('#####')
})

test('a sentence breaks between words, and a word only when it must', () => {
  expect(wrapWords('price 64209.53 is off the tick', 14)).toEqual(['price 64209.53', 'is off the', 'tick'])
  expect(wrapWords('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
})

test('no wrapped line is wider than asked for, and no character is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const lines = wrapWords(text, width)
      expect(Math.max(0, ...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }),
  )
})

test('a row takes exactly its width, whatever is in it', () => {
  expect(rowText(fitRow([span('abc', 'bid'), span('def', 'ask')], 4))).toBe('abcd')
  expect(rowText(fitRow([span('abc')], 5))).toBe('abc  ')
  expect(rowText(edges([span('a long start')], [span('end')], 10))).toBe('a long end')
})

test('a sentence that is too long ends with a whole word and the mark of a cut', () => {
  expect(cutWords('Cancel of 9912041 refused', 40)).toBe('Cancel of 9912041 refused')
  expect(cutWords('Cancel of 9912041 refused', 24)).toBe('Cancel of 9912041…')
  expect(cutWords('Cancel of 9912041 refused', 17)).toBe('Cancel of…')
  expect(cutWords('9912041', 4)).toBe('991…')
  expect(cutWords('9912041', 0)).toBe('')
})

test('a title loses its reasons before its words', () => {
  const title = [span('2 Orders', 'title'), span('  STALE 16s: no answer within 5 s: the network', 'bad')]
  const fitted = (width: number) => rowText(fitWords(title, width))
  expect(fitted(60)).toBe(rowText(title))
  expect(fitted(50)).toBe('2 Orders  STALE 16s: no answer within 5 s')
  expect(fitted(30)).toBe('2 Orders  STALE 16s')
  expect(fitted(18)).toBe('2 Orders  STALE…')
  for (let width = 0; width < 70; width += 1) expect(rowWidth(fitWords(title, width))).toBeLessThanOrEqual(width)
})

test('what is typed takes the cells that it is drawn over, so that no border moves', () => {
  expect(typedText('漢字', true, 10)).toHaveLength(5)
  expect(typedText('漢字', true, 4)).toHaveLength(4)
})
