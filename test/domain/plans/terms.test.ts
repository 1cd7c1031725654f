import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import {
  exitSide,
  exitTerms,
  type PlanTerms,
  planKinds,
  slicesOf,
  termsComplaint,
  termsText,
  trailTerms,
} from '../../../src/domain/plans/terms.ts'
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

const sold = { stopPrice: d(63_000), targetPrice: d(66_000) }
test.each([
  [{ ...sold, stopPrice: d(0) }, 'SELL', 'The stop price must be above zero: nothing was planned.'],
  [{ ...sold, targetPrice: d(-5) }, 'SELL', 'The target price must be above zero: nothing was planned.'],
  [
    { ...sold, stopLimit: d('62900.3') },
    'SELL',
    'The stop limit price 62900.3 is off the tick 0.50: nothing was planned.',
  ],
  [
    { ...sold, targetPrice: d('66000.1') },
    'SELL',
    'The target price 66000.1 is off the tick 0.50: nothing was planned.',
  ],
  [sold, 'BUY', 'To buy, the target must be below the stop: nothing was planned.'],
  [{ ...sold, targetPrice: d(63_000) }, 'SELL', 'To sell, the target must be above the stop: nothing was planned.'],
  [
    { ...sold, targetPrice: d('63001.5') },
    'SELL',
    'Stop and target must be 4 ticks apart or more: nothing was planned.',
  ],
  [
    { ...sold, nearBy: d('0.4') },
    'SELL',
    'The distance of the swap must be from 0.50 to 750.00, a quarter of the way from stop to target.',
  ],
] as const)('legs of %j to %s are refused: %s', (asked, side, text) => {
  expect(exitTerms(asked, side, instrument)).toEqual({ ok: false, error: text })
})

test('distances are whole ticks, away from the target, and as wide as is just allowed', () => {
  const of = (asked: Parameters<typeof exitTerms>[0], rules?: Parameters<typeof exitTerms>[3]) => {
    const legs = exitTerms(asked, 'SELL', instrument, rules)
    return legs.ok ? [legs.value.nearBy.toNumber(), legs.value.backBy.toNumber()] : legs.error
  }
  expect(of({ ...sold, targetPrice: d(66_001) })).toEqual([99.5, 199])
  expect(of({ ...sold, targetPrice: d(63_002) })).toEqual([0.5, 1])
  expect(of({ ...sold, nearBy: d('0.5') })).toEqual([0.5, 1])
  expect(of({ ...sold, nearBy: d(750) })).toEqual([750, 1_500])
  // A way of 3001 has a quarter of 750.25: whole ticks of that are 750.
  expect(of({ ...sold, targetPrice: d(66_001), nearBy: d('750.5') })).toMatch(/from 0\.50 to 750\.00,/)
  expect(of({ ...sold, nearBy: null }, { swapBackTimes: d('1.503') })).toEqual([99, 149])
  expect(of(sold, { swapNearPercent: d('0.2') })).toEqual([132, 264])
  expect(exitTerms({ ...sold, stopLimit: d(62_900) }, 'SELL', instrument)).toEqual({
    ok: true,
    value: { ...sold, stopLimit: d(62_900), nearBy: d(99), backBy: d(198) },
  })
})

test('a trailing stop is a tick away at least, its step a tick, and a tenth of the distance where it is not said', () => {
  const of = (by: string, step: string | null) => {
    const trail = trailTerms(d(by), step === null ? null : d(step), instrument)
    return trail.ok ? trail.value.stepBy.toNumber() : trail.error
  }
  const whole = 'The distance of a trailing stop must be whole ticks of 0.50.'
  const within = 'The step of a trailing stop must be from a tick to its distance.'
  expect([of('0', null), of('-0.5', null), of('0.75', null), of('0.5', null), of('7', null)]).toEqual([
    ...[whole, whole, whole, 0.5, 1],
  ])
  expect([of('500', '0.4'), of('500', '0.5'), of('500', '500'), of('500', '500.5')]).toEqual([within, 0.5, 500, within])
})

const scaled = { side: 'BUY', quantity: d('0.1'), fromPrice: d(63_000), toPrice: d(60_000), count: 4 } as const
const nothing = 'nothing was planned.'
test.each([
  [{ fromPrice: d(0) }, 'The first price must be above zero: nothing was planned.'],
  [{ toPrice: d('60000.2') }, 'The last price 60000.2 is off the tick 0.50: nothing was planned.'],
  [{ quantity: d('0.0009') }, 'The quantity 0.0009 is below the minimum 0.0010.'],
  [{ quantity: d('0.10005') }, `The quantity 0.10005 is off the lot 0.0001: ${nothing}`],
  [{ count: 1 }, `A scale has 2 to 50 orders: ${nothing}`],
  [{ count: 51, quantity: d(1) }, `A scale has 2 to 50 orders: ${nothing}`],
  [{ count: 2.5 }, `A scale has 2 to 50 orders: ${nothing}`],
  [{ count: 5, toPrice: d(63_001) }, 'There are fewer ticks than 5 in that range: take fewer orders or a wider one.'],
  [{ quantity: d('0.0039') }, '4 orders of that quantity are below the minimum of 0.0010 each: take fewer orders.'],
  [{ quantity: d('400.0001') }, 'Each order would be above the maximum of 100.0000: use more.'],
])('a scale changed to %j is refused: %s', (change, text) => {
  expect(slicesOf({ ...scaled, ...change }, instrument)).toEqual({ ok: false, error: text })
})

test('a scale has its odd lots first, its prices on the passive side, and as many orders as are just allowed', () => {
  const of = (change: Partial<Parameters<typeof slicesOf>[0]>, of = instrument) => {
    const slices = slicesOf({ ...scaled, ...change }, of)
    return slices.ok ? slices.value.map(({ price, quantity }) => `${quantity.toFixed()} at ${price.toFixed()}`) : []
  }
  expect(of({})).toEqual(['0.025 at 63000', '0.025 at 62000', '0.025 at 61000', '0.025 at 60000'])
  expect(of({ quantity: d('0.1003'), count: 4 })).toEqual([
    ...['0.0251 at 63000', '0.0251 at 62000', '0.0251 at 61000', '0.025 at 60000'],
  ])
  expect(of({ toPrice: d(62_999), count: 3 })).toEqual(['0.0334 at 63000', '0.0333 at 62999.5', '0.0333 at 62999'])
  expect(of({ toPrice: d(62_998), count: 4 })[1]).toBe('0.025 at 62999')
  expect(of({ side: 'SELL', toPrice: d(62_998), count: 4 })[1]).toBe('0.025 at 62999.5')
  expect(of({ quantity: d('0.004') })).toHaveLength(4)
  expect(of({ quantity: d(400) })).toHaveLength(4)
  expect(of({ quantity: d(4_000) }, anInstrument({ maxQuantity: null }))).toHaveLength(4)
  expect([of({ count: 2 }).length, of({ count: 50 }).length]).toEqual([2, 50])
})

const legsOf = (side: 'BUY' | 'SELL') => {
  const [low, high] = [d(63_000), d(66_000)]
  const asked = side === 'SELL' ? { stopPrice: low, targetPrice: high } : { stopPrice: high, targetPrice: low }
  const legs = exitTerms(asked, side, instrument)
  if (!legs.ok) throw new Error(legs.error)
  return legs.value
}
const of = { symbol: 'BTC-USD', quantity: d('0.1') }
const plans: Record<PlanTerms['kind'], PlanTerms> = {
  oco: { ...of, kind: 'oco', side: 'SELL', ...legsOf('SELL') },
  bracket: { ...of, kind: 'bracket', side: 'BUY', entryPrice: d(64_000), ...legsOf('SELL') },
  trailing: { ...of, kind: 'trailing', side: 'SELL', trailBy: d(500), stepBy: d(50), stopPrice: d(63_000) },
  scale: {
    ...{ ...of, kind: 'scale', side: 'BUY', postOnly: false },
    slices: [
      { price: d(63_000), quantity: d('0.06') },
      { price: d(62_000), quantity: d('0.04') },
    ],
  },
}

test('terms that fit the rules of their symbol have no complaint, on either side', () => {
  for (const terms of Object.values(plans)) expect(termsComplaint(terms, instrument)).toBeNull()
  for (const change of [
    { ...plans.oco, side: 'BUY', ...legsOf('BUY') },
    { ...plans.bracket, side: 'SELL', ...legsOf('BUY') },
    { ...plans.bracket, entryPrice: null },
    { ...plans.trailing, stopPrice: null },
  ] as PlanTerms[])
    expect(termsComplaint(change, instrument)).toBeNull()
})

test.each([
  ['oco', { quantity: d('0.00001') }, 'The quantity 0.00001 is off the lot 0.0001: nothing was planned.'],
  ['oco', { stopPrice: d(66_000) }, 'To sell, the target must be above the stop: nothing was planned.'],
  ['bracket', { side: 'SELL' }, 'To buy, the target must be below the stop: nothing was planned.'],
  ['bracket', { entryPrice: d('64000.3') }, 'The entry price 64000.3 is off the tick 0.50: nothing was planned.'],
  ['bracket', { entryPrice: d(63_000) }, 'The entry must be between stop and target: nothing was planned.'],
  ['bracket', { entryPrice: d(66_000) }, 'The entry must be between stop and target: nothing was planned.'],
  ['trailing', { stopPrice: d('63000.3') }, 'The stop price 63000.3 is off the tick 0.50: nothing was planned.'],
  ['trailing', { trailBy: d('0.3') }, 'The distance of a trailing stop must be whole ticks of 0.50.'],
  ['scale', { quantity: d('0.2') }, 'The orders of the scale do not come to its quantity: nothing was planned.'],
  ['scale', { slices: [] }, 'The orders of the scale do not come to its quantity: nothing was planned.'],
  [
    'scale',
    { slices: [{ price: d('63000.2'), quantity: d('0.1') }] },
    'The scale price 63000.2 is off the tick 0.50: nothing was planned.',
  ],
  [
    'scale',
    {
      slices: [
        { price: d(63_000), quantity: d('0.0995') },
        { price: d(62_000), quantity: d('0.0005') },
      ],
    },
    'The quantity 0.0005 is below the minimum 0.0010.',
  ],
] as const)('a %s with %j is complained of: %s', (kind, change, text) => {
  expect(termsComplaint({ ...plans[kind], ...change } as PlanTerms, instrument)).toBe(text)
})

test('a plan reads as it is typed', () => {
  const show = { price: (price: Decimal) => price.toFixed(), quantity: (quantity: Decimal) => quantity.toFixed() }
  const text = (kind: PlanTerms['kind'], change: object = {}) =>
    termsText({ ...plans[kind], ...change } as PlanTerms, show)
  expect([text('oco'), text('oco', { stopLimit: d(62_900) })]).toEqual([
    'oco sell 0.1 BTC-USD stop 63000 target 66000',
    'oco sell 0.1 BTC-USD stop 63000 limit 62900 target 66000',
  ])
  expect([text('bracket'), text('bracket', { entryPrice: null })]).toEqual([
    'bracket buy 0.1 BTC-USD 64000 stop 63000 target 66000',
    'bracket buy 0.1 BTC-USD market stop 63000 target 66000',
  ])
  expect([text('trailing'), text('trailing', { stopPrice: null })]).toEqual([
    'trailing sell 0.1 BTC-USD by 500 from 63000',
    'trailing sell 0.1 BTC-USD by 500',
  ])
  expect([text('scale'), text('scale', { slices: [] })]).toEqual([
    'scale buy 0.1 BTC-USD 63000 to 62000 in 2',
    'scale buy 0.1 BTC-USD in 0',
  ])
})

test('what takes a position off is the other side of a bracket, and its own of a stop; a scale takes none off', () => {
  expect(planKinds.map((kind) => [kind, exitSide(plans[kind])])).toEqual([
    ['oco', 'SELL'],
    ['bracket', 'SELL'],
    ['trailing', 'SELL'],
    ['scale', null],
  ])
  expect(exitSide({ ...plans.bracket, side: 'SELL' })).toBe('BUY')
})
