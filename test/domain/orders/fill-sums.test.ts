import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import {
  averagePrice,
  emptyFillSums,
  emptySum,
  type Fill,
  type SideSum,
  withFillSums,
} from '../../../src/domain/orders/fills.ts'

const startMs = Date.UTC(2026, 10, 20, 14, 0, 0)
const dayMs = 86_400_000

const aFill = (more: Partial<Fill>): Fill => ({
  orderId: '1',
  tradeId: '1',
  execId: '1',
  symbol: 'BTC-USD',
  side: 'BUY',
  price: new Decimal('64188.00'),
  quantity: new Decimal('0.0500'),
  fee: new Decimal('6.4188'),
  timestampMs: startMs + 1_000,
  ...more,
})

const plain = ({ count, quantity, notional, fees }: SideSum) => [count, quantity, notional, fees].map(String)

test('sums are exact by symbol and side, and the average price is the volume-weighted one', () => {
  const fills = [
    aFill({ execId: '1' }),
    aFill({
      execId: '2',
      price: new Decimal('64200.50'),
      quantity: new Decimal('0.0001'),
      fee: new Decimal('0.0128401'),
    }),
    aFill({
      execId: '3',
      side: 'SELL',
      price: new Decimal('0.1'),
      quantity: new Decimal('3'),
      fee: new Decimal('0.0003'),
    }),
    aFill({ execId: '4', symbol: 'ETH-USD' }),
  ]
  const { session } = withFillSums(emptyFillSums(startMs), fills, startMs + 2_000, 0)
  const bitcoin = session.get('BTC-USD') ?? emptySum
  expect(plain(bitcoin.BUY)).toEqual(['2', '0.0501', '3215.82005', '6.4316401'])
  expect(plain(bitcoin.SELL)).toEqual(['1', '3', '0.3', '0.0003'])
  expect(averagePrice(bitcoin.BUY)?.toFixed(6)).toBe('64188.024950')
  expect(averagePrice(emptySum.BUY)).toBeNull()
  expect(session.get('ETH-USD')?.BUY.count).toBe(1)
})

test('what was filled before the session counts for the day, what was filled yesterday for neither', () => {
  const fills = [
    aFill({ execId: '1', timestampMs: startMs - 1 }),
    aFill({ execId: '2', timestampMs: startMs - dayMs }),
    aFill({ execId: '3', timestampMs: startMs }),
  ]
  const sums = withFillSums(emptyFillSums(startMs), fills, startMs + 5, 0)
  expect(sums.day.get('BTC-USD')?.BUY.count).toBe(2)
  expect(sums.session.get('BTC-USD')?.BUY.count).toBe(1)
})

test('fills are dated by the exchange: its clock decides what belongs to the session', () => {
  const skewMs = -3_000
  const fills = [
    aFill({ execId: '1', timestampMs: startMs - 2_000 }),
    aFill({ execId: '2', timestampMs: startMs - 4_000 }),
  ]
  const sums = withFillSums(emptyFillSums(startMs), fills, startMs + 1_500, skewMs)
  expect(sums.session.get('BTC-USD')?.BUY.count).toBe(1)
})

test('at midnight the day begins anew and the session goes on, also with a fill that is told of late', () => {
  const midnight = startMs + 10 * 3_600_000
  const before = withFillSums(emptyFillSums(startMs), [aFill({ execId: '1' })], startMs + 2_000, 0)
  const late = [
    aFill({ execId: '1' }),
    aFill({ execId: '2', timestampMs: midnight - 1 }),
    aFill({ execId: '3', timestampMs: midnight }),
  ]
  const after = withFillSums(before, late, midnight + 800, 0)
  expect(after.day.get('BTC-USD')?.BUY.count).toBe(1)
  expect(after.session.get('BTC-USD')?.BUY.count).toBe(3)
  expect(withFillSums(after, late, midnight + 900, 0)).toBe(after)
})

test('however fills are delivered, twice, in pieces, in any order, the sums are those of each one once', () => {
  const someFill = fc
    .record({
      execId: fc.integer({ min: 1, max: 60 }),
      cents: fc.integer({ min: 1, max: 9_999_999 }),
      lots: fc.integer({ min: 1, max: 99_999 }),
      isBuy: fc.boolean(),
      afterMs: fc.integer({ min: 0, max: 3_600_000 }),
    })
    .map(({ execId, cents, lots, isBuy, afterMs }) =>
      aFill({
        execId: String(execId),
        side: isBuy ? 'BUY' : 'SELL',
        price: new Decimal(cents).div(100),
        quantity: new Decimal(lots).div(10_000),
        fee: new Decimal(cents).div(1_000_000),
        timestampMs: startMs + afterMs,
      }),
    )
  const once = fc.uniqueArray(someFill, { selector: ({ execId }) => execId, maxLength: 40 })
  fc.assert(
    fc.property(once, fc.array(fc.nat(40), { maxLength: 8 }), fc.boolean(), (fills, cuts, isReversed) => {
      const order = isReversed ? fills.toReversed() : fills
      let sums = emptyFillSums(startMs)
      for (const cut of cuts) sums = withFillSums(sums, order.slice(cut, cut + 9), startMs + 3_700_000, 0)
      sums = withFillSums(sums, [...order, ...order], startMs + 3_700_000, 0)
      for (const side of ['BUY', 'SELL'] as const) {
        const own = fills.filter((fill) => fill.side === side)
        const notional = own.reduce((sum, { price, quantity }) => sum.plus(price.times(quantity)), zero)
        const sum = sums.session.get('BTC-USD')?.[side] ?? emptySum[side]
        expect(sum.count).toBe(own.length)
        expect(sum.notional.eq(notional)).toBe(true)
        expect(sums.day.get('BTC-USD')?.[side] ?? emptySum[side]).toEqual(sum)
      }
    }),
  )
})
