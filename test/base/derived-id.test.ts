import fc from 'fast-check'
import { expect, test } from 'vitest'
import { derivedId } from '../../src/base/derived-id.ts'
import { lettersAndDigits } from '../../src/base/random.ts'

test('an id that is made of a text is the same for it, and another for every other one', () => {
  const idOf = (text: string) => derivedId(lettersAndDigits, 20, text)
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      expect(idOf(left)).toMatch(/^[0-9A-Za-z]{20}$/)
      expect(idOf(left) === idOf(right)).toBe(left === right)
    }),
  )
  // Records of plans are continued by later versions: an id stays what it is.
  expect(idOf('kept 3')).toBe('qW8V3yTF1j5qhyyJM9kt')
})
