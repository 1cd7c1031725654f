import { expect, test } from 'vitest'
import { nearestName, suggestion } from '../../src/base/nearest-name.ts'

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
