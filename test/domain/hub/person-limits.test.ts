import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectiveLimits, noPersonLimits, readLimitText } from '../../../src/domain/hub/person-limits.ts'
import { Decimal } from '../../../src/domain/money.ts'

const usd = (text: string) => new Decimal(text)

test('one by one the own limit counts, else that of the role', () => {
  expect(noPersonLimits).toEqual({ orderUsd: null, dayUsd: null, withdrawDayUsd: null })
  const ofRole = { orderUsd: usd('5000'), dayUsd: usd('20000'), withdrawDayUsd: null }
  expect(effectiveLimits(noPersonLimits, ofRole)).toEqual(ofRole)
  const own = { orderUsd: usd('0'), dayUsd: null, withdrawDayUsd: usd('0.5') }
  expect(effectiveLimits(own, ofRole)).toEqual({
    orderUsd: usd('0'),
    dayUsd: usd('20000'),
    withdrawDayUsd: usd('0.5'),
  })
})

test('what is typed is taken with every digit, or as none', () => {
  const amount = fc.tuple(fc.bigInt(0n, 999_999_999_999_999n), fc.stringMatching(/^\d{0,8}$/))
  fc.assert(
    fc.property(amount, ([whole, decimals]) => {
      const text = decimals === '' ? `${whole}` : `${whole}.${decimals}`
      const read = readLimitText(text)
      if (!read.ok || read.value === null) throw new Error(`${text} was not taken`)
      expect(read.value.toFixed(decimals.length)).toBe(text)
    }),
  )
  expect(readLimitText('none')).toEqual({ ok: true, value: null })
})

test.each(['', '-1', '1e3', '1,000', '1.', '.5', '0x10', 'NaN', 'Infinity', '1234567890123456', '0.123456789', 'None'])(
  'the limit %j is refused',
  (text) => {
    expect(readLimitText(text)).toMatchObject({ ok: false, error: expect.stringContaining('plain digits') })
  },
)
