import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { feedNeeds, mayNeedOthers } from '../../src/store/feed-needs.ts'
import { paletteWith } from '../../src/store/palette.ts'
import type { PaneName } from '../../src/store/view/panes.ts'
import { aBook } from '../fakes/books.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'
import { aDesk, type Desk, startMs } from './desk.ts'

function aDeskThatShows(...visiblePanes: readonly PaneName[]): Desk {
  const desk = aDesk()
  const { screen } = desk.store.getState()
  desk.store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes } })
  desk.wait(100)
  return desk
}
const needs = ({ store }: Desk) => feedNeeds(store.getState())

test('what panes show is needed as shown; what none of them shows stays behind; level 3 only where a ladder shows it', () => {
  const desk = aDeskThatShows('ladder', 'fills')
  expect(needs(desk)).toEqual({
    instruments: 'visible',
    book: 'visible',
    otherBook: 'none',
    queue: 'none',
    otherQueue: 'none',
    tickers: 'hidden',
    orders: 'visible',
    fills: 'visible',
    balances: 'hidden',
    fees: 'hidden',
    withdrawals: 'hidden',
    deposits: 'hidden',
    whitelist: 'hidden',
  })
  desk.commands.toggleLadderView()
  expect(needs(desk).queue).toBe('visible')
})

test('of two ladders the one a person is at comes first, and a book on which an order rests before both', () => {
  const desk = aDeskThatShows('ladder', 'ladder2')
  desk.store.dispatch({
    type: 'book',
    symbol: 'ETH-USD',
    book: aBook([['1', '1']], [['2', '1']], 'ETH-USD'),
    atMs: startMs,
  })
  expect(needs(desk)).toMatchObject({ book: 'visible', otherBook: 'secondary' })
  desk.commands.focusPane('ladder2')
  expect(needs(desk)).toMatchObject({ book: 'secondary', otherBook: 'visible' })
  desk.commands.openTicket('BUY')
  expect(desk.store.getState().ticket?.form.symbol).toBe('ETH-USD')
  expect(needs(desk)).toMatchObject({
    book: 'secondary',
    otherBook: 'critical',
    balances: 'critical',
    fees: 'critical',
  })
  desk.store.dispatch({ type: 'ticketClosed' })
  desk.commands.focusPane('ladder')
  desk.commands.openTicket('BUY')
  expect(needs(desk)).toMatchObject({ book: 'critical', otherBook: 'secondary' })
})

test('own orders that work press for the list of orders; a desk that only watches presses for nothing, and follows the account less closely', () => {
  const desk = aDeskThatShows('log')
  expect(needs(desk).orders).toBe('hidden')
  const working = { type: 'orders', orders: [anOrder({ orderId: '7' })], atMs: startMs } as const
  desk.store.dispatch(working)
  expect(needs(desk).orders).toBe('critical')
  const watching = aDesk('MONITOR')
  watching.store.dispatch(working)
  expect(Object.values(needs(watching))).not.toContain('critical')
  expect(needs(watching)).toMatchObject({ orders: 'secondary', book: 'visible' })
})

test('behind a lock and a frozen picture nothing is shown, but what is one’s own still presses', () => {
  const desk = aDeskThatShows('ladder', 'ladder2', 'tickers', 'balances')
  desk.store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '7' })], atMs: startMs })
  desk.commands.toggleFreeze()
  const unseen = { book: 'hidden', otherBook: 'hidden', tickers: 'hidden', balances: 'hidden', orders: 'critical' }
  expect(needs(desk)).toMatchObject(unseen)
  desk.commands.toggleFreeze()
  expect(needs(desk).book).toBe('visible')
  desk.commands.lock()
  expect(needs(desk)).toMatchObject(unseen)
})

test('a watch on a last price has the tickers polled as if they were shown, until it has fired for good', () => {
  const desk = aDeskThatShows('log')
  expect(needs(desk).tickers).toBe('hidden')
  desk.store.dispatch({
    type: 'alertsActed',
    act: {
      kind: 'watch',
      watch: {
        symbol: 'BTC-USD',
        price: 'last',
        comparison: '>',
        level: new Decimal(70_000),
        priceScale: 2,
        isAtOnce: false,
        repeats: false,
      },
    },
    atMs: startMs,
  })
  expect(needs(desk).tickers).toBe('visible')
})

test('a pending withdrawal is followed as if its pane were open', () => {
  const desk = aDeskThatShows('log')
  const withdrawal = {
    withdrawalId: 'w-1',
    amount: new Decimal(1),
    fee: null,
    currency: 'BTC',
    beneficiary: 'b-1',
    state: 'PENDING',
    timestampMs: startMs,
  } as const
  desk.store.dispatch({ type: 'withdrawals', withdrawals: [withdrawal], atMs: startMs })
  expect(needs(desk).withdrawals).toBe('visible')
})

test('needs are reckoned anew when something they rest on changes, and not for a tick or an answer that says the same', () => {
  const desk = aDeskThatShows('ladder')
  const before = desk.store.getState()
  desk.wait(500)
  expect(desk.store.getState()).not.toBe(before)
  expect(mayNeedOthers(desk.store.getState(), before)).toBe(false)
  desk.commands.openTicket('BUY')
  expect(mayNeedOthers(desk.store.getState(), before)).toBe(true)
})

test('what a move, a withdrawal and a write without an answer rest on is asked for as what a ticket rests on', () => {
  const desk = aDeskThatShows('log')
  const outcome = { kind: 'unknown', clientOrderId: 'c1', reason: 'reset', cause: 'noAnswer' } as const
  desk.store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: startMs })
  expect(needs(desk)).toMatchObject({ orders: 'critical', book: 'hidden' })
  const money = aDeskThatShows('log')
  money.store.dispatch({ type: 'overlayOpened', overlay: paletteWith('withdraw ') })
  expect(needs(money)).toMatchObject({
    ...{ withdrawals: 'critical', whitelist: 'critical', balances: 'critical', tickers: 'critical' },
    instruments: 'critical',
  })
  const moving = aDeskThatShows('ladder')
  moving.store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '7' })], atMs: startMs })
  moving.commands.focusPane('orders')
  moving.commands.chooseRow('orders', '7', null)
  moving.commands.moveSelectedOrder()
  expect(moving.store.getState().move).not.toBeNull()
  expect(needs(moving)).toMatchObject({
    ...{ book: 'critical', balances: 'critical', fees: 'critical', orders: 'critical', fills: 'critical' },
  })
})
