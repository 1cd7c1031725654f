import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  effectiveLimits,
  isLowered,
  noPersonLimits,
  overPersonLimits,
  readLimitText,
} from '../../../src/domain/hub/person-limits.ts'
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

test('a limit is lowered where less is allowed than before: a new one, or a smaller one', () => {
  const of = (orderUsd: string | null, dayUsd: string | null = null) => ({
    orderUsd: orderUsd === null ? null : usd(orderUsd),
    dayUsd: dayUsd === null ? null : usd(dayUsd),
    withdrawDayUsd: null,
  })
  expect(isLowered(of(null), of('5'))).toBe(true)
  expect(isLowered(of('5'), of('4.99'))).toBe(true)
  expect(isLowered(of('5'), of('5'))).toBe(false)
  expect(isLowered(of('5'), of('5.01'))).toBe(false)
  expect(isLowered(of('5'), of(null))).toBe(false)
  expect(isLowered(of(null), of(null))).toBe(false)
  // One that is lowered counts, whatever becomes of the others.
  expect(isLowered(of('5', '10'), of(null, '9'))).toBe(true)
})

test('an order stops where it is over a limit, alone or with those of the day, and passes at the limit itself', () => {
  const limits = { orderUsd: usd('100'), dayUsd: usd('250') }
  expect(overPersonLimits(limits, usd('100'), usd('150'))).toBeNull()
  expect(overPersonLimits(limits, usd('100.01'), usd('0'))).toBe('an order of 100.01 USD is over your limit 100.00 USD')
  expect(overPersonLimits(limits, usd('100'), usd('150.01'))).toBe(
    'your orders of the day would be 250.01 USD, over your limit 250.00 USD',
  )
  expect(overPersonLimits({ orderUsd: null, dayUsd: usd('250') }, usd('200'), usd('0'))).toBeNull()
  expect(overPersonLimits({ orderUsd: usd('100'), dayUsd: null }, usd('100'), usd('1000000'))).toBeNull()
})

test('an order without a known value passes only where there is no limit', () => {
  const none = { orderUsd: null, dayUsd: null }
  expect(overPersonLimits(none, null, usd('0'))).toBeNull()
  expect(overPersonLimits(none, usd('1000000'), usd('1000000'))).toBeNull()
  const stopped = 'its value in USD is not known, and your orders have a limit'
  expect(overPersonLimits({ orderUsd: usd('1'), dayUsd: null }, null, usd('0'))).toBe(stopped)
  expect(overPersonLimits({ orderUsd: null, dayUsd: usd('1') }, null, usd('0'))).toBe(stopped)
  expect(overPersonLimits({ orderUsd: usd('1'), dayUsd: null }, null, usd('0'), 'no price for XLM')).toBe(
    'no price for XLM, and your orders have a limit',
  )
})
