import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compareAmounts,
  Decimal,
  formatFixed,
  formatGrouped,
  formatHeld,
  fromScaled,
  parseAmount,
} from '../../src/domain/money.ts'

test.each([
  ['5.4044E-4', '0.00054044'],
  ['1e3', '1000'],
  ['-0.10', '-0.1'],
  ['12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
  ['0.00000012', '0.00000012'],
])('reads %s as %s', (text, plain) => {
  expect(parseAmount(text)?.toString()).toBe(plain)
})

test.each(['', ' 1', '1,000', '.5', '5.', '0x10', 'NaN', 'Infinity', '1e999', '--1', '1e', '٣', `1${'0'.repeat(61)}`])(
  'refuses %j',
  (text) => {
    expect(parseAmount(text)).toBeUndefined()
  },
)

test('shows amounts with their decimals and never a negative zero', () => {
  expect(formatGrouped(new Decimal('64209.5'), 2)).toBe('64,209.50')
  expect(formatGrouped(new Decimal('-1234567.891'), 2)).toBe('-1,234,567.89')
  expect(formatGrouped(new Decimal('-0.001'), 2)).toBe('0.00')
  expect(formatGrouped(new Decimal('999'), 0)).toBe('999')
  expect(formatFixed(new Decimal('1e-8'), 8)).toBe('0.00000001')
})

test('scaled integers of the service become exact amounts', () => {
  expect(fromScaled('9007199254740993', 8).toString()).toBe('90071992.54740993')
  expect(fromScaled(5, 0).toString()).toBe('5')
})

test('any amount that is written plainly reads back the same', () => {
  const amounts = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  fc.assert(
    fc.property(amounts, ([units, scale]) => {
      const value = fromScaled(units, scale)
      expect(parseAmount(value.toString())?.eq(value)).toBe(true)
      expect(parseAmount(formatGrouped(value, scale).replaceAll(',', ''))?.eq(value)).toBe(true)
    }),
  )
})

test('amounts are in the order in which the library puts them', () => {
  const digits = fc.oneof(
    fc.constantFrom('0', '-0', '1', '10', '9999999', '10000000', '99999999999999.9999999', '1e-40', '-1e40'),
    fc
      .tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 0, max: 30 }))
      .map(([whole, scale]) => `${whole}e-${scale}`),
  )
  fc.assert(
    fc.property(digits, digits, (one, other) => {
      const [left, right] = [new Decimal(one), new Decimal(other)]
      expect(compareAmounts(left, right)).toBe(left.comparedTo(right))
      expect(compareAmounts(left, left.plus(right).minus(right))).toBe(left.comparedTo(left.plus(right).minus(right)))
    }),
    { numRuns: 2_000 },
  )
})

test('what is held is cut, never rounded up', () => {
  expect(formatHeld(new Decimal('1000.47259299736'), 8)).toBe('1,000.47259299')
  expect(formatHeld(new Decimal('0.999'), 0)).toBe('0')
  expect(formatHeld(new Decimal('0.5'), 3)).toBe('0.500')
})
