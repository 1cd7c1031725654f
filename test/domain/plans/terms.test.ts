import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { exitTerms, slicesOf, termsComplaint, termsText, trailTerms } from '../../../src/domain/plans/terms.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const d = (text: string | number) => new Decimal(text)
const instrument = anInstrument()
const error = (result: { ok: boolean; error?: string }) => (result.ok ? null : result.error)

test('the swap is near within 15 basis points of the target, and back at twice that', () => {
  const legs = exitTerms({ stopPrice: d(63_000), targetPrice: d(66_000) }, 'SELL', instrument)
  expect(legs).toMatchObject({ ok: true, value: { nearBy: d(99), backBy: d(198), stopLimit: null } })
})

test('near is never more than a quarter of the way from stop to target', () => {
  const legs = exitTerms({ stopPrice: d(65_900), targetPrice: d(66_000) }, 'SELL', instrument)
  expect(legs).toMatchObject({ ok: true, value: { nearBy: d(25) } })
  const asked = { stopPrice: d(63_000), targetPrice: d(66_000), nearBy: d(751) }
  expect(error(exitTerms(asked, 'SELL', instrument))).toContain('from 0.50 to 750.00')
})

test('near is ten ticks at least', () => {
  const legs = exitTerms({ stopPrice: d(10), targetPrice: d(200) }, 'SELL', instrument)
  expect(legs).toMatchObject({ ok: true, value: { nearBy: instrument.tickSize.times(10) } })
})

test.each([
  [
    'a target on the wrong side of the stop',
    { stopPrice: d(66_000), targetPrice: d(63_000) },
    'must be above the stop',
  ],
  [
    'a price off the tick',
    { stopPrice: d('63000.1'), targetPrice: d(66_000) },
    'stop price 63000.1 is off the tick 0.50',
  ],
  ['legs that touch', { stopPrice: d(63_000), targetPrice: d('63001.5') }, '4 ticks apart'],
])('%s is no exit', (_, asked, says) => {
  expect(error(exitTerms(asked, 'SELL', instrument))).toContain(says)
})

test('a buy protects the other way round', () => {
  expect(exitTerms({ stopPrice: d(66_000), targetPrice: d(63_000) }, 'BUY', instrument)).toMatchObject({ ok: true })
})

test('a trailing stop has whole ticks and a step within its distance', () => {
  expect(trailTerms(d(500), null, instrument)).toEqual({ ok: true, value: { trailBy: d(500), stepBy: d(50) } })
  expect(error(trailTerms(d('0.3'), null, instrument))).toContain('whole ticks of 0.50')
  expect(error(trailTerms(d(500), d(501), instrument))).toContain('from a tick to its distance')
})

test('a scale comes to exactly its quantity, on whole ticks and lots, each at its own price', () => {
  const arbitrary = fc.record({
    lots: fc.integer({ min: 10, max: 100_000 }),
    ticks: fc.integer({ min: 100, max: 200_000 }),
    width: fc.integer({ min: -5_000, max: 5_000 }),
    count: fc.integer({ min: 1, max: 51 }),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
  })
  fc.assert(
    fc.property(arbitrary, ({ lots, ticks, width, count, side }) => {
      const quantity = instrument.lotSize.times(lots)
      const fromPrice = instrument.tickSize.times(ticks)
      const toPrice = instrument.tickSize.times(Math.max(1, ticks + width))
      const slices = slicesOf({ side, quantity, fromPrice, toPrice, count }, instrument)
      if (!slices.ok) return
      expect(slices.value.reduce((sum, slice) => sum.plus(slice.quantity), zero).eq(quantity)).toBe(true)
      expect(new Set(slices.value.map(({ price }) => price.toFixed())).size).toBe(count)
      expect([slices.value[0]?.price, slices.value.at(-1)?.price]).toEqual([fromPrice, toPrice])
      const terms = { kind: 'scale', symbol: 'BTC-USD', side, quantity, slices: slices.value, postOnly: false } as const
      expect(termsComplaint(terms, instrument)).toBeNull()
    }),
  )
})

test.each([
  [{ count: 1 }, '2 to 50 orders'],
  [{ count: 50, quantity: d('0.01') }, 'below the minimum of 0.0010 each'],
  [{ count: 5, toPrice: d(63_001) }, 'fewer ticks than 5'],
  [{ quantity: d('0.10005') }, 'off the lot 0.0001'],
])('a scale of %j is refused: %s', (change, says) => {
  const asked = {
    side: 'BUY',
    quantity: d('0.1'),
    fromPrice: d(63_000),
    toPrice: d(60_000),
    count: 4,
    ...change,
  } as const
  expect(error(slicesOf(asked, instrument))).toContain(says)
})

test('a bracket has its entry between stop and target, and reads as it is typed', () => {
  const legs = exitTerms({ stopPrice: d(63_000), targetPrice: d(66_000) }, 'SELL', instrument)
  if (!legs.ok) throw new Error(legs.error)
  const bracket = { kind: 'bracket', symbol: 'BTC-USD', side: 'BUY', quantity: d('0.1'), ...legs.value } as const
  const show = { price: (price: Decimal) => price.toFixed(2), quantity: (quantity: Decimal) => quantity.toFixed(4) }
  expect(termsComplaint({ ...bracket, entryPrice: d(67_000) }, instrument)).toContain('between stop and target')
  expect(termsComplaint({ ...bracket, entryPrice: d(64_000) }, instrument)).toBeNull()
  expect(termsText({ ...bracket, entryPrice: d(64_000) }, show)).toBe(
    'bracket buy 0.1000 BTC-USD 64000.00 stop 63000.00 target 66000.00',
  )
})

test('what is written of a scale says that it is post-only: it is what can be told apart later', () => {
  const slices = [{ price: d(63_000), quantity: d('0.1') }]
  const scale = { kind: 'scale', symbol: 'BTC-USD', side: 'BUY', quantity: d('0.1'), slices } as const
  const show = { price: (value: Decimal) => value.toFixed(), quantity: (value: Decimal) => value.toFixed() }
  expect(termsText({ ...scale, postOnly: true }, show)).toBe('scale buy 0.1 BTC-USD 63000 to 63000 in 1 post')
  expect(termsText({ ...scale, postOnly: false }, show)).toBe('scale buy 0.1 BTC-USD 63000 to 63000 in 1')
})
