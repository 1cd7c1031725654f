import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { decimalFromUnits, textFromUnits, unitsFromScaled, unitsFromText } from '../../../src/sandbox/ledger/units.ts'

const one = 10n ** 24n

test('reads plain amounts, exponents and signs', () => {
  expect(unitsFromText('1')).toBe(one)
  expect(unitsFromText('0.5')).toBe(one / 2n)
  expect(unitsFromText('-2.25')).toBe((one * -9n) / 4n)
  expect(unitsFromText('-0.25')).toBe(-one / 4n)
  expect(unitsFromText('5.4044E-4')).toBe(540_440_000_000_000_000_000n)
  expect(unitsFromText('1e3')).toBe(1_000n * one)
  expect(unitsFromText('1e59')).toBe(10n ** 59n * one)
  expect(unitsFromText('0007.10')).toBe((one * 71n) / 10n)
})

test('an amount of 24 decimals is exact; a finer one says so, unless only zeros follow', () => {
  expect(unitsFromText('0.000000000000000000000001')).toBe(1n)
  expect(unitsFromText('0.0000000000000000000000010')).toBe(1n)
  expect(unitsFromText('0.0000000000000000000000011')).toBe('tooFine')
  expect(unitsFromText('1e-30')).toBe('tooFine')
})

test.each(['', ' 1', 'NaN', 'Infinity', '1.', '.5', '0x10', '1e999999999', '1e60', '1,5', '--1', '1_000'])(
  '%j is no amount',
  (text) => {
    expect(unitsFromText(text)).toBe('malformed')
  },
)

test('text and units go there and back, beyond the digits of a decimal computation', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (units) => {
      expect(unitsFromText(textFromUnits(units))).toBe(units)
      expect(decimalFromUnits(units).toFixed()).toBe(textFromUnits(units))
    }),
  )
})

test('agrees with the decimals of the domain', () => {
  const amount = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: -9, max: 9 }))
  fc.assert(
    fc.property(amount, ([digits, exponent]) => {
      const text = `${digits}e${exponent}`
      expect(decimalFromUnits(BigInt(unitsFromText(text))).eq(new Decimal(text))).toBe(true)
    }),
  )
})

test('scaled whole numbers are as many units', () => {
  expect(unitsFromScaled(50, 2)).toBe(one / 2n)
  expect(unitsFromScaled(3, 0)).toBe(3n * one)
})
