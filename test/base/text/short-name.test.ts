import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { shortName } from '../../../src/base/text/short-name.ts'

test.each([
  ['claude', 'claude'],
  ['Zoe\u0308', 'Zo\u00eb'],
  ['a\u0301\u0301\u0301b', '\u00e1b'],
  ['\u2800\u2800', ''],
  ['\u0301\ufe0f\u{e0100}\u034f', ''],
  ['\u00a0\u3000 \u3164', ''],
  ['a\u2800\u00a0\u3000b', 'a b'],
  ['\u4e2d'.repeat(40), '\u4e2d'.repeat(20)],
  [`a${'\u4e2d'.repeat(40)}`, `a${'\u4e2d'.repeat(19)}`],
  ['x'.repeat(41), 'x'.repeat(40)],
])('%j is kept as %j', (text, name) => {
  expect(shortName(text, 40)).toBe(name)
})

test('no name takes more cells than it may, or has a sign in it that takes none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const name = shortName(text, 20)
      const widths = [...name].map((sign) => stringWidth(sign))
      expect(widths.every((width) => width > 0)).toBe(true)
      expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(20)
      expect(shortName(name, 20)).toBe(name)
    }),
  )
})
