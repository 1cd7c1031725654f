import { expect, test } from 'vitest'
import type { Bounds, Limits } from '../../../../src/domain/limits.ts'
import type { Decimal } from '../../../../src/domain/money.ts'
import { freshnessCheck, type Known, mapKnown, partly, unreliable } from '../../../../src/domain/orders/checks/check.ts'
import { affordableQuantity, fundsCheck } from '../../../../src/domain/orders/checks/funds-check.ts'
import { type CheckContext, preTradeChecks } from '../../../../src/domain/orders/checks/pre-trade.ts'
import { tickCheck } from '../../../../src/domain/orders/checks/rule-checks.ts'
import { type OrderDraft, unansweredOrder } from '../../../../src/domain/orders/order.ts'
import { isStopReached } from '../../../../src/domain/orders/stop-trigger.ts'
import { amount, usualFees } from '../../../fakes/amounts.ts'
import { aBalance } from '../../../fakes/balances.ts'
import { aBook } from '../../../fakes/books.ts'
import { anInstrument } from '../../../fakes/instruments.ts'
import { lastTrades, noLimits, quietDay } from '../../../fakes/limits.ts'
import { aDraft, anOrder } from '../../../fakes/orders.ts'

const context = (change: Partial<CheckContext> = {}): CheckContext => ({
  instrument: { kind: 'fresh', value: anInstrument() },
  book: { kind: 'fresh', value: aBook([['64210.00', '5']], [['64220.50', '5']]) },
  balances: { kind: 'fresh', value: [aBalance('USD', '1000000'), aBalance('BTC', '10')] },
  fees: { kind: 'fresh', value: usualFees },
  ...quietDay({ limits: noLimits }),
  ...change,
})
const rules = (draft: Partial<OrderDraft>, change: Partial<CheckContext> = {}) =>
  preTradeChecks(aDraft(draft), context(change)).map(({ rule, level }) => (level === 'ok' ? rule : `${rule} ${level}`))
const complaints = (draft: Partial<OrderDraft>, change: Partial<CheckContext> = {}) =>
  preTradeChecks(aDraft(draft), context(change))
    .filter(({ level }) => level !== 'ok')
    .map(({ level, rule, text }) => `${level} ${rule}: ${text}`)

const bounded = (change: Partial<Limits>) => ({ limits: { ...noLimits, ...change } })
const usd = (soft: string | null, hard: string | null): Bounds<Decimal> => ({
  soft: soft === null ? null : amount(soft),
  hard: hard === null ? null : amount(hard),
})
const fresh = <T>(value: T): Known<T> => ({ kind: 'fresh', value })
const stale = { kind: 'stale', ageMs: 9_000 } as const
const market = { type: 'MARKET', limitPrice: null, timeInForce: 'IOC' } as const

const ofSize = ['lot', 'minimum', 'maximum']
const ofDesk = ['orderValue', 'dayValue', 'openOrders', 'collar', 'duplicate', 'unusual']
const start = ['freshness', 'status', 'tick']

test('every rule has its line in the ticket, also where nothing is wrong and nothing is bounded', () => {
  const rest = ['market', 'postOnly', 'selfMatch', 'funds', ...ofDesk]
  expect(rules({})).toEqual([...start, ...ofSize, ...rest])
  expect(rules({ timeInForce: 'IOC', limitPrice: amount('64221'), minQuantity: amount('0.01') })).toEqual([
    ...[...start, ...ofSize, 'lot', ...rest],
  ])
  expect(rules(market)).toEqual([...start.slice(0, 2), ...ofSize, ...rest])
  const stopLimit = { type: 'STOPLIMIT', stopPrice: amount('64300'), limitPrice: amount('64310') } as const
  expect(rules(stopLimit)).toEqual([...start, 'tick', ...ofSize, 'stop', ...rest])
  expect(rules({ ...stopLimit, type: 'STOP', limitPrice: null })).toEqual([...start, ...ofSize, 'stop', ...rest])
  const everything = bounded({
    orderNotionalUsd: usd('9000', '10000'),
    dayNotionalUsd: usd('9000', '10000'),
    openOrders: { soft: 1, hard: 2 },
    collarPercent: usd('2', '5'),
    duplicateWithinMs: 1_000,
  })
  expect(rules({}, { ...everything, hubOrderUsd: amount('10000') })).toEqual([
    ...[...start, ...ofSize, ...rest.slice(0, 4), 'orderValue', ...ofDesk],
  ])
  expect(rules(market, everything).at(-1)).toBe('unusual')
  // A halted symbol takes an order that rests.
  const halted = { instrument: fresh(anInstrument({ status: 'halt' })) }
  expect(rules({}, halted)).toEqual([...start, ...ofSize, ...rest])
  // Where only one order is bounded, or the price alone, the others have their lines all the same.
  const order = bounded({ orderNotionalUsd: usd('9000', '100000') })
  expect(rules({}, order)).toEqual([...start, ...ofSize, ...rest])
  expect(rules({}, { ...order, openOrders: stale, filledToday: stale })).not.toContain('dayValue block')
  const collar = bounded({ collarPercent: usd(null, '5') })
  expect(rules({ ...stopLimit, type: 'STOP', limitPrice: null }, collar)).toContain('collar')
  const oneSided = { ...collar, book: fresh(aBook([['64210.00', '5']], [])) }
  expect(rules({ ...market, side: 'SELL' }, oneSided)).toContain('collar')
  const postOnly = { postOnly: true, limitPrice: amount('64000') }
  expect(rules(postOnly)).toEqual([...start, ...ofSize, ...rest])
})

test('what old data would judge is not judged: its lines are not there, and the order is blocked', () => {
  const untilBook = ['freshness block', 'status', 'tick', ...ofSize]
  const withBook = [...untilBook, 'market', 'postOnly', 'selfMatch']
  expect(rules({}, { instrument: stale })).toEqual(['freshness block'])
  expect(rules({}, { instrument: { kind: 'missing' } })).toEqual(['freshness block'])
  expect(rules({}, { book: stale })).toEqual(untilBook)
  expect(rules({}, { balances: stale })).toEqual(withBook)
  expect(rules({}, { fees: stale })).toEqual([...withBook, ...ofDesk])
  expect(rules({}, { openOrders: stale })).toEqual([...[...start, ...ofSize, 'market', 'postOnly', 'funds'], ...ofDesk])
})

test('what rests on data that is old, partly read or never seen says which it is', () => {
  expect(partly([1], 0)).toEqual({ kind: 'fresh', value: [1] })
  expect(partly([1], 0, false)).toEqual({ kind: 'partial', value: [1], unreadableCount: 0 })
  expect(partly([1], 2)).toEqual({ kind: 'partial', value: [1], unreadableCount: 2 })
  const say = (known: Known<unknown>) => unreliable('orders', known)
  expect([fresh(1), partly(1, 0, false), partly(1, 1), partly(1, 2)].map(say)).toEqual([
    ...[null, 'orders incomplete', 'orders: 1 unreadable entry', 'orders: 2 unreadable entries'],
  ])
  expect([stale, { kind: 'missing' } as const].map(say)).toEqual(['orders 9 s old', 'orders not loaded'])
  const next = (known: Known<number>) => mapKnown(known, (value) => value + 1)
  expect(next(fresh(1))).toEqual(fresh(2))
  expect(next(partly(1, 3))).toEqual(partly(2, 3))
  expect(next(stale)).toBe(stale)
  expect(next({ kind: 'missing' })).toEqual({ kind: 'missing' })
})

test('what is not there is not waited for', () => {
  const textOf = (needed: Record<string, Known<unknown>>) => {
    const check = freshnessCheck(needed)
    return check.level === 'block' ? check.text : null
  }
  const absent = { kind: 'absent', why: 'the exchange does not list BTC-USD' } as const
  expect(textOf({ rules: absent, book: { kind: 'missing' } })).toBe(
    'the exchange does not list BTC-USD, book not loaded',
  )
  expect(textOf({ rules: { kind: 'missing' } })).toBe('rules not loaded: wait for fresh data')
})

test('the day cannot be judged without the orders, nor without the fills: either says which is missing', () => {
  const day = bounded({ dayNotionalUsd: usd(null, '100000') })
  const blocked = (reason: string) => [`block dayValue: ${reason}: cannot check the value of the day`]
  expect(complaints({}, { ...day, openOrders: stale })).toEqual(blocked('orders 9 s old'))
  expect(complaints({}, { ...day, filledToday: stale })).toEqual(blocked('fills 9 s old'))
})

test("a symbol's own day counts that symbol, and names the stops in it that nobody can count", () => {
  const own = new Map([['BTC-USD', { dayNotionalUsd: usd(null, '4000') }]])
  const stop = (symbol: string) =>
    anOrder({ symbol, type: 'STOP', status: 'PENDING', limitPrice: null, leavesQuantity: amount('0') })
  const day = (symbol: string) => ({
    ...bounded({ perSymbol: own }),
    filledToday: fresh(new Map([['ETH-USD', amount('9000')]])),
    openOrders: fresh([stop(symbol)]),
  })
  expect(complaints({}, day('ETH-USD'))).toEqual([])
  expect(complaints({}, day('BTC-USD'))).toEqual([
    'warn dayValue: stop 9912041 is not counted in the day in BTC-USD: its size is not reported',
  ])
  expect(complaints({ orderQuantity: amount('0.1') }, day('BTC-USD'))).toEqual([
    'block dayValue: day in BTC-USD 6,420.95 USD with this order is over the hard limit 4,000.00 USD',
  ])
})

test('a fill in a currency without a rate blocks the day: nobody knows what it was worth', () => {
  const day = {
    ...bounded({ dayNotionalUsd: usd(null, '100000') }),
    filledToday: fresh(new Map([['BTC-CHF', amount('1')]])),
  }
  expect(complaints({}, day)).toEqual(['block dayValue: no USD rate for CHF: cannot check the limit in USD'])
})

test('an order to market without an answer counts at what the book pays; one in another symbol cannot be told', () => {
  const toMarket = (symbol: string, quantity: string) => ({
    ...{ clientOrderId: 'a1', atMs: 0, stage: 'unknown' as const },
    draft: aDraft({ symbol, type: 'MARKET', limitPrice: null, orderQuantity: amount(quantity) }),
  })
  const day = bounded({ dayNotionalUsd: usd(null, '9000') })
  expect(complaints({}, { ...day, recentOrders: [toMarket('BTC-USD', '0.01')] })).toEqual([])
  expect(complaints({}, { ...day, recentOrders: [toMarket('BTC-USD', '0.1')] })).toEqual([
    expect.stringMatching(/^block dayValue: day 9,6.* is over the hard limit/),
  ])
  expect(complaints({}, { ...day, recentOrders: [toMarket('ETH-USD', '0.01')] })).toEqual([
    'block dayValue: notional of market order a1 in ETH-USD unknown yet: cannot check the value of the day',
  ])
})

test('at a desk, which lists it among the working orders, it counts the same', () => {
  const lost = (symbol: string, quantity: string) => {
    const draft = aDraft({ symbol, type: 'MARKET', limitPrice: null, orderQuantity: amount(quantity) })
    return {
      recentOrders: [{ clientOrderId: 'a1', atMs: 0, stage: 'unknown' as const, draft }],
      openOrders: fresh([unansweredOrder(draft, 'a1', 0)]),
      ownDrafts: new Map([['a1', draft]]),
    }
  }
  const day = bounded({ dayNotionalUsd: usd(null, '9000') })
  expect(complaints({}, { ...day, ...lost('BTC-USD', '0.01') })).toEqual([])
  expect(complaints({}, { ...day, ...lost('BTC-USD', '0.1') })).toEqual([
    expect.stringMatching(/^block dayValue: day 9,6.* is over the hard limit/),
  ])
  expect(complaints({}, { ...day, ...lost('ETH-USD', '0.01') })).toEqual([
    'block dayValue: notional of market order a1 in ETH-USD unknown yet: cannot check the value of the day',
  ])
})

test('an order whose report says that less than nothing is open takes nothing away from the day', () => {
  const odd = anOrder({ orderId: '7', leavesQuantity: amount('-1') })
  expect(complaints({}, { ...bounded({ dayNotionalUsd: usd(null, '3000') }), openOrders: fresh([odd]) })).toEqual([
    'block dayValue: size of order 7 unknown: cannot check the value of the day',
  ])
})

test('a market order against an empty side is blocked by that alone, and by what it would cost', () => {
  const noBids = { book: fresh(aBook([], [['64220.50', '5']])) }
  const noAsks = { book: fresh(aBook([['64210.00', '5']], [])) }
  const strict = bounded({ orderNotionalUsd: usd(null, '1'), collarPercent: usd(null, '1') })
  const sellers = 'block market: no sellers in the book: nothing would fill'
  expect(complaints({ ...market, side: 'SELL' }, { ...noBids, ...strict })).toEqual([
    'block market: no buyers in the book: nothing would fill',
  ])
  expect(complaints(market, { ...noAsks, ...strict })).toEqual([sellers])
})

test('without a book nobody knows what a market buy costs, and it waits', () => {
  const { balances, fees } = context()
  if (balances.kind !== 'fresh' || fees.kind !== 'fresh') throw new Error('not fresh')
  const unseen = { book: null, lastPrice: null }
  const funds = { balances: balances.value, fees: fees.value, ...unseen, orders: [], drafts: new Map() }
  expect(fundsCheck(aDraft(market), anInstrument(), funds)).toEqual({
    ...{ rule: 'funds', level: 'block', text: 'no book, so no cost yet: wait' },
  })
  expect(fundsCheck(aDraft({ ...market, side: 'SELL' }), anInstrument(), funds).level).toBe('ok')
  expect(affordableQuantity(amount('100'), amount('0'), anInstrument(), usualFees).toString()).toBe('0')
})

test('a market buy with nothing to pay it is blocked, with less than it needs it is warned of', () => {
  const at = (usd: string) => ({ balances: fresh([aBalance('USD', usd)]) })
  expect(complaints(market, at('0'))).toEqual(['block funds: needs 3,217.45 USD with fee, available 0.00'])
  expect(complaints(market, at('100'))).toEqual([
    'warn funds: needs 3,217.45 USD with fee, available 100.00: fills only what that pays for',
  ])
  // A limit order has a price for all of it, however little the book holds.
  expect(complaints({ orderQuantity: amount('50'), limitPrice: amount('64000') }, at('100'))).toEqual([
    'block funds: needs 3,206,400.00 USD with fee, available 100.00: at most 0.0015',
  ])
})

test('held funds are named with the largest first, of that side and currency, as far as their reports tell', () => {
  const balances = fresh([aBalance('BTC', '0.1', { total: '1' }), aBalance('USD', '1', { total: '9000' })])
  const sell = (orderId: string, quantity: string | null, symbol = 'BTC-USD') =>
    anOrder({
      ...{ orderId, symbol, side: 'SELL', limitPrice: amount('71000') },
      leavesQuantity: quantity === null ? null : amount(quantity),
    })
  const orders = [sell('1', '0.1'), sell('2', '0.3'), sell('3', null), sell('4', '5', 'ETH-USD'), sell('5', '0')]
  const buys = [
    anOrder({ orderId: '6', limitPrice: null }),
    anOrder({ orderId: '7', leavesQuantity: null, cumQuantity: null }),
  ]
  const held = { balances, openOrders: fresh([...orders, ...buys]) }
  const order = { side: 'SELL', orderQuantity: amount('0.5'), limitPrice: amount('70000') } as const
  expect(complaints(order, held)).toEqual([
    'block funds: needs 0.5 BTC, available 0.1: at most 0.1000; ' +
      '0.4 BTC held by your 2 sell orders 2, 1: cancel them to free it',
  ])
  // A buy that pays in bitcoin is not one of the sell orders.
  const paying = anOrder({ orderId: '8', symbol: 'ETH-BTC', side: 'BUY', limitPrice: amount('0.05') })
  expect(complaints(order, { ...held, openOrders: fresh([...orders, paying]) })).toEqual([
    expect.stringContaining('2 sell orders 2, 1:'),
  ])
  const short = 'block funds: needs 3,216.90 USD with fee, available 1.00: at most 0.0000'
  expect(complaints({}, held)).toEqual([short])
  // Nothing is held by orders where the balance says that nothing is held, or is not there.
  const free = fresh([aBalance('BTC', '0.1')])
  expect(complaints(order, { ...held, balances: free })).toEqual([
    'block funds: needs 0.5 BTC, available 0.1: at most 0.1000',
  ])
  expect(complaints(order, { ...held, balances: fresh([]) })).toEqual([
    'block funds: needs 0.5 BTC, available 0: at most 0.0000',
  ])
  // Nor are they named where the list of orders is old.
  expect(complaints(order, { ...held, openOrders: stale })).toEqual([
    'block funds: needs 0.5 BTC, available 0.1: at most 0.1000',
  ])
  const parts = { kind: 'partial', value: orders, unreadableCount: 1 } as const
  expect(complaints(order, { ...held, openOrders: parts })).toEqual([
    'block funds: needs 0.5 BTC, available 0.1: at most 0.1000',
  ])
})

test('a stop that waits is not held against what the book has now', () => {
  const empty = { book: fresh(aBook([['64210.00', '5']], [['64220.50', '0.001']])) }
  const stop = { type: 'STOP', limitPrice: null, stopPrice: amount('64300'), timeInForce: 'IOC' } as const
  expect(complaints(stop, empty)).toEqual([])
  // Dear as the book is now, it is held at its trigger.
  const levels: [string, string][] = [
    ['64220.50', '0.001'],
    ['90000.00', '5'],
  ]
  const dear = { book: fresh(aBook([['64210.00', '5']], levels)), balances: fresh([aBalance('USD', '3500')]) }
  const funds = (last: string) => complaints(stop, { ...dear, tickers: lastTrades({ 'BTC-USD': last }) })
  const needed = 'warn funds: needs 4,483.17 USD with fee, available 3,500.00: fills only what that pays for'
  expect(funds('64215')).not.toContain(needed)
  expect(funds('64300')).toContain(needed)
})

test('only another order of the same type, sent and not refused, is a duplicate', () => {
  const recent = (draft: Partial<OrderDraft>, stage: 'taken' | 'refused') => ({
    ...bounded({ duplicateWithinMs: 5_000 }),
    recentOrders: [{ clientOrderId: 'mine', draft: aDraft(draft), atMs: context().nowMs - 1_000, stage }],
  })
  expect(rules({}, recent({}, 'taken'))).toContain('duplicate block')
  expect(rules({}, recent({ type: 'MARKET' }, 'taken'))).toContain('duplicate')
  // One that was taken and is listed is a duplicate by its time, not an answer gone wrong.
  const listed = { ...recent({}, 'taken'), openOrders: fresh([anOrder({ clientOrderId: 'mine' })]) }
  expect(complaints({}, listed).join()).toContain('the same order went out 1 s ago')
  expect(complaints({}, { ...listed, nowMs: context().nowMs + 60_000 })).toEqual([])
})

test('orders on their way count as open ones of their symbol', () => {
  const own = new Map([['BTC-USD', { openOrders: { soft: null, hard: 1 } }]])
  const onItsWay = (symbol: string) => ({
    ...bounded({ perSymbol: own }),
    recentOrders: [
      {
        clientOrderId: 'x',
        draft: aDraft({ symbol, side: 'SELL', limitPrice: amount('65000') }),
        atMs: 0,
        stage: 'inFlight' as const,
      },
    ],
  })
  expect(complaints({}, onItsWay('ETH-USD'))).toEqual([])
  expect(complaints({}, onItsWay('BTC-USD'))).toEqual([
    'block openOrders: 2 open orders in BTC-USD with this one are over the hard limit 1',
  ])
})

test('a post-only sale must be above the buyers, and without anybody on the other side any price is', () => {
  const sale = { postOnly: true, side: 'SELL', limitPrice: amount('64210') } as const
  expect(complaints(sale)).toEqual(['block postOnly: would match at 64210.00: a post-only price must be above it'])
  expect(complaints(sale, { book: fresh(aBook([], [['64220.50', '5']])) })).toEqual([])
  expect(complaints({ ...sale, postOnly: false })).toEqual([])
})

test('a price or a stop off the tick, at zero or below is named as what it is', () => {
  const stop = { type: 'STOP', limitPrice: null, stopPrice: amount('64300.2') } as const
  expect(complaints(stop)).toEqual(['block tick: stop price 64300.2 is off the tick 0.50: 64300.00 or 64300.50'])
  expect(complaints({ orderQuantity: amount('0') })).toContain('block lot: quantity must be above zero')
  expect(complaints({ ...market, orderQuantity: amount('-1') })).toContain('block lot: quantity must be above zero')
  // A price that nobody sells or buys at, such as one on the ladder, is rounded as a buy's is.
  expect(tickCheck('price', amount('64209.7'), anInstrument(), 'BUY').remedy?.value.toString()).toBe('64209.5')
})

test('a stop without a price is never reached, nor by a price that is not there', () => {
  expect(isStopReached({ side: 'BUY', stopPrice: null }, amount('1'))).toBe(false)
  expect(isStopReached({ side: 'BUY', stopPrice: amount('1') }, null)).toBe(false)
  expect(isStopReached({ side: 'BUY', stopPrice: amount('1') }, amount('1'))).toBe(true)
  expect(isStopReached({ side: 'SELL', stopPrice: amount('1') }, amount('1'))).toBe(true)
  expect(isStopReached({ side: 'SELL', stopPrice: amount('1') }, amount('1.1'))).toBe(false)
  // With one side of the book empty there is no mid, and nothing is said to trigger.
  const oneSided = { book: fresh(aBook([['64210.00', '5']], [])) }
  expect(complaints({ type: 'STOP', limitPrice: null, stopPrice: amount('64000') }, oneSided)).toEqual([])
})

test('the nearest own order is the one that is met first', () => {
  const own = (side: 'BUY' | 'SELL', ...prices: string[]) => ({
    openOrders: fresh(prices.map((price) => anOrder({ side, limitPrice: amount(price) }))),
  })
  const met = (side: 'BUY' | 'SELL', at: string) => [
    `warn selfMatch: would hit your own ${side} at ${at}: the rest is canceled`,
  ]
  const buy = { limitPrice: amount('64230'), orderQuantity: amount('9') }
  expect(complaints(buy, own('SELL', '64225', '64222', '64224'))).toEqual(met('SELL', '64222.00'))
  expect(complaints({ ...buy, side: 'SELL', limitPrice: amount('64200') }, own('BUY', '64205', '64207'))).toEqual(
    met('BUY', '64207.00'),
  )
  // An own stop has no price in the book.
  const stop = { openOrders: fresh([anOrder({ side: 'SELL', limitPrice: null })]) }
  expect(complaints(buy, stop)).toEqual([])
  // One that fills wholly before, or stands behind the limit, is not met.
  expect(complaints({ ...buy, orderQuantity: amount('5') }, own('SELL', '64225'))).toEqual([])
  expect(complaints(buy, own('SELL', '64231'))).toEqual([])
})

test('in an auction the price is held against that of the auction, and none is offered where nobody stands', () => {
  const auction = { price: amount('64000'), quantity: null, time: null, imbalance: null }
  const halted = {
    ...bounded({ collarPercent: usd(null, '5') }),
    instrument: fresh(anInstrument({ status: 'halt', auction })),
    book: fresh(aBook([], [['64220.50', '5']])),
  }
  expect(complaints({ limitPrice: amount('63000') }, halted)).toEqual([])
  expect(complaints({ limitPrice: amount('60000') }, halted)).toEqual([
    'block collar: price 60,000.00 is 6.25% from the mid 64,000.00: over the hard limit 5%',
  ])
  const [blocked] = preTradeChecks(aDraft({ limitPrice: amount('60000') }), context(halted)).filter(
    ({ level }) => level === 'block',
  )
  expect(blocked).not.toHaveProperty('remedy')
  // A market order has no price to be held there.
  expect(complaints({ ...market, side: 'SELL' }, halted).join()).not.toContain('collar')
})

test('a market order through the whole book meets an own order in it', () => {
  const own = { openOrders: fresh([anOrder({ side: 'SELL', limitPrice: amount('64220.5') })]) }
  expect(complaints({ ...market, orderQuantity: amount('9') }, own)).toContain(
    'warn selfMatch: would hit your own SELL at 64220.50: the rest is canceled',
  )
})

test('a market order that says post-only is no price to be judged by its place in the book', () => {
  expect(rules({ ...market, postOnly: true })).toContain('postOnly')
})

test('without a bound in USD no rate is needed', () => {
  const euro = {
    instrument: fresh(anInstrument({ symbol: 'BTC-EUR', counter: 'EUR' })),
    balances: fresh([aBalance('EUR', '1000000')]),
  }
  expect(complaints({ symbol: 'BTC-EUR' }, euro)).toEqual([])
})

test('where nothing bounds the price, any price passes; where the book has no mid, nothing is measured by it', () => {
  const far = { limitPrice: amount('6400') }
  expect(complaints(far)).toEqual([])
  expect(complaints(far, { book: fresh(aBook([['64210.00', '5']], [])) })).toEqual([])
  const collar = bounded({ collarPercent: usd(null, '5') })
  const stop = { type: 'STOP', limitPrice: null } as const
  expect(complaints({ ...stop, stopPrice: amount('65000') }, collar)).toEqual([])
  for (const limitPrice of [amount('0'), amount('-64210')])
    expect(complaints({ limitPrice }, collar)).toEqual(['block tick: price must be above zero'])
  const atZero = { type: 'STOPLIMIT', stopPrice: amount('0'), limitPrice: amount('1'), side: 'SELL' } as const
  expect(complaints(atZero, collar).filter((line) => line.startsWith('block'))).toEqual([
    'block tick: stop price must be above zero',
  ])
})
