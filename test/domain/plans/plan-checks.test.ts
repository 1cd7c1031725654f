import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { type Check, checkLevels } from '../../../src/domain/orders/checks/check.ts'
import type { CheckContext } from '../../../src/domain/orders/checks/pre-trade.ts'
import type { SentOrder } from '../../../src/domain/orders/exposure.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import type { PlanFacts } from '../../../src/domain/plans/facts.ts'
import { firstOrderChecks, worstOfEach } from '../../../src/domain/plans/first-orders.ts'
import { begunPlan, type Plan, type PlanEvent, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import { newestChecked, planOrderChecks } from '../../../src/domain/plans/plan-checks.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { usualFees } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { quietDay } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'
import { tenth, tenthLegs, tenthTrailing } from '../../fakes/plans.ts'

const d = (text: string | number) => new Decimal(text)
const instrument = anInstrument()
const now = 1_700_000_000_000
const fresh = <T>(value: T) => ({ kind: 'fresh', value }) as const
const context = (change: Partial<CheckContext> = {}): CheckContext => ({
  ...quietDay(),
  instrument: fresh(instrument),
  book: fresh(aBook([['63999.5', '5']], [['64000.5', '5']])),
  balances: fresh([aBalance('USD', '20000'), aBalance('BTC', '1')]),
  fees: fresh(usualFees),
  ...change,
})
const at = (price: number): Partial<PlanFacts> => ({ price: { kind: 'known', price: d(price), last: d(price) } })
const facts = (change: Partial<PlanFacts> = {}): PlanFacts => ({
  ...{ nowMs: now, instrument, blindMs: 0, hasBudget: true, judge: () => null },
  ...(at(64_000) as Pick<PlanFacts, 'price'>),
  ...change,
})
type About = { plans?: readonly Plan[]; planId?: string; facts?: Partial<PlanFacts>; context?: Partial<CheckContext> }
/** What is said of a plan beside that all is well. */
const said = (terms: PlanTerms, about: About = {}): string[] =>
  planOrderChecks(
    { terms, planId: about.planId ?? null, plans: about.plans ?? [] },
    facts(about.facts),
    context(about.context),
  ).flatMap(({ rule, level, text }) => (level === 'ok' ? [] : [`${level} ${rule}: ${text}`]))

const oco: PlanTerms = { ...tenth, kind: 'oco', side: 'SELL', ...tenthLegs }
const buyingOco: PlanTerms = { ...oco, side: 'BUY', stopPrice: d(66_000), targetPrice: d(63_000) }
const bracket: PlanTerms = { ...tenth, kind: 'bracket', side: 'BUY', entryPrice: d(63_900), ...tenthLegs }
const selling: PlanTerms = { ...bracket, side: 'SELL', stopPrice: d(66_000), targetPrice: d(63_000) }
const scaleOf = (each: string): PlanTerms => ({
  ...{ ...tenth, kind: 'scale', side: 'BUY', postOnly: false, quantity: d(each).times(2) },
  slices: [63_900, 63_800].map((price) => ({ price: d(price), quantity: d(each) })),
})
const sent = (clientOrderId: string, draft: Partial<OrderDraft>): SentOrder => ({
  ...{ clientOrderId, atMs: now - 500, stage: 'taken' },
  draft: aDraft({ orderQuantity: d('0.1'), limitPrice: null, ...draft }),
})
const planned = (terms: PlanTerms, events: readonly PlanEvent[] = [], atMs = now - 60_000) =>
  events.reduce(withPlanEvent, begunPlan('p1', terms, atMs))
const enteredAs = (standing: 'ended' | 'working', status: 'FILLED' | 'PART_FILLED', filled: string) =>
  planned(bracket, [
    {
      ...{ event: 'sending', planId: 'p1', atMs: now, clientOrderId: 'e1', role: 'entry', slice: null, replaces: null },
      draft: aDraft({ orderQuantity: d('0.1') }),
    },
    {
      ...{ event: 'seen', planId: 'p1', atMs: now, clientOrderId: 'e1', orderId: '1', standing },
      ...{ status, filled: d(filled), quantity: null, reason: null },
    },
  ])
const entered = enteredAs('ended', 'FILLED', '0.1')
const entering = enteredAs('working', 'PART_FILLED', '0.04')

test('plans that are in order have nothing said of them', () => {
  for (const terms of [oco, buyingOco, bracket, selling, tenthTrailing, scaleOf('0.1')]) expect(said(terms)).toEqual([])
})

test('terms that cannot be are the one thing that is said, as a clause', () => {
  expect(said({ ...oco, quantity: d('0.00001') })).toEqual([
    'block fields: The quantity 0.00001 is off the lot 0.0001: nothing was planned',
  ])
  expect(said(oco, { facts: { instrument: null } })).toEqual(['block fields: BTC-USD rules not loaded: wait'])
})

test('a first order that cannot be written down yet blocks the plan, with the reason', () => {
  const blind: Partial<PlanFacts> = { price: { kind: 'unknown', why: 'nobody says', sinceMs: 0 } }
  expect(said(tenthTrailing, { facts: blind })).toEqual(['block market: Not protected: nobody says'])
  // Terms with a price of their own are judged all the same.
  expect(said(oco, { facts: blind })).toEqual([])
  expect(said({ ...bracket, entryPrice: d(65_000), targetPrice: d(65_500) }, { facts: blind })).toEqual([])
})

test('a target that the market is at, or beyond, is warned of', () => {
  const trades = (price: string) => [`warn stop: target trades at once: the market is at ${price}`]
  expect(said(oco, { facts: at(66_000) })).toEqual(trades('66000.00'))
  expect(said(oco, { facts: at(65_999.5) })).toEqual([])
  expect(said(buyingOco, { facts: at(63_000) })).toEqual(trades('63000.00'))
  expect(said(buyingOco, { facts: at(63_000.5) })).toEqual([])
})

test('an entry that would fill beyond stop or target blocks: a buy fills at the market where that is lower, a sell where higher', () => {
  const beyond = (price: string) => [
    `block stop: the entry would fill at about ${price}, which is not between stop and target`,
  ]
  expect(said({ ...bracket, entryPrice: null }, { facts: at(66_000) })).toEqual(beyond('66000.00'))
  expect(said({ ...bracket, entryPrice: null }, { facts: at(65_999.5) })).toEqual([])
  expect(said({ ...bracket, entryPrice: d(65_000) }, { facts: at(63_000) })).toEqual(beyond('63000.00'))
  expect(said(bracket, { facts: at(67_000) })).toEqual([])
  expect(said(selling, { facts: at(66_500) })).toEqual(beyond('66500.00'))
  expect(said(selling, { facts: at(62_000) })).toEqual([])
})

test('a limit that the price has passed once the stop triggers is warned of, on either side', () => {
  const limited = (terms: PlanTerms, stopLimit: number) => said({ ...terms, stopLimit: d(stopLimit) } as PlanTerms)
  const warning = (price: string) => [`warn stop: limit may not fill once triggered: ${price} would`]
  expect(limited(bracket, 63_000.5)).toEqual(warning('63000.00 or less'))
  expect(limited(bracket, 63_000)).toEqual([])
  expect(limited(bracket, 62_900)).toEqual([])
  expect(limited(selling, 65_999.5)).toEqual(warning('66000.00 or more'))
  expect(limited(selling, 66_000)).toEqual([])
  expect(limited(selling, 66_100)).toEqual([])
  expect(said({ ...bracket, entryPrice: null, stopLimit: d(63_500) } as PlanTerms, { facts: at(66_000) })).toEqual([
    'block stop: the entry would fill at about 66000.00, which is not between stop and target',
  ])
})

test('the orders of a scale are to be paid for together, each of them being small enough', () => {
  expect(said(scaleOf('0.15'))).toEqual([])
  const [funds, ...rest] = said(scaleOf('0.2'))
  expect(rest).toEqual([])
  expect(funds).toMatch(/^block funds: .*25,5\d\d\.\d\d USD/)
})

test('orders of one scale are judged one by one beside their sum: its size, its average price and each other are no matter', () => {
  const each = (prices: readonly number[], quantity: string): PlanTerms => ({
    ...{ ...tenth, kind: 'scale', side: 'BUY', postOnly: false, quantity: d(quantity).times(prices.length) },
    slices: prices.map((price) => ({ price: d(price), quantity: d(quantity) })),
  })
  // Their average is 63833.16…, which is on no tick.
  expect(said(each([63_900, 63_800, 63_799.5], '0.05'))).toEqual([])
  expect(said(each([63_900, 63_900], '0.05'))).toEqual([])
  const rules = { ...instrument, maxQuantity: d('0.12') }
  const strict: About = { facts: { instrument: rules }, context: { instrument: fresh(rules) } }
  expect(said(each([63_900, 63_800], '0.1'), strict)).toEqual([])
  expect(said(each([63_900, 63_800], '0.13'), strict)).toContainEqual(expect.stringMatching(/^block maximum: /))
})

test('a scale without orders has nothing to be judged', () => {
  const checks = firstOrderChecks({ ...scaleOf('0.1'), slices: [] } as PlanTerms, facts(), context())
  expect(checks).toEqual([{ rule: 'market', level: 'block', text: 'it has nothing to do' }])
})

const first: Partial<OrderDraft> = { side: 'SELL', type: 'STOP', stopPrice: d(63_000) }

test('an order like the first of a plan, sent a moment ago, blocks it, but not one that a plan sent', () => {
  const recentOrders = [sent('c1', first)]
  expect(said(oco, { context: { recentOrders } })).toEqual([
    expect.stringMatching(/^block duplicate: the same order went/),
  ])
  const sending = { event: 'sending', planId: 'p1', atMs: now, role: 'stop', slice: null, replaces: null } as const
  const own = planned({ ...oco, quantity: d('0.2') }, [{ ...sending, clientOrderId: 'c1', draft: aDraft(first) }])
  expect(said(oco, { plans: [own], context: { recentOrders } })).toEqual([])
})

test('a plan like one that was begun a moment ago is asked about once, and not blocked by their orders', () => {
  const plans = [planned(oco, [], now - 1_200)]
  expect(said(oco, { plans })).toEqual(['ask duplicate: plan p1 is the same, begun 2 s ago'])
  expect(said(oco, { plans, context: { recentOrders: [sent('c1', first)] } })).toEqual([
    'ask duplicate: plan p1 is the same, begun 2 s ago',
  ])
  // What else is said of it is said all the same.
  expect(said(oco, { plans, facts: at(66_000) })).toEqual([
    'warn stop: target trades at once: the market is at 66000.00',
    'ask duplicate: plan p1 is the same, begun 2 s ago',
  ])
  expect(said(oco, { plans: [planned(oco, [], now - 2_000)] })).toEqual([])
  const limits = { ...quietDay().limits, perSymbol: new Map([['BTC-USD', { duplicateWithinMs: 3_000 }]]) }
  expect(said(oco, { plans: [planned(oco, [], now - 2_000)], context: { limits } })).toEqual([
    'ask duplicate: plan p1 is the same, begun 2 s ago',
  ])
})

test('the newest plan that the checks see is the one with the highest number; no limit on duplicates sees none', () => {
  const { limits } = quietDay()
  const plans = ['p9', 'p12', 'p10'].map((planId) => begunPlan(planId, oco, now))
  expect([newestChecked(oco, plans, limits), newestChecked(oco, [], limits)]).toEqual([12, 0])
  const free = { ...limits, perSymbol: new Map([['BTC-USD', { duplicateWithinMs: 0 }]]) }
  expect(newestChecked(oco, plans, free)).toBeUndefined()
  expect(newestChecked({ ...oco, symbol: 'ETH-USD' }, plans, free)).toBe(12)
})

test('a changed plan is judged by what it asks for beyond what it has: its own orders hold the rest', () => {
  const change = (quantity: string, more: About = {}) =>
    said({ ...oco, quantity: d(quantity) }, { planId: 'p1', plans: [planned(oco)], ...more })
  const without = { balances: fresh([aBalance('USD', '20000'), aBalance('BTC', '0')]) }
  expect(change('0.1', { context: without })).toEqual([])
  expect(change('0.05', { context: without })).toEqual([])
  expect(change('0.11', { context: without })).toEqual([expect.stringMatching(/^block funds: /)])
  const half = { balances: fresh([aBalance('BTC', '0.05'), aBalance('USD', '0')]) }
  expect(change('0.15', { context: half })).toEqual([])
  expect(change('0.1501', { context: half })).toEqual([expect.stringMatching(/^block funds: /)])
  // Neither it nor its growth is a slip of the finger because of what went out a moment ago.
  expect(change('0.2', { context: { recentOrders: [sent('c1', first)] } })).toEqual([])
  expect(change('0.1', { context: { recentOrders: [sent('c1', first)] } })).toEqual([])
  expect(change('0.1', { facts: at(66_000) })).toEqual(['warn stop: target trades at once: the market is at 66000.00'])
  // Under an id that no plan has it is a new one.
  expect(change('0.1', { planId: 'p9', context: without })).toEqual([expect.stringMatching(/^block funds: /)])
})

test('of a bracket that has entered only the legs are judged, and its growth is what its entry buys', () => {
  const about = (plan: Plan, more: About = {}): About => ({ planId: 'p1', plans: [plan], ...more })
  expect(said(bracket, about(planned(bracket), { facts: at(66_500) }))).toEqual([])
  expect(said(bracket, about(entered, { facts: at(66_500) }))).toEqual([
    'warn stop: target trades at once: the market is at 66500.00',
  ])
  expect(said({ ...bracket, entryPrice: null }, about(planned(bracket), { facts: at(66_500) }))).toEqual([
    'block stop: the entry would fill at about 66500.00, which is not between stop and target',
  ])
  const poor = { balances: fresh([aBalance('USD', '20000'), aBalance('BTC', '0')]) }
  const more = { ...bracket, quantity: d('0.2') }
  expect(said(more, about(planned(bracket), { context: poor }))).toEqual([])
  expect(said(more, about(entering, { context: poor }))).toEqual([])
  const poorer = { balances: fresh([aBalance('USD', '200'), aBalance('BTC', '0')]) }
  expect(said(more, about(entering, { context: poorer }))).toEqual([expect.stringMatching(/^block funds: .*USD/)])
  const over = 'block fields: Its entry has ended, and keeps its price and quantity: nothing was changed'
  expect(said(more, about(entered, { context: poor }))).toEqual([over])
})

test('of each rule the worst is told, and the first of those that are as bad', () => {
  const check = (rule: Check['rule'], level: Check['level'], text: string): Check => ({ rule, level, text })
  const told = worstOfEach([
    ...[check('funds', 'ok', 'a'), check('stop', 'warn', 'b'), check('funds', 'warn', 'c')],
    ...[check('stop', 'warn', 'd'), check('funds', 'ask', 'e'), check('stop', 'ok', 'f')],
    ...[check('funds', 'ask', 'g'), check('lot', 'block', 'h'), check('lot', 'ask', 'i')],
  ])
  expect(told.map(({ rule, text }) => `${rule} ${text}`)).toEqual(['funds e', 'stop b', 'lot h'])
  for (const [at, level] of checkLevels.entries())
    for (const worse of checkLevels.slice(at + 1))
      expect(worstOfEach([check('tick', level, 'milder'), check('tick', worse, 'worse')])).toEqual([
        check('tick', worse, 'worse'),
      ])
})

test('the stop of a bracket is held to its entry, as that of an OCO to the market: 63.000 for 63,000 is asked about', () => {
  const collar = { soft: d(10), hard: d(50) }
  const wide = { context: { limits: { ...quietDay().limits, collarPercent: collar } } }
  const far = 'ask collar: stop is 99.91% from the'
  expect(said({ ...oco, stopPrice: d(63) }, wide)).toEqual([expect.stringContaining(far)])
  const asked = [`${far} entry: less than half of it`]
  expect(said({ ...bracket, stopPrice: d(63) }, wide)).toEqual(asked)
  expect(said({ ...bracket, stopPrice: d(63), entryPrice: null }, wide)).toEqual(asked)
  expect(said({ ...selling, stopPrice: d(660_000) }, wide)).toEqual([expect.stringContaining('over 200%')])
  const plan = planned(bracket)
  expect(said({ ...bracket, stopPrice: d(63) }, { ...wide, plans: [plan], planId: 'p1' })).toEqual(asked)
  // An entry that is far as well does not hide that.
  const low = { ...bracket, entryPrice: d(50_000), stopPrice: d(63) }
  const both = /^ask collar: .* from .*; stop is 99\.\d+% from the entry: less than half of it$/
  expect(said(low, wide)).toEqual([expect.stringMatching(both)])
  expect(said(low, { ...wide, plans: [planned(low)], planId: 'p1' })).toEqual([expect.stringMatching(both)])
  const none = { context: { limits: { ...quietDay().limits, collarPercent: { soft: null, hard: null } } } }
  expect([said(bracket, wide), said({ ...bracket, stopPrice: d(63) }, none)]).toEqual([[], []])
})

test('a target with a digit too many or too few is asked about, for a new plan and where it is changed', () => {
  const collar = { soft: d(10), hard: d(50) }
  const wide = { context: { limits: { ...quietDay().limits, collarPercent: collar } } }
  const far = (how: string) => [`ask collar: target is ${how}`]
  const ten = { targetPrice: d(660_000) }
  expect(said({ ...bracket, ...ten }, wide)).toEqual(far('932.87% from the entry: more than twice it'))
  expect(said({ ...oco, ...ten }, wide)).toEqual(far('931.25% from the market: more than twice it'))
  expect(said({ ...selling, targetPrice: d(6_300) }, wide)).toEqual(far('90.16% from the entry: less than half of it'))
  const both = said({ ...bracket, ...ten, stopPrice: d(6_300) }, wide)
  expect(both).toEqual([
    expect.stringMatching(/^ask collar: stop is 90.15% .*; target is 932.87% from the entry: more/),
  ])
  // A market that fell does not question what was planned, while its stop is moved.
  const plans = [planned({ ...oco, targetPrice: d(66_000) })]
  const moved = { ...wide, plans, planId: 'p1', facts: at(30_000) }
  expect(said({ ...oco, stopPrice: d(29_000) }, moved).filter((text) => text.includes('target'))).toEqual([])
  expect(said({ ...oco, targetPrice: d(660_000) }, { ...wide, plans, planId: 'p1' })).toEqual(
    far('931.25% from the market: more than twice it'),
  )
})
