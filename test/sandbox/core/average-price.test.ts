import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactQuotient } from '../../../src/sandbox/core/state-views.ts'

test.each([
  [1n, 1n, '1'],
  [1n, 8n, '0.125'],
  [600_010n, 10n, '60001'],
  [1n, 3n, '0.333333333333333333333333'],
  [2n, 3n, '0.666666666666666666666667'],
  [10n ** 30n, 7n, '142857142857142857142857000000'],
  [1n, 2n ** 40n, '0.0000000000009094947017729282379150390625'],
])('%d / %d is %s', (numerator, denominator, text) => {
  expect(exactQuotient(numerator, denominator).toFixed()).toBe(text)
})

test('what ends is exact to the last digit, however many there are', () => {
  const value = fc.bigInt({ min: 1n, max: 10n ** 60n })
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), (numerator, twos, fives) => {
      const denominator = 2n ** BigInt(twos) * 5n ** BigInt(fives)
      const text = exactQuotient(numerator, denominator).toFixed()
      const [whole = '', fraction = ''] = text.split('.')
      expect(BigInt(whole + fraction) * denominator).toBe(numerator * 10n ** BigInt(fraction.length))
    }),
  )
})
