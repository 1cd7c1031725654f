import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { handsOffMs } from '../../../src/store/ladder/ladder.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { emptyTables, plainView } from '../../../src/store/tables/tables.ts'
import { followIdleLists } from '../../../src/ui/panes/list-room.ts'
import { deskNowMs, deskState, orderFrom } from '../../fakes/desk-state.ts'
import { aMoveForm } from '../../fakes/moves.ts'
import { onScreen } from '../render-screen.tsx'

const ended = Array.from({ length: 40 }, (_, index) =>
  orderFrom({ orderId: String(1_000 + index), status: 'FILLED', timestampMs: deskNowMs - 1_000 * index }),
)
const held = { ...plainView, selectedKey: '1030', top: { key: '1029', at: 30 }, touchedAtMs: deskNowMs }

/** A desk whose list of orders was scrolled far down just now; another pane has the keys unless said otherwise. */
function aScrolledDesk(more: Partial<DeskState> = {}) {
  const tables = { ...emptyTables, views: { ...emptyTables.views, orders: held } }
  const desk = { orders: arrived([], deskNowMs), unknownWrites: [], endedOrders: ended, tables, ...more }
  const store = createDeskStore(onScreen(deskState({ lastKeyAtMs: deskNowMs, ...desk }), 80, 24))
  followIdleLists(store)
  const tick = (afterMs: number) => store.dispatch({ type: 'ticked', nowMs: deskNowMs + afterMs })
  return { store, tick, view: () => store.getState().tables.views.orders }
}

test('a list that nobody moves in returns to its head after as long as the ladder, and not before', () => {
  const { tick, view } = aScrolledDesk()
  tick(handsOffMs - 1)
  expect(view()).toEqual(held)
  tick(handsOffMs)
  expect(view()).toMatchObject({ selectedKey: null, top: null })
})

test('a chosen row is let go of where it stands, at the head of its list too', () => {
  const { store, tick, view } = aScrolledDesk({ focus: 'orders' })
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: { selectedKey: '1000', top: null } })
  tick(handsOffMs - 1)
  expect(view().selectedKey).toBe('1000')
  tick(handsOffMs)
  expect(view().selectedKey).toBeNull()
})

test('in the list that has the keys every key is a hand that moves', () => {
  const { store, tick, view } = aScrolledDesk({ focus: 'orders' })
  store.dispatch({ type: 'keyPressed', atMs: deskNowMs + 8_000 })
  tick(handsOffMs)
  expect(view()).toEqual(held)
  tick(8_000 + handsOffMs)
  expect(view()).toMatchObject({ selectedKey: null, top: null })
})

test('keys elsewhere hold no list', () => {
  const { store, tick, view } = aScrolledDesk({ focus: 'ladder' })
  store.dispatch({ type: 'keyPressed', atMs: deskNowMs + 8_000 })
  tick(handsOffMs)
  expect(view().top).toBeNull()
})

test.each<[string, Partial<DeskState>]>([
  ['while its row is read', { overlay: { kind: 'details', pane: 'orders', key: '1030', top: 0 } }],
  ['while an order is moved', { move: { stage: 'choose', ...aMoveForm(orderFrom({}), new Decimal('64000')) } }],
  [
    'while its filter is typed',
    { tables: { ...emptyTables, typing: 'orders', views: { ...emptyTables.views, orders: held } } },
  ],
])('%s it stays', (_, more) => {
  const { tick, view } = aScrolledDesk(more)
  tick(handsOffMs * 3)
  expect(view()).toEqual(held)
})

test('behind a frozen screen it stays, and returns once the screen is live again', () => {
  const { store, tick, view } = aScrolledDesk()
  store.dispatch({ type: 'pictureFrozen', atMs: deskNowMs })
  tick(handsOffMs * 3)
  expect(view()).toEqual(held)
  store.dispatch({ type: 'pictureWentOn', atMs: deskNowMs + handsOffMs * 3 })
  tick(handsOffMs * 3 + 1)
  expect(view().top).toBeNull()
})
