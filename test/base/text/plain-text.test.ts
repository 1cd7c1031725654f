import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from '../../../src/base/text/plain-text.ts'

test.each([
  ['Insufficient Balance', 'Insufficient Balance'],
  ['\u001b[2J\u0007red', '[2Jred'],
  ['one\r\ntwo\tthree', 'one two three'],
  ['a\u007f\u0080\u009b31mb', 'a31mb'],
  ['pay \u202e123\u202c \u2066x\u2069', 'pay 123 x'],
  ['in\u200bvis\u200d\ufeffi\u00adble', 'invisible'],
  ['\u{e0041}tag', 'tag'],
  ['lone \ud800 half', 'lone \ufffd half'],
  ['Zürich 東京 é €', 'Zürich 東京 é €'],
])('%j is shown as %j', (text, shown) => {
  expect(plainText(text)).toBe(shown)
})

test('whatever comes, nothing is left that steers a terminal, and doing it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = plainText(text)
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
      expect(plainText(plain)).toBe(plain)
    }),
  )
})
