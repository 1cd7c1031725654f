import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { usdAtFrom } from '../../../src/domain/positions/usd-at.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aBar, dayStartMs, opened } from '../../history/aids.ts'

test('a currency is worth what its bar says, or the nearest earlier one of the last hour, with its source', () => {
  const file = opened(temporaryFolder('history'))
  const noonMs = dayStartMs + 12 * hourMs
  file.putBars([
    ['BTC-USD', aBar(noonMs + 3 * minuteMs, { close: new Decimal('64209.50') })],
    ['BTC-USD', aBar(dayStartMs - hourMs, { spanMs: hourMs, close: new Decimal('60000') })],
    ['BTC-USD', aBar(dayStartMs - 2 * dayMs, { spanMs: dayMs, close: new Decimal('50000') })],
    ['BTC-EUR', aBar(noonMs)],
  ])
  const usdAt = usdAtFrom(file)
  const said = (atMs: number, currency = 'BTC') => {
    const value = usdAt(currency, atMs)
    return value === null ? null : `${value.usd.toFixed()}: ${value.source}`
  }
  expect(said(noonMs + 3 * minuteMs + 59_999)).toBe('64209.5: bar of BTC-USD, 12:03 UTC')
  expect(said(noonMs + 64 * minuteMs)).toBe('64209.5: bar of BTC-USD, 12:03 UTC')
  expect(said(noonMs + 64 * minuteMs + 1)).toBeNull()
  expect(said(noonMs)).toBeNull()
  expect(said(dayStartMs - 1)).toBe('60000: hour bar of BTC-USD, 23:00 UTC')
  expect(said(dayStartMs + 1)).toBe('60000: hour bar of BTC-USD, 2026-11-19 23:00 UTC')
  expect(said(dayStartMs - dayMs - 1)).toBe('50000: day bar of BTC-USD, 2026-11-18 UTC')
  expect(said(dayStartMs - 3 * dayMs)).toBeNull()
  expect(said(noonMs, 'ETH')).toBeNull()
  expect(said(noonMs, 'USD')).toBe('1: USD')
  file.close()
})
