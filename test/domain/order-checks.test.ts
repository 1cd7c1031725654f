import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/domain/limits.ts'
import { type CheckContext, orderChecks } from '../../src/domain/orders/checks/pre-trade.ts'
import { type Order, type OrderDraft, unansweredOrder } from '../../src/domain/orders/order.ts'
import { amount, usualFees } from '../fakes/amounts.ts'
import { aBalance } from '../fakes/balances.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { lastTrades, noLimits, quietDay } from '../fakes/limits.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'

const book = aBook(
  [['64210.00', '0.12']],
  [
    ['64210.50', '0.02'],
    ['64211.00', '0.03'],
    ['64211.50', '0.01'],
    ['64212.00', '0.01'],
    ['64215.00', '0.50'],
  ],
)

function context(change: Partial<CheckContext> = {}): CheckContext {
  return {
    instrument: { kind: 'fresh', value: anInstrument() },
    book: { kind: 'fresh', value: book },
    balances: { kind: 'fresh', value: [aBalance('USD', '5000000'), aBalance('BTC', '100')] },
    fees: { kind: 'fresh', value: usualFees },
    ...quietDay({ limits: noLimits }),
    ...change,
  }
}

const complaints = (draft: Partial<OrderDraft>, change: Partial<CheckContext> = {}) =>
  orderChecks(aDraft(draft), context(change))
    .filter((check) => check.level !== 'ok')
    .map((check) => `${check.level} ${check.rule}: ${check.text}`)

test('fields that do not go together and rules of the market are judged together, a line each', () => {
  expect(complaints({ timeInForce: 'GTD', limitPrice: amount('64209.53'), orderQuantity: amount('0.00005') })).toEqual([
    'block fields: GTD needs an expiry date, as YYYYMMDD',
    'block tick: price 64209.53 is off the tick 0.50: 64209.50 or 64210.00',
    'block lot: quantity 0.00005 is off the lot 0.0001: 0.0001',
    'block minimum: quantity 0.00005 is below the minimum: 0.0010 or more',
  ])
})

test('the least quantity of an IOC order is held against the lot too', () => {
  const ioc = { timeInForce: 'IOC', limitPrice: amount('64211') } as const
  expect(complaints({ ...ioc, minQuantity: amount('0.00105') })).toEqual([
    'block lot: minimum fill 0.00105 is off the lot 0.0001: 0.0010 or 0.0011',
  ])
  expect(complaints({ ...ioc, minQuantity: amount('0.02') })).toEqual([])
})

test.each<[Partial<OrderDraft>, string]>([
  [{ timeInForce: 'IOC' }, 'the book holds nothing at that price: nothing would fill'],
  [
    { timeInForce: 'IOC', limitPrice: amount('64210.5') },
    'the book holds 0.0200 only at that price: the rest is canceled',
  ],
  [
    { timeInForce: 'IOC', limitPrice: amount('64210.5'), minQuantity: amount('0.03') },
    'the book holds 0.0200 at that price, less than the minimum fill: nothing would fill',
  ],
  [
    { timeInForce: 'FOK', limitPrice: amount('64210.5') },
    'the book holds 0.0200 at that price: FOK would fill nothing',
  ],
  [
    { type: 'MARKET', limitPrice: null, timeInForce: 'FOK', orderQuantity: amount('2') },
    'the book holds 0.5700: FOK would fill nothing',
  ],
])('an order that never rests is told what the book has for it: %o', (draft, text) => {
  expect(complaints(draft)).toContain(`warn market: ${text}`)
})

test('an order that may rest is not', () => {
  expect(complaints({ timeInForce: 'GTC' })).toEqual([])
  expect(complaints({ timeInForce: 'GTD', expireDate: '20991231' })).toEqual([])
})

test.each<[Partial<OrderDraft>, string[]]>([
  [{ side: 'BUY', stopPrice: amount('64300') }, []],
  [{ side: 'BUY', stopPrice: amount('64000') }, ['warn stop: stop triggers at once: 64210.50 or higher would wait']],
  [{ side: 'SELL', stopPrice: amount('64300') }, ['warn stop: stop triggers at once: 64210.00 or lower would wait']],
  [{ side: 'SELL', stopPrice: amount('64000') }, []],
])('a stop that would act at once is pointed out: %o', (stop, lines) => {
  expect(complaints({ type: 'STOP', limitPrice: null, ...stop })).toEqual(lines)
})

test('a stop waits only past both the last trade and the mid', () => {
  const at = (side: 'BUY' | 'SELL', stopPrice: string, last: string) =>
    complaints(
      { type: 'STOP', limitPrice: null, side, stopPrice: amount(stopPrice) },
      { tickers: lastTrades({ 'BTC-USD': last }) },
    ).filter((line) => line.includes(' stop: '))
  const waits = (price: string) => [`warn stop: stop triggers at once: ${price} would wait`]
  expect(at('BUY', '64000', '64300')).toEqual(waits('64300.50 or higher'))
  expect(at('BUY', '64250', '64300')).toEqual(waits('64300.50 or higher'))
  expect(at('BUY', '64000', '63000')).toEqual(waits('64210.50 or higher'))
  expect(at('BUY', '64400', '64300')).toEqual([])
  expect(at('SELL', '64300', '64000')).toEqual(waits('63999.50 or lower'))
  expect(at('SELL', '64300', '64400')).toEqual(waits('64210.00 or lower'))
})

test('a stop limit whose limit is on the wrong side of its stop is pointed out', () => {
  const stop = { type: 'STOPLIMIT', stopPrice: amount('64300') } as const
  expect(complaints({ ...stop, limitPrice: amount('64310') })).toEqual([])
  expect(complaints({ ...stop, limitPrice: amount('64290') })).toEqual([
    'warn stop: limit may not fill once triggered: 64300.00 or more would',
  ])
  expect(complaints({ ...stop, side: 'SELL', stopPrice: amount('64000'), limitPrice: amount('64010') })).toEqual([
    'warn stop: limit may not fill once triggered: 64000.00 or less would',
  ])
})

test.each(['IOC', 'FOK'] as const)('a halted symbol takes no %s', (timeInForce) => {
  const halted = { instrument: { kind: 'fresh', value: anInstrument({ status: 'halt' }) } } as const
  expect(complaints({ timeInForce, limitPrice: amount('64211') }, halted)).toEqual([
    'block status: BTC-USD is halted for an auction: it takes GTC and GTD only',
  ])
  expect(complaints({ timeInForce: 'GTC' }, halted)).toEqual([])
})

test('over half of the hard limit the size is asked about, and no more once it is over the limit itself', () => {
  const limits = { ...noLimits, orderNotionalUsd: { soft: null, hard: amount('10000') } }
  const order = (quantity: string) => complaints({ orderQuantity: amount(quantity) }, { limits })
  expect(order('0.07')).toEqual([])
  expect(order('0.08')).toEqual(['ask unusual: notional 5,136.76 USD is over half of the hard limit 10,000.00 USD'])
  expect(order('0.16')).toEqual(['block orderValue: notional 10,273.52 USD is over the hard limit 10,000.00 USD'])
})

test('a market order through many price levels is asked about, a limit order is held by its price', () => {
  const market = { type: 'MARKET', limitPrice: null, timeInForce: 'IOC' } as const
  const { limits } = { limits: defaultLimits.practice }
  expect(complaints({ ...market, orderQuantity: amount('0.07') }, { limits })).toEqual([])
  expect(complaints({ ...market, orderQuantity: amount('0.08') }, { limits })).toEqual([
    'ask unusual: takes 5 price levels, the last at 64215.00',
  ])
  expect(complaints({ orderQuantity: amount('0.08'), limitPrice: amount('64215') }, { limits })).toEqual([])
})

const own = (change: Partial<Order>) => ({ openOrders: { kind: 'fresh', value: [anOrder(change)] } }) as const

test.each<[Partial<OrderDraft>, Partial<Order>, string[]]>([
  [{ limitPrice: amount('64211') }, { side: 'SELL', limitPrice: amount('64210.5') }, ['64210.50']],
  [{ limitPrice: amount('64210') }, { side: 'SELL', limitPrice: amount('64210.5') }, []],
  // All of it fills before it comes to the own order.
  [{ limitPrice: amount('64216'), orderQuantity: amount('0.01') }, { side: 'SELL', limitPrice: amount('64215') }, []],
  [{ limitPrice: amount('64211') }, { side: 'BUY', limitPrice: amount('64211') }, []],
  [{ limitPrice: amount('64211') }, { side: 'SELL', limitPrice: amount('64211'), symbol: 'ETH-USD' }, []],
  [
    { type: 'MARKET', limitPrice: null, timeInForce: 'IOC' },
    { side: 'SELL', limitPrice: amount('64211') },
    ['64211.00'],
  ],
  [{ type: 'STOP', limitPrice: null, stopPrice: amount('64300') }, { side: 'SELL', limitPrice: amount('64211') }, []],
])('an order that meets an own one is told so: %o against %o', (draft, order, at) => {
  const lines = at.map((price) => `warn selfMatch: would hit your own SELL at ${price}: the rest is canceled`)
  expect(complaints(draft, own(order))).toEqual(lines)
})

test('a stop that the last trade has reached meets an own order as a market order does', () => {
  const reached = { ...own({ side: 'SELL', limitPrice: amount('64211') }), tickers: lastTrades({ 'BTC-USD': '64300' }) }
  const stop = { type: 'STOP', limitPrice: null, stopPrice: amount('64000') } as const
  expect(complaints(stop, reached)).toContain(
    'warn selfMatch: would hit your own SELL at 64211.00: the rest is canceled',
  )
})

test.each<[string, Partial<OrderDraft>, string[]]>([
  ['one that can rest', {}, ['64210.50']],
  ['one whose time in force is left to the service', { timeInForce: null }, ['64210.50']],
  ['one that never rests', { timeInForce: 'IOC' }, []],
  ['a stop', { type: 'STOPLIMIT', stopPrice: amount('64000') }, []],
])('an own order of unknown outcome may be met, listed or not: %s', (_, change, at) => {
  const lines = at.map((price) => `warn selfMatch: would hit your own SELL at ${price}: the rest is canceled`)
  const sent = aDraft({ side: 'SELL', limitPrice: amount('64210.5'), ...change })
  const next = { limitPrice: amount('64211') }
  const recentOrders = [{ clientOrderId: 'lost', draft: sent, atMs: 0, stage: 'unknown' }] as const
  const ownDrafts = new Map([['lost', sent]])
  expect(complaints(next, { recentOrders, ownDrafts })).toEqual(lines)
  const value = [unansweredOrder(sent, 'lost', 0)]
  expect(complaints(next, { openOrders: { kind: 'fresh', value }, recentOrders, ownDrafts })).toEqual(lines)
  const earlier = { openOrders: { kind: 'fresh', value }, ownDrafts } as const
  expect(complaints(next, earlier)).toEqual(lines)
  const answered = recentOrders.map((each) => ({ ...each, stage: 'refused' as const }))
  expect(complaints(next, { recentOrders: answered, ownDrafts })).toEqual([])
})
