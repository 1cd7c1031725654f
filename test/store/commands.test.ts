import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { CancelEnd, UnknownCancelCause } from '../../src/domain/orders/order-outcome.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'
import { aDesk, type Desk, startMs } from './desk.ts'

const notice = ({ store }: Desk) => store.getState().notice?.text
const form = ({ store }: Desk) => store.getState().ticket?.form
const type = ({ commands }: Desk, text: string) => {
  for (const character of text) commands.typeIntoTicket(character)
}

test('a ticket opens at the cursor, is reviewed and sent once', () => {
  const desk = aDesk()
  desk.commands.moveCursor(1)
  desk.commands.moveCursor(-2)
  desk.commands.openTicket('BUY')
  expect(form(desk)).toMatchObject({ side: 'BUY', priceText: '64209.50', quantityText: '0.0010' })
  desk.commands.clearTicketField()
  type(desk, '0.05')
  desk.commands.reviewTicket()
  expect(desk.store.getState().ticket?.stage).toBe('review')
  desk.commands.sendTicket()
  expect(desk.sent).toEqual([])
  desk.wait(150)
  desk.commands.sendTicket()
  desk.commands.sendTicket()
  expect(desk.sent).toEqual(['submit BUY 0.05 @ 64209.5 GTC'])
})

test('what blocks is said and nothing goes out', () => {
  const desk = aDesk()
  desk.commands.openTicket('BUY')
  desk.commands.clearTicketField()
  type(desk, '0.00005')
  desk.commands.reviewTicket()
  expect(notice(desk)).toBe('Blocked: quantity 0.00005 is off the lot 0.0001: 0.0001.')
  expect(desk.store.getState().ticket?.stage).toBe('edit')
})

test('a book that goes stale between review and send stops the order', () => {
  const desk = aDesk()
  desk.commands.openTicket('BUY')
  desk.commands.reviewTicket()
  desk.wait(6_000)
  desk.commands.sendTicket()
  expect(desk.sent).toEqual([])
  expect(notice(desk)).toBe('Not sent: book 6 s old: wait for fresh data. Nothing was placed.')
})

test.each([
  ['HALTED', 'The desk is HALTED: only cancels go out. Press L to arm it again.'],
  ['MONITOR', 'MONITOR is read only: start without --monitor.'],
] as const)('in %s no ticket opens, and the desk says why', (mode, sentence) => {
  const desk = aDesk(mode)
  desk.commands.openTicket('BUY')
  expect(desk.store.getState().ticket).toBeNull()
  expect(notice(desk)).toBe(sentence)
})

test('L arms and disarms, and never leaves MONITOR', () => {
  const safe = aDesk('SAFE')
  safe.commands.toggleArmed()
  expect(safe.store.getState().mode.kind).toBe('ARMED')
  safe.commands.toggleArmed()
  expect(safe.store.getState().mode.kind).toBe('SAFE')
  const monitor = aDesk('MONITOR')
  monitor.commands.toggleArmed()
  expect(monitor.store.getState().mode.kind).toBe('MONITOR')
})

test('x cancels the own orders of the cursor row, whatever arrived in between', () => {
  const desk = aDesk()
  desk.commands.moveCursor(1)
  const orders = [
    anOrder({ orderId: '7', limitPrice: new Decimal('64210.50') }),
    anOrder({ orderId: '8', limitPrice: new Decimal('64200.00') }),
  ]
  desk.store.dispatch({ type: 'orders', orders, atMs: startMs })
  const book = aBook([['64300.00', '1']], [['64301.00', '1']])
  desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: startMs })
  desk.commands.cancelAtCursor()
  expect(desk.sent).toEqual(['cancel 7'])
  const without = aDesk()
  without.store.dispatch({ type: 'orders', orders, atMs: startMs })
  without.commands.cancelAtCursor()
  expect(notice(without)).toBe('No cursor: j and k point at a row. You have 2 working orders in BTC-USD.')
  without.store.dispatch({ type: 'orders', orders: [], atMs: startMs })
  without.commands.cancelAtCursor()
  expect(notice(without)).toBe('No cursor: j and k point at a row. You have no working order in BTC-USD.')
  desk.commands.moveCursor(1)
  desk.commands.cancelAtCursor()
  expect(desk.sent).toEqual(['cancel 7'])
  expect(notice(desk)).toBe('You have no working order in this row.')
})

test('the selected order stays selected while the list changes, and MONITOR does not cancel it', () => {
  for (const mode of ['SAFE', 'MONITOR'] as const) {
    const desk = aDesk(mode)
    desk.store.dispatch({
      type: 'orders',
      orders: [anOrder({ orderId: '7' }), anOrder({ orderId: '8' })],
      atMs: startMs,
    })
    desk.commands.chooseRow('orders', '8', null)
    const newer = [anOrder({ orderId: '9' }), anOrder({ orderId: '7' }), anOrder({ orderId: '8' })]
    desk.store.dispatch({ type: 'orders', orders: newer, atMs: startMs })
    desk.commands.cancelSelectedOrder()
    expect(desk.sent).toEqual(mode === 'SAFE' ? ['cancel 8'] : [])
  }
})

test('cancel all asks first and names its symbol, also when the symbol changes under the question', () => {
  const desk = aDesk()
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual([])
  desk.commands.askHalt()
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual(['cancel all BTC-USD'])
})

test('quit ends at once when all is settled and asks when it is not', () => {
  const calm = aDesk()
  calm.commands.quit()
  expect(calm.sent).toEqual(['exit'])
  const busy = aDesk()
  const draft = {
    ...anOrder(),
    orderQuantity: new Decimal(1),
    stopPrice: null,
    timeInForce: null,
    expireDate: null,
    minQuantity: null,
    postOnly: false,
  }
  const outcome = { kind: 'unknown', clientOrderId: 'c1', reason: 'time-out', cause: 'noAnswer' } as const
  busy.store.dispatch({ type: 'orderOutcome', draft, outcome, atMs: startMs })
  busy.commands.quit()
  expect(busy.sent).toEqual([])
  expect(busy.store.getState().overlay).toEqual({ kind: 'confirmQuit', cancelSentAtMs: null })
  busy.commands.confirmQuit()
  expect(busy.sent).toEqual(['exit'])
})

test('the symbol switcher filters as one types and the choice starts from an empty book', () => {
  const desk = aDesk()
  desk.commands.openSymbols()
  for (const letter of 'eth') desk.commands.typeIntoSymbols(letter)
  desk.commands.chooseSymbol()
  const { symbol, books, ladder, overlay } = desk.store.getState()
  expect({ symbol, overlay, center: ladder.centerPrice }).toEqual({ symbol: 'ETH-USD', overlay: null, center: null })
  expect(books.get('ETH-USD')?.value).toBeNull()
  expect(desk.sent).toEqual(['refresh'])
})

test('symbols that are listed meanwhile change nothing of which one is taken, and one that is gone is not', () => {
  const desk = aDesk()
  const list = (...names: string[]) => {
    const listed = names.map((base) => anInstrument({ symbol: `${base}-USD`, base }))
    const instruments = new Map(listed.map((each) => [each.symbol, each]))
    desk.store.dispatch({ type: 'instruments', instruments, atMs: startMs })
  }
  list('BTC', 'ETH', 'SOL')
  desk.commands.openSymbols()
  list('ADA', 'BTC', 'ETH', 'SOL')
  desk.commands.chooseSymbol()
  expect(desk.store.getState().symbol).toBe('ETH-USD')
  desk.commands.openSymbols()
  desk.commands.moveInSymbols(2)
  list('BTC', 'ETH')
  desk.commands.chooseSymbol()
  expect(desk.store.getState()).toMatchObject({
    symbol: 'ETH-USD',
    notice: { text: 'SOL-USD is not listed any more: choose again.' },
  })
})

test('the first character typed into a field takes the place of what stood there; later ones go on from it', () => {
  const { store, commands } = aDesk()
  commands.openTicket('BUY')
  const quantity = () => store.getState().ticket?.form.quantityText
  for (const character of '0.05') commands.typeIntoTicket(character)
  expect(quantity()).toBe('0.05')
  commands.nudgeTicket(1)
  commands.typeIntoTicket('2')
  expect(quantity()).toBe('2')
  commands.nextTicketField(1)
  commands.nextTicketField(-1)
  commands.eraseInTicket()
  expect(quantity()).toBe('')
})

test('a cancel is said to have no answer only where none came', () => {
  const desk = aDesk()
  const told = (reason: string, cause: UnknownCancelCause) => {
    const outcome = { kind: 'unknown', orderId: '7', reason, cause } as const
    desk.store.dispatch({ type: 'cancelOutcome', outcome, atMs: startMs })
    return notice(desk)
  }
  expect(told('time-out', 'noAnswer')).toBe('May still be working: no answer for the cancel of 7. Checking.')
  expect(told('refused (409), but its state is unknown', 'unconfirmed')).toBe(
    'May still be working: cancel of 7 not confirmed (refused (409), but its state is unknown). Checking.',
  )
  const outcome = { kind: 'unknown', symbol: null, reason: 'accepted, but no list came', cause: 'unconfirmed' } as const
  desk.store.dispatch({ type: 'cancelAllOutcome', outcome, atMs: startMs })
  expect(notice(desk)).toBe(
    'May still be working: cancel of all orders of every symbol not confirmed (accepted, but no list came). Checking.',
  )
})

/** A desk whose list holds three working orders, with the cursor on one of them. */
function inTheList(chosen: string): Desk {
  const desk = aDesk()
  const orders = ['7', '8', '9'].map((orderId) => anOrder({ orderId }))
  desk.store.dispatch({ type: 'orders', orders, atMs: startMs })
  desk.commands.chooseRow('orders', chosen, null)
  return desk
}
const chosenRow = ({ store }: Desk) => store.getState().tables.views.orders.selectedKey
const canceled = ({ store }: Desk, orderId: string) =>
  store.dispatch({
    type: 'cancelOutcome',
    outcome: { kind: 'canceled', orderId, order: anOrder({ orderId, status: 'CANCELED' }), isOwn: true },
    atMs: startMs,
  })

test('after a cancel the cursor of the list stays on the canceled order, and the same key cancels no other', () => {
  for (const from of ['7', '8', '9']) {
    const desk = inTheList(from)
    desk.commands.cancelSelectedOrder()
    canceled(desk, from)
    desk.store.dispatch({
      type: 'orders',
      orders: ['7', '8', '9'].filter((orderId) => orderId !== from).map((orderId) => anOrder({ orderId })),
      atMs: startMs,
    })
    expect(chosenRow(desk)).toBe(from)
    for (let press = 0; press < 5; press += 1) {
      desk.commands.cancelSelectedOrder()
      desk.wait(5_000)
    }
    expect(desk.sent).toEqual([`cancel ${from}`])
    expect(notice(desk)).toBe(`Order ${from} has ended (CANCELED): j and k select another.`)
  }
})

test('several cancels are one notice that counts them, and names those that are not canceled', () => {
  const ended = (...ends: readonly CancelEnd[]) => {
    const desk = aDesk()
    desk.store.dispatchAll([
      { type: 'cancelsSent', count: ends.length, atMs: startMs },
      { type: 'cancelSent', orderId: '7', isOneOfMany: true, atMs: startMs },
    ])
    expect(notice(desk)).toBe(`Canceling ${ends.length} orders.`)
    for (const { outcome } of ends)
      if (outcome.kind !== 'notSent')
        desk.store.dispatch({ type: 'cancelOutcome', outcome, isOneOfMany: true, atMs: startMs })
    expect(notice(desk)).toBe(`Canceling ${ends.length} orders.`)
    desk.store.dispatch({ type: 'cancelsEnded', ends, atMs: startMs })
    return { notice: notice(desk), level: desk.store.getState().notice?.level, log: desk.store.getState().log.length }
  }
  const gone = (orderId: string, change: Partial<Order> = {}): CancelEnd => {
    const order = anOrder({ orderId, status: 'CANCELED', ...change })
    return { orderId, outcome: { kind: 'canceled', orderId, order, isOwn: true } }
  }
  const filled = { cumQuantity: new Decimal('0.01') }
  expect(ended(gone('7'), gone('8', filled))).toEqual({
    notice: 'Canceled all 2 orders. Filled in part: 8.',
    level: 'good',
    log: 5,
  })
  const order = anOrder({ orderId: '9', status: 'FILLED' })
  const text = 'May still be working, checking: 11. Not sent: 12 (no turn). Canceled 1 of 5 orders. '
  expect(
    ended(
      gone('7'),
      { orderId: '9', outcome: { kind: 'ended', orderId: '9', order } },
      { orderId: '10', outcome: { kind: 'refused', orderId: '10', reason: 'frozen' } },
      { orderId: '11', outcome: { kind: 'unknown', orderId: '11', reason: 'timeout', cause: 'noAnswer' } },
      { orderId: '12', outcome: { kind: 'notSent', reason: 'no turn' } },
    ),
  ).toMatchObject({ notice: `${text}Refused: 10 (frozen). Ended before: 9 (FILLED).`, level: 'bad' })
})

test('another order that is canceled leaves the cursor where it is', () => {
  const desk = inTheList('8')
  canceled(desk, '7')
  expect(chosenRow(desk)).toBe('8')
})

test('the cursor of the list follows an order that was moved', () => {
  const desk = inTheList('8')
  const order = anOrder({ orderId: '12', clientOrderId: 'moved' })
  const draft = aDraft()
  const gone = {
    kind: 'canceled',
    orderId: '8',
    order: anOrder({ orderId: '8', status: 'CANCELED' }),
    isOwn: true,
  } as const
  desk.store.dispatchAll([
    { type: 'cancelOutcome', outcome: gone, isMove: true, atMs: startMs },
    {
      type: 'orderOutcome',
      draft,
      outcome: { kind: 'accepted', order },
      movedFrom: { orderId: '8', limitPrice: draft.limitPrice, open: draft.orderQuantity },
      atMs: startMs,
    },
  ])
  expect(chosenRow(desk)).toBe('12')
})
