import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { epochMsOf, gatewayTime, readGatewayTime } from '../../../src/domain/gateway/event.ts'

describe('a moment is read exactly', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:00.000000001Z', 1n],
    ['1969-12-31T23:59:59.999999999Z', -1n],
    ['2026-11-20T13:58:27.000451234Z', 1_795_183_107_000_451_234n],
    // Nanoseconds count, what is finer does not.
    ['1970-01-01T00:00:01.123456789987654321Z', 1_123_456_789n],
    ['1970-01-01t01:30:00+01:30', 0n],
    ['1969-12-31T23:00:00-01:00', 0n],
    ['2000-02-29T00:00:00Z', 951_782_400_000_000_000n],
    ['2016-12-31T23:59:60Z', 1_483_228_800_000_000_000n],
    ['2016-12-31T23:59:60.5Z', 1_483_228_800_500_000_000n],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000_000_000n],
    ['9999-12-31T23:59:59Z', 253_402_300_799_000_000_000n],
  ])('%s', (text, epochNs) => {
    expect(readGatewayTime(text)).toEqual({ text, epochNs })
  })
})

test.each([
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-13-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:61Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+01:60',
  '2026-01-01T00:00:00.Z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00',
  '',
])('%s is no moment', (text) => {
  expect(readGatewayTime(text)).toBeUndefined()
})

test('any moment of these ten thousand years is the one that the calendar says, and comes back as it was written', () => {
  const most = { min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') }
  fc.assert(
    fc.property(fc.date({ ...most, noInvalidDate: true }), fc.integer({ min: 0, max: 999_999 }), (date, nanos) => {
      const written = gatewayTime(date.getTime(), nanos)
      expect(readGatewayTime(written.text)).toEqual(written)
      expect(epochMsOf(written)).toBe(date.getTime())
    }),
    { numRuns: 500 },
  )
})
