import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exposedCollector } from '../../src/base/process/node-runtime.ts'
import {
  compareAmounts,
  Decimal,
  formatFixed,
  formatGrouped,
  formatHeld,
  fromScaled,
  parseAmount,
  roughly,
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

/** Collects this thread's garbage, whatever other threads do with the flag meanwhile. */
function collect(): void {
  let collector: unknown
  while (typeof collector !== 'function') {
    setFlagsFromString('--expose-gc')
    collector = exposedCollector()
  }
  setFlagsFromString('--no-expose-gc')
  collector()
}

test('an amount takes no more memory than its digits: a million fills have three million', () => {
  const count = 100_000
  collect()
  const before = process.memoryUsage().heapUsed
  const amounts = Array.from({ length: count }, (_, at) => parseAmount(`${60_000 + at}.5`))
  collect()
  expect((process.memoryUsage().heapUsed - before) / amounts.length).toBeLessThan(190)
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

test('amounts are written as the library writes them, rounded half-even', () => {
  const halves = ['0.5', '1.5', '-0.5', '-0.005', '0.125', '99.995', '9999999.5', '0.00000005', '99999999999999.5']
  const edges = ['0', '-0', '-0.0001', '9999999', '10000000', '99999999999999.99999999999999', '1e14', '1e-14', '1e-15']
  const text = fc.oneof(
    fc.constantFrom(...halves, ...edges, '123456789012345678.5'),
    fc
      .tuple(fc.bigInt(-(10n ** 32n), 10n ** 32n), fc.integer({ min: 0, max: 34 }))
      .map(([units, scale]) => `${units}e-${scale}`),
    fc
      .tuple(fc.integer({ min: -2_000, max: 2_000 }), fc.integer({ min: 0, max: 9 }))
      .map(([n, scale]) => `${n}e-${scale}`),
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 18 }), (written, decimals) => {
      const value = new Decimal(written)
      const plain = value.toFixed(decimals, Decimal.ROUND_HALF_EVEN)
      expect(formatFixed(value, decimals)).toBe(plain)
      const sum = value.plus('0.1').minus('0.1')
      expect(formatFixed(sum, decimals)).toBe(sum.toFixed(decimals, Decimal.ROUND_HALF_EVEN))
      const grouped = formatGrouped(value, decimals)
      expect(grouped.replaceAll(',', '')).toBe(/[1-9]/.test(plain) ? plain : plain.replace('-', ''))
      expect(grouped).toMatch(/^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/)
    }),
    { numRuns: 5_000 },
  )
})

test('for a length an amount is as much as a number can say', () => {
  const amounts = fc.tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.integer({ min: 0, max: 18 }))
  fc.assert(
    fc.property(amounts, ([units, scale]) => {
      const value = fromScaled(units, scale)
      expect(Math.abs(roughly(value) - value.toNumber())).toBeLessThanOrEqual(Math.abs(value.toNumber()) * 2e-14)
    }),
  )
  for (const text of ['0', '0.25', '5', '-12.5', '64209.5', '1250000'])
    expect(roughly(new Decimal(text))).toBe(Number(text))
})

test('what is held is cut, never rounded up', () => {
  expect(formatHeld(new Decimal('1000.47259299736'), 8)).toBe('1,000.47259299')
  expect(formatHeld(new Decimal('0.999'), 0)).toBe('0')
  expect(formatHeld(new Decimal('0.5'), 3)).toBe('0.500')
})
