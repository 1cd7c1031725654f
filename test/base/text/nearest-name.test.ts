import { expect, test } from 'vitest'
import {
  nearestName,
  nearestNames,
  ofTypedName,
  suggestion,
  symbolSuggestion,
} from '../../../src/base/text/nearest-name.ts'

const names = ['orders', 'order', 'fills', 'whitelist', 'withdrawals']

test.each([
  ['ordrs', 'orders'],
  ['odrer', 'order'],
  ['Fills', 'fills'],
  ['whitelst', 'whitelist'],
  ['withdrawls', 'withdrawals'],
])('%s was probably meant as %s', (wrong, right) => expect(nearestName(wrong, names)).toBe(right))

test('what is close to nothing gets no suggestion', () => {
  expect(nearestName('frobnicate', names)).toBeNull()
  expect(nearestName('x'.repeat(10_000), names)).toBeNull()
  expect(suggestion('frobnicate', names)).toBe('')
  expect(suggestion('fils', names)).toBe(', did you mean "fills"?')
})

test('a sign is no slip for another one: no letter of it is the same', () => {
  expect(nearestNames('x', ['@', 'market', 'y'])).toEqual([])
  expect(nearestNames('ab', ['ba', 'cd'])).toEqual(['ba'])
})

test('the dashes before a flag are no letters that agree', () => {
  expect(suggestion('--foo', ['--from', '--to'])).toBe('')
  expect(suggestion('--frm', ['--from', '--to'])).toBe(', did you mean "--from"?')
})

test('a symbol may be meant by its beginning', () => {
  const symbols = ['BTC-USD', 'BTC-EUR', 'ETH-USD', 'ETH-BTC']
  expect(symbolSuggestion('btc', symbols)).toBe(', did you mean "BTC-USD" or "BTC-EUR"?')
  expect(symbolSuggestion('EHT-USD', symbols)).toBe(', did you mean "ETH-USD"?')
  expect(symbolSuggestion('USD', symbols)).toBe('')
  expect(symbolSuggestion('BTC-USF', symbols)).toBe(', did you mean "BTC-USD"?')
  expect(symbolSuggestion('BTCUSD', symbols)).toBe(', did you mean "BTC-USD"?')
  expect(symbolSuggestion('', symbols)).toBe('')
})

test('a name is found however its letters are typed, unless another one differs by just that', () => {
  const found = (typed: string, ...names: string[]) => ofTypedName(names, (name) => name, typed)
  expect(found('P1', 'p1', 'p2')).toBe('p1')
  expect(found('2CNN4K', '2cnn4k')).toBe('2cnn4k')
  expect(found('P1', 'p1', 'P1')).toBe('P1')
  expect(found('aB', 'ab', 'AB')).toBeUndefined()
  expect(found('p3', 'p1')).toBeUndefined()
})

test('a pair that is not listed any more is not taken for a mistyped one of other currencies', () => {
  // BTC is traded still, in another pair: nobody meant LTC.
  expect(symbolSuggestion('BTC-USD', ['LTC-USD', 'ETH-BTC', 'ETH-USD'])).toBe('')
  // All that is alike is the dollar.
  expect(symbolSuggestion('FOO-USD', ['SOL-USD', 'DOGE-USD', 'XLM-USD'])).toBe('')
  expect(symbolSuggestion('DOGR-USD', ['SOL-USD', 'DOGE-USD', 'XLM-USD'])).toBe(', did you mean "DOGE-USD"?')
})
