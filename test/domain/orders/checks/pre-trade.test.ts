import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../../src/domain/money.ts'
import { isBlocked } from '../../../../src/domain/orders/checks/check.ts'
import { requiredHold } from '../../../../src/domain/orders/checks/funds-check.ts'
import { type CheckContext, preTradeChecks } from '../../../../src/domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../../../src/domain/orders/order.ts'
import { amount, usualFees } from '../../../fakes/amounts.ts'
import { aBalance } from '../../../fakes/balances.ts'
import { aBook } from '../../../fakes/books.ts'
import { anInstrument } from '../../../fakes/instruments.ts'
import { noLimits, quietDay } from '../../../fakes/limits.ts'
import { aDraft, anOrder } from '../../../fakes/orders.ts'

const book = aBook([['64210.00', '0.12']], [['64210.50', '0.733']])

function context(change: Partial<CheckContext> = {}): CheckContext {
  return {
    instrument: { kind: 'fresh', value: anInstrument() },
    book: { kind: 'fresh', value: book },
    balances: { kind: 'fresh', value: [aBalance('USD', '12004.11'), aBalance('BTC', '0.412')] },
    fees: { kind: 'fresh', value: usualFees },
    ...quietDay({ limits: noLimits }),
    ...change,
  }
}

const complaints = (draft: Partial<OrderDraft>, change: Partial<CheckContext> = {}) =>
  preTradeChecks(aDraft(draft), context(change))
    .filter((check) => check.level !== 'ok')
    .map((check) => `${check.level} ${check.rule}: ${check.text}`)

test('an order within every rule passes them all', () => {
  expect(complaints({})).toEqual([])
})

test.each([
  [{ limitPrice: amount('64209.53') }, 'block tick: price 64209.53 is off the tick 0.50: 64209.50 or 64210.00'],
  [{ limitPrice: amount('0.2') }, 'block tick: price 0.2 is off the tick 0.50: 0.50'],
  [{ limitPrice: amount('0') }, 'block tick: price must be above zero'],
  [{ orderQuantity: amount('0.05005') }, 'block lot: quantity 0.05005 is off the lot 0.0001: 0.0500 or 0.0501'],
  [{ orderQuantity: amount('0.0009') }, 'block minimum: quantity 0.0009 is below the minimum: 0.0010 or more'],
  [{ orderQuantity: amount('0.2') }, 'block funds: needs 12,867.58 USD with fee, available 12,004.11: at most 0.1865'],
  [{ side: 'SELL', orderQuantity: amount('0.5') }, 'block funds: needs 0.5 BTC, available 0.412: at most 0.4120'],
  [
    { postOnly: true, limitPrice: amount('64211') },
    'block postOnly: would match at 64210.50: a post-only price must be below it',
  ],
  [
    { side: 'SELL', type: 'MARKET', limitPrice: null, orderQuantity: amount('0.2') },
    'warn market: the book holds 0.1200 only: the rest is canceled',
  ],
] as const)('says what is wrong and what would pass: %o', (draft, sentence) => {
  expect(complaints(draft)).toEqual([sentence])
})

const odd = (fields: Readonly<Record<string, string>>) => ({ reason: 'field "rate" is missing', atMs: null, fields })

test('a balance that cannot be read is unknown and not zero; another currency holds nothing back', () => {
  const unread = 'block freshness: balances: 1 unreadable entry: wait for fresh data'
  const without = (listed: string, ...unreadBalances: ReturnType<typeof odd>[]) =>
    ({ balances: { kind: 'fresh', value: [aBalance(listed, '12004.11')] }, unreadBalances }) as const
  const buy = { side: 'BUY', orderQuantity: amount('0.1') } as const
  const sell = { side: 'SELL', orderQuantity: amount('0.1'), limitPrice: amount('64300') } as const
  expect(complaints(sell, without('USD', odd({ currency: 'BTC' })))).toEqual([unread])
  expect(complaints(buy, without('BTC', odd({ currency: 'USD' })))).toEqual([unread])
  expect(complaints(sell, without('USD', odd({ balance: '3' })))).toEqual([unread])
  // As the wire shows what is no name: null, an empty one, a number, a list.
  for (const currency of ['null', '', ' ', '7', '[…]'])
    expect(complaints(sell, without('USD', odd({ currency })))).toEqual([unread])
  // One that is listed is none of those that name nothing: a coin with an odd name holds no order back.
  for (const currency of ['null', '漢字']) expect(complaints(buy, without('USD', odd({ currency })))).toEqual([])
  expect(complaints(buy, without('USD', odd({ currency: 'BTC' })))).toEqual([])
  expect(complaints(sell, without('BTC', odd({ currency: 'DOGE' })))).toEqual([])
  // One that is not listed at all is empty.
  expect(complaints(sell, without('USD', odd({ currency: 'DOGE' })))).toEqual([
    'block funds: needs 0.1 BTC, available 0: at most 0.0000',
  ])
})

test('a rebate funds nothing: it is paid after the fill, so a buy needs its notional', () => {
  const rebate = { fees: { kind: 'fresh', value: { ...usualFees, takerRate: amount('-0.01') } } } as const
  const needs = 'block funds: needs 12,842.00 USD with fee, available 12,800.00: at most 0.1993'
  const balances = { kind: 'fresh', value: [aBalance('USD', '12800')] } as const
  const order = { limitPrice: amount('64210'), orderQuantity: amount('0.2') }
  expect(complaints(order, { ...rebate, balances })).toEqual([needs])
})

test('the maximum is a limit only when there is one', () => {
  const order = { side: 'SELL', orderQuantity: amount('100.5'), limitPrice: amount('64300') } as const
  const rich = { balances: { kind: 'fresh', value: [aBalance('BTC', '1000')] } } as const
  expect(complaints(order, rich)).toEqual(['block maximum: quantity 100.5 is above the maximum: 100.0000 or less'])
  expect(
    complaints(order, { ...rich, instrument: { kind: 'fresh', value: anInstrument({ maxQuantity: null }) } }),
  ).toEqual([])
})

test.each([
  ['suspend', 'LIMIT', 'BTC-USD is suspended: it takes no new orders'],
  ['halt-freeze', 'LIMIT', 'BTC-USD is in halt-freeze: it takes no new orders'],
  ['halt', 'MARKET', 'BTC-USD is halted for an auction: it takes LIMIT orders only'],
] as const)('a symbol that is %s refuses %s', (status, type, text) => {
  const instrument = { kind: 'fresh', value: anInstrument({ status }) } as const
  expect(complaints({ type, limitPrice: type === 'LIMIT' ? amount('64209.5') : null }, { instrument })).toEqual([
    `block status: ${text}`,
  ])
})

test('old or missing data blocks, and what depends on it is not judged', () => {
  expect(complaints({}, { book: { kind: 'stale', ageMs: 6_100 }, balances: { kind: 'missing' } })).toEqual([
    'block freshness: book 6 s old, balances not loaded: wait for fresh data',
  ])
})

test('a block for want of funds names the own orders that hold them, of every symbol, and how much', () => {
  const sell = (orderId: string, quantity: string, symbol = 'BTC-USD') =>
    anOrder({ orderId, symbol, side: 'SELL', leavesQuantity: amount(quantity), limitPrice: amount('70000') })
  const stop = anOrder({
    orderId: '44',
    clientOrderId: 'stop1',
    side: 'SELL',
    type: 'STOP',
    status: 'PENDING',
    limitPrice: null,
    leavesQuantity: amount('0'),
    cumQuantity: amount('0'),
  })
  const ownDrafts = new Map([['stop1', aDraft({ side: 'SELL', orderQuantity: amount('0.05'), limitPrice: null })]])
  const held = {
    balances: {
      kind: 'fresh',
      value: [aBalance('BTC', '0.1', { total: '0.6' }), aBalance('USD', '10', { total: '9000' })],
    },
    openOrders: {
      kind: 'fresh',
      value: [sell('41', '0.3'), sell('42', '0.15', 'BTC-EUR'), stop, anOrder({ orderId: '45' })],
    },
    ownDrafts,
  } as const
  expect(complaints({ side: 'SELL', orderQuantity: amount('0.5'), limitPrice: amount('70000') }, held)).toEqual([
    'block funds: needs 0.5 BTC, available 0.1: at most 0.1000; ' +
      '0.5 BTC held by your 3 sell orders 41, 42, 44: cancel them to free it',
  ])
  const buy = { orderQuantity: amount('0.1') } as const
  expect(complaints(buy, held)).toEqual([
    expect.stringMatching(
      /^block funds: needs [\d,.]+ USD with fee, available 10.00: at most 0.0001; 3,2\d\d\.\d\d USD held by your buy order 45: cancel it to free it$/,
    ),
  ])
  // What somebody else took from the balance, a withdrawal on its way, is held by no order.
  expect(
    complaints({ side: 'SELL', orderQuantity: amount('0.5') }, { ...held, openOrders: { kind: 'fresh', value: [] } }),
  ).toEqual(['block funds: needs 0.5 BTC, available 0.1: at most 0.1000'])
})

test('a market order against an empty side is blocked', () => {
  const empty = { book: { kind: 'fresh', value: aBook([['64210.00', '0.12']], []) } } as const
  expect(complaints({ type: 'MARKET', limitPrice: null }, empty)).toEqual([
    'block market: no sellers in the book: nothing would fill',
  ])
})

test('whatever passes is on the grid, within bounds and paid for', () => {
  const draft = fc.record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    // Mostly on the grid and about what the balances pay for, so that many pass; the rest is beside it, or beyond.
    orderQuantity: fc.oneof(
      fc.integer({ min: 1, max: 4_000 }).map((lots) => new Decimal(lots).div(10_000)),
      fc.integer({ min: 1, max: 3_000_000 }).map((units) => new Decimal(units).div(100_000)),
    ),
    limitPrice: fc.oneof(
      fc.integer({ min: 120_000, max: 135_000 }).map((ticks) => new Decimal(ticks).div(2)),
      fc.integer({ min: 1, max: 20_000_000 }).map((units) => new Decimal(units).div(100)),
    ),
  })
  const ends = { passed: 0, blocked: 0 }
  fc.assert(
    fc.property(draft, (change) => {
      const order = aDraft(change)
      const isStopped = isBlocked(preTradeChecks(order, context()))
      ends[isStopped ? 'blocked' : 'passed'] += 1
      if (isStopped) return
      const instrument = anInstrument()
      expect(order.orderQuantity.mod(instrument.lotSize).isZero()).toBe(true)
      expect(order.limitPrice?.mod(instrument.tickSize).isZero()).toBe(true)
      const hold = requiredHold(order, instrument, book, usualFees)
      expect(hold?.amount.lte(order.side === 'BUY' ? '12004.11' : '0.412')).toBe(true)
    }),
    { numRuns: 400 },
  )
  expect(Math.min(ends.passed, ends.blocked), JSON.stringify(ends)).toBeGreaterThan(20)
})

test('what the hub would refuse for its limit is refused here, however generous the own limits are', () => {
  const order = { limitPrice: amount('64000'), orderQuantity: amount('0.05') }
  expect(complaints(order, { hubOrderUsd: amount('3200') })).toEqual([])
  expect(complaints(order, { hubOrderUsd: amount('2000') })).toEqual([
    'block orderValue: notional 3,200.00 USD is over your limit at the hub: 2,000.00 USD an order',
  ])
  const [check] = preTradeChecks(aDraft(order), context({ hubOrderUsd: amount('2000') })).filter(
    ({ level }) => level === 'block',
  )
  expect(check?.remedy).toMatchObject({ field: 'quantity', value: amount('0.0312') })
  expect(complaints(order, { hubOrderUsd: amount('0') })[0]).toContain('your limit at the hub: 0.00 USD an order')
})
