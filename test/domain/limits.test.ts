import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bounds, defaultLimits, type Limits } from '../../src/domain/limits.ts'
import { Decimal } from '../../src/domain/money.ts'
import { anyUnusual, ask, asking, block, type CheckRule, unconfirmed } from '../../src/domain/orders/checks/check.ts'
import { joined } from '../../src/domain/orders/checks/limit-checks.ts'
import { type CheckContext, preTradeChecks } from '../../src/domain/orders/checks/pre-trade.ts'
import type { SentOrder } from '../../src/domain/orders/exposure.ts'
import type { OrderDraft } from '../../src/domain/orders/order.ts'
import { amount, usualFees } from '../fakes/amounts.ts'
import { aBalance } from '../fakes/balances.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { lastTrades, noLimits, quietDay } from '../fakes/limits.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'

const nowMs = 1_700_000_000_000

function context(change: Partial<CheckContext> = {}): CheckContext {
  return {
    instrument: { kind: 'fresh', value: anInstrument() },
    book: { kind: 'fresh', value: aBook([['64200.00', '10']], [['64220.00', '10']]) },
    balances: { kind: 'fresh', value: [aBalance('USD', '9000000'), aBalance('BTC', '100', { rate: '64210' })] },
    fees: {
      kind: 'fresh',
      value: usualFees,
    },
    ...quietDay({ limits: defaultLimits.live, nowMs, tickers: lastTrades({ 'BTC-USD': '64210' }) }),
    ...change,
  }
}

const complaints = (draft: Partial<OrderDraft>, change: Partial<CheckContext> = {}) =>
  preTradeChecks(aDraft(draft), context(change))
    // Unusual sizes and stops have tests of their own.
    .filter(({ level, rule }) => level !== 'ok' && rule !== 'unusual' && rule !== 'stop')
    .map((check) => `${check.level} ${check.rule}: ${check.text}`)

const limits = (change: Partial<Limits>): Partial<CheckContext> => ({ limits: { ...noLimits, ...change } })
const usd = (soft: string | null, hard: string | null): Bounds<Decimal> => ({
  soft: soft === null ? null : amount(soft),
  hard: hard === null ? null : amount(hard),
})

test('the value of an order: over the hard limit it blocks, over the soft one it asks, at a limit it passes', () => {
  const at = { limitPrice: amount('64210') } as const
  expect(complaints({ ...at, orderQuantity: amount('1') })).toEqual([
    'block orderValue: notional 64,210.00 USD is over the hard limit 25,000.00 USD',
  ])
  expect(complaints({ ...at, orderQuantity: amount('0.2') })).toEqual([
    'ask orderValue: notional 12,842.00 USD is over the soft limit 10,000.00 USD',
  ])
  const exact = limits({ orderNotionalUsd: usd(null, '64210') })
  expect(complaints({ ...at, orderQuantity: amount('1') }, exact)).toEqual([])
})

test('a sell is worth what the book pays for it, however low its limit; a market order what the book asks', () => {
  const hard = limits({ orderNotionalUsd: usd(null, '64000') })
  expect(complaints({ side: 'SELL', limitPrice: amount('0.50'), orderQuantity: amount('1') }, hard)).toEqual([
    'block orderValue: notional 64,200.00 USD is over the hard limit 64,000.00 USD',
  ])
  const market = { type: 'MARKET', limitPrice: null, timeInForce: 'IOC', orderQuantity: amount('1') } as const
  expect(complaints(market, hard)).toEqual([
    'block orderValue: notional 64,220.00 USD is over the hard limit 64,000.00 USD',
  ])
})

test('of a market order larger than the book the whole counts: the rest at the last price seen, and so it is said', () => {
  const market = { type: 'MARKET', limitPrice: null, timeInForce: 'IOC', orderQuantity: amount('100') } as const
  const million = limits({ orderNotionalUsd: usd(null, '1000000') })
  const partial = /^warn market: the book holds 10.* only: the rest is canceled$/
  // What is seen is worth 642,200 and would pass.
  expect(complaints(market, million)).toEqual([
    expect.stringMatching(partial),
    'block orderValue: notional at least 6,422,000.00 USD (the book seen holds less) is over the hard limit 1,000,000.00 USD',
  ])
  const poor = { balances: { kind: 'fresh', value: [aBalance('USD', '100')] } } as const
  expect(complaints(market, { ...limits({}), ...poor })).toContain(
    'warn funds: needs at least 643,484.40 USD with fee, available 100.00: fills only what that pays for',
  )
  expect(complaints({ ...market, side: 'SELL' }, million)).toEqual([
    expect.stringMatching(partial),
    'block orderValue: notional at most 6,420,000.00 USD (the book seen holds less) is over the hard limit 1,000,000.00 USD',
  ])
  expect(complaints(market, limits({ dayNotionalUsd: usd(null, '1000000') })).at(-1)).toBe(
    'block dayValue: day at least 6,422,000.00 USD (the book seen holds less) with this order is over the hard limit 1,000,000.00 USD',
  )
})

test('another counter currency is turned into USD by its rate; without a rate every limit in USD blocks', () => {
  const euro = {
    instrument: { kind: 'fresh', value: anInstrument({ symbol: 'BTC-EUR', counter: 'EUR' }) },
    ...limits({ orderNotionalUsd: usd(null, '1000') }),
  } as const
  const order = { symbol: 'BTC-EUR', orderQuantity: amount('0.02'), limitPrice: amount('50000') } as const
  const held = (rate: string) =>
    ({ kind: 'fresh', value: [aBalance('EUR', '9000', { rate }), aBalance('USD', '0')] }) as const
  expect(complaints(order, { ...euro, balances: held('0.999') })).toEqual([])
  // Who tells one for each currency keeps no rates.
  expect(complaints(order, { ...euro, balances: held('1') })).toEqual([
    'block orderValue: no USD rate for EUR: cannot check the limit in USD',
  ])
  expect(complaints(order, { ...euro, balances: held('1.1') })).toEqual([
    'block orderValue: notional 1,100.00 USD is over the hard limit 1,000.00 USD',
  ])
  expect(complaints(order, { ...euro, balances: held('0') })).toEqual([
    'block orderValue: no USD rate for EUR: cannot check the limit in USD',
  ])
  // Without the rate of USD itself nobody knows what currency the rates are in: it may be yen.
  expect(complaints(order, { ...euro, balances: { kind: 'fresh', value: [aBalance('EUR', '9000')] } })).toEqual([
    'block orderValue: no USD rate for EUR: cannot check the limit in USD',
  ])
  // An account that reckons in francs: the rate of USD itself leads to USD.
  const francs = [aBalance('EUR', '9000', { rate: '0.99' }), aBalance('USD', '0', { rate: '0.9' })]
  expect(complaints(order, { ...euro, balances: { kind: 'fresh', value: francs } })).toEqual([
    'block orderValue: notional 1,100.00 USD is over the hard limit 1,000.00 USD',
  ])
})

test('the higher of last price and rate of the counter currency counts; where both cannot be true the limit blocks', () => {
  const lastOf = (last: string) => lastTrades({ 'BTC-USD': '64210', 'BTC-EUR': '50000', 'EUR-USD': last })
  const euro = {
    instrument: { kind: 'fresh', value: anInstrument({ symbol: 'BTC-EUR', counter: 'EUR' }) },
    balances: { kind: 'fresh', value: [aBalance('EUR', '9000', { rate: '1.1' }), aBalance('USD', '0')] },
    ...limits({ orderNotionalUsd: usd(null, '1000') }),
  } as const
  const order = { symbol: 'BTC-EUR', orderQuantity: amount('0.02'), limitPrice: amount('50000') } as const
  expect(complaints(order, { ...euro, tickers: lastOf('0.9') })).toEqual([
    'block orderValue: notional 1,100.00 USD is over the hard limit 1,000.00 USD',
  ])
  expect(complaints(order, { ...euro, tickers: lastOf('1.2') })).toEqual([
    'block orderValue: notional 1,200.00 USD is over the hard limit 1,000.00 USD',
  ])
  const [read, unread] = [lastOf('1.2'), { kind: 'missing' } as const]
  const partly = read.kind === 'fresh' ? ({ ...read, kind: 'partial', unreadableCount: 1 } as const) : unread
  expect(complaints(order, { ...euro, tickers: partly })).toEqual(complaints(order, { ...euro, tickers: read }))
  const apart = 'the last price of EUR is 0.0002 USD and its rate 1.1 USD, which cannot both be true'
  expect(complaints(order, { ...euro, tickers: lastOf('0.0002') })).toEqual([
    `block orderValue: ${apart}: cannot check the limit in USD`,
  ])
  const day = {
    filledToday: { kind: 'fresh', value: new Map([['ETH-EUR', amount('100')]]) },
    tickers: lastOf('0.0002'),
    ...limits({ dayNotionalUsd: usd(null, '100000') }),
  } as const
  const balances = [aBalance('EUR', '0', { rate: '1.1' }), aBalance('USD', '9000000')]
  expect(complaints({}, { ...day, balances: { kind: 'fresh', value: balances } })).toEqual([
    `block dayValue: ${apart}: cannot check the limit in USD`,
  ])
})

const sent = (change: Partial<SentOrder> = {}): SentOrder => ({
  clientOrderId: 'mine',
  draft: aDraft(),
  atMs: nowMs - 1_200,
  stage: 'taken',
  ...change,
})

test('the day counts its fills, what works, what is on its way, and this order', () => {
  const day = {
    ...limits({ dayNotionalUsd: usd(null, '250000') }),
    filledToday: { kind: 'fresh', value: new Map([['BTC-USD', amount('100000')]]) },
    openOrders: {
      kind: 'fresh',
      value: [anOrder({ limitPrice: amount('50000'), leavesQuantity: amount('2'), cumQuantity: amount('1') })],
    },
    recentOrders: [
      sent({ stage: 'inFlight', draft: aDraft({ orderQuantity: amount('1'), limitPrice: amount('40000') }) }),
    ],
  } as const
  const order = { limitPrice: amount('64000'), orderQuantity: amount('0.15') }
  expect(complaints({ ...order, orderQuantity: amount('0.1') }, day)).toEqual([])
  expect(complaints(order, day)).toEqual([])
  expect(complaints({ ...order, orderQuantity: amount('0.2') }, day)).toEqual([
    'block dayValue: day 252,800.00 USD with this order is over the hard limit 250,000.00 USD',
  ])
  // Once it is in the list it is counted there, not twice.
  const listed = { kind: 'fresh', value: [anOrder({ clientOrderId: 'mine', limitPrice: amount('40000') })] } as const
  expect(complaints({ ...order, orderQuantity: amount('1') }, { ...day, openOrders: listed })).toEqual([])
})

test('a waiting stop, whose report tells neither price nor size, counts as what this desk sent', () => {
  const draft = aDraft({ type: 'STOP', limitPrice: null, stopPrice: amount('60000'), orderQuantity: amount('1') })
  const stop = anOrder({
    type: 'STOP',
    status: 'PENDING',
    limitPrice: null,
    leavesQuantity: amount('0'),
    clientOrderId: 'mine',
  })
  const day = {
    ...limits({ dayNotionalUsd: usd('1000', '61000') }),
    openOrders: { kind: 'fresh', value: [stop] },
    ownDrafts: new Map([['mine', draft]]),
  } as const
  expect(complaints({ orderQuantity: amount('0.02'), limitPrice: amount('64000') }, day)).toEqual([
    'block dayValue: day 61,280.00 USD with this order is over the hard limit 61,000.00 USD',
  ])
})

test('without the orders or the fills the day cannot be judged, and blocks as long as anything bounds it', () => {
  const unknown = { openOrders: { kind: 'missing' }, filledToday: { kind: 'stale', ageMs: 20_500 } } as const
  expect(complaints({}, unknown)).toEqual([
    'block dayValue: orders not loaded, fills 20 s old: cannot check the value of the day',
    'block openOrders: orders not loaded: cannot check the number of open orders',
  ])
  expect(complaints({}, { ...unknown, limits: noLimits })).toEqual([])
})

test('open orders are counted over all symbols, and within a symbol that has a bound of its own', () => {
  const open = ['BTC-USD', 'ETH-USD', 'ETH-USD'].map((symbol, index) => anOrder({ symbol, clientOrderId: `o${index}` }))
  const of = (hard: number | null, own: number | null) => ({
    ...limits({
      openOrders: { soft: null, hard },
      perSymbol: own === null ? new Map() : new Map([['BTC-USD', { openOrders: { soft: own, hard: null } }]]),
    }),
    openOrders: { kind: 'fresh', value: open } as const,
  })
  expect(complaints({}, of(4, null))).toEqual([])
  expect(complaints({}, of(3, null))).toEqual([
    'block openOrders: 4 open orders with this one are over the hard limit 3',
  ])
  expect(complaints({}, of(null, 1))).toEqual([
    'ask openOrders: 2 open orders in BTC-USD with this one are over the soft limit 1',
  ])
})

test.each([
  ['62926.00', []],
  ['62900.00', ['ask collar: price 62,900.00 is 2.05% from the mid 64,210.00: over the soft limit 2%']],
  ['60000.00', ['block collar: price 60,000.00 is 6.56% from the mid 64,210.00: over the hard limit 5%']],
  ['70000.00', ['block collar: price 70,000.00 is 9.02% from the mid 64,210.00: over the hard limit 5%']],
])('a price of %s against the mid', (price, expected) => {
  expect(complaints({ limitPrice: amount(price) })).toEqual(expected)
})

test('a market order is held at the last price it would take; a stop that waits at its own stop price', () => {
  const thin = aBook(
    [['64200.00', '1']],
    [
      ['64220.00', '0.01'],
      ['70000.00', '1'],
    ],
  )
  const market = { type: 'MARKET', limitPrice: null, timeInForce: 'IOC', orderQuantity: amount('0.02') } as const
  expect(complaints(market, { book: { kind: 'fresh', value: thin } })).toEqual([
    'block collar: price 70,000.00 is 9.02% from the mid 64,210.00: over the hard limit 5%',
  ])
  const stop = { type: 'STOPLIMIT', side: 'SELL', orderQuantity: amount('0.02') } as const
  const at = (stopPrice: string, limitPrice: string) =>
    complaints({ ...stop, stopPrice: amount(stopPrice), limitPrice: amount(limitPrice) })
  expect(at('52000', '51900')).toEqual([])
  expect(at('50000', '49900')).toEqual(['ask collar: stop is 22.14% from the last trade: over 20%, 4 times the collar'])
  expect(at('50000', '45000')).toEqual([
    'block collar: price 45,000.00 is 10.00% from the stop price 50,000.00: over the hard limit 5%',
  ])
  // The market is past it already: it acts at once, so the mid counts.
  expect(at('65000', '60000')).toEqual([
    'block collar: price 60,000.00 is 6.56% from the mid 64,210.00: over the hard limit 5%',
  ])
})

test('without a mid a limit price is blocked; an old book blocks by itself', () => {
  expect(complaints({}, { book: { kind: 'fresh', value: aBook([['64200.00', '1']], []) } })).toEqual([
    'block collar: a side of the book is empty: no mid to check the price against',
  ])
  expect(complaints({}, { book: { kind: 'stale', ageMs: 6_000 } })).toEqual([
    'block freshness: book 6 s old: wait for fresh data',
  ])
})

test('the same order again within the window is blocked; another size, a later time or a refused one is not', () => {
  const again = (change: Partial<SentOrder>) => complaints({}, { recentOrders: [sent(change)] })
  expect(again({})).toEqual(['block duplicate: the same order went out 2 s ago, within the limit 5 s: wait 4 s'])
  expect(again({ stage: 'unknown' })).not.toEqual([])
  expect(again({ stage: 'refused' })).toEqual([])
  expect(again({ atMs: nowMs - 5_000 })).toEqual([])
  for (const change of [{ orderQuantity: amount('0.06') }, { side: 'SELL' as const }, { limitPrice: amount('64209') }])
    expect(again({ draft: aDraft(change) })).toEqual([])
})

test('an order that was answered as rejected and is listed all the same blocks another one like it, however late', () => {
  const refused = sent({ stage: 'refused', atMs: nowMs - 600_000 })
  const listed = (clientOrderId: string) => ({
    recentOrders: [refused],
    openOrders: { kind: 'fresh' as const, value: [anOrder({ orderId: '7', clientOrderId })] },
  })
  expect(complaints({}, listed(refused.clientOrderId))).toEqual([
    expect.stringMatching(/^block duplicate: order \S+, answered as rejected, is working as 7: cancel it/),
  ])
  expect(complaints({}, listed('other'))).toEqual([])
  expect(complaints({ orderQuantity: amount('0.06') }, listed(refused.clientOrderId))).toEqual([])
})

test("a symbol's own limits take the place of the general ones", () => {
  const own = limits({
    orderNotionalUsd: usd(null, '1000000'),
    perSymbol: new Map([['BTC-USD', { orderNotionalUsd: usd(null, '100'), collarPercent: usd(null, '0.001') }]]),
  })
  expect(complaints({}, own).map((text) => text.split(':')[0])).toEqual(['block orderValue'])
  expect(complaints({ limitPrice: amount('64000') }, own).map((text) => text.split(':')[0])).toEqual([
    'block orderValue',
    'block collar',
  ])
})

test('limits of a symbol that the exchange does not list block every order: their owner relies on them', () => {
  const perSymbol = (name: string) => limits({ perSymbol: new Map([[name, { openOrders: { soft: null, hard: 1 } }]]) })
  const symbols = { listed: new Set(['BTC-USD']), unread: new Set(['SOL-USD']) }
  const said = (name: string) => complaints({}, { ...perSymbol(name), symbols })
  expect(said('BTC-USDD')).toEqual([
    'block orderValue: limits in per_symbol.BTC-USDD have no effect, unknown symbol (BTC-USD?): correct or remove them',
  ])
  expect(said('XLM-EUR')).toEqual([
    'block orderValue: limits in per_symbol.XLM-EUR have no effect, unknown symbol: correct or remove them',
  ])
  expect([said('BTC-USD'), said('SOL-USD')]).toEqual([[], []])
  // What is not known yet blocks nothing.
  expect(complaints({}, { ...perSymbol('XLM-EUR'), symbols: null })).toEqual([])
})

test('a confirmation is of the limit and the figure that were asked about, and of no worse one', () => {
  const bound = { soft: amount('1000'), hard: null }
  const perSymbol = new Map([['BTC-USD', { dayNotionalUsd: bound }]])
  const limits = { ...defaultLimits.live, dayNotionalUsd: bound, perSymbol }
  const dayWith = (orderQuantity: string) =>
    preTradeChecks(aDraft({ orderQuantity: amount(orderQuantity) }), context({ limits })).filter(
      ({ rule }) => rule === 'dayValue',
    )
  const [whole, own] = dayWith('0.1')
  if (whole === undefined || own === undefined) throw new Error('the day is checked as a whole and by symbol')
  expect(unconfirmed([whole, own], [whole])).toEqual([own])
  expect(unconfirmed([whole, own], [own, whole])).toEqual([])
  expect(unconfirmed(dayWith('0.11'), dayWith('0.1'))).toEqual([])
  expect(unconfirmed(dayWith('0.1'), dayWith('0.2'))).toEqual([])
  expect(unconfirmed(dayWith('0.12'), dayWith('0.1'))).toHaveLength(2)
  // What has no figure is confirmed as a whole.
  expect(unconfirmed([ask('dayValue', 'not counted')], [whole])).toEqual([])
  const question = (of: string) => asking(ask('collar', `far from the ${of}`), of, amount('30'))
  const both = joined(question('mid'), question('stop'))
  expect(both).toMatchObject({ text: 'far from the mid; far from the stop', asked: { of: 'mid, stop' } })
  expect(both.asked?.figure.toFixed()).toBe('60')
  expect(unconfirmed([both], [question('mid')])).toEqual([both])
  expect(asking(block('collar', 'far'), 'mid', amount('30'))).not.toHaveProperty('asked')
})

test('only soft limits wait for a confirmation, each rule by itself', () => {
  const checks = preTradeChecks(aDraft({ orderQuantity: amount('0.2'), limitPrice: amount('62900') }), context())
  const confirmed = (...rules: readonly CheckRule[]) => rules.map((rule) => ({ rule }))
  expect(unconfirmed(checks, confirmed('unusual')).map(({ rule }) => rule)).toEqual(['orderValue', 'collar'])
  expect(unconfirmed(checks, confirmed('collar', 'unusual')).map(({ rule }) => rule)).toEqual(['orderValue'])
  expect(unconfirmed(checks, confirmed('orderValue', 'collar')).map(({ rule }) => rule)).toEqual(['unusual'])
  expect(unconfirmed(checks, [...confirmed('orderValue', 'collar'), anyUnusual])).toEqual([])
})

test('whatever passes is within every bound, whatever the bounds are', () => {
  const cents = (most: number) => fc.integer({ min: 1, max: most }).map((units) => new Decimal(units).div(100))
  const ends = { passed: 0, blocked: 0 }
  fc.assert(
    fc.property(
      fc.record({
        side: fc.constantFrom('BUY' as const, 'SELL' as const),
        lots: fc.integer({ min: 10, max: 20_000 }),
        ticks: fc.integer({ min: 120_000, max: 135_000 }),
        hard: cents(10_000_000),
        collar: cents(800),
        filled: cents(5_000_000),
        most: cents(20_000_000),
      }),
      ({ side, lots, ticks, hard, collar, filled, most }) => {
        const draft = aDraft({
          side,
          orderQuantity: new Decimal(lots).div(10_000),
          limitPrice: new Decimal(ticks).div(2),
        })
        const bounded = {
          ...limits({
            orderNotionalUsd: { soft: null, hard },
            dayNotionalUsd: { soft: null, hard: most },
            collarPercent: { soft: null, hard: collar },
          }),
          filledToday: { kind: 'fresh', value: new Map([['BTC-USD', filled]]) } as const,
        }
        const isStopped = preTradeChecks(draft, context(bounded)).some(({ level }) => level === 'block')
        ends[isStopped ? 'blocked' : 'passed'] += 1
        if (isStopped) return
        const price = draft.limitPrice ?? new Decimal(0)
        const value = price.times(draft.orderQuantity)
        expect(value.lte(hard)).toBe(true)
        expect(value.plus(filled).lte(most)).toBe(true)
        expect(price.minus(64_210).abs().lte(collar.times('642.1'))).toBe(true)
      },
    ),
    { numRuns: 400 },
  )
  expect(Math.min(ends.passed, ends.blocked), JSON.stringify(ends)).toBeGreaterThan(10)
})

test('what a report leaves out counts as all that was asked for; where nobody knows that either, the day blocks', () => {
  const draft = aDraft({ orderQuantity: amount('1'), limitPrice: amount('60000') })
  const order = anOrder({ clientOrderId: 'mine', leavesQuantity: null, cumQuantity: null, limitPrice: amount('60000') })
  const bound = limits({ dayNotionalUsd: usd('1000', '61000') })
  const listed = { ...bound, openOrders: { kind: 'fresh', value: [order] } } as const
  const next = { orderQuantity: amount('0.02'), limitPrice: amount('64000') }
  expect(complaints(next, { ...listed, ownDrafts: new Map([['mine', draft]]) })).toEqual([
    'block dayValue: day 61,280.00 USD with this order is over the hard limit 61,000.00 USD',
  ])
  expect(complaints(next, listed)).toEqual([
    'block dayValue: size of order 9912041 unknown: cannot check the value of the day',
  ])
  const half = { ...listed, openOrders: { kind: 'fresh', value: [{ ...order, cumQuantity: amount('0.5') }] } } as const
  expect(complaints(next, { ...half, ownDrafts: new Map([['mine', draft]]) })).toEqual([
    'ask dayValue: day 31,280.00 USD with this order is over the soft limit 1,000.00 USD',
  ])
})

test('a stop placed elsewhere is not reported with a size: that it is not counted is said', () => {
  const stop = anOrder({ type: 'STOP', status: 'PENDING', limitPrice: null, leavesQuantity: amount('0') })
  const day = {
    ...limits({ dayNotionalUsd: usd('5000', '61000') }),
    openOrders: { kind: 'fresh', value: [stop] },
  } as const
  expect(complaints({ orderQuantity: amount('0.02'), limitPrice: amount('64000') }, day)).toEqual([
    'warn dayValue: stop 9912041 is not counted in the day: its size is not reported',
  ])
})

test('orders and fills that cannot be read block what is judged by them', () => {
  const day = {
    limits: { ...noLimits, dayNotionalUsd: usd('5000', '61000'), openOrders: { soft: null, hard: 5 } },
    openOrders: { kind: 'partial', value: [], unreadableCount: 1 },
    filledToday: { kind: 'partial', value: new Map(), unreadableCount: 2 },
  } as const
  expect(complaints({ orderQuantity: amount('0.02'), limitPrice: amount('64000') }, day)).toEqual([
    'block dayValue: orders: 1 unreadable entry, fills: 2 unreadable entries: cannot check the value of the day',
    'block openOrders: orders: 1 unreadable entry: cannot check the number of open orders',
  ])
})
