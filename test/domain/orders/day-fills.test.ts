import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utcDayStart } from '../../../src/base/text/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { dayAt, emptyDay, type Fill, mergedFills, withDayFills } from '../../../src/domain/orders/fills.ts'

const noon = Date.UTC(2026, 0, 5, 12)
const aFill = (execId: string, timestampMs: number, symbol = 'BTC-USD'): Fill => ({
  orderId: '1',
  tradeId: execId,
  execId,
  symbol,
  side: 'BUY',
  price: new Decimal('64210.50'),
  quantity: new Decimal('0.02'),
  fee: new Decimal(0),
  timestampMs,
})
const text = (day: ReturnType<typeof emptyDay>) => [...day.notional].map(([symbol, sum]) => `${symbol} ${sum}`)

test('a day adds up its own fills by symbol, each execution once', () => {
  const fills = [aFill('1', noon), aFill('2', noon - 1), aFill('3', noon, 'ETH-USD'), aFill('4', noon - 86_400_000)]
  const day = withDayFills(emptyDay(noon), fills, noon)
  expect(text(day)).toEqual(['BTC-USD 2568.42', 'ETH-USD 1284.21'])
  expect(withDayFills(day, fills, noon)).toBe(day)
})

test('a new UTC day begins with nothing', () => {
  const day = withDayFills(emptyDay(noon), [aFill('1', noon)], noon)
  const midnight = utcDayStart(noon) + 86_400_000
  expect(text(dayAt(day, midnight - 1))).toHaveLength(1)
  expect(text(dayAt(day, midnight))).toEqual([])
  expect(text(withDayFills(day, [aFill('2', midnight)], midnight))).toEqual(['BTC-USD 1284.21'])
})

test('what is dated later counts already, and is what is left as its day begins', () => {
  const midnight = utcDayStart(noon) + 86_400_000
  const fills = [aFill('1', noon), aFill('2', midnight), aFill('3', midnight, 'ETH-USD')]
  const day = withDayFills(emptyDay(noon), fills, noon)
  expect(text(day)).toEqual(['BTC-USD 2568.42', 'ETH-USD 1284.21'])
  const next = dayAt(day, midnight)
  expect(text(next)).toEqual(['BTC-USD 1284.21', 'ETH-USD 1284.21'])
  expect(withDayFills(next, fills, midnight)).toBe(next)
  expect(text(withDayFills(next, fills, noon))).toEqual(['BTC-USD 2568.42', 'ETH-USD 1284.21'])
})

test('it does not matter in which pieces or how often fills arrive', () => {
  const ids = fc.array(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 10 }), { maxLength: 10 })
  fc.assert(
    fc.property(ids, (batches) => {
      const day = batches.reduce(
        (each, batch) =>
          withDayFills(
            each,
            batch.map((id) => aFill(String(id), noon)),
            noon,
          ),
        emptyDay(noon),
      )
      const count = new Set(batches.flat()).size
      expect(day.notional.get('BTC-USD')?.toString() ?? '0').toBe(new Decimal('1284.21').times(count).toString())
    }),
  )
})

test('an execution that one answer lists twice is one', () => {
  const twice = [aFill('1', noon), aFill('1', noon)]
  expect(mergedFills([], twice)).toHaveLength(1)
  expect(mergedFills([aFill('2', noon)], [...twice, aFill('2', noon)]).map(({ execId }) => execId)).toEqual(['2', '1'])
})
