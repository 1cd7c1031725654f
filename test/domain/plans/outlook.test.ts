import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { planOutlook, swapsText, thisSideOnly } from '../../../src/domain/plans/outlook.ts'
import type { Plan } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { planAfter, seen, sent, stopSent, tenth, tenthLegs, tenthTrailing } from '../../fakes/plans.ts'

const d = (text: string | number) => new Decimal(text)
const oco: PlanTerms = { ...tenth, kind: 'oco', side: 'SELL', ...tenthLegs }
const bracket: PlanTerms = { ...tenth, kind: 'bracket', side: 'BUY', entryPrice: d(64_000), ...tenthLegs }
const slices = [
  { price: d(64_000), quantity: d('0.06') },
  { price: d(63_000), quantity: d('0.04') },
]
const scale: PlanTerms = { ...tenth, kind: 'scale', side: 'BUY', slices, postOnly: false }
const swaps = { count: 12, medianMs: 83.2, longestMs: 310 }
const market = { price: d(64_500), usdRate: d(1), book: null, swaps, isAtHub: false }
const of = (terms: PlanTerms, change: Partial<Parameters<typeof planOutlook>[2]> = {}) =>
  planOutlook(terms, anInstrument(), { ...market, ...change }, null)

const ofLegs = [
  'SELL stop at 63,000.00 rests at the exchange: any price once it triggers.',
  'Within 99.00 of the target 66,000.00 it is canceled, and the target rests instead.',
  'Beyond 198.00 the stop takes its place again.',
]
const moment = "Between a cancel and the new order's answer nothing rests (median 84 ms, longest 310 ms, of 12)."
const gap = 'After a gap a stop trades at what the market then pays, whatever its price.'
const here = 'THE PLAN EXISTS ON THIS SIDE ONLY: this desk or a watch must run. The exchange knows one order at a time.'

test('a bracket says what it enters, how what fills is protected, and what of it is lost at worst', () => {
  const cannot = ['While neither runs the stop stays, and a price through the target is missed.', moment, gap]
  expect(of(bracket)).toEqual({
    does: ['Entry now: BUY 0.1000 BTC-USD at 64,000.00. What fills of it is protected:', ...ofLegs],
    ...{ here, cannot },
    worst: 'Worst at the stop: 100.00 USD lost of 6,400.00 USD, before fees; a gap makes it worse.',
  })
  const selling: PlanTerms = {
    ...bracket,
    side: 'SELL',
    entryPrice: null,
    stopPrice: d(66_000),
    targetPrice: d(63_000),
  }
  const { does, worst } = of({ ...selling, stopLimit: d(66_100) })
  expect(does.slice(0, 2)).toEqual([
    'Entry now: SELL 0.1000 BTC-USD at the market. What fills of it is protected:',
    'BUY stop at 66,000.00 rests at the exchange: limit 66,100.00 once it triggers.',
  ])
  expect(worst).toBe('Worst at the stop: 150.00 USD lost of 6,450.00 USD, before fees; a gap makes it worse.')
})

test('a change of a bracket is not an entry: of an ended one it says what it protects, of a resting one no now', () => {
  const change = (plan: Plan) => planOutlook({ ...bracket, stopPrice: d(63_500) }, anInstrument(), market, plan)
  const working = [sent('entry', 'entry'), seen('entry', { status: 'OPEN' })]
  const filled = seen('entry', { standing: 'ended', status: 'FILLED', filled: d('0.1') })
  expect(change(planAfter('p1', bracket, ...working, filled))).toMatchObject({
    does: [
      'Protects 0.1000 BTC-USD:',
      'SELL stop at 63,500.00 rests at the exchange: any price once it triggers.',
      ...ofLegs.slice(1),
    ],
    worst: 'Worst at the stop: 100.00 USD less than at the market now, before fees; a gap makes it worse.',
  })
  const exit = [stopSent('stop'), seen('stop', { filled: d('0.04') })]
  expect(change(planAfter('p1', bracket, ...working, filled, ...exit)).does[0]).toBe('Protects 0.0600 BTC-USD:')
  expect(change(planAfter('p1', bracket, ...working)).does[0]).toBe(
    'Entry: BUY 0.1000 BTC-USD at 64,000.00. What fills of it is protected:',
  )
  expect(change(planAfter('p1', bracket)).does[0]).toMatch(/^Entry now: BUY/)
})

test('an OCO says what it protects, and how much less than now that may come to', () => {
  expect(of(oco)).toEqual({
    does: ['Protects 0.1000 BTC-USD:', ...ofLegs],
    here,
    cannot: ['While neither runs the stop stays, and a price through the target is missed.', moment, gap],
    worst: 'Worst at the stop: 150.00 USD less than at the market now, before fees; a gap makes it worse.',
  })
  const buying: PlanTerms = { ...oco, side: 'BUY', stopPrice: d(66_000), targetPrice: d(63_000) }
  expect(of(buying).does[1]).toBe('BUY stop at 66,000.00 rests at the exchange: any price once it triggers.')
  expect(of(buying).worst).toBe(
    'Worst at the stop: 150.00 USD more than at the market now, before fees; a gap makes it worse.',
  )
})

test('a trailing stop says how far behind the price it stands, where it begins, and by how much it moves', () => {
  const follows = 'It follows by 50.00 or more each time, and never goes back.'
  expect(of(tenthTrailing)).toEqual({
    does: ['SELL stop for 0.1000 BTC-USD rests 500.00 behind the price.', follows],
    here,
    cannot: ['While neither runs the stop stays where it is and does not follow.', moment, gap],
    worst: 'Worst at the stop: 50.00 USD less than at the market now, before fees; a gap makes it worse.',
  })
  const begun = of({ ...tenthTrailing, stopPrice: d(63_500) })
  expect(begun.does[0]).toBe('SELL stop for 0.1000 BTC-USD rests 500.00 behind the price, first at 63,500.00.')
  expect(begun.worst).toContain('100.00 USD less than')
})

test('a scale says how many orders it has, from where to where, and what they come to', () => {
  expect(of(scale)).toEqual({
    does: ['2 limit orders, BUY 0.1000 BTC-USD in all:', '0.0600 at 64,000.00 to 0.0400 at 63,000.00, one by one.'],
    here,
    cannot: ['Orders that rest stay at the exchange when neither runs. Nothing protects what fills.'],
    worst: 'Filled whole it costs 6,360.00 USD before fees.',
  })
  expect(of({ ...scale, postOnly: true }).does[0]).toBe('2 limit orders, BUY 0.1000 BTC-USD in all, post-only:')
  expect(of({ ...scale, side: 'SELL' }).worst).toBe('Filled whole it brings 6,360.00 USD before fees.')
  const three = [...slices, { price: d(62_000), quantity: d('0.02') }]
  expect(of({ ...scale, slices: three }).does).toEqual([
    '3 limit orders, BUY 0.1000 BTC-USD in all:',
    '0.0600 at 64,000.00 to 0.0200 at 62,000.00, one by one.',
  ])
  expect(of({ ...scale, slices: [] }).does).toEqual(['It has no orders.'])
})

test('orders that are priced through the market are counted: they trade at once instead of resting', () => {
  const book = aBook([['63499.5', '1']], [['63500.5', '1']])
  const told = (terms: PlanTerms) => of(terms, { book }).does.at(-1)
  expect(told(scale)).toBe('1 OF 2 DO NOT REST: at the ask 63,500.50 they trade at once.')
  expect(told({ ...scale, side: 'SELL' })).toBe('1 OF 2 DO NOT REST: at the bid 63,499.50 they trade at once.')
  const through = slices.map(({ price, quantity }) => ({ price: price.plus(2_000), quantity }))
  expect(told({ ...scale, slices: through })).toBe('ALL 2 DO NOT REST: at the ask 63,500.50 they trade at once.')
  expect(told(bracket)).toBe('The entry does not rest: at the ask 63,500.50 it trades at once.')
  const below = slices.map(({ price, quantity }) => ({ price: price.minus(2_000), quantity }))
  const resting: PlanTerms[] = [
    { ...scale, slices: below },
    { ...scale, postOnly: true },
    { ...bracket, entryPrice: d(63_500) },
    { ...bracket, entryPrice: null },
    oco,
  ]
  expect(resting.map((terms) => of(terms, { book }).does)).toEqual(resting.map((terms) => of(terms).does))
})

test('what nobody knows is not reckoned with: the price, or what the currency is worth', () => {
  const unknown = 'Worst case unknown: no price for the symbol.'
  const at = (terms: PlanTerms) => of(terms, { price: null }).worst
  expect([at(oco), at(tenthTrailing), at({ ...bracket, entryPrice: null })]).toEqual([unknown, unknown, unknown])
  expect(at(bracket)).toContain('100.00 USD lost of 6,400.00 USD')
  expect(of({ ...bracket, entryPrice: null }, { price: d(62_000) }).worst).toBe(
    'Worst case unknown: the entry is not between stop and target.',
  )
  expect(of(bracket, { usdRate: d('1.25') }).worst).toContain('125.00 USD lost of 8,000.00 USD')
  expect(of(scale, { usdRate: null }).worst).toBe('Filled whole it costs 6,360.00 USD (no USD rate) before fees.')
})

test('the moment without a leg is told by what it took here, and by a drill before there was one', () => {
  expect(swapsText(swaps)).toBe('median 84 ms, longest 310 ms, of 12')
  expect(swapsText(null)).toMatch(/^none here yet; in a drill median \d+ ms, longest \d+ ms, of \d+$/)
  expect(of(oco, { swaps: null }).cannot[1]).toContain(`nothing rests (${swapsText(null)}).`)
})

test('who must run is the hub where the hub carries plans out', () => {
  expect(thisSideOnly(false)).toBe(here)
  expect(thisSideOnly(true)).toBe(
    'THE PLAN EXISTS ON THIS SIDE ONLY: the hub must run. The exchange knows one order at a time.',
  )
  expect(of(oco, { isAtHub: true }).here).toBe(thisSideOnly(true))
})
