import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import {
  alignOnPoint,
  compactQuantity,
  percentText,
  quantityCells,
  withoutNumbers,
} from '../../../src/ui/text/amounts.ts'

const decimals = (...texts: string[]) => texts.map((text) => new Decimal(text))

test('numbers stand with their points below each other', () => {
  expect(alignOnPoint(['64209.50', '0.1095', '12', ''])).toEqual([
    '64209.50  ',
    '    0.1095',
    '   12     ',
    '          ',
  ])
})

test('a column has the same decimals in all rows; one that does not fit is shortened alone', () => {
  expect(decimals('1.94', '0.305').map(quantityCells(4, 6))).toEqual(['1.9400', '0.3050'])
  expect(decimals('12.3456', '0.305').map(quantityCells(4, 6))).toEqual(['12.346', '0.3050'])
})

test('a quantity that its column would round to nothing says that it is there', () => {
  expect(decimals('1234.5', '0.0004').map(quantityCells(2, 6))).toEqual(['1234.5', '  <.01'])
})

test('quantities too large for their column are given in thousands and millions', () => {
  expect(decimals('1234567', '12345678901').map(quantityCells(0, 6))).toEqual([' 1.23M', '12.35G'])
})

test('an own quantity is as short as it can be without losing a digit', () => {
  expect(compactQuantity(new Decimal('0.0500'), 5)).toBe('.05')
  expect(compactQuantity(new Decimal('5000'), 5)).toBe('5000')
  expect(compactQuantity(new Decimal('123456'), 5)).toBe('123k')
})

test('percentages carry a sign, and nothing is never negative', () => {
  expect(percentText(new Decimal('0.012'))).toBe('+1.2%')
  expect(percentText(new Decimal('-0.004'))).toBe('-0.4%')
  expect(percentText(new Decimal('-0.0000001'))).toBe('0.0%')
})

test('no quantity is ever wider than its column, and none above zero reads as zero', () => {
  const quantity = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.nat(8))
    .map(([units, scale]) => new Decimal(units.toString()).div(new Decimal(10).pow(scale)))
  fc.assert(
    fc.property(
      fc.array(quantity, { minLength: 1 }),
      fc.nat(8),
      fc.integer({ min: 4, max: 12 }),
      (values, scale, width) => {
        for (const text of values.map(quantityCells(scale, width))) {
          expect(text).toHaveLength(width)
          expect(text).toMatch(/[1-9#]/)
        }
      },
    ),
  )
})

test('a sentence without its numbers keeps its words and the time of day', () => {
  expect(withoutNumbers('Fill SELL 0.0300 BTC-USD at 64,212.50, order 9912017.')).toBe(
    'Fill SELL * BTC-USD at *, order 9912017.',
  )
  expect(withoutNumbers('Frozen at 22:04:25Z, or 22:04.')).toBe('Frozen at 22:04:25Z, or 22:04.')
})

test('what is no amount stays: days, per cent, counts, how long, panes and ids', () => {
  for (const text of [
    'Screen live again after 30 s: 2 fills meanwhile.',
    'Live since 2026-11-23, +2.1%, 3 alerts.',
    'See 2 Orders: order a1fK3x9Dd2 is working.',
    'Halted: 2 of 3 canceled, 1 FILLED.',
    'Canceled 2 of 3 orders.',
    'Moved 2 of 3 BTC-USD orders.',
    'You have 3 working orders in BTC-USD.',
    '4 keys were typed before the screen was up: ignored.',
    'Order 10685 BUY BTC-USD is FILLED.',
    'Alert 3 is deleted.',
    'Level 3: each order in its queue. Key 3: back; key 2, then key 3: the fills.',
  ])
    expect(withoutNumbers(text)).toBe(text)
  expect(withoutNumbers('A cost stated on 2026-11-23 for 20 LTC is too much by 20.')).toBe(
    'A cost stated on 2026-11-23 for * LTC is too much by *.',
  )
  expect(withoutNumbers('12.5k USD, 5 BTC, -0.25 ETH')).toBe('* USD, * BTC, -* ETH')
  expect(withoutNumbers('reported as canceled with 5 of 10; an order 5 BTC, order 64209.50, 3 of 4 BTC')).toBe(
    'reported as canceled with * of *; an order * BTC, order *, * of * BTC',
  )
})
