import { beforeEach, describe, expect, test } from 'vitest'
import { alice, bob, carol, Floor, state } from './floor.ts'

let floor: Floor
beforeEach(() => {
  floor = new Floor()
})

describe('GTC', () => {
  test('rests, holds price and taker fee, and gives them back when cancelled', () => {
    const order = floor.buy(alice, '2', '60000')
    expect(state(order)).toMatchObject({ status: 'OPEN', leaves: '2', cum: '0', avg: null })
    expect(floor.money(alice, 'USD')).toEqual({ balance: '1000000', available: '879760' })
    expect(floor.book()).toEqual({ bids: ['60000 2 1'], asks: [] })
    expect(state(floor.cancel(alice, order))).toMatchObject({ status: 'CANCELED', leaves: '2', text: null })
    expect(floor.money(alice, 'USD')).toEqual({ balance: '1000000', available: '1000000' })
    expect(floor.book()).toEqual({ bids: [], asks: [] })
  })

  test('a sell holds the base currency', () => {
    floor.sell(alice, '2', '60000')
    expect(floor.money(alice, 'BTC')).toEqual({ balance: '100', available: '98' })
  })

  test('fills at the better price of the book, the difference and the fee of a maker come back at the fill', () => {
    floor.sell(bob, '1', '59000')
    const order = floor.buy(alice, '1', '60000')
    expect(state(order)).toEqual({
      status: 'FILLED',
      leaves: '0',
      cum: '1',
      avg: '59000',
      last: '59000',
      shares: '1',
      text: null,
    })
    // 59,000 and the taker fee of 0.2% of it; nothing is held any more.
    expect(floor.money(alice, 'USD')).toEqual({ balance: '940882', available: '940882' })
    expect(floor.money(alice, 'BTC')).toEqual({ balance: '101', available: '101' })
    // The maker gets 59,000 less 0.1%.
    expect(floor.money(bob, 'USD')).toEqual({ balance: '1058941', available: '1058941' })
    expect(floor.money(bob, 'BTC')).toEqual({ balance: '99', available: '99' })
    expect(floor.read.balance(0, 'USD')?.balance.toFixed()).toBe('177')
  })

  test('a resting buy that fills pays the maker fee out of what was held for the taker fee', () => {
    floor.buy(alice, '2', '60000')
    floor.sell(bob, '1', '60000')
    // Held for one more: 60,120. Paid for one: 60,060.
    expect(floor.money(alice, 'USD')).toEqual({ balance: '939940', available: '879820' })
  })

  test('fills in parts with an exact average price', () => {
    floor.sell(bob, '1', '60000')
    floor.sell(carol, '2', '60000.5')
    const order = floor.buy(alice, '4', '60001')
    expect(state(order)).toEqual({
      status: 'PART_FILLED',
      leaves: '1',
      cum: '3',
      avg: '60000.3333333333333333333',
      last: '60000.5',
      shares: '2',
      text: null,
    })
    floor.sell(carol, '0.5', '60001')
    expect(state(floor.order(alice, order))).toMatchObject({
      status: 'PART_FILLED',
      leaves: '0.5',
      cum: '3.5',
      shares: '0.5',
    })
    floor.sell(carol, '0.5', '60001')
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'FILLED', leaves: '0', cum: '4', avg: '60000.5' })
  })

  test('a partly filled order that is canceled reports what was open before', () => {
    floor.sell(bob, '1', '60000')
    const order = floor.buy(alice, '4', '60000')
    expect(state(floor.cancel(alice, order))).toMatchObject({ status: 'CANCELED', leaves: '3', cum: '1', avg: '60000' })
  })

  test('an order that has ended cannot be canceled, one of another account is not there', () => {
    const order = floor.buy(alice, '1', '60000')
    expect(floor.refuse('cancelOrder', { account: bob, exOrdId: order.exOrdId }).kind).toBe('notFound')
    floor.cancel(alice, order)
    expect(floor.refuse('cancelOrder', { account: alice, exOrdId: order.exOrdId }).kind).toBe('conflict')
    expect(floor.refuse('cancelOrder', { account: alice, exOrdId: 99 }).kind).toBe('notFound')
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'CANCELED', leaves: '1' })
  })

  test('all orders are cancelled at once, or those of one symbol', () => {
    floor.buy(alice, '1', '60000')
    floor.buy(alice, '1', '59000')
    const eth = floor.buy(alice, '1', '0.05', { symbol: 'ETH-BTC' })
    const others = floor.buy(bob, '1', '58000')
    expect(floor.run('cancelOrders', { account: alice, symbol: 'BTC-USD' }).canceledIds).toHaveLength(2)
    expect(floor.order(alice, eth).ordStatus).toBe('OPEN')
    expect(floor.run('cancelOrders', { account: alice }).canceledIds).toEqual([eth.exOrdId])
    expect(floor.order(bob, others).ordStatus).toBe('OPEN')
    expect(floor.refuse('cancelOrders', { account: alice, symbol: 'NO-PE' }).kind).toBe('notFound')
  })
})

describe('IOC', () => {
  test('fills what it can; the rest is canceled and never rests', () => {
    floor.sell(bob, '1', '60000')
    const order = floor.buy(alice, '3', '60000', { timeInForce: 'IOC' })
    expect(state(order)).toMatchObject({ status: 'CANCELED', leaves: '2', cum: '1', text: 'Not enough liquidity' })
    expect(floor.book()).toEqual({ bids: [], asks: [] })
  })

  test('with a minimum fills at least that much at once', () => {
    floor.sell(bob, '1', '60000')
    floor.sell(bob, '1', '60001')
    const untouched = floor.buy(alice, '3', '60000', { timeInForce: 'IOC', minQty: '1.5' })
    expect(state(untouched)).toMatchObject({ status: 'CANCELED', leaves: '3', cum: '0', text: 'Not enough liquidity' })
    const filled = floor.buy(alice, '3', '60001', { timeInForce: 'IOC', minQty: '1.5' })
    expect(state(filled)).toMatchObject({ status: 'CANCELED', leaves: '1', cum: '2' })
  })
})

describe('FOK', () => {
  test('fills whole or not at all', () => {
    floor.sell(bob, '1', '60000')
    floor.sell(bob, '1', '60001')
    const untouched = floor.buy(alice, '2', '60000', { timeInForce: 'FOK' })
    expect(state(untouched)).toMatchObject({ status: 'CANCELED', leaves: '2', cum: '0', text: 'Not enough liquidity' })
    expect(floor.book().asks).toEqual(['60000 1 1', '60001 1 1'])
    expect(state(floor.buy(alice, '2', '60001', { timeInForce: 'FOK' }))).toMatchObject({ status: 'FILLED', cum: '2' })
  })

  test("does not fill when its own account's order is in the way", () => {
    floor.sell(bob, '1', '60000')
    floor.sell(alice, '1', '60000')
    floor.sell(bob, '1', '60000')
    expect(state(floor.buy(alice, '2', '60000', { timeInForce: 'FOK' }))).toMatchObject({
      status: 'CANCELED',
      cum: '0',
      text: 'Self match',
    })
    expect(state(floor.buy(alice, '1', '60000', { timeInForce: 'FOK' }))).toMatchObject({ status: 'FILLED', cum: '1' })
  })
})

describe('GTD', () => {
  test('lives to the end of its day, UTC, and gives back what it held', () => {
    const order = floor.buy(alice, '1', '60000', { timeInForce: 'GTD', expireDate: 20261120 })
    const midnightMs = Date.UTC(2026, 10, 21)
    expect(floor.read.nextExpiryMs()).toBe(midnightMs)
    floor.nowMs = midnightMs - 2
    floor.run('advanceTime', {})
    expect(floor.order(alice, order).ordStatus).toBe('OPEN')
    const outcome = floor.send('advanceTime', {})
    expect(outcome.events).toMatchObject([{ type: 'order', status: 'EXPIRED', exOrdId: order.exOrdId }])
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'EXPIRED', leaves: '1', text: null })
    expect(floor.money(alice, 'USD').available).toBe('1000000')
    expect(floor.read.nextExpiryMs()).toBeUndefined()
  })

  test('a later command finds it gone, even one that is refused', () => {
    floor.sell(bob, '1', '60000', { timeInForce: 'GTD', expireDate: 20261120 })
    floor.nowMs = Date.UTC(2026, 10, 22)
    const outcome = floor.send('cancelOrder', { account: alice, exOrdId: 12_345 })
    expect(outcome.ok).toBe(false)
    expect(outcome.events).toMatchObject([{ type: 'order', status: 'EXPIRED' }])
    expect(floor.buy(alice, '1', '60000').ordStatus).toBe('OPEN')
  })

  test('different days end in their order; an order that ended before has no end any more', () => {
    const days = [20261123, 20261121, 20261122]
    const [third, first, second] = days.map((expireDate) =>
      floor.buy(alice, '1', '50000', { timeInForce: 'GTD', expireDate }),
    )
    if (first === undefined || second === undefined || third === undefined) throw new Error('three orders')
    floor.cancel(alice, first)
    expect(floor.read.nextExpiryMs()).toBe(Date.UTC(2026, 10, 23))
    floor.nowMs = Date.UTC(2026, 11, 1)
    expect(floor.send('advanceTime', {}).events).toMatchObject([
      { exOrdId: second.exOrdId, status: 'EXPIRED' },
      { exOrdId: third.exOrdId, status: 'EXPIRED' },
    ])
  })
})

describe('ALO', () => {
  test('rests when it meets nobody, and is refused when it would', () => {
    floor.sell(bob, '1', '60000')
    const refused = floor.buy(alice, '1', '60000', { execInst: 'ALO' })
    expect(state(refused)).toMatchObject({ status: 'REJECTED', leaves: '1', text: 'ALO order would match' })
    expect(floor.buy(alice, '1', '59999.5', { execInst: 'ALO' }).ordStatus).toBe('OPEN')
    expect(floor.sell(carol, '1', '59999.5', { execInst: 'ALO' }).ordStatus).toBe('REJECTED')
  })
})

describe('self match', () => {
  test('what is left of the new order is canceled, the resting one stays', () => {
    const resting = floor.sell(alice, '1', '60000')
    const order = floor.buy(alice, '2', '60000')
    expect(state(order)).toMatchObject({ status: 'CANCELED', leaves: '2', cum: '0', text: 'Self match' })
    expect(floor.order(alice, resting).ordStatus).toBe('OPEN')
    expect(floor.money(alice, 'USD').available).toBe('1000000')
  })

  test('fills ahead of it stand', () => {
    floor.sell(bob, '0.5', '60000')
    floor.sell(alice, '1', '60000')
    const order = floor.buy(alice, '2', '60000')
    expect(state(order)).toMatchObject({
      status: 'CANCELED',
      leaves: '1.5',
      cum: '0.5',
      avg: '60000',
      text: 'Self match',
    })
  })
})
