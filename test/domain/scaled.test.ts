import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, exactProduct } from '../../src/domain/money.ts'
import { decimalsMax, fromUnits, productUnits, shareOf, toUnits } from '../../src/domain/scaled.ts'
import { unitsOf } from './statement/books.ts'

/** From one digit to sixty, with up to thirty decimals, and all the round ones between. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }))
  .map(([digits, cut, scale]) => new Decimal(`${digits / 10n ** BigInt(cut)}e-${scale}`))
const signed = fc.tuple(amount, fc.boolean()).map(([each, isBelow]) => (isBelow ? each.neg() : each))

test('an amount in units is the amount, whatever its digits, and comes back whole', () => {
  fc.assert(
    fc.property(signed, fc.integer({ min: 0, max: 20 }), (each, more) => {
      const scale = each.decimalPlaces() + more
      const units = toUnits(each, scale)
      expect(units * 10n ** BigInt(60 - scale)).toBe(unitsOf(each))
      expect(fromUnits(units, scale).eq(each)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a product in units has every digit', () => {
  fc.assert(
    fc.property(signed, signed, fc.integer({ min: 0, max: 20 }), (left, right, more) => {
      const product = exactProduct(left, right)
      const scale = left.decimalPlaces() + right.decimalPlaces() + more
      expect(fromUnits(productUnits(left, right, scale), scale).eq(product)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a glance at an amount never finds fewer decimals than it has, nor seven more', () => {
  fc.assert(
    fc.property(signed, (each) => {
      expect(decimalsMax(each)).toBeGreaterThanOrEqual(each.decimalPlaces())
      expect(decimalsMax(each)).toBeLessThan(each.decimalPlaces() + 7)
    }),
    { numRuns: 2_000 },
  )
})

test('a product whose last digits are zeros fits in as many decimals as it has', () => {
  const of = (left: string, right: string, scale: number) => productUnits(new Decimal(left), new Decimal(right), scale)
  expect(of('0.5', '0.2', 1)).toBe(1n)
  expect(of('-0.25', '0.4', 1)).toBe(-1n)
  expect(of('123456789012345678901234567890.5', '0.2', 1)).toBe(246913578024691357802469135781n)
})

test('a share is rounded down to the grain, and all shares together are never more than the whole', () => {
  expect(shareOf(100n, 1n, { of: 3n, grain: 1n })).toBe(33n)
  expect(shareOf(100n, 2n, { of: 3n, grain: 10n })).toBe(60n)
  expect(shareOf(100n, 3n, { of: 3n, grain: 1n })).toBe(100n)
})
