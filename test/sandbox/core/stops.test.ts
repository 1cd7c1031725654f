import { beforeEach, describe, expect, test } from 'vitest'
import { alice, bob, carol, Floor, state } from './floor.ts'

let floor: Floor
beforeEach(() => {
  floor = new Floor()
})

/** Lets two others trade a little at a price. */
function tradeAt(price: string, takerSide: 'BUY' | 'SELL' = 'BUY'): void {
  const maker = takerSide === 'BUY' ? floor.sell(bob, '0.1', price) : floor.buy(bob, '0.1', price)
  const taker = floor.place(carol, takerSide, '0.1', price)
  expect([maker.ordStatus, taker.ordStatus]).toEqual(['OPEN', 'FILLED'])
}

describe('an untriggered stop', () => {
  test('is PENDING, in no book, reported with nothing left, and can be canceled', () => {
    tradeAt('60000')
    const order = floor.buy(alice, '1', undefined, { stopPx: '61000' })
    expect(state(order)).toEqual({
      status: 'PENDING',
      leaves: '0',
      cum: '0',
      avg: null,
      last: null,
      shares: null,
      text: null,
    })
    expect([order.ordType, order.stopPx?.toFixed(), order.price]).toEqual(['STOP', '61000', null])
    expect(floor.book()).toEqual({ bids: [], asks: [] })
    expect(floor.read.l3('BTC-USD')).toMatchObject({ bids: [], asks: [] })
    expect(state(floor.cancel(alice, order))).toMatchObject({ status: 'CANCELED', leaves: '1', cum: '0' })
    expect(floor.money(alice, 'USD').available).toBe('1000000')
    floor.sell(bob, '1', '61000')
    tradeAt('61000')
    expect(floor.money(alice, 'BTC').balance).toBe('100')
  })

  test('holds: a buy at its stop price with the taker fee, a stop limit at its limit, a sell its quantity', () => {
    floor.buy(alice, '1', undefined, { stopPx: '61000' })
    expect(floor.money(alice, 'USD').available).toBe('938878')
    floor.buy(alice, '1', '62000', { stopPx: '61000' })
    expect(floor.money(alice, 'USD').available).toBe('876754')
    floor.sell(alice, '1', undefined, { stopPx: '50000' })
    floor.sell(alice, '1', '49000', { stopPx: '50000' })
    expect(floor.money(alice, 'BTC').available).toBe('98')
    expect(floor.buy(alice, '20', undefined, { stopPx: '61000' }).text).toBe('Insufficient Balance')
  })

  test('expires with its day', () => {
    const order = floor.sell(alice, '1', undefined, { stopPx: '50000', timeInForce: 'GTD', expireDate: 20261120 })
    floor.nowMs = Date.UTC(2026, 10, 21)
    floor.run('advanceTime', {})
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'EXPIRED', leaves: '1' })
    expect(floor.money(alice, 'BTC').available).toBe('100')
  })
})

describe.each(['BUY', 'SELL'] as const)('whoever was the taker (%s)', (takerSide) => {
  test('a buy stop goes when the last trade is at or above its price', () => {
    tradeAt('60000', takerSide)
    const order = floor.buy(alice, '1', undefined, { stopPx: '60010' })
    tradeAt('60009.5', takerSide)
    expect(floor.order(alice, order).ordStatus).toBe('PENDING')
    floor.sell(bob, '2', '60500')
    tradeAt('60010', takerSide)
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'FILLED', cum: '1', avg: '60500' })
  })

  test('a sell stop goes when the last trade is at or below its price', () => {
    tradeAt('60000', takerSide)
    const order = floor.sell(alice, '1', undefined, { stopPx: '59990' })
    tradeAt('59990.5', takerSide)
    expect(floor.order(alice, order).ordStatus).toBe('PENDING')
    floor.buy(bob, '2', '59500')
    tradeAt('59990', takerSide)
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'FILLED', cum: '1', avg: '59500' })
  })
})

describe('a triggered stop limit', () => {
  test('rests at its limit when nothing is there for it, with the money held before', () => {
    tradeAt('60000')
    const order = floor.buy(alice, '1', '60050', { stopPx: '60020' })
    tradeAt('60020')
    expect(state(floor.order(alice, order))).toMatchObject({ status: 'OPEN', leaves: '1' })
    expect(floor.book().bids).toEqual(['60050 1 1'])
    expect(floor.money(alice, 'USD').available).toBe('939829.9')
  })

  test('fills in part and rests with the rest', () => {
    tradeAt('60000')
    const order = floor.sell(alice, '2', '59900', { stopPx: '59950' })
    floor.buy(bob, '0.5', '59920')
    tradeAt('59950', 'SELL')
    expect(state(floor.order(alice, order))).toMatchObject({
      status: 'PART_FILLED',
      leaves: '1.5',
      cum: '0.5',
      avg: '59920',
    })
    expect(floor.book().asks).toEqual(['59900 1.5 1'])
  })
})

describe('at entry', () => {
  test('a stop whose condition holds already goes at once', () => {
    tradeAt('60000')
    floor.sell(bob, '2', '60100')
    expect(state(floor.buy(alice, '1', undefined, { stopPx: '59000' }))).toMatchObject({
      status: 'FILLED',
      avg: '60100',
    })
    expect(state(floor.buy(alice, '1', '50000', { stopPx: '60000' }))).toMatchObject({ status: 'OPEN', leaves: '1' })
    expect(state(floor.sell(alice, '1', undefined, { stopPx: '60200' }))).toMatchObject({
      status: 'CANCELED',
      cum: '0',
      text: 'Self match',
    })
  })

  test('before the first trade it waits', () => {
    expect(floor.buy(alice, '1', undefined, { stopPx: '1' }).ordStatus).toBe('PENDING')
  })
})

describe('chains', () => {
  test("a stop's own trades set off the next ones, both ways", () => {
    tradeAt('60000')
    floor.sell(bob, '1', '60100')
    floor.sell(bob, '1', '60200')
    const first = floor.buy(alice, '1', undefined, { stopPx: '60050' })
    const second = floor.buy(alice, '1', undefined, { stopPx: '60100' })
    const third = floor.buy(alice, '1', undefined, { stopPx: '60200' })
    const outcome = floor.send('placeOrder', floor.request(carol, 'SELL', '0.1', '60050'))
    expect(outcome.ok).toBe(true)
    expect(floor.order(alice, first).ordStatus).toBe('PENDING')
    floor.buy(bob, '0.1', '60050')
    expect(state(floor.order(alice, first))).toMatchObject({ status: 'FILLED', avg: '60100' })
    expect(state(floor.order(alice, second))).toMatchObject({ status: 'FILLED', avg: '60200' })
    expect(state(floor.order(alice, third))).toMatchObject({
      status: 'CANCELED',
      cum: '0',
      text: 'Not enough liquidity',
    })
  })

  test('every price of a sweep counts, not only the last', () => {
    floor.sell(bob, '1', '60000')
    floor.sell(bob, '1', '60100')
    floor.buy(bob, '1', '59000')
    const sell = floor.sell(alice, '0.5', undefined, { stopPx: '60000' })
    const buy = floor.buy(alice, '0.1', undefined, { stopPx: '60100' })
    floor.buy(carol, '1.5', '60100')
    expect(state(floor.order(alice, sell))).toMatchObject({ status: 'FILLED', avg: '59000' })
    expect(state(floor.order(alice, buy))).toMatchObject({ status: 'FILLED', avg: '60100' })
  })

  test('stops of one price go in their order of entry, the nearest price first', () => {
    tradeAt('60000')
    floor.buy(bob, '1', '59900')
    floor.buy(bob, '1', '59800')
    floor.buy(bob, '1', '59700')
    const far = floor.sell(alice, '1', undefined, { stopPx: '59940' })
    const near = floor.sell(alice, '1', undefined, { stopPx: '59950' })
    const nearToo = floor.sell(carol, '1', undefined, { stopPx: '59950' })
    floor.buy(bob, '0.1', '59940')
    floor.sell(carol, '0.1', '59940')
    const averages = [near, nearToo, far].map((order) => floor.order(order.account, order).avgPx?.toFixed())
    expect(averages).toEqual(['59900', '59800', '59700'])
  })
})

describe('money', () => {
  test('a triggered buy stop spends what it held and what is available besides, never more', () => {
    floor.fund(bob, 'BTC', '100')
    tradeAt('60000')
    const order = floor.buy(alice, '16', undefined, { stopPx: '60100' })
    floor.sell(bob, '20', '70000')
    tradeAt('60100')
    expect(state(floor.order(alice, order))).toMatchObject({
      status: 'CANCELED',
      cum: '14.2571',
      text: 'Insufficient Balance',
    })
    expect(Number(floor.money(alice, 'USD').balance)).toBeLessThan(8)
  })

  test('the rest of what it held is free after it filled for less', () => {
    tradeAt('60000')
    floor.sell(bob, '1', '59000')
    const order = floor.buy(alice, '1', undefined, { stopPx: '60000' })
    expect(state(order)).toMatchObject({ status: 'FILLED', avg: '59000' })
    expect(floor.money(alice, 'USD')).toEqual({ balance: '940882', available: '940882' })
  })
})
