import { expect, test } from 'vitest'
import { ladderRows } from '../../../src/domain/ladder/ladder.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { ownSideText, ownText } from '../../../src/ui/panes/ladder/ladder-rows.ts'
import { amount } from '../../fakes/amounts.ts'
import { bitcoin, deskNowMs, deskState, orderFrom, unknownOrder } from '../../fakes/desk-state.ts'
import { plainScreen } from '../render-screen.tsx'

test('a capital rests, a small letter waits, and both in one row are told', () => {
  const own = { quantity: amount('0.05'), count: 1 }
  expect(ownText('B', own, null, 4, false)).toBe('B.05')
  expect(ownText('S', null, own, 4, false)).toBe('s.05')
  expect(ownText('B', own, own, 6, false)).toBe('B.05!')
  expect(ownText('S', own, own, 4, false)).toBe('S+s')
  expect(ownText('B', null, null, 4, false)).toBe('')
})

test('an order off the tick is marked, for its row has another price', () => {
  const orders = [orderFrom({ side: 'BUY', limitPrice: amount('64208.7'), leavesQuantity: amount('0.05') })]
  const scale = { instrument: bitcoin, groupTicks: 1, centerPrice: amount('64208.5'), rowCount: 3 }
  const market = { book: null, lastPrice: null, ownAveragePrice: null, auctionPrice: null }
  const own = ladderRows({ ...scale, ...market, orders }).map(({ ownBuy }) => ownText('B', ownBuy, null, 5, false))
  expect(own).toEqual(['', 'B~.05', ''])
  const onTick = [...orders, orderFrom({ side: 'BUY', limitPrice: amount('64208.5'), orderId: '2' })]
  expect(ladderRows({ ...scale, ...market, orders: onTick })[1]?.ownBuy).toMatchObject({ count: 2, isOffTick: true })
})

test('an order without an answer has a question mark, alone and beside those that are listed', () => {
  const own = { quantity: amount('0.05'), count: 1 }
  const unknown = { ...own, isStop: false }
  const none = { own: null, stop: null, unknown: null }
  expect(ownSideText('B', { ...none, unknown }, 6, false)).toBe('B.05?')
  expect(ownSideText('B', { ...none, unknown }, 4, false)).toBe('B?')
  expect(ownSideText('B', { ...none, unknown }, 6, true)).toBe('B?')
  expect(ownSideText('S', { ...none, unknown: { ...unknown, isStop: true } }, 6, false)).toBe('s.05?')
  expect(ownSideText('S', { ...none, own, unknown }, 6, false)).toBe('S.05+?')
  expect(ownSideText('S', { ...none, own, unknown }, 4, false)).toBe('S+?')
  expect(ownSideText('S', { own, stop: own, unknown }, 6, false)).toBe('S+s+?')
})

test.each(['sums', 'queues'] as const)('the row where an order without an answer may rest is marked in %s', (view) => {
  const state = deskState()
  const level3 = { symbol: 'BTC-USD', bids: [], asks: [] }
  const queues = new Map([['BTC-USD', arrived(level3, deskNowMs)]])
  const limitPrice = amount('64208.50')
  const unknown = { ...unknownOrder, order: orderFrom({ ...unknownOrder.order, limitPrice }) }
  const screen = (unknownWrites: typeof state.unknownWrites, columns: number, rows: number) =>
    plainScreen({ ...state, queues, unknownWrites, ladder: { ...state.ladder, view } }, columns, rows)
  for (const [columns, rows] of [
    [80, 24],
    [160, 48],
  ] as const) {
    expect(screen([unknown], columns, rows)).toMatch(/B(\.01)?\? .*64208\.50/)
    expect(screen([], columns, rows)).not.toMatch(/B(\.01)?\? /)
  }
})

test('a count that has no room is no other count', () => {
  const many = (count: number) => ({ quantity: amount('1'), count })
  expect(ownText('B', many(12), null, 4, false)).toBe('Bx12')
  expect(ownText('B', many(123), null, 4, false)).toBe('Bx##')
  expect(ownText('B', { ...many(12), isOffTick: true }, null, 4, true)).toBe('B~x#')
})
