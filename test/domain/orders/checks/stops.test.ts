import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bounds, Limits } from '../../../../src/domain/limits.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import { farStop } from '../../../../src/domain/orders/checks/limit-checks.ts'
import { type CheckContext, orderChecks } from '../../../../src/domain/orders/checks/pre-trade.ts'
import { judgedNotional } from '../../../../src/domain/orders/notional.ts'
import { type OrderDraft, unansweredOrder } from '../../../../src/domain/orders/order.ts'
import { triggerState } from '../../../../src/domain/orders/stop-trigger.ts'
import { amount, usualFees } from '../../../fakes/amounts.ts'
import { aBalance } from '../../../fakes/balances.ts'
import { aBook } from '../../../fakes/books.ts'
import { anInstrument } from '../../../fakes/instruments.ts'
import { lastTrades, noLimits, quietDay } from '../../../fakes/limits.ts'
import { aDraft } from '../../../fakes/orders.ts'

/* A stop is judged by what it would do on arrival: the last trade decides whether it waits. */

const book = aBook([['64200.00', '10']], [['64220.00', '10']])
const noAsks = aBook([['64200.00', '10']], [])
const noBids = aBook([], [['64220.00', '10']])
const fresh = <T>(value: T) => ({ kind: 'fresh', value }) as const
const at64210 = lastTrades({ 'BTC-USD': '64210' })
const missing = { kind: 'missing' } as const

const context = (change: Partial<CheckContext> = {}): CheckContext => ({
  instrument: fresh(anInstrument()),
  book: fresh(book),
  balances: fresh([aBalance('USD', '9000000'), aBalance('BTC', '100', { rate: '64210' })]),
  fees: fresh(usualFees),
  ...quietDay({ limits: noLimits, tickers: at64210 }),
  ...change,
})
const stop = (side: OrderDraft['side'], stopPrice: string, limitPrice: string | null = null): OrderDraft =>
  aDraft({
    ...{ side, type: limitPrice === null ? 'STOP' : 'STOPLIMIT', stopPrice: amount(stopPrice) },
    ...{ limitPrice: limitPrice === null ? null : amount(limitPrice), orderQuantity: amount('1'), timeInForce: 'GTC' },
  })
const hard = (bound: string): Bounds<Decimal> => ({ soft: null, hard: amount(bound) })
const limits = (change: Partial<Limits>) => ({ limits: { ...noLimits, ...change } })
const blocks = (draft: OrderDraft, change: Partial<CheckContext> = {}) =>
  orderChecks(draft, context(change)).flatMap(({ level, rule, text }) =>
    level === 'block' ? [`${rule}: ${text}`] : [],
  )

test.each<[OrderDraft, string | null, string]>([
  // Reached: what a market order would be, or the limit order.
  [stop('BUY', '100'), '64210', '64220'],
  [stop('SELL', '99000'), '64210', '64200'],
  [stop('BUY', '100', '65000'), '64210', '65000'],
  [stop('SELL', '99000', '1'), '64210', '64200'],
  // It waits: at least its trigger, which is above the market for a buy and below it for a sell.
  [stop('BUY', '70000'), '64210', '70000'],
  [stop('BUY', '640000'), '64210', '640000'],
  [stop('BUY', '64211'), '64210', '64220'],
  [stop('BUY', '70000', '71000'), '64210', '71000'],
  [stop('SELL', '60000'), '64210', '60000'],
  [stop('SELL', '60000', '1'), '64210', '60000'],
  [stop('SELL', '60000', '60500'), '64210', '60500'],
  // Nobody knows: the higher of both.
  [stop('BUY', '100'), null, '64220'],
  [stop('BUY', '70000'), null, '70000'],
  [stop('SELL', '60000'), null, '64200'],
  [stop('SELL', '99000'), null, '99000'],
  [stop('SELL', '60000'), '0', '64200'],
  // The last trade and the mid differ: either may be older.
  [stop('BUY', '64000'), '63000', '64220'],
  [stop('BUY', '64300'), '64400', '64300'],
  [stop('SELL', '64000'), '63000', '64200'],
  [stop('SELL', '64300'), '64400', '64300'],
])('%o after a trade at %s is judged as %s', (draft, last, notional) => {
  expect(judgedNotional(draft, book, last === null ? null : amount(last))?.notional.toFixed()).toBe(notional)
})

test('a stop that may be a market order has no value without anybody to trade with; one that waits has', () => {
  const value = (draft: OrderDraft, of: typeof book, last: string | null) =>
    judgedNotional(draft, of, last === null ? null : amount(last))?.notional.toFixed() ?? null
  expect([value(stop('BUY', '100'), noAsks, '64210'), value(stop('BUY', '100'), noAsks, null)]).toEqual([null, null])
  expect([value(stop('SELL', '99000'), noBids, '64210'), value(stop('SELL', '9'), noBids, null)]).toEqual([null, null])
  expect([value(stop('BUY', '70000'), noAsks, '64210'), value(stop('SELL', '9'), noBids, '64210')]).toEqual([
    ...['70000', '9'],
  ])
})

test('whatever the market, a stop that a trade has reached counts no less than the market order it is', () => {
  const price = fc.integer({ min: 1, max: 200_000 }).map((ticks) => new Decimal(ticks).div(2))
  const sides = fc.constantFrom('BUY' as const, 'SELL' as const)
  fc.assert(
    fc.property(sides, price, price, price, fc.boolean(), (side, trigger, bid, last, isKnown) => {
      const draft = { ...stop(side, '1'), stopPrice: trigger }
      const of = aBook([[bid.toFixed(2), '3']], [[bid.plus(1).toFixed(2), '3']])
      const market = side === 'BUY' ? bid.plus(1) : bid
      const state = triggerState(draft, isKnown ? last : null, of)
      const value = judgedNotional(draft, of, isKnown ? last : null)?.notional
      if (state !== 'pending') expect(value?.gte(market)).toBe(true)
      if (state !== 'reached') expect(value?.gte(trigger)).toBe(true)
    }),
  )
})

test('a stop that acts at once is over the limits of an order, of a day and of a hub like a market order', () => {
  const over = 'notional 64,220.00 USD is over'
  const tiny = stop('BUY', '100')
  expect(blocks(tiny, limits({ orderNotionalUsd: hard('1000') }))).toEqual([
    `orderValue: ${over} the hard limit 1,000.00 USD`,
  ])
  expect(blocks(tiny, limits({ dayNotionalUsd: hard('1000') }))).toEqual([
    'dayValue: day 64,220.00 USD with this order is over the hard limit 1,000.00 USD',
  ])
  expect(blocks(tiny, { hubOrderUsd: amount('1000') })).toEqual([
    `orderValue: ${over} your limit at the hub: 1,000.00 USD an order`,
  ])
  const unknown = { tickers: { kind: 'stale', ageMs: 20_000 } } as const
  expect(blocks(tiny, { ...limits({ orderNotionalUsd: hard('1000') }), ...unknown })).toHaveLength(1)
  expect(blocks(stop('SELL', '1000'), limits({ orderNotionalUsd: hard('1000') }))).toEqual([])
  expect(blocks(stop('SELL', '1000'), { ...limits({ orderNotionalUsd: hard('1000') }), ...unknown })).toHaveLength(1)
})

test('a stop that may act at once is blocked where nobody is there to trade with, as a market order is', () => {
  const bound = limits({ orderNotionalUsd: hard('1000') })
  const value = 'orderValue: stop may trigger at once, and no sellers in the book: cannot check its value'
  const nobody = 'market: no sellers in the book: nothing would fill'
  expect(blocks(stop('SELL', '99000'), { ...bound, book: fresh(noBids), tickers: missing })).toEqual([
    value.replace('sellers', 'buyers'),
  ])
  expect(blocks(stop('BUY', '100'), { book: fresh(noAsks) })).toEqual([nobody])
  expect(blocks(stop('BUY', '100'), { ...bound, book: fresh(noAsks) })).toEqual([nobody, value])
  expect(blocks(stop('BUY', '100'), { ...bound, book: fresh(noAsks), tickers: missing })).toEqual([value])
  expect(blocks(stop('BUY', '100'), { book: fresh(noAsks), tickers: missing })).toEqual([])
})

test('the collar holds a stop that acts at once to the mid, whichever of last trade and mid says so', () => {
  const thin = aBook(
    [['64200.00', '1']],
    [
      ['64220.00', '0.01'],
      ['70000.00', '1'],
    ],
  )
  const collar = { ...limits({ collarPercent: { soft: null, hard: amount('5') } }), book: fresh(thin) }
  const far = ['collar: price 70,000.00 is 9.02% from the mid 64,210.00: over the hard limit 5%']
  expect(blocks(stop('BUY', '100'), collar)).toEqual(far)
  // Above the mid, and reached by the last trade all the same.
  expect(blocks(stop('BUY', '64300'), { ...collar, tickers: lastTrades({ 'BTC-USD': '64300' }) })).toEqual(far)
  expect(blocks(stop('BUY', '64300'), { ...collar, tickers: missing })).toEqual(far)
  expect(blocks(stop('BUY', '64300'), collar)).toEqual([])
  // A limit far from the mid, near its trigger: it is held to both where last trade and mid differ.
  const limited = stop('SELL', '50000', '49900')
  expect(blocks(limited, { ...collar, tickers: lastTrades({ 'BTC-USD': '49000' }) })).toHaveLength(1)
  expect([blocks(limited, collar), blocks(limited, { ...collar, tickers: missing })]).toEqual([[], []])
})

test('a stop price far from the market is asked about, whether the stop waits or trades at once', () => {
  const collar = limits({ collarPercent: { soft: amount('2'), hard: amount('5') } })
  const asks = (draft: OrderDraft, change: Partial<CheckContext> = collar) =>
    orderChecks(draft, context(change)).flatMap(({ level, rule, text }) =>
      rule === 'collar' && level !== 'ok' ? [`${level}: ${text}`] : [],
    )
  const far = (percent: string, from = 'last trade') =>
    `ask: stop is ${percent}% from the ${from}: over 20%, 4 times the collar`
  // A digit too few protects nothing; a stop on the wrong side is a market order.
  expect(asks(stop('SELL', '6300'))).toEqual([far('90.19')])
  expect(asks(stop('SELL', '99000'))).toEqual([far('54.19')])
  expect(asks(stop('BUY', '640000'))).toEqual([far('896.73')])
  expect(asks(stop('SELL', '6300', '6290'))).toEqual([far('90.19')])
  expect(asks(stop('SELL', '6300', '6100'))).toEqual([
    `ask: price 6,100.00 is 3.18% from the stop price 6,300.00: over the soft limit 2%; ${far('90.19').slice('ask: '.length)}`,
  ])
  expect(asks(stop('SELL', '6300'), { ...collar, tickers: missing })).toEqual([far('90.19', 'mid')])
  // Under the collar of practice no stop below the market is 200% away: 63.000 for 63,000 went out unasked.
  const wide = limits({ collarPercent: { soft: amount('10'), hard: amount('50') } })
  const apart = (percent: string, than: string) => [`ask: stop is ${percent}% from the last trade: ${than}`]
  expect(asks(stop('SELL', '63'), wide)).toEqual(apart('99.91', 'less than half of it'))
  expect(asks(stop('SELL', '33000'), wide)).toEqual([])
  expect(asks(stop('BUY', '129000'), wide)).toEqual(apart('100.91', 'more than twice it'))
  expect(asks(stop('BUY', '640000'), wide)).toEqual([
    'ask: stop is 896.73% from the last trade: over 200%, 4 times the collar',
  ])
  expect(asks(stop('SELL', '63'), limits({ collarPercent: { soft: null, hard: null } }))).toEqual([])
  // What trades at once by its limit is held to the mid.
  expect(asks(stop('SELL', '99000', '64200'))).toEqual([])
  // A usual stop is further away than the soft bound.
  expect([asks(stop('SELL', '61000')), asks(stop('BUY', '67420.5'))]).toEqual([[], []])
  expect(asks(stop('SELL', '6300'), limits({ collarPercent: { soft: amount('2'), hard: null } }))).toHaveLength(1)
  expect(asks(stop('SELL', '6300'), limits({}))).toEqual([])
  const ok = { rule: 'collar', level: 'ok', text: '' }
  expect(orderChecks(stop('SELL', '61000'), context(collar))).toContainEqual(ok)
  const market = { price: amount('64210'), name: 'mid' }
  expect(farStop(amount('1'), market, { soft: null, hard: null })).toBeNull()
  expect(farStop(amount('0'), market, hard('5'))).toBeNull()
})

test('a book that cannot be of the symbol holds every order back, and one that may be does not', () => {
  const collar = { ...limits({ collarPercent: { soft: null, hard: amount('5') } }) }
  const draft: OrderDraft = { ...stop('SELL', '100'), type: 'LIMIT', stopPrice: null, limitPrice: amount('3110') }
  const another = fresh(aBook([['3109.00', '5']], [['3111.00', '5']]))
  const said = (last: string) => blocks(draft, { ...collar, book: another, tickers: lastTrades({ 'BTC-USD': last }) })
  const odd = "collar: the book's mid is 3,110.00, the last trade was at 63,915.00: one is not this symbol's"
  expect(said('63915')).toEqual([odd])
  expect(said('100')).toHaveLength(1)
  for (const last of ['1555', '6220', '0']) expect(said(last)).toEqual([])
  expect([said('1554.9'), said('6220.1')].map(({ length }) => length)).toEqual([1, 1])
  expect(blocks(draft, { ...collar, book: another, tickers: missing })).toEqual([])
})

test('a stop that acts at once needs the money of a market order, and takes the levels of one', () => {
  const funds = (draft: OrderDraft, change: Partial<CheckContext>) =>
    orderChecks(draft, context(change)).flatMap(({ level, rule, text }) =>
      rule === 'funds' || rule === 'unusual' ? (level === 'ok' ? [] : [`${level} ${rule}: ${text}`]) : [],
    )
  const poor = { balances: fresh([aBalance('USD', '1000')]) }
  expect(funds(stop('BUY', '100'), poor)).toEqual([
    'warn funds: needs 64,348.44 USD with fee, available 1,000.00: fills only what that pays for',
  ])
  expect(funds(stop('BUY', '100'), { ...poor, tickers: missing })).toHaveLength(1)
  expect(funds(stop('BUY', '64300'), poor)).toEqual([expect.stringMatching(/^block funds: needs 64,428.60 USD/)])
  // A market buy would cost less; held is what the trigger costs.
  const between = { balances: fresh([aBalance('USD', '64400')]), tickers: missing }
  expect(funds(stop('BUY', '64300'), between)).toEqual([expect.stringMatching(/^block funds: needs 64,428.60 USD/)])
  const levels = aBook(
    [['64200.00', '10']],
    [1, 2, 3, 4, 5].map((at) => [`6422${at}.00`, '0.2']),
  )
  expect(funds(stop('BUY', '100'), { book: fresh(levels) })).toEqual([
    'ask unusual: takes 5 price levels, the last at 64225.00',
  ])
})

test('a stop on its way, or without an answer, counts in the day as what it may have become', () => {
  const day = limits({ dayNotionalUsd: hard('10000') })
  const next = aDraft({ limitPrice: amount('64000'), orderQuantity: amount('0.01') })
  const sent = (draft: OrderDraft) => ({
    recentOrders: [{ clientOrderId: 'lost', draft, atMs: 0, stage: 'unknown' }] as const,
    ownDrafts: new Map([['lost', draft]]),
  })
  const lost = stop('BUY', '100')
  const over = ['dayValue: day 64,860.00 USD with this order is over the hard limit 10,000.00 USD']
  expect(blocks(next, { ...day, ...sent(lost) })).toEqual(over)
  const open = { openOrders: fresh([unansweredOrder(lost, 'lost', 0)]) }
  expect(blocks(next, { ...day, ...sent(lost), ...open })).toEqual(over)
  // The exchange lists it as pending: it waits.
  const listed = { openOrders: fresh([{ ...unansweredOrder(stop('SELL', '9000', '1'), 'lost', 0), orderId: '7' }]) }
  const waits = sent(stop('SELL', '9000', '1'))
  expect(blocks(next, { ...limits({ dayNotionalUsd: hard('9640') }), ...waits, ...listed })).toEqual([])
  expect(blocks(next, { ...limits({ dayNotionalUsd: hard('9639') }), ...waits, ...listed })).toHaveLength(1)
  // Nobody is there to sell to it: what it is worth is not known.
  expect(blocks(next, { ...day, ...sent(lost), book: fresh(noAsks) })).toContain(
    'dayValue: notional of stop order lost in BTC-USD unknown yet: cannot check the value of the day',
  )
  // Of another symbol there is no book: what its last trade does not let wait is not known.
  const other = sent({ ...lost, symbol: 'ETH-USD' })
  expect(blocks(next, { ...day, ...other })).toEqual([
    'dayValue: notional of stop order lost in ETH-USD unknown yet: cannot check the value of the day',
  ])
  const waiting = lastTrades({ 'BTC-USD': '64210', 'ETH-USD': '50' })
  expect(blocks(next, { ...day, ...other, tickers: waiting })).toEqual([])
  // Its limit bounds what a buy pays, not what a sell is paid.
  const limited = (side: 'BUY' | 'SELL', price: string) => sent({ ...stop(side, price, price), symbol: 'ETH-USD' })
  expect(blocks(next, { ...day, ...limited('BUY', '9300') })).toEqual([])
  expect(blocks(next, { ...day, ...limited('BUY', '9400') })).toEqual([
    'dayValue: day 10,040.00 USD with this order is over the hard limit 10,000.00 USD',
  ])
  expect(blocks(next, { ...day, ...limited('SELL', '9300') })).toEqual([expect.stringContaining('unknown yet')])
})
