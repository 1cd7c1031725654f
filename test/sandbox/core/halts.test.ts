import { beforeEach, describe, expect, test } from 'vitest'
import type { SymbolStatus } from '../../../src/domain/market/instrument.ts'
import { alice, bob, carol, Floor, state } from './floor.ts'

let floor: Floor
const setStatus = (status: SymbolStatus) => floor.run('setSymbolStatus', { symbol: 'BTC-USD', status })
const auction = () => {
  const view = floor.read.symbol('BTC-USD')?.auction
  if (view == null) return view
  return [view.price?.toFixed() ?? null, view.size.toFixed(), view.imbalance.toFixed()]
}

beforeEach(() => {
  floor = new Floor()
})

describe('what each status takes', () => {
  test.each<[SymbolStatus, string]>([
    ['halt-freeze', 'Symbol is not open: its status is halt-freeze'],
    ['suspend', 'Symbol is not open: its status is suspend'],
    ['close', 'Symbol is not open: its status is close'],
  ])('%s takes no order', (status, text) => {
    setStatus(status)
    expect(floor.buy(alice, '1', '60000').text).toBe(text)
    expect(floor.buy(alice, '1').text).toBe(text)
  })

  test('halt takes LIMIT orders with GTC or GTD only, and does not match them', () => {
    floor.sell(bob, '1', '60000')
    setStatus('halt')
    expect(floor.buy(alice, '1', '60000').ordStatus).toBe('OPEN')
    expect(floor.buy(alice, '1', '60000', { timeInForce: 'GTD', expireDate: 20261121 }).ordStatus).toBe('OPEN')
    for (const order of [
      floor.buy(alice, '1'),
      floor.buy(alice, '1', '60000', { timeInForce: 'IOC' }),
      floor.buy(alice, '1', '60000', { timeInForce: 'FOK' }),
      floor.buy(alice, '1', undefined, { stopPx: '60000' }),
      floor.buy(alice, '1', '60000', { stopPx: '60000' }),
    ])
      expect(order.text).toBe('Symbol is halted: it takes LIMIT orders with GTC or GTD only')
    expect(floor.buy(alice, '1', '60000', { execInst: 'ALO' }).text).toBe('ALO order would match')
    expect(floor.book()).toEqual({ bids: ['60000 2 2'], asks: ['60000 1 1'] })
  })

  test.each<[SymbolStatus, string]>([
    ['halt', 'CANCELED'],
    ['suspend', 'CANCELED'],
    ['close', 'CANCELED'],
    ['halt-freeze', 'OPEN'],
  ])('in %s a cancelled order is %s', (status, after) => {
    const order = floor.buy(alice, '1', '60000')
    const stop = floor.buy(alice, '1', undefined, { stopPx: '90000' })
    setStatus(status)
    const outcome = floor.send('cancelOrder', { account: alice, exOrdId: order.exOrdId })
    expect(floor.order(alice, order).ordStatus).toBe(after)
    expect(outcome.ok).toBe(after === 'CANCELED')
    if (after === 'CANCELED') return
    expect(floor.run('cancelOrders', { account: alice, symbol: 'BTC-USD' }).canceledIds).toEqual([])
    expect(floor.run('cancelOrders', { account: alice }).canceledIds).toEqual([])
    expect(floor.order(alice, stop).ordStatus).toBe('PENDING')
  })
})

describe('the auction', () => {
  test('shows price, size, imbalance and time only while halted', () => {
    expect(auction()).toBeNull()
    setStatus('halt')
    expect(auction()).toEqual([null, '0', '0'])
    floor.run('setAuctionTime', { symbol: 'BTC-USD', time: '1430' })
    expect(floor.read.symbol('BTC-USD')?.auction?.time).toBe('1430')
    floor.buy(alice, '3', '60000')
    expect(auction()).toEqual([null, '0', '0'])
    floor.sell(bob, '1', '60000')
    expect(auction()).toEqual(['60000', '1', '2'])
    floor.sell(carol, '4', '59000')
    expect(auction()).toEqual(['59500', '3', '-1'])
    setStatus('halt-freeze')
    expect(auction()).toEqual(['59500', '3', '-1'])
    setStatus('open')
    expect(auction()).toBeNull()
  })

  test('opens in one step at one price, in price-time priority, and leaves nothing crossed', () => {
    setStatus('halt')
    const early = floor.buy(alice, '2', '60010')
    const late = floor.buy(carol, '2', '60010')
    const low = floor.buy(carol, '1', '59990')
    const sell = floor.sell(bob, '3', '59990')
    const outcome = floor.send('setSymbolStatus', { symbol: 'BTC-USD', status: 'open' })
    expect(outcome.events.filter(({ type }) => type === 'trade')).toMatchObject([
      { lots: 20_000, takerSide: null, buyOrderId: early.exOrdId },
      { lots: 10_000, takerSide: null, buyOrderId: late.exOrdId },
    ])
    const prices = floor.read.fills({ account: bob, limit: 9 }).map(({ price }) => price.toFixed())
    expect(new Set(prices).size).toBe(1)
    expect(state(floor.order(alice, early))).toMatchObject({ status: 'FILLED', cum: '2' })
    expect(state(floor.order(carol, late))).toMatchObject({ status: 'PART_FILLED', leaves: '1' })
    expect(state(floor.order(bob, sell))).toMatchObject({ status: 'FILLED' })
    expect(floor.order(carol, low).ordStatus).toBe('OPEN')
    expect(floor.book()).toEqual({ bids: ['60010 1 1', '59990 1 1'], asks: [] })
  })

  test('both sides pay the maker rate, and the better price comes back', () => {
    setStatus('halt')
    floor.buy(alice, '1', '60100')
    floor.sell(bob, '1', '60000')
    setStatus('open')
    const [fill] = floor.read.fills({ account: alice, limit: 1 })
    expect(fill?.price.toFixed()).toBe('60050')
    expect(fill?.fee.toFixed()).toBe('60.05')
    expect(floor.money(alice, 'USD')).toEqual({ balance: '939889.95', available: '939889.95' })
    expect(floor.money(bob, 'USD').balance).toBe('1059989.95')
    expect(floor.read.ticker('BTC-USD', floor.nowMs)?.lastTradePrice?.toFixed()).toBe('60050')
  })

  test('ties go to the price nearest the last trade', () => {
    floor.sell(bob, '1', '60030')
    floor.buy(carol, '1', '60030')
    setStatus('halt')
    floor.buy(alice, '1', '60100')
    floor.sell(bob, '1', '60000')
    expect(auction()).toEqual(['60030', '1', '0'])
  })

  test('of two orders of one account that would meet, the newer is canceled and the price found again', () => {
    setStatus('halt')
    const mine = floor.buy(alice, '1', '60100')
    const own = floor.sell(alice, '1', '60000')
    const other = floor.sell(bob, '1', '60050')
    setStatus('open')
    expect(state(floor.order(alice, own))).toMatchObject({ status: 'CANCELED', leaves: '1', text: 'Self match' })
    expect(floor.order(alice, mine).ordStatus).toBe('FILLED')
    expect(floor.order(bob, other).ordStatus).toBe('FILLED')
    expect(floor.book()).toEqual({ bids: [], asks: [] })
  })

  test('sets off the stops its price reaches once it is open', () => {
    floor.sell(bob, '1', '60000')
    floor.buy(carol, '1', '60000')
    const stop = floor.buy(alice, '1', undefined, { stopPx: '60500' })
    setStatus('halt')
    floor.buy(bob, '1', '61000')
    floor.sell(carol, '1', '61000')
    floor.sell(carol, '2', '61500')
    expect(floor.order(alice, stop).ordStatus).toBe('PENDING')
    setStatus('open')
    expect(state(floor.order(alice, stop))).toMatchObject({ status: 'FILLED', avg: '61500' })
  })

  test('a book crossed in a halt uncrosses whichever way the symbol comes to be open', () => {
    setStatus('halt')
    const buy = floor.buy(alice, '1', '60000')
    floor.sell(bob, '1', '60000')
    setStatus('suspend')
    expect(floor.order(alice, buy).ordStatus).toBe('OPEN')
    setStatus('open')
    expect(floor.order(alice, buy).ordStatus).toBe('FILLED')
  })
})

test('an unknown symbol, status or time is refused', () => {
  expect(floor.refuse('setSymbolStatus', { symbol: 'NO-PE', status: 'open' }).kind).toBe('notFound')
  expect(floor.refuse('setAuctionTime', { symbol: 'BTC-USD', time: '2460' }).kind).toBe('invalid')
  expect(floor.refuse('setAuctionTime', { symbol: 'NO-PE', time: null }).kind).toBe('notFound')
})
