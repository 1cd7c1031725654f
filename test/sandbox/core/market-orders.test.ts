import { beforeEach, expect, test } from 'vitest'
import { alice, bob, carol, Floor, state } from './floor.ts'

let floor: Floor
beforeEach(() => {
  floor = new Floor()
})

test('a buy and a sell fill what the book holds; the rest is canceled with the reason', () => {
  floor.sell(bob, '1', '60000')
  floor.sell(bob, '1', '60010')
  expect(state(floor.buy(alice, '1.5'))).toMatchObject({ status: 'FILLED', leaves: '0', cum: '1.5', last: '60010' })
  expect(state(floor.buy(alice, '1'))).toMatchObject({
    status: 'CANCELED',
    leaves: '0.5',
    cum: '0.5',
    text: 'Not enough liquidity',
  })
  floor.buy(bob, '1', '50000')
  expect(state(floor.sell(alice, '3'))).toMatchObject({ status: 'CANCELED', leaves: '2', cum: '1', avg: '50000' })
})

test('with nobody on the other side nothing is filled', () => {
  for (const order of [floor.buy(alice, '1'), floor.sell(alice, '1')])
    expect(state(order)).toMatchObject({ status: 'CANCELED', leaves: '1', cum: '0', text: 'Not enough liquidity' })
})

test('a buy spends what is available with the taker fee, to the lot, and no more', () => {
  floor.sell(bob, '50', '60000')
  const order = floor.buy(alice, '50')
  // 1,000,000 / (60,000 × 1.002) is 16.6333…: whole lots of 0.0001.
  expect(state(order)).toMatchObject({
    status: 'CANCELED',
    cum: '16.6333',
    leaves: '33.3667',
    text: 'Insufficient Balance',
  })
  expect(floor.money(alice, 'USD')).toEqual({ balance: '6.004', available: '6.004' })
})

test('a buy counts each price on its way up', () => {
  floor.sell(bob, '10', '60000')
  floor.sell(bob, '10', '70000')
  const order = floor.buy(alice, '20')
  // Ten at 60,000 cost 601,200; the rest buys 398,800 / 70,140 = 5.6857… at 70,000.
  expect(state(order)).toMatchObject({ cum: '15.6857', last: '70000', shares: '5.6857' })
})

test('a sell gives what is available', () => {
  floor.buy(bob, '2', '50000')
  floor.sell(alice, '49', '90000')
  floor.sell(alice, '50', '90000')
  const order = floor.sell(alice, '2')
  expect(state(order)).toMatchObject({ status: 'CANCELED', cum: '1', leaves: '1', text: 'Insufficient Balance' })
})

test('without the money for one lot it is refused', () => {
  floor.run('addAccount', { name: 'pauper' })
  floor.sell(bob, '1', '60000')
  floor.buy(bob, '1', '50000')
  expect(state(floor.buy(4, '1'))).toMatchObject({ status: 'REJECTED', leaves: '1', text: 'Insufficient Balance' })
  expect(state(floor.sell(4, '1'))).toMatchObject({ status: 'REJECTED', leaves: '1', text: 'Insufficient Balance' })
})

test('FOK fills whole or not at all, for want of orders or of money', () => {
  floor.sell(bob, '20', '60000')
  expect(state(floor.buy(alice, '18', undefined, { timeInForce: 'FOK' }))).toMatchObject({
    status: 'CANCELED',
    cum: '0',
    text: 'Insufficient Balance',
  })
  floor.fund(alice, 'USD', '1000000')
  expect(state(floor.buy(alice, '21', undefined, { timeInForce: 'FOK' }))).toMatchObject({
    status: 'CANCELED',
    cum: '0',
    text: 'Not enough liquidity',
  })
  expect(state(floor.buy(alice, '20', undefined, { timeInForce: 'FOK' }))).toMatchObject({
    status: 'FILLED',
    cum: '20',
  })
})

test('with a minimum quantity it fills at least that much or nothing', () => {
  floor.sell(bob, '1', '60000')
  expect(state(floor.buy(alice, '3', undefined, { minQty: '2' }))).toMatchObject({ status: 'CANCELED', cum: '0' })
  expect(state(floor.buy(alice, '3', undefined, { minQty: '1' }))).toMatchObject({ status: 'CANCELED', cum: '1' })
})

test("stops before its own account's order", () => {
  floor.sell(bob, '1', '60000')
  floor.sell(alice, '1', '60001')
  floor.sell(carol, '1', '60002')
  expect(state(floor.buy(alice, '3'))).toMatchObject({ status: 'CANCELED', cum: '1', leaves: '2', text: 'Self match' })
})

test('whole ticks and lots are the same order as their texts', () => {
  floor.sell(bob, '1', '60000')
  const request = floor.request(alice, 'BUY', '0')
  const report = floor.run('placeOrder', { ...request, ordType: 'LIMIT', amounts: { lots: 20_000, ticks: 120_000 } })
  expect(report).toMatchObject({ ordStatus: 'PART_FILLED', openLots: 10_000, cumLots: 10_000 })
  expect(floor.book().bids).toEqual(['60000 1 1'])
  const off = floor.run('placeOrder', {
    ...floor.request(alice, 'BUY', '0'),
    ordType: 'LIMIT',
    amounts: { lots: 4, ticks: 1 },
  })
  expect(state(floor.order(alice, off))).toMatchObject({ status: 'REJECTED', leaves: '0.0004' })
})
