import { beforeEach, describe, expect, test } from 'vitest'
import type { OrderRequest } from '../../../src/sandbox/core/commands.ts'
import { alice, bob, Floor, state } from './floor.ts'

let floor: Floor
beforeEach(() => {
  floor = new Floor()
})

describe('a refused order', () => {
  test.each([
    ['off the tick', '1', '64000.3', {}, 'Price is off the tick of 0.5'],
    ['finer than anything', '1', '1e-30', {}, 'Price is off the tick of 0.5'],
    ['at no price', '1', '0', {}, 'Price must be above zero'],
    ['at a negative price', '1', '-5', {}, 'Price must be above zero'],
    ['off the lot', '1.00005', '64000', {}, 'Quantity is off the lot of 0.0001'],
    ['below the minimum', '0.0004', '64000', {}, 'Quantity is below the minimum of 0.0005'],
    ['of nothing', '0', '64000', {}, 'Quantity is below the minimum of 0.0005'],
    ['of less than nothing', '-1', '64000', {}, 'Quantity is below the minimum of 0.0005'],
    ['above the maximum', '50.0001', '1', {}, 'Quantity is above the maximum of 50'],
    ['with a stop off the tick', '1', '64000', { stopPx: '64000.1' }, 'Stop price is off the tick of 0.5'],
    [
      'with more at once than in all',
      '1',
      '64000',
      { timeInForce: 'IOC', minQty: '1.1' },
      'Minimum quantity is above the quantity',
    ],
    ['for more than the account has', '20', '64000', {}, 'Insufficient Balance'],
    ['too large to count', '50', '999999999999999', {}, 'Amount is too large for this symbol'],
    ['until a day that is over', '1', '64000', { timeInForce: 'GTD', expireDate: 20261119 }, 'The expireDate is past'],
  ] as const)('%s', (_, orderQty, price, options, text) => {
    const before = floor.money(alice, 'USD')
    const order = floor.buy(alice, orderQty, price, options)
    expect(order.ordStatus).toBe('REJECTED')
    expect(order.text).toBe(text)
    expect(order.leavesQty).toEqual(order.orderQty)
    expect(floor.money(alice, 'USD')).toEqual(before)
    expect(floor.book()).toEqual({ bids: [], asks: [] })
  })

  test('keeps its amounts to the digit, has an id and stands in the history', () => {
    const order = floor.buy(alice, '1.00005', '64000.301')
    expect([order.orderQty, order.price, order.leavesQty].map(String)).toEqual(['1.00005', '64000.301', '1.00005'])
    expect(state(order)).toEqual({
      status: 'REJECTED',
      leaves: '1.00005',
      cum: '0',
      avg: null,
      last: null,
      shares: null,
      text: 'Price is off the tick of 0.5',
    })
    expect(floor.read.orders({ account: alice, limit: 5 }).map(({ exOrdId }) => exOrdId)).toEqual([order.exOrdId])
    expect(floor.read.orders({ account: alice, statuses: ['REJECTED'], limit: 5 })).toHaveLength(1)
  })

  test('of a symbol nobody knows', () => {
    const order = floor.buy(alice, '1', '5', { symbol: 'DOGE-USD' })
    expect([order.ordStatus, order.text, order.symbol]).toEqual(['REJECTED', 'Unknown symbol', 'DOGE-USD'])
    expect(order.price?.toFixed()).toBe('5')
  })

  test('with the client order id of a live order; the id is free again when that has ended', () => {
    const live = floor.buy(alice, '1', '60000', { clOrdId: 'mine' })
    expect(floor.buy(alice, '1', '60000', { clOrdId: 'mine' }).text).toMatch('Duplicate clOrdId')
    expect(floor.buy(bob, '1', '60000', { clOrdId: 'mine' }).ordStatus).toBe('OPEN')
    floor.cancel(alice, live)
    expect(floor.buy(alice, '1', '60000', { clOrdId: 'mine' }).ordStatus).toBe('OPEN')
  })

  test('that the book could not count any more', () => {
    floor.run('addSymbol', {
      spec: { ...symbolWithoutLimit, symbol: 'XRP-USD', base: 'XRP', counter: 'USD' },
    })
    floor.fund(alice, 'XRP', '9000000000000')
    const options = { symbol: 'XRP-USD' }
    expect(floor.sell(alice, '9000000000', '1', options).ordStatus).toBe('OPEN')
    expect(floor.sell(alice, '8000000', '1', options).text).toBe('The quantity is too large for the book')
  })
})

const symbolWithoutLimit = {
  minPriceIncrement: 1,
  minPriceIncrementScale: 0,
  lotSize: 1,
  lotSizeScale: 6,
  minOrderSize: 0,
  minOrderSizeScale: 0,
  maxOrderSize: 0,
  maxOrderSizeScale: 0,
}

describe('a request that makes no sense', () => {
  const request = (more: Partial<OrderRequest>) => ({ ...floor.request(alice, 'BUY', '1', '64000'), ...more })
  const field = (more: Partial<OrderRequest>) => {
    const refusal = floor.refuse('placeOrder', request(more))
    return refusal.kind === 'invalid' ? refusal.field : refusal.kind
  }

  test.each<[string, Partial<OrderRequest>]>([
    ['clOrdId', { clOrdId: '' }],
    ['clOrdId', { clOrdId: 'a'.repeat(21) }],
    ['clOrdId', { clOrdId: 'no spaces' }],
    ['price', { amounts: { orderQty: '1' } }],
    ['orderQty', { amounts: { orderQty: 'NaN', price: '1' } }],
    ['price', { amounts: { orderQty: '1', price: 'Infinity' } }],
    ['stopPx', { ordType: 'STOPLIMIT' }],
    ['timeInForce', { ordType: 'STOP', timeInForce: 'IOC', amounts: { orderQty: '1', stopPx: '5' } }],
    ['timeInForce', { ordType: 'MARKET', timeInForce: 'GTC' }],
    ['minQty', { amounts: { orderQty: '1', price: '1', minQty: '1' } }],
    ['expireDate', { timeInForce: 'GTD' }],
    ['expireDate', { expireDate: 20261231 }],
    ['expireDate', { timeInForce: 'GTD', expireDate: 20260230 }],
    ['expireDate', { timeInForce: 'GTD', expireDate: 1 }],
    ['execInst', { execInst: 'ALO', timeInForce: 'IOC' }],
    ['execInst', { execInst: 'ALO', ordType: 'MARKET' }],
    ['lots', { amounts: { lots: 1.5, ticks: 1 } }],
    ['lots', { amounts: { lots: Number.NaN, ticks: 1 } }],
    ['symbol', { symbol: 'X'.repeat(41) }],
  ])('names the field %s and places nothing', (name, more) => {
    expect(field(more)).toBe(name)
    expect(floor.read.orders({ account: alice, limit: 5 })).toEqual([])
  })

  test("of an account that is not there, or the house's own", () => {
    expect(field({ account: 99 })).toBe('notFound')
    expect(field({ account: 0 })).toBe('notFound')
  })

  test('at no time', () => {
    for (const atMs of [Number.NaN, -1, 1.5]) {
      const outcome = floor.exchange.execute({ type: 'advanceTime', atMs })
      expect(outcome.ok).toBe(false)
    }
  })
})

test('a price or a trigger that the type has no use for is left aside', () => {
  const order = floor.buy(alice, '1', '64000', { ordType: 'LIMIT', stopPx: '3' })
  expect([order.ordStatus, order.stopPx]).toEqual(['OPEN', null])
  floor.sell(bob, '1', '64000')
  const market = floor.request(bob, 'SELL', '1', '3')
  expect(floor.order(bob, floor.run('placeOrder', { ...market, ordType: 'MARKET' })).price).toBeNull()
})
