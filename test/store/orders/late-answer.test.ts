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
