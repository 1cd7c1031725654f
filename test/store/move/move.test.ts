import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { orderTerms } from '../../../src/domain/orders/order-move.ts'
import { reviewArmedAfterMs } from '../../../src/store/ticket/ticket.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

const working = (change: Partial<Order> = {}) =>
  anOrder({ orderId: '7', clientOrderId: 'mine', limitPrice: new Decimal('64209.50'), ...change })

/** A desk with one own order, and the cursor on it. */
function withOrder(change: Partial<Order> = {}, mode: Parameters<typeof aDesk>[0] = 'ARMED') {
  const desk = aDesk(mode)
  desk.store.dispatch({ type: 'orders', orders: [working(change)], atMs: startMs })
  desk.commands.moveCursor(-2)
  const notice = () => desk.store.getState().notice?.text
  const move = () => desk.store.getState().move
  /** Moves it two rows up, reviews and sends. */
  const moveUp = () => {
    desk.commands.moveAtCursor()
    desk.commands.stepMove(2)
    desk.commands.reviewMove()
    desk.wait(reviewArmedAfterMs)
    desk.commands.sendMove()
  }
  return { ...desk, notice, move, moveUp }
}

test('an order is picked up in its row, set two rows higher, reviewed and sent', () => {
  const { commands, move, moveUp, sent, store } = withOrder()
  commands.moveAtCursor()
  expect(`${move()?.stage} ${move()?.price}`).toBe('choose 64209.5')
  moveUp()
  expect(sent).toEqual(['move 7: BUY 0.05 @ 64210.5 GTC'])
  expect(move()?.stage).toBe('sending')
  expect(`${store.getState().ladder.cursorPrice}`).toBe('64210.5')
  store.dispatch({ type: 'moveClosed' })
  expect(move()).toBeNull()
})

test('of a partly filled order only the rest is placed', () => {
  const { moveUp, sent } = withOrder({
    status: 'PART_FILLED',
    cumQuantity: new Decimal('0.02'),
    leavesQuantity: new Decimal('0.03'),
  })
  moveUp()
  expect(sent).toEqual(['move 7: BUY 0.03 @ 64210.5 GTC'])
})

test('the terms are those it was sent with', () => {
  const { store, moveUp, sent } = withOrder()
  const draft = aDraft({ timeInForce: 'GTD', expireDate: '20301231', postOnly: true })
  store.dispatch({ type: 'orderSent', draft, clientOrderId: 'mine', atMs: startMs })
  moveUp()
  expect(sent).toEqual(['move 7: BUY 0.05 @ 64210.5 GTD'])
})

test('the terms are known after a restart as well: they stand in what earlier desks sent', () => {
  const { store, moveUp, sent, move } = withOrder()
  const draft = aDraft({ timeInForce: 'GTD', expireDate: '20301231', postOnly: true })
  store.dispatch({ type: 'ownDraftsRead', drafts: new Map([['mine', draft]]) })
  const order = move()?.order ?? working()
  expect(orderTerms(order, store.getState().ownDrafts)).toEqual({
    timeInForce: 'GTD',
    expireDate: '20301231',
    postOnly: true,
    askedQuantity: draft.orderQuantity,
    isKnown: true,
  })
  moveUp()
  expect(sent).toEqual(['move 7: BUY 0.05 @ 64210.5 GTD'])
})

test('what the order holds is there for the one that takes its place', () => {
  // 12,004.11 USD and 3,217 held by the order itself: what takes its place may cost both together and no more.
  const held = withOrder({ leavesQuantity: new Decimal('0.18') })
  held.moveUp()
  expect(held.sent).toEqual(['move 7: BUY 0.18 @ 64210.5 GTC'])
})

test('an Enter that follows at once sends nothing', () => {
  const { commands, sent, wait } = withOrder()
  commands.moveAtCursor()
  commands.stepMove(1)
  commands.reviewMove()
  wait(reviewArmedAfterMs - 1)
  commands.sendMove()
  expect(sent).toEqual([])
})

test('a move to where it rests already, or to what the funds do not reach, is not reviewed', () => {
  const { commands, move, notice } = withOrder({ leavesQuantity: new Decimal('0.18') })
  commands.moveAtCursor()
  commands.reviewMove()
  expect(notice()).toMatch(/rests at 64209\.50 already/)
  commands.stepMove(10_000)
  commands.reviewMove()
  expect(notice()).toMatch(/Blocked: needs 12,4\d\d\.\d\d USD with fee, available 12,004\.11/)
  expect(move()?.stage).toBe('choose')
})

test('an order that ends while its move is reviewed is not sent, and nothing is placed in its stead', () => {
  const { commands, store, sent, wait, notice, move } = withOrder()
  commands.moveAtCursor()
  commands.stepMove(2)
  commands.reviewMove()
  store.dispatch({ type: 'orderEnded', order: working({ status: 'FILLED' }), atMs: startMs })
  wait(reviewArmedAfterMs)
  commands.sendMove()
  expect(sent).toEqual([])
  expect(notice()).toMatch(/is no longer working/)
  expect(move()?.stage).toBe('choose')
})

test.each([
  ['SAFE', /press L to arm/],
  ['HALTED', /only cancels/],
  ['MONITOR', /read only/],
] as const)('a desk that is %s picks nothing up', (mode, words) => {
  const { commands, move, notice } = withOrder({}, mode)
  commands.moveAtCursor()
  expect(move()).toBeNull()
  expect(notice()).toMatch(words)
})

test('a stop that waits, and a row without own orders, have nothing to move', () => {
  const stop = withOrder({ type: 'STOPLIMIT', status: 'PENDING' })
  stop.commands.moveAtCursor()
  expect(stop.notice()).toMatch(/no resting order/)
  const table = stop.store.getState().tables
  stop.store.dispatch({ type: 'tableChanged', pane: 'orders', change: { ...table.views.orders, selectedKey: '7' } })
  stop.commands.moveSelectedOrder()
  expect(stop.notice()).toMatch(/only an order resting/)
})

test('of several orders in a row each further press picks the next one', () => {
  const { commands, store, move } = withOrder()
  store.dispatch({
    type: 'orders',
    orders: [working(), working({ orderId: '8' }), working({ orderId: '9', side: 'SELL' })],
    atMs: startMs,
  })
  const ids = ['7', '8', '9', '7'].map(() => {
    commands.moveAtCursor()
    commands.stepMove(1)
    return move()?.order.orderId
  })
  expect(ids).toEqual(['7', '8', '9', '7'])
})

test('an order of another symbol brings the ladder to its symbol, and data does not take the cursor from it', () => {
  const { commands, store, move, sent } = withOrder({ symbol: 'ETH-USD', limitPrice: new Decimal('3120') })
  const table = store.getState().tables
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: { ...table.views.orders, selectedKey: '7' } })
  commands.moveSelectedOrder()
  expect(store.getState()).toMatchObject({ symbol: 'ETH-USD', focus: 'ladder' })
  expect(sent).toEqual(['refresh'])
  commands.stepMove(-1)
  expect(`${move()?.price} ${store.getState().ladder.cursorPrice}`).toBe('3119.5 3119.5')
})

test('a coarser ladder moves in its own steps, from the order’s price on', () => {
  const { commands, move, store } = withOrder()
  commands.changeGroup(1)
  commands.changeGroup(1)
  expect(store.getState().ladder.groupTicks).toBe(5)
  store.dispatch({ type: 'cursorMoved', rows: 0, atMs: startMs })
  commands.moveAtCursor()
  commands.stepMove(1)
  expect(`${move()?.price}`).toBe('64210')
  commands.stepMove(-2)
  expect(`${move()?.price}`).toBe('64205')
})

test('the lock takes a review back, a ticket and another symbol put the order down', () => {
  const locked = withOrder()
  locked.commands.moveAtCursor()
  locked.commands.stepMove(1)
  locked.commands.reviewMove()
  locked.commands.lock()
  expect(locked.move()?.stage).toBe('choose')
  const { commands, store, move } = withOrder()
  commands.moveAtCursor()
  commands.openTicket('BUY')
  expect(move()).toBeNull()
  store.dispatch({ type: 'ticketClosed' })
  commands.moveAtCursor()
  store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: startMs })
  expect(move()).toBeNull()
})
