import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { emptyFeed } from '../../../src/store/feeds/feed.ts'
import { isOrderListWhole } from '../../../src/store/feeds/feeds.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { checkContext } from '../../../src/store/ticket/check-context.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

const open = anOrder({ status: 'OPEN', cumQuantity: new Decimal(0) })

/** A desk that was told of an order by a list before its answer, which says it is open, arrived. */
function answeredLate(listed: readonly Order[]) {
  const { store } = aDesk()
  for (const order of listed) store.dispatch({ type: 'orders', orders: [order], atMs: startMs })
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome: { kind: 'accepted', order: open }, atMs: startMs })
  return store.getState()
}

test('an answer that arrives after a list does not take back what the list says has filled', () => {
  const partly = anOrder({ status: 'PART_FILLED', cumQuantity: new Decimal('0.1') })
  expect(answeredLate([partly]).orders.value).toEqual([partly])
})

test('an answer that arrives after the end of its order does not make it work again', () => {
  const canceled = anOrder({ status: 'CANCELED', cumQuantity: new Decimal(0) })
  const state = answeredLate([open, canceled])
  expect(state.orders.value).toEqual([])
  expect(state.endedOrders).toEqual([canceled])
  expect(state.notice?.text).not.toContain('is working')
})

test('an order that is accepted before the list has loaded is not taken for the whole list', () => {
  const store = createDeskStore(deskState({ orders: emptyFeed, unknownWrites: [] }))
  const { nowMs: atMs } = store.getState()
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome: { kind: 'accepted', order: open }, atMs })
  const known = store.getState()
  expect(known.orders.value).toEqual([open])
  expect(checkContext(known, 'BTC-USD').openOrders).toMatchObject({ kind: 'partial', unreadableCount: 0 })
  store.dispatch({ type: 'orders', orders: [open], unreadable: [], isWhole: true, atMs })
  expect(isOrderListWhole(store.getState())).toBe(true)
})

test('a cancel of all with an order on its way is not told as if none could work, and that order is an alarm', () => {
  const { store } = aDesk()
  const draft = aDraft()
  const others = aDraft({ symbol: 'ETH-USD' })
  const text = () => store.getState().notice?.text
  store.dispatch({ type: 'orderSent', draft, clientOrderId: open.clientOrderId, atMs: startMs })
  store.dispatch({ type: 'orderSent', draft: others, clientOrderId: 'elsewhere', atMs: startMs })
  store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', symbol: draft.symbol, atMs: startMs })
  const tally = { before: null, canceled: 0, otherwise: [] }
  const outcome = { kind: 'canceled', symbol: draft.symbol, tally } as const
  store.dispatch({ type: 'cancelAllOutcome', outcome, atMs: startMs })
  expect(store.getState().notice).toMatchObject({ level: 'bad' })
  expect(text()).toBe(`May still arrive: order ${open.clientOrderId}. Halted: no order of ${draft.symbol} is working.`)
  store.dispatch({ type: 'orderOutcome', draft, outcome: { kind: 'accepted', order: open }, atMs: startMs })
  expect(store.getState().notice).toMatchObject({ level: 'bad' })
  expect(text()).toBe(
    `May be working: order ${open.orderId} was answered after the cancel of all orders of ${draft.symbol}.`,
  )
  // With every answer there, the next one is told as ever; and what is of another symbol was not meant.
  store.dispatch({ type: 'cancelAllOutcome', outcome, atMs: startMs })
  expect(text()).toBe(`Halted: no order of ${draft.symbol} is working.`)
  const elsewhere = { ...open, orderId: '99', clientOrderId: 'elsewhere', symbol: others.symbol }
  store.dispatch({
    type: 'orderOutcome',
    draft: others,
    outcome: { kind: 'accepted', order: elsewhere },
    atMs: startMs,
  })
  expect(text()).toBe('Order 99 is working.')
})

test('of an order behind a cancel of all from before the halt, which no halt follows, it is said how to remove it', () => {
  const { store } = aDesk()
  const draft = aDraft()
  store.dispatch({ type: 'orderSent', draft, clientOrderId: open.clientOrderId, atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', symbol: null, atMs: startMs })
  store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', symbol: 'ETH-USD', atMs: startMs })
  store.dispatch({ type: 'orderOutcome', draft, outcome: { kind: 'accepted', order: open }, atMs: startMs })
  const was = `order ${open.orderId} was answered after the cancel of all orders of every symbol`
  expect(store.getState().notice?.text).toBe(`May be working: ${was}. To remove it, cancel again.`)
})

test('an order that is found after a cancel of all that it was on its way at is told of as that', () => {
  const { store } = aDesk()
  const draft = aDraft()
  store.dispatch({ type: 'orderSent', draft, clientOrderId: 'late', atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', symbol: null, atMs: startMs })
  const sentence = 'Found: order 7 was placed and is working.'
  store.dispatch({ type: 'writeResolved', key: 'late', id: '7', sentence, level: 'good', atMs: startMs })
  expect(store.getState().notice).toMatchObject({
    level: 'bad',
    text: `${sentence} It was on its way at the cancel of all orders of every symbol.`,
  })
})

test('one that is found to have ended is no alarm: nothing of it works', () => {
  const { store } = aDesk()
  const draft = aDraft()
  store.dispatch({ type: 'orderSent', draft, clientOrderId: 'late', atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', symbol: null, atMs: startMs })
  const sentence = 'Found: order 7 was placed and is CANCELED.'
  const found = { key: 'late', id: '7', sentence, level: 'good', isEnded: true, atMs: startMs } as const
  store.dispatch({ type: 'writeResolved', ...found })
  expect(store.getState().notice).toMatchObject({ level: 'good', text: sentence })
})

const scope = { symbol: open.symbol }
const answered = { draft: aDraft(), outcome: { kind: 'accepted', order: open } } as const

/** A desk whose cancel of all has `sent` or not, with an order on its way. */
function passedBy(mode: 'ARMED' | 'HALTED', atMs = startMs) {
  const { store } = aDesk(mode)
  store.dispatch({ type: 'orderSent', draft: aDraft(), clientOrderId: open.clientOrderId, atMs })
  store.dispatch({ type: 'cancelAllSent', ...scope, atMs })
  return { store, text: () => store.getState().notice?.text }
}

test('a cancel of all that never left has passed no order', () => {
  const { store, text } = passedBy('ARMED')
  const unsent = { reason: 'connection refused', all: { ...scope, sentAtMs: startMs } }
  store.dispatch({ type: 'cancelNotSent', ...unsent, atMs: startMs + 1 })
  store.dispatch({ type: 'orderOutcome', ...answered, atMs: startMs + 2 })
  expect(text()).toBe(`Order ${open.orderId} is working.`)
})

test('one that left has passed its orders, whatever another one did', () => {
  const { store, text } = passedBy('ARMED')
  store.dispatch({ type: 'cancelAllSent', ...scope, atMs: startMs + 1 })
  const unsent = { reason: 'connection refused', all: { ...scope, sentAtMs: startMs + 1 } }
  store.dispatch({ type: 'cancelNotSent', ...unsent, atMs: startMs + 2 })
  store.dispatch({ type: 'orderOutcome', ...answered, atMs: startMs + 3 })
  expect(text()).toContain('May be working')
})

test('only where no halt cancels it by itself somebody is told to cancel again', () => {
  const todo = (mode: 'ARMED' | 'HALTED') => {
    const { store, text } = passedBy(mode)
    store.dispatch({ type: 'orderOutcome', ...answered, atMs: startMs })
    return text()?.replace(/^May be working: .*?\.(?: |$)/, '')
  }
  expect([todo('ARMED'), todo('HALTED')]).toEqual(['To remove it, cancel again.', ''])
})

test('an order that was on its way at a halt before the desk was armed is followed by no later halt either', () => {
  const { store, text } = passedBy('HALTED')
  for (const kind of ['ARMED', 'HALTED'] as const)
    store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', symbol: 'ETH-USD', atMs: startMs })
  store.dispatch({ type: 'orderOutcome', ...answered, atMs: startMs })
  expect(text()).toContain('To remove it, cancel again.')
})

test('an order that the cancel of all has ended is not told as if it might still arrive', () => {
  const { store, text } = passedBy('HALTED')
  const tally = { before: 1, canceled: 1, otherwise: [] }
  const ended = [anOrder({ status: 'CANCELED', cumQuantity: new Decimal('0.1') })]
  const outcome = { kind: 'canceled', ...scope, tally, ended } as const
  store.dispatch({ type: 'cancelAllOutcome', outcome, atMs: startMs })
  expect(text()).toBe('Halted: 1 of 1 canceled.')
})

test('a refused double of an order does not show that the order itself has ended', () => {
  const { store, text } = passedBy('HALTED')
  const refused = anOrder({ orderId: '8', status: 'REJECTED' })
  store.dispatch({ type: 'orderEnded', order: refused, atMs: startMs })
  const tally = { before: null, canceled: 0, otherwise: [] }
  store.dispatch({ type: 'cancelAllOutcome', outcome: { kind: 'canceled', ...scope, tally }, atMs: startMs })
  expect(text()).toContain(`May still arrive: order ${open.clientOrderId}.`)
})

test('an order that an earlier desk left without an outcome may arrive behind a cancel of all too', () => {
  const { store } = aDesk('HALTED')
  const text = () => store.getState().notice?.text
  const sentence = 'No outcome is on record: checking.'
  const write = { key: 'early', kind: 'order', sentence, order: null, question: null, ...scope } as const
  store.dispatch({ type: 'writeUnknown', write: { ...write, atMs: startMs }, atMs: startMs })
  store.dispatch({ type: 'cancelAllSent', ...scope, atMs: startMs })
  const tally = { before: null, canceled: 0, otherwise: [] }
  store.dispatch({ type: 'cancelAllOutcome', outcome: { kind: 'canceled', ...scope, tally }, atMs: startMs })
  expect(text()).toBe(`May still arrive: order early. Halted: no order of ${open.symbol} is working.`)
  const found = 'Found: order 7 was placed and is working.'
  store.dispatch({ type: 'writeResolved', key: 'early', id: '7', sentence: found, level: 'good', atMs: startMs })
  expect(store.getState().notice).toMatchObject({
    level: 'bad',
    text: `${found} It was on its way at the cancel of all orders of ${open.symbol}.`,
  })
})
