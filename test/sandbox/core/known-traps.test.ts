import { expect, test } from 'vitest'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { alice, bob, carol, Floor, state } from './floor.ts'

// Mistakes that other order books are known to have made.

test('0.1 and 0.2 fill a FOK of 0.3 to the last digit', () => {
  const floor = new Floor()
  floor.sell(bob, '0.1', '60000')
  floor.sell(carol, '0.2', '60000')
  expect(state(floor.buy(alice, '0.3', '60000', { timeInForce: 'FOK' }))).toMatchObject({
    status: 'FILLED',
    leaves: '0',
    cum: '0.3',
  })
  expect(floor.book()).toEqual({ bids: [], asks: [] })
})

test('what is no number is never an order', () => {
  const floor = new Floor()
  for (const bad of ['NaN', 'Infinity', '-Infinity', '', 'null', '0x1'])
    for (const amounts of [
      { orderQty: bad, price: '1' },
      { orderQty: '1', price: bad },
    ]) {
      const request = floor.request(alice, 'BUY', '1', '1')
      expect(floor.refuse('placeOrder', { ...request, amounts }).kind).toBe('invalid')
    }
  for (const amounts of [
    { lots: Number.NaN, ticks: 1 },
    { lots: 1, ticks: Number.POSITIVE_INFINITY },
    { lots: 2 ** 53, ticks: 1 },
  ])
    expect(floor.refuse('placeOrder', { ...floor.request(alice, 'BUY', '1', '1'), amounts }).kind).toBe('invalid')
})

test('a buy stop goes by the trade of a seller who takes', () => {
  const floor = new Floor()
  floor.sell(bob, '1', '60100')
  const stop = floor.buy(alice, '1', undefined, { stopPx: '60000' })
  floor.buy(carol, '0.1', '60000')
  floor.sell(bob, '0.1', '60000')
  expect(state(floor.order(alice, stop))).toMatchObject({ status: 'FILLED', avg: '60100' })
})

test('a waiting stop can be canceled, alone and with all others, and never goes after it', () => {
  const floor = new Floor()
  const [one, two] = [
    floor.buy(alice, '1', undefined, { stopPx: '60000' }),
    floor.sell(alice, '1', '50000', { stopPx: '59000' }),
  ]
  floor.cancel(alice, one)
  expect(floor.run('cancelOrders', { account: alice }).canceledIds).toEqual([two.exOrdId])
  floor.sell(bob, '1', '60000')
  floor.buy(carol, '0.5', '60000')
  floor.buy(carol, '1', '50000')
  floor.sell(bob, '0.5', '50000')
  expect([floor.order(alice, one), floor.order(alice, two)].map((order) => order.ordStatus)).toEqual([
    'CANCELED',
    'CANCELED',
  ])
})

test('the rest of an IOC never rests, even when its trade sets off a stop', () => {
  const floor = new Floor()
  floor.sell(bob, '1', '60000')
  const stop = floor.buy(alice, '1', '60000', { stopPx: '60000' })
  const order = floor.buy(carol, '3', '60000', { timeInForce: 'IOC' })
  expect(state(order)).toMatchObject({ status: 'CANCELED', cum: '1', leaves: '2' })
  expect(state(floor.order(alice, stop))).toMatchObject({ status: 'OPEN' })
  expect(floor.book()).toEqual({ bids: ['60000 1 1'], asks: [] })
  expect(state(floor.sell(bob, '3', '60000', { timeInForce: 'IOC' }))).toMatchObject({ cum: '1', leaves: '2' })
})

test('a restart keeps the last price, the queues and the waiting stops', () => {
  const floor = new Floor()
  floor.sell(bob, '1', '60000')
  floor.buy(carol, '1', '60000')
  const late = floor.buy(alice, '1', '59000', { stopPx: '60100' })
  const early = floor.buy(bob, '1', '59000')
  // The stop is older but comes to the price later: its place is the second one.
  floor.sell(carol, '0.1', '60100')
  floor.buy(bob, '0.1', '60100')
  const waiting = floor.sell(alice, '1', undefined, { stopPx: '59500' })
  const again = Exchange.restore(JSON.parse(JSON.stringify(floor.exchange.snapshot())))
  expect(again.read.ticker('BTC-USD', floor.nowMs)?.lastTradePrice?.toFixed()).toBe('60100')
  expect(again.read.l3('BTC-USD')?.bids.map(({ num }) => num)).toEqual([early.exOrdId, late.exOrdId])
  expect(again.read.order(alice, waiting.exOrdId)?.ordStatus).toBe('PENDING')
  const order = floor.request(alice, 'BUY', '1', undefined, { stopPx: '60000' })
  for (const exchange of [floor.exchange, again]) {
    exchange.execute({ type: 'placeOrder', atMs: floor.nowMs, ...order })
    exchange.execute({ type: 'cancelOrders', atMs: floor.nowMs, account: alice })
  }
  expect(again.snapshot()).toEqual(floor.exchange.snapshot())
})

test('an account does not trade with itself after a part of the order has filled elsewhere', () => {
  const floor = new Floor()
  floor.sell(bob, '0.4', '60000')
  const own = floor.sell(alice, '1', '60000.5')
  floor.sell(bob, '1', '60001')
  expect(state(floor.buy(alice, '1', '60001'))).toMatchObject({
    status: 'CANCELED',
    cum: '0.4',
    leaves: '0.6',
    text: 'Self match',
  })
  expect(floor.order(alice, own).ordStatus).toBe('OPEN')
  expect(floor.read.fills({ account: alice, limit: 9 })).toHaveLength(1)
})
