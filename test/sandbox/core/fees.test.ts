import { expect, test } from 'vitest'
import { alice, bob, carol, Floor } from './floor.ts'

const fees = (floor: Floor, account: number) => {
  const view = floor.read.fees(account, floor.nowMs)
  return [view?.makerRate.toFixed(), view?.takerRate.toFixed(), view?.volumeInUSD.toFixed()]
}

test('each side pays its rate in the counter currency, exactly, and the house collects both', () => {
  const floor = new Floor()
  floor.sell(bob, '0.0007', '60000.5')
  floor.buy(alice, '0.0007', '60000.5')
  const [taker] = floor.read.fills({ account: alice, limit: 1 })
  const [maker] = floor.read.fills({ account: bob, limit: 1 })
  expect([taker?.fee.toFixed(), maker?.fee.toFixed()]).toEqual(['0.0840007', '0.04200035'])
  expect(taker?.tradeId).toBe(maker?.tradeId)
  expect(taker?.execId).not.toBe(maker?.execId)
  expect(floor.money(alice, 'USD').balance).toBe('999957.9156493')
  expect(floor.money(0, 'USD').balance).toBe('0.12600105')
})

test('a counter currency of eight decimals loses nothing either', () => {
  const floor = new Floor()
  floor.sell(bob, '0.01', '0.052341', { symbol: 'ETH-BTC' })
  floor.buy(alice, '0.01', '0.052341', { symbol: 'ETH-BTC' })
  expect(floor.read.fills({ account: alice, limit: 1 })[0]?.fee.toFixed()).toBe('0.00000104682')
  expect(floor.money(alice, 'BTC').balance).toBe('99.99947554318')
})

test('the tier follows the volume of 30 days in USD, for both sides of a trade', () => {
  const floor = new Floor()
  expect(fees(floor, alice)).toEqual(['0.001', '0.002', '0'])
  floor.sell(bob, '16', '60000')
  floor.buy(alice, '16', '60000')
  expect(fees(floor, alice)).toEqual(['0.001', '0.002', '960000'])
  floor.sell(alice, '1', '60000')
  floor.buy(bob, '1', '60000')
  expect(fees(floor, alice)).toEqual(['0.0005', '0.001', '1020000'])
  expect(fees(floor, bob)).toEqual(['0.0005', '0.001', '1020000'])
  expect(fees(floor, carol)).toEqual(['0.001', '0.002', '0'])
  floor.nowMs += 30 * 24 * 3_600_000
  expect(fees(floor, alice)).toEqual(['0.001', '0.002', '0'])
})

test('trades against another currency than USD count at its last price', () => {
  const floor = new Floor()
  floor.sell(bob, '1', '0.05', { symbol: 'ETH-BTC' })
  floor.buy(alice, '1', '0.05', { symbol: 'ETH-BTC' })
  expect(fees(floor, alice)[2]).toBe('0')
  floor.sell(bob, '1', '60000')
  floor.buy(carol, '1', '60000')
  floor.sell(bob, '1', '0.05', { symbol: 'ETH-BTC' })
  floor.buy(alice, '1', '0.05', { symbol: 'ETH-BTC' })
  expect(fees(floor, alice)[2]).toBe('3000')
})

test('an order keeps the rates it was accepted with', () => {
  const floor = new Floor()
  floor.sell(bob, '1', '60000')
  floor.run('setFeeTiers', { tiers: [{ volumeUsd: '0', makerPpm: 900_000, takerPpm: 900_000 }] })
  floor.buy(alice, '0.1', '60000')
  expect(floor.read.fills({ account: bob, limit: 1 })[0]?.fee.toFixed()).toBe('6')
  expect(floor.read.fills({ account: alice, limit: 1 })[0]?.fee.toFixed()).toBe('5400')
})

test.each([
  ['a first tier above 0', [{ volumeUsd: '1', makerPpm: 0, takerPpm: 0 }]],
  [
    'volumes that do not ascend',
    [
      { volumeUsd: '0', makerPpm: 0, takerPpm: 0 },
      { volumeUsd: '0', makerPpm: 0, takerPpm: 0 },
    ],
  ],
  ['a maker rate above the taker rate', [{ volumeUsd: '0', makerPpm: 2, takerPpm: 1 }]],
  ['a rate of one', [{ volumeUsd: '0', makerPpm: 0, takerPpm: 1_000_000 }]],
  ['a rebate', [{ volumeUsd: '0', makerPpm: -1, takerPpm: 0 }]],
])('%s is refused', (_, tiers) => {
  expect(new Floor().refuse('setFeeTiers', { tiers }).kind).toBe('invalid')
})
