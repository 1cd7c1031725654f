import { expect, test } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { zero } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { orderHistoryMax } from '../../../src/domain/orders/order.ts'
import { emptyOrderHistory, historyAnswered, reduceOrderHistory } from '../../../src/store/history/history.ts'
import { endedNote } from '../../../src/ui/panes/orders-pane.tsx'
import { fillsSource } from '../../../src/ui/tables/fills-table.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { amount } from '../../fakes/amounts.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

const ended = (id: number): Order =>
  anOrder({ orderId: String(id), clientOrderId: `c${id}`, status: 'FILLED', timestampMs: startMs + id })
const ids = (orders: readonly Order[]) => orders.map(({ orderId }) => orderId)

test('the first look at the orders asks for history, a second look only once it is a while old', () => {
  const desk = aDesk()
  const arrives = (page: 'older' | 'newer', orders: readonly Order[], isLast = false) =>
    desk.store.dispatch({ type: 'orderHistory', page, orders, isLast, atMs: desk.store.getState().nowMs })
  desk.commands.focusPane('fills')
  expect(desk.sent).toEqual([])
  desk.commands.focusPane('orders')
  // On its way already: neither another look nor the end of the list asks again.
  desk.commands.focusPane('orders')
  desk.commands.fetchOlderOrders()
  expect(desk.sent).toEqual(['history older'])
  arrives('older', [ended(9)])
  desk.commands.focusPane('orders')
  expect(desk.sent).toEqual(['history older'])
  desk.wait(16_000)
  desk.commands.focusPane('orders')
  expect(desk.sent).toEqual(['history older', 'history newer'])
  arrives('newer', [ended(10)])
  desk.commands.fetchOlderOrders()
  arrives('older', [ended(8)], true)
  // Nothing is older than all there is.
  desk.commands.fetchOlderOrders()
  expect(desk.sent).toEqual(['history older', 'history newer', 'history older'])
  expect(ids(desk.store.getState().orderHistory.orders)).toEqual(['10', '9', '8'])
  expect(desk.store.getState().orderHistory).toMatchObject({ reach: 'all', call: { kind: 'resting' } })
})

test('a page that fails says why, keeps what is there, and may be asked for again', () => {
  const desk = aDesk()
  desk.commands.focusPane('orders')
  desk.store.dispatch({ type: 'orderHistoryFailed', page: 'older', sentence: 'the exchange does not answer' })
  expect(desk.store.getState().orderHistory.call).toEqual({ kind: 'failed', sentence: 'the exchange does not answer' })
  desk.commands.fetchOlderOrders()
  expect(desk.sent).toEqual(['history older', 'history older'])
})

test('a look for newer ones that fails is not told as one for older ones', () => {
  const desk = aDesk()
  const note = () => rowText(endedNote(desk.store.getState()))
  desk.commands.focusPane('orders')
  expect(note()).toBe('asking for older ones…')
  desk.store.dispatch({ type: 'orderHistory', page: 'older', orders: [ended(9)], isLast: false, atMs: startMs })
  desk.commands.focusPane('fills')
  desk.wait(16_000)
  desk.commands.focusPane('orders')
  expect(note()).toBe('asking for newer ones…')
  desk.store.dispatch(historyAnswered('newer', err('No answer within 5 s.'), startMs))
  expect(note()).toBe('newer ones did not load: No answer within 5 s.')
})

test('a page of which one list could not be read has what the others have, says so, and may be asked for again', () => {
  const desk = aDesk()
  const note = () => rowText(endedNote(desk.store.getState()))
  desk.commands.focusPane('orders')
  const answer = { orders: [ended(9)], isLast: false, failure: 'EXPIRED, not available (503)' }
  desk.store.dispatch(historyAnswered('older', ok(answer), startMs))
  expect(ids(desk.store.getState().orderHistory.orders)).toEqual(['9'])
  expect(note()).toBe('older ones did not load: EXPIRED, not available (503)')
  desk.commands.fetchOlderOrders()
  expect(desk.sent).toEqual(['history older', 'history older'])
  desk.store.dispatch(historyAnswered('older', ok({ orders: [ended(10)], isLast: true }), startMs))
  expect([ids(desk.store.getState().orderHistory.orders), note()]).toEqual([
    ['10', '9'],
    'history 0s old, all there are',
  ])
})

test('orders that come twice are kept once, and no more than anyone scrolls through', () => {
  const page = (from: number, count: number) => Array.from({ length: count }, (_, index) => ended(from - index))
  const arrived = (orders: readonly Order[]) =>
    ({ type: 'orderHistory', page: 'older', orders, isLast: false, atMs: startMs }) as const
  const once = reduceOrderHistory(emptyOrderHistory, arrived(page(20_000, 60)))
  const twice = reduceOrderHistory(once, arrived(page(19_950, 60)))
  expect(twice.orders).toHaveLength(110)
  expect(ids(twice.orders)).toEqual(ids(page(20_000, 110)))
  const full = reduceOrderHistory(twice, arrived(page(19_000, orderHistoryMax)))
  expect(full.orders).toHaveLength(orderHistoryMax)
  expect(full.reach).toBe('most')
})

test('fills that polls push out of their list stay between it and the older ones that were scrolled to', () => {
  const desk = aDesk()
  const amounts = { price: amount('64000'), quantity: amount('0.01'), fee: zero }
  const fills = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => {
      const id = to - at
      const ids = { execId: String(id), tradeId: String(id), orderId: String(id) }
      return { ...ids, symbol: 'BTC-USD', side: 'BUY', ...amounts, timestampMs: startMs + id } satisfies Fill
    })
  const polled = (from: number, to: number) =>
    desk.store.dispatch({ type: 'fills', fills: fills(from, to), atMs: desk.store.getState().nowMs })
  const listed = () => fillsSource.keys(desk.store.getState()).keys.map(Number)
  const all = (from: number, to: number) => fills(from, to).map(({ execId }) => Number(execId))
  polled(101, 600)
  // Nothing older was asked for: what falls out is not listed, and the next page begins there.
  polled(601, 610)
  expect(listed()).toEqual(all(111, 610))
  desk.commands.fetchOlderFills()
  polled(611, 620)
  desk.store.dispatch({ type: 'fillHistory', fills: fills(1, 110), isLast: true })
  expect(listed()).toEqual(all(1, 620))
  polled(621, 1_300)
  expect(listed()).toEqual(all(1, 1_300))
  expect(desk.store.getState().fillHistory.reach).toBe('all')
})

test('an order that the exchange refuses is a row of the ended ones, with the reason', () => {
  const desk = aDesk()
  desk.store.dispatch({
    type: 'orderOutcome',
    draft: aDraft(),
    outcome: { kind: 'rejected', clientOrderId: 'mine1', reason: 'Insufficient Balance' },
    atMs: startMs,
  })
  expect(desk.store.getState().endedOrders).toMatchObject([
    { clientOrderId: 'mine1', orderId: null, status: 'REJECTED', text: 'Insufficient Balance' },
  ])
})
