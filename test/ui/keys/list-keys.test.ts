import { expect, test } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { asFile, type ExportedRows, exportAnswered } from '../../../src/store/exports.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { emptyFillHistory, emptyOrderHistory } from '../../../src/store/history/history.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import type { PaneName } from '../../../src/store/view/panes.ts'
import { handleInput } from '../../../src/ui/keys/handle-input.ts'
import { columnsRows, detailsRows } from '../../../src/ui/overlays/overlay-view.tsx'
import { activeScopes } from '../../../src/ui/tables/key-scopes.ts'
import { ordersSource } from '../../../src/ui/tables/orders-table.ts'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState, orderFrom } from '../../fakes/desk-state.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { alertsDesk } from '../golden/desks.ts'
import { onScreen } from '../render-screen.tsx'

/** A desk of which a pane has the focus, its keys, and what went out through the port. */
function desk(focus: PaneName = 'orders', more: Partial<DeskState> = {}, size = { columns: 80, rows: 24 }) {
  const store = createDeskStore(onScreen(deskState({ focus, ...more }), size.columns, size.rows))
  const asked: string[] = []
  const exported: ExportedRows[] = []
  const port = {
    ...quietPort(deskNowMs),
    cancelOrders: (orderIds: readonly string[]) => {
      asked.push(...orderIds.map((orderId) => `cancel ${orderId}`))
    },
    fetchOrderHistory: (page: string) => {
      asked.push(`history ${page}`)
    },
    exportRows: (table: ExportedRows) => {
      exported.push(table)
    },
  }
  const commands = createCommands({ store, port, exit: () => asked.push('exit') })
  const tokenizer = createKeyTokenizer()
  const press = (bytes: string) => {
    for (const event of [...tokenizer.push(bytes), ...tokenizer.flush()]) handleInput(event, store, commands)
  }
  const view = () => store.getState().tables.views.orders
  return { store, press, view, asked, exported, state: () => store.getState() }
}

const [home, end, pageUp, pageDown, esc] = ['\u001b[H', '\u001b[F', '\u001b[5~', '\u001b[6~', '\u001b']
const many = (count: number) => ({
  orders: arrived(
    Array.from({ length: count }, (_, index) => orderFrom({ orderId: String(1_000 + index) })),
    deskNowMs,
  ),
  unknownWrites: [],
  endedOrders: [],
})

test('rows are chosen one by one, by pages, and at the ends', () => {
  const { press, view } = desk('orders', many(300))
  press('jj')
  expect(view().selectedKey).toBe('1001')
  press(pageDown)
  const page = Number(view().selectedKey) - 1001
  expect(page).toBeGreaterThan(1)
  press(pageUp)
  expect(view().selectedKey).toBe('1001')
  press(end)
  expect(view().selectedKey).toBe('1299')
  press('k')
  expect(view().selectedKey).toBe('1298')
  press(home)
  expect(view()).toMatchObject({ selectedKey: '1000', top: null })
})

test('near the end of what is there the page before is asked for, once while it is on its way', () => {
  const { press, asked, store } = desk('orders', many(300))
  press(pageDown)
  expect(asked).toEqual([])
  press(`${end}k`)
  expect(asked).toEqual(['history older'])
  store.dispatch({ type: 'orderHistory', page: 'older', orders: [], isLast: true, atMs: deskNowMs })
  press('j')
  expect(asked).toEqual(['history older'])
})

test('an empty list asks for what is older too: nothing worked, but orders may have ended', () => {
  const { press, asked } = desk('orders', many(0))
  press(pageDown)
  expect(asked).toEqual(['history older'])
})

test('Esc lets go of the row and goes back to the top: after an alert, after a filter, and in every list', () => {
  const { press, view, state } = desk('orders', many(300))
  press(`${end}k`)
  expect(view().top).not.toBeNull()
  press(esc)
  expect(view()).toMatchObject({ selectedKey: null, top: null })
  press(`/1000\rj`)
  expect(view()).toMatchObject({ selectedKey: '1000', filter: '1000' })
  press(esc)
  expect(view()).toMatchObject({ selectedKey: '1000', filter: '' })
  press(esc)
  expect(view().selectedKey).toBeNull()
  press('j')
  const { alerts } = alertsDesk()
  // An alert on the screen is what Esc takes away first.
  expect(activeScopes(state(), false)).toContain('held')
  expect(activeScopes({ ...state(), alerts }, false)).not.toContain('held')
  const log = desk('log')
  log.press('jj')
  expect(log.state().tables.views.log.selectedKey).not.toBeNull()
  log.press(esc)
  expect(log.state().tables.views.log).toMatchObject({ selectedKey: null, top: null })
})

test('while a filter is typed every character is text, also those that act elsewhere, and Esc drops the filter', () => {
  const { press, view, state, asked } = desk()
  press('/xK q2\u007f')
  expect(view().filter).toBe('xK q')
  expect(asked).toEqual([])
  expect(state().overlay).toBeNull()
  press('\u0015sell\r')
  expect(view().filter).toBe('sell')
  expect(state().tables.typing).toBeNull()
  press('/ x')
  press(esc)
  expect(view().filter).toBe('')
  press('/sell\r')
  press(esc)
  expect(view().filter).toBe('')
})

test('a paste goes into the filter as text and presses no key', () => {
  const { press, view, asked } = desk()
  press('/\u001b[200~btc\rx\u001b[201~')
  expect(view().filter).toBe('btc x')
  expect(asked).toEqual([])
})

test('a question about a cancel that has no room takes no yes: nothing is sent, and Esc closes it', () => {
  const target = { kind: 'orders', orderIds: ['9912041'], words: 'order 9912041' } as const
  const { press, asked, state } = desk(
    'orders',
    { overlay: { kind: 'confirmCancel', target } },
    { columns: 39, rows: 11 },
  )
  press('x')
  press('x')
  expect([asked, state().overlay?.kind]).toEqual([[], 'confirmCancel'])
  press('\u001b')
  expect([asked, state().overlay]).toEqual([[], null])
})

test('typed text outlives a terminal that becomes too small and large again', () => {
  const { press, view, store } = desk()
  const resized = (columns: number, rows: number) =>
    store.dispatch({ type: 'resized', screen: { ...store.getState().screen, columns, rows } })
  press('/se')
  resized(60, 11)
  press('j')
  resized(80, 24)
  press('ll')
  expect(view().filter).toBe('sell')
})

test('x cancels the chosen order only while it is in the list', () => {
  const { press, asked, state } = desk()
  press('jjj')
  press('/side:buy\r')
  press('x')
  expect(asked.filter((each) => each.startsWith('cancel'))).toEqual([])
  expect(state().notice?.text).toContain('is not listed')
  press(esc)
  press('x')
  expect(asked).toContain('cancel 9912017')
})

test('o shows letters over the heads; a letter sorts, again reverses, Backspace drops it, Esc leaves', () => {
  const { press, view, state } = desk()
  press('O')
  expect(state().notice?.text).toContain('Not sorted: o')
  press('op')
  expect(view().sort).toEqual({ column: 'price', direction: 'up' })
  press('p')
  expect(view().sort).toEqual({ column: 'price', direction: 'down' })
  press('t')
  expect(view().sort?.column).toBe('type')
  press('z')
  expect(state().notice?.text).toContain('No column has the letter z')
  press('\u007f')
  expect(view().sort).toBeNull()
  press('i')
  press(esc)
  expect(state().tables.sorting).toBeNull()
  press('O')
  expect(view().sort).toEqual({ column: 'id', direction: 'down' })
})

test('each shown column that can be sorted by has a letter of its own, a hidden one none', () => {
  const { press, state } = desk()
  const letters = () => ordersSource.letters(state())
  expect(new Set(letters().values()).size).toBe(letters().size)
  expect(letters().get('price')).toBe('p')
  expect(letters().get('id')).toBe('i')
  expect(letters().has('tif')).toBe(false)
  press('C ')
  expect(letters().has('id')).toBe(false)
})

test('C chooses columns: space hides the marked one and shows it again', () => {
  const { press, view, state } = desk()
  press('Cjj ')
  expect(view().hiddenColumns).toEqual(['symbol'])
  const { overlay } = state()
  if (overlay?.kind !== 'columns') throw new Error('the columns are not open')
  expect(columnsRows(state(), overlay, 5).map(rowText)).toEqual([
    '   [x] ID         id:',
    '   [x] CLIENT ID  client:',
    ' > [ ] SYMBOL     symbol:',
    '   [x] SIDE       side:',
    '   [x] TYPE       type:',
  ])
  press(' ')
  expect(view().hiddenColumns).toEqual([])
  // One column stays, whatever one does.
  press('kkkkkkkkkkkkkkk')
  for (let column = 0; column < 20; column += 1) press(' j')
  expect(view().hiddenColumns).toHaveLength(13)
  expect(state().notice?.text).toContain('The last column stays')
  press(esc)
  expect(state().overlay).toBeNull()
})

test('Enter shows every field of the chosen row, and what does not fit is reached by scrolling', () => {
  const { press, state } = desk()
  press('\r')
  expect(state().notice?.text).toContain('No row is selected')
  press('jj\r')
  const shown = () => {
    const { overlay } = state()
    if (overlay?.kind !== 'details') throw new Error('the details are not open')
    return detailsRows(state(), overlay, { columns: 80, rows: 24 }).map(rowText)
  }
  expect(shown().join('\n')).toContain('client order id     a81fK2x09Qz1')
  expect(shown().at(-1)).toContain('more below')
  press(pageDown)
  expect(shown().join('\n')).toContain('reason')
  expect(shown().at(-1)).toBe('')
  press(pageUp)
  expect(shown().join('\n')).toContain('state')
})

test('e hands over the rows as they are looked at', () => {
  const { press, exported } = desk('orders', { orderHistory: { ...emptyOrderHistory, reach: 'all' } })
  press('/side:sell\r')
  press('e')
  expect(exported.map(({ name, rows }) => [name, [...rows].length])).toEqual([['orders', 2]])
  const [table] = exported
  expect(table?.filtered?.filter).toBe('side:sell')
  // What a person or a spreadsheet opens later says that it is not the whole list.
  const hiddenCount = table?.filtered?.hiddenCount ?? 0
  expect(hiddenCount).toBeGreaterThan(0)
  if (table !== undefined) expect(asFile(table).name).toBe('orders-filtered')
  const told = exportAnswered(ok({ path: '/x.csv', rowCount: 2 }), 0, table)
  expect(told.text).toBe(`2 rows, ${hiddenCount} left out by the filter, in /x.csv`)
  press(`${esc}${esc}`)
  press('e')
  expect(exported[1]).not.toHaveProperty('filtered')
  expect(exportAnswered(ok({ path: '/x.csv', rowCount: 1 }), 0, exported[1]).text).toBe('1 row in /x.csv')
})

test('an export of the orders before ended ones have loaded says so: its rows are not the list that comes then', () => {
  const { press, exported, store } = desk('orders', many(2))
  press('e')
  expect(exported.map(({ missing }) => missing)).toEqual(['ended orders not loaded yet'])
  const [early] = exported
  const written = { ok: true, value: { path: '/x/orders.csv', rowCount: 2 } } as const
  expect(exportAnswered(written, deskNowMs, early)).toMatchObject({
    level: 'warn',
    text: '2 rows, ended orders not loaded yet, in /x/orders.csv',
  })
  const filtered = { filter: 'btc', hiddenCount: 3 }
  expect(exportAnswered(written, deskNowMs, { ...early, filtered })).toMatchObject({
    text: '2 rows, 3 left out by the filter, ended orders not loaded yet, in /x/orders.csv',
  })
  store.dispatch({ type: 'orderHistory', page: 'older', orders: [], isLast: true, atMs: deskNowMs })
  press('e')
  expect(exported.at(-1)?.missing).toBeUndefined()
  expect(exportAnswered(written, deskNowMs, exported.at(-1))).toMatchObject({ level: 'good' })
})

test.each([
  ['orders', 'some', 'older ones not loaded'],
  ['orders', 'most', 'older ones left out'],
  ['fills', 'none', 'older ones not asked for'],
  ['fills', 'some', 'older ones not loaded'],
  ['fills', 'all', undefined],
] as const)('an export of %s that reach back to %s says what is not in it', (pane, reach, missing) => {
  const { press, exported } = desk(pane, {
    orderHistory: { ...emptyOrderHistory, reach },
    fillHistory: { ...emptyFillHistory, reach },
  })
  press('e')
  expect(exported.map((each) => [each.name, each.missing])).toEqual([[pane, missing]])
})

test.each([
  ['orders', 'none', 'ended orders not loaded yet'],
  ['orders', 'all', 'not all ended ones could be read'],
  ['orders', 'some', 'not all ended ones could be read, older ones not loaded'],
  ['fills', 'all', 'not all older ones could be read'],
] as const)('an export of %s that reach back to %s, and whose last look failed, says so', (pane, reach, missing) => {
  const call = { kind: 'failed', sentence: 'no answer' } as const
  const { press, exported } = desk(pane, {
    orderHistory: { ...emptyOrderHistory, reach, call },
    fillHistory: { ...emptyFillHistory, reach, call },
  })
  press('e')
  expect(exported.map((each) => [each.name, each.missing])).toEqual([[pane, missing]])
})

test('an export of the gateway inbox says that older orders are left out, where they are', () => {
  const { gateway } = deskState()
  for (const isCut of [false, true]) {
    const { press, exported } = desk('gateway', { gateway: { ...gateway, inbox: { ...gateway.inbox, isCut } } })
    press('e')
    expect(exported.map((each) => [each.name, each.missing])).toEqual([
      ['inbox', isCut ? 'older ones left out' : undefined],
    ])
  }
})
