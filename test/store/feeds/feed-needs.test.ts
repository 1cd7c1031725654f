import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { PaneName } from '../../../src/store/desk.ts'
import { feedNeeds, mayNeedOthers } from '../../../src/store/feeds/feed-needs.ts'
import { aBook } from '../../fakes/books.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, type Desk, startMs } from '../desk.ts'

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
    instruments: 'shown',
    book: 'shown',
    otherBook: 'none',
    queue: 'none',
    otherQueue: 'none',
    tickers: 'behind',
    orders: 'shown',
    fills: 'shown',
    balances: 'behind',
    fees: 'behind',
    withdrawals: 'behind',
    deposits: 'behind',
    whitelist: 'behind',
  })
  desk.commands.toggleLadderView()
  expect(needs(desk).queue).toBe('shown')
})

test('of two ladders the one a person is at comes first, and a book on which an order rests before both', () => {
  const desk = aDeskThatShows('ladder', 'ladder2')
  desk.store.dispatch({
    type: 'book',
    symbol: 'ETH-USD',
    book: aBook([['1', '1']], [['2', '1']], 'ETH-USD'),
    atMs: startMs,
  })
  expect(needs(desk)).toMatchObject({ book: 'shown', otherBook: 'beside' })
  desk.commands.focusPane('ladder2')
  expect(needs(desk)).toMatchObject({ book: 'beside', otherBook: 'shown' })
  desk.commands.openTicket('BUY')
  expect(desk.store.getState().ticket?.form.symbol).toBe('ETH-USD')
  expect(needs(desk)).toMatchObject({ book: 'beside', otherBook: 'pressing', balances: 'pressing', fees: 'pressing' })
  desk.store.dispatch({ type: 'ticketClosed' })
  desk.commands.focusPane('ladder')
  desk.commands.openTicket('BUY')
  expect(needs(desk)).toMatchObject({ book: 'pressing', otherBook: 'beside' })
})

test('own orders that work press for the list of orders; a desk that only watches presses for nothing, and follows the account less closely', () => {
  const desk = aDeskThatShows('log')
  expect(needs(desk).orders).toBe('behind')
  const working = { type: 'orders', orders: [anOrder({ orderId: '7' })], atMs: startMs } as const
  desk.store.dispatch(working)
  expect(needs(desk).orders).toBe('pressing')
  const watching = aDesk('MONITOR')
  watching.store.dispatch(working)
  expect(Object.values(needs(watching))).not.toContain('pressing')
  expect(needs(watching)).toMatchObject({ orders: 'beside', book: 'shown' })
})

test('behind a lock and a frozen picture nothing is shown, but what is one’s own still presses', () => {
  const desk = aDeskThatShows('ladder', 'ladder2', 'tickers', 'balances')
  desk.store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '7' })], atMs: startMs })
  desk.commands.toggleFreeze()
  const unseen = { book: 'behind', otherBook: 'behind', tickers: 'behind', balances: 'behind', orders: 'pressing' }
  expect(needs(desk)).toMatchObject(unseen)
  desk.commands.toggleFreeze()
  expect(needs(desk).book).toBe('shown')
  desk.commands.lock()
  expect(needs(desk)).toMatchObject(unseen)
})

test('a watch on a last price has the tickers polled as if they were shown, until it has fired for good', () => {
  const desk = aDeskThatShows('log')
  expect(needs(desk).tickers).toBe('behind')
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
  expect(needs(desk).tickers).toBe('shown')
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
  expect(needs(desk).withdrawals).toBe('shown')
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
