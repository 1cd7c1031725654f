import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { orderTerms } from '../../../src/domain/orders/order-move.ts'
import type { MoveForm } from '../../../src/store/move/move.ts'
import { readMove } from '../../../src/store/move/move-commands.ts'
import { reviewArmedAfterMs } from '../../../src/store/ticket/ticket.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

const working = (change: Partial<Order> = {}) =>
  anOrder({ orderId: '7', clientOrderId: 'mine', limitPrice: new Decimal('64209.50'), ...change })

/** A desk with one own order, and the cursor on it. */
function withOrder(change: Partial<Order> = {}, mode: Parameters<typeof aDesk>[0] = 'ARMED') {
  const desk = aDesk(mode)
  desk.store.dispatch({ type: 'orders', orders: [working(change)], atMs: startMs })
  // The first step puts the cursor in the middle.
  desk.commands.moveCursor(1)
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
  expect(`${store.getState().ladder.cursorPrice}`).toBe('64210.5')
})

test('a cursor that a move brought goes with it: a ticket joins the touch again', () => {
  const { commands, store } = withOrder()
  commands.removeCursor()
  commands.moveOnlyOrder()
  commands.stepMove(2)
  expect(`${store.getState().ladder.cursorPrice}`).toBe('64210.5')
  commands.backFromMove()
  expect(store.getState().ladder.cursorPrice).toBeNull()
})

test('a move that is let go leaves the ladder where it was: its scale, its cursor and its symbol', () => {
  const far = withOrder({ limitPrice: new Decimal('63900') })
  const { commands, store, move, moveUp, sent } = far
  commands.moveCursor(3)
  const before = store.getState().ladder
  commands.moveOnlyOrder()
  expect(store.getState().ladder.centerPrice?.lt(before.centerPrice ?? 0)).toBe(true)
  commands.stepMove(-40)
  commands.backFromMove()
  const { centerPrice, cursorPrice } = before
  expect(store.getState().ladder).toMatchObject({ centerPrice, cursorPrice, groupTicks: 1 })
  // After one that was sent it stays with the order.
  commands.putCursor('ladder', new Decimal('63900'))
  moveUp()
  store.dispatch({ type: 'moveClosed' })
  expect(`${move()} ${store.getState().ladder.cursorPrice}`).toBe('null 63901')

  const other = withOrder({ symbol: 'ETH-USD', limitPrice: new Decimal('3120') })
  other.store.dispatch({ type: 'tableChanged', pane: 'orders', change: { selectedKey: '7' } })
  const own = other.store.getState().ladder
  other.commands.moveSelectedOrder()
  expect(other.store.getState().symbol).toBe('ETH-USD')
  other.commands.backFromMove()
  expect(other.store.getState()).toMatchObject({
    symbol: 'BTC-USD',
    ladder: { centerPrice: own.centerPrice, cursorPrice: own.cursorPrice },
  })
  // Its own book is asked for again.
  expect([sent.length, other.sent]).toEqual([1, ['refresh', 'refresh']])
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

/** A desk whose only order is a pending stop, as reports have one: without quantity and trigger. */
function withStop(type: 'STOP' | 'STOPLIMIT') {
  const limitPrice = type === 'STOP' ? null : new Decimal('64310')
  const nothing = { leavesQuantity: new Decimal(0), cumQuantity: new Decimal(0) }
  const change = { type, status: 'PENDING', limitPrice, ...nothing } as const
  const desk = withOrder(change)
  const draft = aDraft({ type, stopPrice: new Decimal('64300'), limitPrice })
  desk.store.dispatch({ type: 'ownDraftsRead', drafts: new Map([['mine', draft]]) })
  return { ...desk, change }
}

test('a pending stop goes to another trigger, and its limit stays until one is typed', () => {
  const { commands, store, move, sent, wait } = withStop('STOPLIMIT')
  commands.moveOnlyOrder()
  expect(move()).toMatchObject({ stage: 'choose', field: 'price' })
  expect(`${move()?.price} ${move()?.limit?.price} ${move()?.open}`).toBe('64300 64310 0.05')
  for (const character of '64400') commands.typeIntoMove(character)
  expect(`${move()?.price} ${move()?.limit?.price}`).toBe('64400 64310')
  commands.nextMoveField()
  expect(move()?.field).toBe('limit')
  for (const character of '+40t') commands.typeIntoMove(character)
  expect(`${move()?.price} ${move()?.limit?.price}`).toBe('64400 64330')
  commands.clearMoveField()
  expect(`${move()?.limit?.price}`).toBe('64310')
  commands.stepMove(2)
  expect(`${move()?.limit?.price}`).toBe('64311')
  commands.nextMoveField()
  expect(move()?.field).toBe('quantity')
  const { move: form } = store.getState()
  const reading = form === null ? null : readMove(store.getState(), form)
  expect(reading?.rest).toMatchObject({ type: 'STOPLIMIT', side: 'BUY' })
  expect(`${reading?.rest.stopPrice} ${reading?.rest.limitPrice} ${reading?.rest.orderQuantity}`).toBe(
    '64400 64311 0.05',
  )
  commands.widenMove()
  expect(store.getState().notice?.text).toBe('Stops are moved one at a time.')
  commands.reviewMove()
  wait(reviewArmedAfterMs)
  commands.sendMove()
  expect(sent).toHaveLength(1)
  expect(move()?.stage).toBe('sending')
})

test('a stop that has triggered since it was picked up is not made a stop again', () => {
  const { commands, store, notice, sent, wait, change } = withStop('STOPLIMIT')
  commands.moveOnlyOrder()
  commands.typeIntoMove('64400')
  commands.reviewMove()
  wait(reviewArmedAfterMs)
  const triggered = { ...change, status: 'OPEN', leavesQuantity: new Decimal('0.05') } as const
  store.dispatch({ type: 'orders', orders: [working(triggered)], atMs: startMs + reviewArmedAfterMs })
  commands.sendMove()
  expect(notice()).toMatch(/^Not sent: stop 7 has triggered: it is no longer pending\./)
  expect(sent).toEqual([])
})

test('a stop placed elsewhere, and a row without own orders, have nothing to move', () => {
  const stop = withOrder({ type: 'STOPLIMIT', status: 'PENDING' })
  stop.commands.moveAtCursor()
  expect(stop.notice()).toMatch(/no working order/)
  const table = stop.store.getState().tables
  stop.store.dispatch({ type: 'tableChanged', pane: 'orders', change: { ...table.views.orders, selectedKey: '7' } })
  stop.commands.moveSelectedOrder()
  expect(stop.notice()).toMatch(/^Cannot move: trigger of stop 7 not reported. Cancel it and place a new one.$/)
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

test('an order that was picked up in the list leaves the keys there, given up or sent, and nowhere else later', () => {
  const { commands, store } = withOrder()
  const pickUp = () => {
    const { views } = store.getState().tables
    store.dispatch({ type: 'tableChanged', pane: 'orders', change: { ...views.orders, selectedKey: '7' } })
    commands.focusPane('orders')
    commands.moveSelectedOrder()
    expect(store.getState().focus).toBe('ladder')
  }
  pickUp()
  commands.backFromMove()
  expect(store.getState().focus).toBe('orders')
  pickUp()
  store.dispatch({ type: 'moveSending' })
  expect(store.getState().focus).toBe('orders')
  commands.focusPane('ladder')
  store.dispatch({ type: 'moveClosed' })
  expect(store.getState().focus).toBe('ladder')
  commands.moveAtCursor()
  commands.backFromMove()
  expect(store.getState().focus).toBe('ladder')
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

/** Types into the form key by key. */
const type = ({ commands }: Pick<ReturnType<typeof withOrder>, 'commands'>, text: string) => {
  for (const letter of text) commands.typeIntoMove(letter)
}
const reviewAndSend = ({ commands, wait }: Pick<ReturnType<typeof withOrder>, 'commands' | 'wait'>) => {
  commands.reviewMove()
  wait(reviewArmedAfterMs)
  commands.sendMove()
}

test.each([
  ['a price', '64210', 'move 7: BUY 0.05 @ 64210 GTC'],
  ['a price as people write it', '64,210.50', 'move 7: BUY 0.05 @ 64210.5 GTC'],
  ['ticks up', '+2t', 'move 7: BUY 0.05 @ 64210.5 GTC'],
  ['ticks down', '-3t', 'move 7: BUY 0.05 @ 64208 GTC'],
])('%s is typed, and the cursor of the ladder goes there', (_, text, sends) => {
  const desk = withOrder()
  desk.commands.moveAtCursor()
  type(desk, text)
  expect(desk.store.getState().ladder.cursorPrice?.eq(desk.move()?.price ?? 0)).toBe(true)
  reviewAndSend(desk)
  expect(desk.sent).toEqual([sends])
})

test.each([
  ['+2', /can be read in two ways: write \+2t for ticks, or the price/],
  ['1,000', /can be read in two ways: write 1000 or 1\b/],
  ['64209.7', /off the tick/],
  ['0', /price must be above zero/],
  ['-999999t', /price must be above zero/],
  ['+½t', /price is not a number/],
])('%s as a price is not reviewed', (text, words) => {
  const desk = withOrder()
  desk.commands.moveAtCursor()
  type(desk, text)
  reviewAndSend(desk)
  expect(desk.sent).toEqual([])
  expect(desk.notice()).toMatch(words)
  expect(desk.move()?.stage).toBe('choose')
})

test('price and quantity are changed at once; of a part filled order the quantity is what is open', () => {
  const desk = withOrder({
    status: 'PART_FILLED',
    cumQuantity: new Decimal('0.02'),
    leavesQuantity: new Decimal('0.03'),
  })
  const { commands } = desk
  commands.moveAtCursor()
  type(desk, '+1t')
  commands.nextMoveField()
  type(desk, '0.04')
  reviewAndSend(desk)
  expect(desk.sent).toEqual(['move 7: BUY 0.04 @ 64210 GTC'])
})

test('the quantity alone may be changed, by lots too, and what fills since it was typed is a part of it', () => {
  const desk = withOrder()
  const { commands, store } = desk
  commands.moveAtCursor()
  commands.nextMoveField()
  commands.stepMove(-1)
  expect(desk.move()?.quantityText).toMatch(/^0\.04/)
  commands.clearMoveField()
  type(desk, '.04')
  const part = { status: 'PART_FILLED', cumQuantity: new Decimal('0.01'), leavesQuantity: new Decimal('0.04') } as const
  store.dispatch({ type: 'orders', orders: [working(part)], atMs: startMs })
  reviewAndSend(desk)
  expect(desk.sent).toEqual(['move 7: BUY 0.03 @ 64209.5 GTC'])
})

test('a key erases what was typed, another one takes it back, and a paste fills the field', () => {
  const desk = withOrder()
  const { commands } = desk
  commands.moveAtCursor()
  commands.eraseInMove()
  expect(desk.move()?.priceText).toBe('64209.5')
  type(desk, '05')
  commands.clearMoveField()
  expect(`${desk.move()?.priceText} ${desk.move()?.price}`).toBe('null 64209.5')
  commands.pasteIntoMove('64,211.00 USD')
  expect(`${desk.move()?.price}`).toBe('64211')
  commands.pasteIntoMove('64,211.00 EUR')
  expect(desk.notice()).toMatch(/EUR/)
  commands.stepMove(1)
  expect(`${desk.move()?.priceText} ${desk.move()?.price}`).toBe('null 64211.5')
})

test('a quantity beyond the funds is blocked like that of any order', () => {
  const desk = withOrder()
  desk.commands.moveAtCursor()
  desk.commands.nextMoveField()
  type(desk, '5')
  reviewAndSend(desk)
  expect(desk.notice()).toMatch(/Blocked: needs 321,\d\d\d\.\d\d USD/)
  expect(desk.sent).toEqual([])
})

/** Three buys, two of them in one row, and a sale. */
function withFour() {
  const desk = withOrder()
  const one = (orderId: string, price: string, change: Partial<Order> = {}) =>
    working({ orderId, clientOrderId: `own${orderId}`, limitPrice: new Decimal(price), ...change })
  const small = { leavesQuantity: new Decimal('0.01') }
  desk.store.dispatch({
    type: 'orders',
    orders: [
      one('7', '64209.50', small),
      one('8', '64209.50', { leavesQuantity: new Decimal('0.02') }),
      one('9', '64200.00', small),
      one('10', '64300.00', { side: 'SELL', ...small }),
    ],
    atMs: startMs,
  })
  return desk
}

test('a row, then a side, goes by as many ticks: upwards the highest first, each with its own quantity', () => {
  const desk = withFour()
  const { commands } = desk
  commands.moveAtCursor()
  commands.widenMove()
  expect(desk.move()).toMatchObject({ scope: 'row', others: [{ orderId: '8' }] })
  commands.widenMove()
  expect(desk.move()).toMatchObject({ scope: 'side', others: [{ orderId: '8' }, { orderId: '9' }] })
  commands.nextMoveField()
  expect(desk.notice()).toMatch(/keep their quantities/)
  type(desk, '+2t')
  reviewAndSend(desk)
  expect(desk.sent).toEqual([
    'move 7: BUY 0.01 @ 64210.5 GTC',
    'move 8: BUY 0.02 @ 64210.5 GTC',
    'move 9: BUY 0.01 @ 64201 GTC',
  ])
})

test('downwards the lowest goes first, and a third press moves one order again', () => {
  const desk = withFour()
  const { commands } = desk
  commands.moveAtCursor()
  commands.widenMove()
  commands.widenMove()
  commands.widenMove()
  expect(desk.move()).toMatchObject({ scope: 'one', others: [] })
  commands.widenMove()
  commands.widenMove()
  commands.stepMove(-1)
  reviewAndSend(desk)
  expect(desk.sent.map((line) => line.slice(0, 7))).toEqual(['move 9:', 'move 7:', 'move 8:'])
})

test('twice is the side in a row of one order too, and where there is just one at all it says so', () => {
  const desk = withFour()
  const { commands } = desk
  commands.moveCursor(-19)
  commands.moveAtCursor()
  expect(desk.move()?.order.orderId).toBe('9')
  commands.widenMove()
  expect(desk.move()).toMatchObject({ scope: 'row', others: [] })
  expect(desk.notice()).toBe('Just this one rests in its row. a again: all 3 BUYs of BTC-USD.')
  commands.widenMove()
  expect(desk.move()).toMatchObject({ scope: 'side', others: [{ orderId: '7' }, { orderId: '8' }] })
  commands.widenMove()
  expect(desk.move()).toMatchObject({ scope: 'one', others: [] })
  const alone = withOrder()
  alone.commands.moveAtCursor()
  for (const _ of [1, 2]) {
    alone.commands.widenMove()
    expect(alone.move()?.scope).toBe('one')
    expect(alone.notice()).toBe('Just this one: you have no other resting BUY in BTC-USD.')
  }
})

test('what is no amount is the one complaint, with the two that may be meant', () => {
  const desk = withOrder()
  desk.commands.moveAtCursor()
  type(desk, '64,020')
  const reading = readMove(desk.store.getState(), desk.store.getState().move as MoveForm)
  const text = 'price "64,020" can be read in two ways: write 64020 or 64.02'
  expect(reading).toMatchObject({ isReadable: false, checks: [{ level: 'block', text }] })
  desk.commands.reviewMove()
  expect(desk.notice()).toBe(`Blocked: ${text}.`)
})

test('the notice of a move says what changed: the price, the quantity, or both', () => {
  const said = (price: string, quantity: string) => {
    const desk = withOrder()
    const draft = aDraft({ limitPrice: new Decimal(price), orderQuantity: new Decimal(quantity) })
    const movedFrom = { orderId: '7', limitPrice: new Decimal('64209.50'), open: new Decimal('0.05') }
    const outcome = { kind: 'accepted', order: working({ orderId: '8' }) } as const
    desk.store.dispatch({ type: 'orderOutcome', draft, outcome, movedFrom, atMs: startMs })
    return desk.notice()
  }
  expect(said('64210', '0.05')).toBe('Moved 64,209.50 → 64,210.00: order 8 is working.')
  expect(said('64209.5', '0.04')).toBe('Quantity 0.0500 → 0.0400 at 64,209.50: order 8 is working.')
  expect(said('64210', '0.04')).toBe('Moved 64,209.50 → 64,210.00, quantity 0.0500 → 0.0400: order 8 is working.')
})

test('each of several has every check: what one of them may not do stops all, and names it', () => {
  const desk = withFour()
  const { commands } = desk
  commands.moveAtCursor()
  commands.widenMove()
  commands.widenMove()
  const { orders } = desk.store.getState()
  const low = (orders.value ?? []).map((each) =>
    each.orderId === '9' ? { ...each, limitPrice: new Decimal('0.5') } : each,
  )
  desk.store.dispatch({ type: 'orders', orders: low, atMs: startMs })
  commands.widenMove()
  commands.widenMove()
  commands.widenMove()
  type(desk, '-1t')
  reviewAndSend(desk)
  expect(desk.sent).toEqual([])
  expect(desk.notice()).toMatch(/^Blocked: BUY 9: order 9 would go below zero/)
})

test('one that ends while several are chosen is left out, and one that ends under the review stops all', () => {
  const desk = withFour()
  const { commands, store } = desk
  commands.moveAtCursor()
  commands.widenMove()
  commands.widenMove()
  commands.stepMove(1)
  store.dispatch({
    type: 'orderEnded',
    order: working({ orderId: '8', clientOrderId: 'own8', status: 'FILLED' }),
    atMs: startMs,
  })
  commands.reviewMove()
  expect(desk.move()?.others).toMatchObject([{ orderId: '9' }])
  store.dispatch({
    type: 'orderEnded',
    order: working({ orderId: '9', clientOrderId: 'own9', status: 'FILLED' }),
    atMs: startMs,
  })
  desk.wait(reviewArmedAfterMs)
  commands.sendMove()
  expect(desk.sent).toEqual([])
  expect(desk.notice()).toMatch(/order 9 is no longer working.*All 2 orders stay as they are/)
})

test('what became of several is one notice: all of them, or where it stopped and what stayed', () => {
  const sending = () => {
    const desk = withFour()
    desk.commands.moveAtCursor()
    desk.commands.widenMove()
    desk.commands.widenMove()
    type(desk, '+2t')
    reviewAndSend(desk)
    return desk
  }
  const all = sending()
  all.store.dispatch({ type: 'moveClosed', ended: { moved: 3, gone: [], stop: null, atMs: startMs } })
  expect(all.notice()).toBe('Moved 3 BTC-USD orders +2 ticks.')
  const some = sending()
  const stop = { orderId: '8', reason: 'outcome unknown, checking', left: ['9'] }
  some.store.dispatch({ type: 'moveClosed', ended: { moved: 1, gone: [], stop, atMs: startMs } })
  expect(some.notice()).toBe('Moved 1 of 3 BTC-USD orders +2 ticks. Stopped: 8 outcome unknown, checking. Unmoved: 9.')
  expect(some.move()).toBeNull()
})

test('what belongs to no amount is not left out of it: another amount would stand there', () => {
  for (const typed of ['5e3', '$5', '5%', '１5', '＋5']) {
    const desk = withOrder()
    desk.commands.moveAtCursor()
    desk.commands.nextMoveField()
    for (const character of typed) desk.commands.typeIntoMove(character)
    expect([typed, desk.move()?.quantityText]).toEqual([typed, typed.normalize('NFKC')])
  }
})

test('the ladder stays while a price is half typed, and goes to one that the collar allows', () => {
  const { commands, store } = withOrder()
  commands.moveAtCursor()
  const { ladder } = store.getState()
  const at = () => `${store.getState().move?.price} ${store.getState().ladder.cursorPrice}`
  for (const digit of '6420') {
    commands.typeIntoMove(digit)
    expect(store.getState().ladder).toMatchObject({
      cursorPrice: ladder.cursorPrice,
      centerPrice: ladder.centerPrice,
    })
  }
  expect(at()).toBe('6420 64209.5')
  commands.typeIntoMove('0')
  expect(at()).toBe('64200 64200')
  commands.clearMoveField()
  expect(at()).toBe('64209.5 64209.5')
})

test('what becomes of a move leaves a ticket that was sent meanwhile waiting for its own answer', () => {
  const { store, commands, drafts, moveUp, wait } = withOrder()
  moveUp()
  commands.openTicket('BUY')
  commands.reviewTicket()
  wait(reviewArmedAfterMs)
  commands.sendTicket()
  const draft = aDraft()
  const movedFrom = { orderId: '7', limitPrice: new Decimal('64209.50'), open: null }
  const rejected = { kind: 'rejected', clientOrderId: 'moved', reason: 'no funds' } as const
  const accepted = { kind: 'accepted', order: working({ orderId: '8', clientOrderId: 'moved' }) } as const
  store.dispatch({ type: 'orderNotSent', draft, reason: 'the desk is HALTED', isMove: true, atMs: startMs })
  store.dispatch({ type: 'orderOutcome', draft, outcome: rejected, movedFrom, atMs: startMs })
  store.dispatch({ type: 'orderOutcome', draft, outcome: accepted, movedFrom, atMs: startMs })
  expect([store.getState().ticket?.stage, drafts.length]).toEqual(['sending', 1])
  store.dispatch({ type: 'orderOutcome', draft, outcome: accepted, atMs: startMs })
  expect(store.getState().ticket).toBeNull()
})

test('a move under review when the mode changes is reviewed again before it is sent', () => {
  const { commands, move, sent, wait } = withOrder()
  commands.moveAtCursor()
  commands.stepMove(2)
  commands.reviewMove()
  commands.toggleArmed()
  commands.toggleArmed()
  wait(reviewArmedAfterMs)
  commands.sendMove()
  expect([move()?.stage, `${move()?.price}`, sent]).toEqual(['choose', '64210.5', []])
})
