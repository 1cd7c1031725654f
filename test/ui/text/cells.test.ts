import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, cellText, cut, left, right, wrapWords } from '../../../src/ui/text/cells.ts'
import { edges, fitRow, rowText, span } from '../../../src/ui/text/row.ts'

test('what may not be one cell wide becomes a question mark, what steers the terminal is taken out', () => {
  expect(cellText('BTC-USD')).toBe('BTC-USD')
  expect(cellText('金-USD')).toBe('?-USD')
  expect(cellText('💹 e\u0301 é €')).toBe('? ? é €')
  expect(cellText('a\u001b[2Jb\nc\u202Ed')).toBe('a[2Jb cd')
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
