import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { isSameAway, priceAway, readAway, readAwayText } from '../../../src/domain/plans/leg-away.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const d = (text: string | number) => new Decimal(text)
const word = (text: string) => ({ text, lower: text.toLowerCase(), at: 0, length: text.length })
const read = (...texts: readonly string[]) => {
  const [first, second] = texts.map(word)
  return readAway(first, second)
}

test('a leg in per cent is two words, a number and its sign; anything else is none', () => {
  expect(read('1', '%')).toEqual({ percent: d(1), sign: null })
  expect(read('-1', '%')).toEqual({ percent: d(1), sign: '-' })
  expect(read('+2.5', '%')).toEqual({ percent: d('2.5'), sign: '+' })
  expect(read('100.1234', '%')).toEqual({ percent: d('100.1234'), sign: null })
  for (const odd of [
    ['1'],
    ['1', 'x'],
    ['1000', '%'],
    ['1.12345', '%'],
    ['1.', '%'],
    ['.5', '%'],
    ['x', '%'],
    ['--1', '%'],
    ['1x', '%'],
    [],
  ])
    expect(read(...odd)).toBeNull()
})

test('from one text, as it is typed into a field', () => {
  expect(readAwayText(' -1.5 % ')).toEqual({ percent: d('1.5'), sign: '-' })
  expect(readAwayText('2%')).toEqual({ percent: d(2), sign: null })
  for (const odd of ['', '%', '2', '2%%', '63000%', 'half %']) expect(readAwayText(odd)).toBeNull()
})

test('two that say the same are the same, whatever way they were typed', () => {
  expect(isSameAway({ percent: d('2.50'), sign: null }, { percent: d('2.5'), sign: null })).toBe(true)
  expect(isSameAway({ percent: d(2), sign: '-' }, { percent: d(2), sign: null })).toBe(false)
  expect(isSameAway({ percent: d(2), sign: '-' }, { percent: d(3), sign: '-' })).toBe(false)
})

type Leg = Parameters<typeof priceAway>[1]
const instrument = anInstrument()
const at = (
  percent: number | string,
  sign: '+' | '-' | null,
  leg: Leg['leg'],
  exit: Leg['exit'],
  price: number | null = 101,
) => priceAway({ percent: d(percent), sign }, { leg, exit, instrument, price: price === null ? null : d(price) })
const value = (...of: Parameters<typeof at>) => {
  const result = at(...of)
  return result.ok ? result.value.toNumber() : result.error
}

test('a stop loses and a target gains, on the tick, and never nearer than was said', () => {
  // One per cent of 101 is 1.01: the nearest tick of half a dollar outside it.
  expect(value(1, null, 'stop', 'SELL')).toBe(99.5)
  expect(value(1, null, 'target', 'SELL')).toBe(102.5)
  expect(value(1, null, 'stop', 'BUY')).toBe(102.5)
  expect(value(1, null, 'target', 'BUY')).toBe(99.5)
  expect(value(1, '-', 'stop', 'SELL')).toBe(99.5)
  expect(value(1, '+', 'target', 'SELL')).toBe(102.5)
  expect(value('99.99', null, 'stop', 'SELL', 1_000_000)).toBe(100)
})

test('a sign that says otherwise is asked about, not turned round', () => {
  expect(value(1, '+', 'stop', 'SELL')).toBe('To sell, the stop is below: -1%, or a price.')
  expect(value(1, '-', 'stop', 'BUY')).toBe('To buy, the stop is above: +1%, or a price.')
  expect(value(1, '-', 'target', 'SELL')).toBe('To sell, the target is above: +1%, or a price.')
})

test('nothing away, all of it away, or away from an unknown price is no leg', () => {
  const whole = 'The stop must be more than 0% away, and less than 100%.'
  expect([value(0, null, 'stop', 'SELL'), value(100, null, 'stop', 'SELL')]).toEqual([whole, whole])
  expect(value(1, null, 'target', 'SELL', null)).toBe(
    'No price of BTC-USD is known: say the target as a price, or wait.',
  )
})
