import { expect, test } from 'vitest'
import { readDeliveryRanges } from '../../../src/domain/gateway/delivery.ts'

test.each([
  ['12', [[12, 12]]],
  ['12-40', [[12, 40]]],
  [
    '3, 7-9',
    [
      [3, 3],
      [7, 9],
    ],
  ],
  ['1-10000', [[1, 10_000]]],
])('%s', (text, ranges) => {
  expect(readDeliveryRanges(text)).toEqual({ ok: true, value: ranges.map(([first, last]) => ({ first, last })) })
})

test.each(['', '-', '1-', '-5', 'all', '1.5', '1,,2', '5-3', '0', '0-3', '1-10001', '1-6000,1-6000', '9'.repeat(16)])(
  '%s is none',
  (text) => {
    expect(readDeliveryRanges(text)).toEqual({ ok: false, error: expect.stringMatching(/^must be /) })
  },
)
