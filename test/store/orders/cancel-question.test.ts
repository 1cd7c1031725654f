import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { createCommands } from '../../../src/store/commands.ts'
import { emptyFeed } from '../../../src/store/feeds/feed.ts'
import { type CancelChoice, cancelTargetOf } from '../../../src/store/orders/cancel-question.ts'
import { readSentence } from '../../../src/store/sentences/sentences.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { anOrder } from '../../fakes/orders.ts'
import { recordingPort } from '../../fakes/recording-port.ts'
import { aDesk, startMs } from '../desk.ts'

const one = (orderId: string | null, change: Partial<Order> = {}) =>
  anOrder({ orderId, clientOrderId: `own${orderId}`, limitPrice: new Decimal('64209.50'), ...change })

const some: readonly Order[] = [
  one('1', { timestampMs: 10 }),
  one('2', { side: 'SELL', limitPrice: new Decimal('64300.00'), timestampMs: 40 }),
  one('3', { limitPrice: new Decimal('64100.00'), timestampMs: 20 }),
  one('4', { symbol: 'ETH-USD', timestampMs: 30 }),
  one('5', { symbol: 'ETH-USD', timestampMs: 50 }),
]

function withOrders(orders: readonly Order[] = some, mode: Parameters<typeof aDesk>[0] = 'ARMED') {
  const desk = aDesk(mode)
  desk.store.dispatch({ type: 'orders', orders: [...orders], atMs: startMs })
  const asked = () => {
    const { overlay } = desk.store.getState()
    return overlay?.kind === 'confirmCancel' && overlay.target.kind === 'orders' ? overlay.target : null
  }
  return { ...desk, asked, notice: () => desk.store.getState().notice?.text }
}

test.each<[CancelChoice, string[], string]>([
  ['buys', ['1', '3'], 'all 2 buys of BTC-USD'],
  ['sells', ['2'], 'your only sell of BTC-USD, 2'],
  ['symbol', ['1', '2', '3'], 'all 3 orders of BTC-USD'],
  ['all', ['1', '2', '3', '4', '5'], 'all 5 orders of every symbol'],
  // The newest of all is one of another symbol.
  ['last', ['2'], 'your last order of BTC-USD, 2'],
])('%s are asked about by their ids, and exactly these go', (choice, orderIds, words) => {
  const { commands, store, sent, asked } = withOrders()
  commands.askCancelOf(choice)
  expect(asked()).toEqual({ kind: 'orders', orderIds, words })
  // One that came since the question stays.
  store.dispatch({ type: 'orders', orders: [...some, one('9')], atMs: startMs })
  commands.confirmCancel()
  expect(sent).toEqual(orderIds.map((id) => `cancel ${id}`))
})

test('the words of the palette mean what the keys of the question mean', () => {
  const { commands, store, asked } = withOrders()
  for (const choice of ['buys', 'sells', 'last'] as const) {
    commands.askCancelOf(choice)
    const byKey = asked()
    const reading = readSentence(`cancel ${choice}`, store.getState())
    if (reading?.kind === 'understood') reading.run(commands, () => undefined)
    expect(asked()).toEqual(byKey)
    expect(byKey?.words).toContain('of BTC-USD')
  }
  const everywhere = readSentence('cancel buys everywhere', store.getState())
  if (everywhere?.kind === 'understood') everywhere.run(commands, () => undefined)
  expect(asked()?.words).toBe('all 4 buys of every symbol')
})

test('what is nearest to the keys is asked about first: the row, the selected one, the symbol, all', () => {
  const { commands, store, asked } = withOrders()
  commands.askCancelHere()
  expect(asked()?.orderIds).toEqual(['1', '2', '3'])
  commands.closeOverlay()
  commands.moveCursor(1)
  commands.moveCursor(-2)
  commands.askCancelHere()
  expect(asked()?.orderIds).toEqual(['1'])
  commands.closeOverlay()
  store.dispatch({ type: 'paneFocused', pane: 'orders' })
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: { selectedKey: '3' } })
  commands.askCancelHere()
  expect(asked()).toEqual({ kind: 'orders', orderIds: ['3'], words: 'your selected order 3' })
  store.dispatch({ type: 'orders', orders: some.slice(3), atMs: startMs })
  commands.closeOverlay()
  commands.askCancelHere()
  expect(asked()?.orderIds).toEqual(['4', '5'])
})

test.each([
  ['SAFE', 5],
  ['HALTED', 5],
  ['MONITOR', 0],
] as const)('a desk that is %s sends %i cancels', (mode, count) => {
  const { commands, sent } = withOrders(some, mode)
  commands.askCancelOf('all')
  commands.confirmCancel()
  expect(sent).toHaveLength(count)
})

test('with nothing to cancel it says so, and one without an id is not passed over in silence', () => {
  const none = withOrders([])
  none.commands.askCancelHere()
  expect(none.asked()).toBeNull()
  expect(none.notice()).toBe('No working order to cancel.')
  const { store } = withOrders([...some, one(null)])
  expect(cancelTargetOf(store.getState(), 'buys')?.words).toBe('all 3 buys of BTC-USD, but 1 without an id yet')
})

test('while the list has not answered nothing is said to be empty, and orders without an id are not none', () => {
  const store = createDeskStore({ ...aDesk().store.getState(), orders: emptyFeed })
  const port = recordingPort(() => startMs, [])
  const unread = { store, commands: createCommands({ store, port, exit: () => undefined }) }
  for (const ask of [() => unread.commands.askCancelHere(), () => unread.commands.askCancelOf('buys')]) {
    ask()
    expect(unread.store.getState().notice?.text).toBe('Your orders are not loaded yet: wait.')
  }
  const unnamed = withOrders([one(null)])
  for (const ask of [() => unnamed.commands.askCancelHere(), () => unnamed.commands.askCancelOf('buys')]) {
    ask()
    expect(unnamed.notice()).toContain('exchange id is not known yet')
  }
})

test('an id that is listed twice goes once, and a list that is not whole is not called all', () => {
  const twice = withOrders([one('1'), one('1', { clientOrderId: 'other' })])
  twice.commands.askCancelOf('symbol')
  twice.commands.confirmCancel()
  expect(twice.sent).toEqual(['cancel 1'])
  const { store } = aDesk()
  store.dispatch({ type: 'orders', orders: [...some], unreadable: [], isWhole: false, atMs: startMs })
  expect(cancelTargetOf(store.getState(), 'all')?.words).toContain('the list is not whole')
})

test.each<[CancelChoice, string]>([
  ['row', 'No order of yours in the row: the cursor of the ladder is not at one.'],
  ['chosen', 'No working order is selected in 2 Orders.'],
  ['sells', 'You have no working sell in BTC-USD.'],
])('%s without one says what is not there, for others work', (choice, text) => {
  const desk = withOrders(some.filter(({ side }) => side === 'BUY'))
  desk.commands.askCancelOf(choice)
  expect(desk.asked()).toBeNull()
  expect(desk.notice()).toBe(text)
})
