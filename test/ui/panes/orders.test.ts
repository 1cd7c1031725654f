import { expect, test } from 'vitest'
import { noReboundKeys } from '../../../src/domain/desk/session.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { aged } from '../../../src/domain/orders/drafted-order.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived, emptyFeed, failed } from '../../../src/store/feeds/feed.ts'
import { emptyOrderHistory } from '../../../src/store/history/history.ts'
import { emptyTables, plainView, type TableView } from '../../../src/store/tables/tables.ts'
import { tooSmallRows } from '../../../src/ui/console/blocking-screens.tsx'
import { keymapOf } from '../../../src/ui/keys/keymap.ts'
import { haltQuestion } from '../../../src/ui/overlays/confirm.tsx'
import { endedNote, ordersContent as ordersContentWith } from '../../../src/ui/panes/orders-pane.tsx'
import { orderCountText, titleRow } from '../../../src/ui/panes/pane-view.tsx'
import { ordersView, ordersContent as wallOrders } from '../../../src/ui/panes/wall/trade-rows.ts'
import { openUse } from '../../../src/ui/tables/limits-used.ts'
import { orderItems } from '../../../src/ui/tables/order-items.ts'
import { ordersSource } from '../../../src/ui/tables/orders-table.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { chosenRow, deskNowMs, deskState, orderFrom, unknownOrder } from '../../fakes/desk-state.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { aDraft } from '../../fakes/orders.ts'
import { texts } from '../rows.ts'

/** With the keys as the state has them bound. */
const ordersContent = (
  state: Parameters<typeof ordersContentWith>[0] & Pick<DeskState, 'reboundKeys'>,
  width: number,
  rowCount: number,
) => ordersContentWith(state, keymapOf(state), width, rowCount)

const looking = (view: Partial<TableView>) => ({
  tables: { ...emptyTables, views: { ...emptyTables.views, orders: { ...plainView, ...view } } },
})

test('orders: what has no known outcome on top, then what works, then what ended, with the chosen one marked', () => {
  const content = ordersContent(deskState({ tables: chosenRow('orders', '9912017') }), 78, 7)
  expect(texts(content.rows)).toEqual([
    ' ID         SYMBOL  SIDE TYPE   QTY/LEFT           PRICE FILL AGE STATE',
    ' a81fK…0Dd5 BTC-USD BUY  LIMIT   .0100/?      64190.00      ? 20s UNKNOWN',
    ' 9912041    BTC-USD BUY  LIMIT   .0500/.0500  64209.50     0%  3m OPEN',
    '>9912017    BTC-USD SELL LIMIT   .0500/.0200  64212.50    60% 11m PART_FILLED',
    ' 9911204    XLM-USD BUY  LIMIT    5000/5000       0.1095   0%  2h OPEN',
    ' 9911002    BTC-USD BUY  LIMIT   .0500/.0000  64188.00   100%  4m FILLED',
    ' a81fK…5Cc4 BTC-USD BUY  MARKET 9.0000/.0000 market        0% 41m REJECTED',
  ])
})

test('orders: what has filled a little is not 0%, and what has not filled whole is not 100%, on the wall too', () => {
  const order = (orderId: string, filled: string, open: string) =>
    orderFrom({ orderId, cumQuantity: new Decimal(filled), leavesQuantity: new Decimal(open), status: 'PART_FILLED' })
  const orders = arrived([order('1', '0.01', '9.99'), order('2', '9.97', '0.03'), order('3', '0', '10')], deskNowMs)
  const state = deskState({ orders, unknownWrites: [], endedOrders: [] })
  const filled = ['<1%', '99%', '0%']
  const rows = texts(ordersContent(state, 78, 4).rows).slice(1)
  expect(rows.map((row) => /\S+%/.exec(row)?.[0])).toEqual(filled)
  const wall = wallOrders(ordersView(state), { width: 70, height: 4 }).rows.map(rowText)
  expect(wall.flatMap((row) => /filled (\S+)/.exec(row)?.[1] ?? [])).toEqual(filled)
})

test('orders: the plan of an order stays where its type has no room, and takes none where there is no plan', () => {
  const state = deskState()
  const [own] = state.orders.value ?? []
  const byOrder = new Map([[own?.clientOrderId ?? '', { planId: 'p12', role: 'entry' }]] as const)
  const planned = deskState({ plans: { ...state.plans, byOrder } })
  const head = (of: DeskState, width: number) => texts(ordersContent(of, width, 6).rows)[0]
  expect(head(planned, 80)).toContain(' TYPE ')
  expect(head(planned, 58)).toMatch(/ PLAN /)
  expect(texts(ordersContent(planned, 58, 6).rows).filter((row) => / p12 /.test(row))).toHaveLength(1)
  expect(head(planned, 58)).not.toMatch(/TYPE/)
  expect(head(state, 48)).not.toMatch(/TYPE|PLAN/)
})

test('orders: drafts stand below what works and above what ended, with who made each, until when, and why', () => {
  const orderDrafts = [
    anOrderDraft({ createdAtMs: deskNowMs - 90_000 }),
    aged(anOrderDraft({ draftId: 'past56', createdAtMs: deskNowMs - 4_000_000 }), deskNowMs),
  ]
  const state = deskState({ orderDrafts })
  const rows = texts(ordersContent(state, 160, 12).rows)
  const stateOf = (row: string) => / (UNKNOWN|OPEN|PART_FILLED|DRAFT|EXPIRED|FILLED|REJECTED)/.exec(row)?.[1]
  const found = rows.slice(1).map(stateOf)
  expect(found.indexOf('DRAFT')).toBeGreaterThan(found.lastIndexOf('OPEN'))
  expect(found.indexOf('DRAFT')).toBeLessThan(found.indexOf('FILLED'))
  expect(found).toContain('EXPIRED')
  const until = new Date(deskNowMs - 90_000 + 3_600_000).toISOString().slice(11, 16)
  const draft = orderItems(state).find(({ kind }) => kind === 'draft')
  expect(draft?.sentence).toBe(`by mcp claude, until ${until}Z: the spread is wide`)
  expect(rows.find((row) => stateOf(row) === 'DRAFT')).toContain('by mcp claude')
})

test('orders: of a list that may lack some none is said to be all, in no place that counts them', () => {
  const cut = { orders: { entries: [], isWhole: false, toldKeys: [] } }
  const some = deskState({ unreadable: cut })
  expect([orderCountText(deskState({ unknownWrites: [] })), orderCountText(some)]).toEqual(['3', '4+'])
  expect(openUse(some).text).toMatch(/^4\+\/\d+$/)
  const none = deskState({ orders: arrived([], deskNowMs), unknownWrites: [], endedOrders: [], unreadable: cut })
  expect(orderCountText(none)).toBe('')
  expect(texts(ordersContent(none, 72, 6).rows)[0]).toContain(' No working orders known. 2 loads ended ones.')
  const read = { ...none, orderHistory: { ...none.orderHistory, reach: 'all' as const } }
  expect(texts(ordersContent(read, 72, 6).rows)[0]).toContain(' No working orders known. b buys at')
  expect(texts(tooSmallRows(none, { columns: 30, rows: 8 })).join(' ')).toContain('No working orders known.')
  const [shown, empty] = [some, none].map((state) => wallOrders(ordersView(state), { width: 58, height: 5 }))
  expect([shown?.title, empty?.title]).toEqual(['Working orders (3+)', 'Working orders (0+)'])
  expect(empty?.rows.map(rowText)[0]).toContain('No working orders known.')
  const question = haltQuestion(some, { kind: 'halt', symbol: 'BTC-USD', typed: 'ALL' })
  expect(question).toContain('Cancel all 3+ working orders in every symbol?')
})

test('orders: what an empty list says, and why it waits, goes on in the next line instead of being cut', () => {
  const none = deskState({ orders: arrived([], deskNowMs), unknownWrites: [], endedOrders: [] })
  expect(texts(ordersContent(none, 72, 6).rows)).toEqual([
    ' No working orders. 2 loads ended ones. b buys at the bid, s sells at',
    ' the ask; in the ladder j and k point at another price.',
  ])
  const why = 'No answer within 5 s: the exchange is down, or the network is. It is asked again.'
  const waiting = deskState({ orders: failed(emptyFeed, why, deskNowMs), unknownWrites: [], endedOrders: [] })
  const lines = texts(ordersContent(waiting, 50, 6).rows)
  expect(lines.map((line) => line.trim()).join(' ')).toBe(`Waiting for your orders: ${why}`)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(50)
})

test('orders: an empty list claims no more than was seen: none ended only once the exchange has listed none', () => {
  const told = (history: Partial<typeof emptyOrderHistory>) => {
    const orderHistory = { ...emptyOrderHistory, ...history }
    const state = deskState({ orders: arrived([], deskNowMs), unknownWrites: [], endedOrders: [], orderHistory })
    return texts(ordersContent(state, 200, 6).rows)[0]?.trim()
  }
  expect(told({})).toMatch(/^No working orders\. 2 loads ended ones\. /)
  expect(told({ call: { kind: 'asking' } })).toBe('No working orders. Loading ended ones…')
  expect(told({ call: { kind: 'failed', sentence: 'No answer within 5 s.' } })).toBe(
    'No working orders. Ended ones did not load: No answer within 5 s. PgDn tries again.',
  )
  expect(told({ reach: 'all', atMs: deskNowMs })).toMatch(/^No orders yet\. /)
})

test('orders: working ones stay on top wherever the list is held, and the frame counts those without a line', () => {
  const working = Array.from({ length: 6 }, (_, index) => orderFrom({ orderId: String(2_000 + index) }))
  const ended = Array.from({ length: 40 }, (_, index) =>
    orderFrom({ orderId: String(1_000 + index), status: 'FILLED', timestampMs: deskNowMs - 1_000 * index }),
  )
  const held = { selectedKey: '1030', top: { key: '1029', at: 35 } }
  const content = (rowCount: number) =>
    ordersContent(
      deskState({ orders: arrived(working, deskNowMs), unknownWrites: [], endedOrders: ended, ...looking(held) }),
      78,
      rowCount,
    )
  const ids = (rowCount: number) =>
    texts(content(rowCount).rows)
      .slice(1)
      .map((row) => row.slice(0, 5).trim())
  expect(ids(9)).toEqual(['2000', '2001', '2002', '2003', '2004', '2005', '1029', '>1030'])
  expect(rowText(content(9).foot ?? [])).toBe('29 above, 9 more below')
  expect(ids(5)).toEqual(['2000', '2001', '1029', '>1030'])
  expect(rowText(content(5).foot ?? [])).toBe('4 working off screen, 33 above, 9 more below')
})

test('orders: ended ones are dim, unknown ones are not', () => {
  const { rows } = ordersContent(deskState(), 78, 7)
  const tonesOf = (row: number) => new Set(rows[row]?.filter(({ text }) => text.trim() !== '').map(({ tone }) => tone))
  expect(tonesOf(5)).toEqual(new Set(['dim']))
  expect(rows[1]?.at(-1)).toMatchObject({ tone: 'bad' })
})

test('orders: a chosen order far down the list is on screen, and the rest is counted', () => {
  const many = Array.from({ length: 40 }, (_, index) => orderFrom({ orderId: String(1_000 + index) }))
  const content = ordersContent(
    deskState({
      orders: arrived(many, deskNowMs),
      unknownWrites: [],
      endedOrders: [],
      tables: chosenRow('orders', '1030'),
    }),
    78,
    6,
  )
  expect(texts(content.rows).at(-1)).toMatch(/^>1030/)
  expect(rowText(content.foot ?? [])).toBe('35 working off screen, 26 above, 9 more below')
})

test('orders: short of room ids give way before any other column, cut in their middle', () => {
  const at = (width: number) => texts(ordersContent(deskState(), width, 7).rows)
  const widths = Array.from({ length: 161 }, (_, less) => 240 - less)
  const columnsAt = (width: number) =>
    at(width)[0]
      ?.trim()
      .split(/ {2,}| (?=[A-Z])/) ?? []
  const whole = columnsAt(240)
  const isCut = (width: number) => /\w…\w/.test(at(width).join('\n'))
  const firstCut = widths.find(isCut) ?? 0
  expect(firstCut).toBeGreaterThan(100)
  for (const width of widths.filter((each) => each >= firstCut)) expect(columnsAt(width)).toEqual(whole)
})

test('orders: in privacy mode a long reason is cut as ever, and takes no column off the screen', () => {
  const text = 'the order was rejected because the account has not enough funds for 5000 at this price and quantity'
  const endedOrders = [orderFrom({ status: 'REJECTED', text, orderId: '5', clientOrderId: 'c5' })]
  const { looks } = deskState()
  for (const isPrivate of [false, true]) {
    const rows = texts(ordersContent(deskState({ endedOrders, looks: { ...looks, isPrivate } }), 160, 12).rows)
    expect(rows[0]).toMatch(/ CLIENT ID .* REASON$/)
    expect(rows.find((row) => row.startsWith(' 5 '))).toMatch(/ the order was rejected because the…$/)
  }
})

test('orders: a wide pane has room for client ids and reasons', () => {
  const { rows } = ordersContent(deskState(), 150, 7)
  expect(rowText(rows[0] ?? [])).toContain('CLIENT ID')
  expect(rowText(rows[6] ?? [])).toContain('Insufficient Balance')
})

test('orders sorted and filtered: unknown outcomes stay on top, then what works, and what hides is said', () => {
  const sorted = ordersContent(deskState(looking({ sort: { column: 'price', direction: 'down' } })), 78, 7)
  expect(texts(sorted.rows).map((row) => row.slice(1, 8).trim())).toEqual([
    'ID',
    'a81fK…0',
    '9912017',
    '9912041',
    '9911204',
    '9911002',
    'a81fK…5',
  ])
  expect(rowText(sorted.rows[0] ?? [])).toContain('PRICE▼')
  const filtered = ordersContent(deskState(looking({ filter: 'side:sell' })), 78, 7)
  expect(texts(filtered.rows)).toHaveLength(3)
  expect(texts(filtered.rows)[1]).toContain('UNKNOWN')
  expect(rowText(filtered.note)).toBe('  hides 2 working, 1 of 5 with "side:sell"')
})

test('orders: an order that live data, the ended ones and history all know is one row', () => {
  const [working] = deskState().orders.value ?? []
  const [ended] = deskState().endedOrders
  if (working === undefined || ended === undefined) throw new Error('the fake desk has no orders')
  const refused = orderFrom({ orderId: '9911100', clientOrderId: 'a81fK2x05Cc4', status: 'REJECTED', text: 'Why' })
  const orderHistory = { ...emptyOrderHistory, orders: [refused, ended, { ...working, status: 'FILLED' as const }] }
  const { keys } = ordersSource.keys(deskState({ orderHistory }))
  expect(keys.toSorted()).toEqual(['9911002', '9911100', '9911204', '9912017', '9912041', 'a81fK2x10Dd5'])
})

test('orders: the lower border says how old history is, how far back it goes, and why it is not there', () => {
  const note = (more: Partial<typeof emptyOrderHistory>) =>
    rowText(
      endedNote({ orderHistory: { ...emptyOrderHistory, ...more }, reboundKeys: noReboundKeys, nowMs: deskNowMs }),
    )
  expect(note({})).toBe('')
  expect(note({ call: { kind: 'asking' } })).toBe('asking for older ones…')
  expect(note({ reach: 'some', atMs: deskNowMs - 42_000 })).toBe('history 42s old, more with End')
  expect(note({ reach: 'all', atMs: deskNowMs - 42_000 })).toBe('history 42s old, all there are')
  expect(note({ call: { kind: 'failed', sentence: 'no answer' } })).toBe('older ones did not load: no answer')
})

test('orders: details tell every field, those the exchange does not report from what was asked for', () => {
  const draft = aDraft({
    type: 'STOPLIMIT',
    stopPrice: new Decimal('64215'),
    timeInForce: 'GTD',
    expireDate: '20261231',
  })
  const ownDrafts = new Map([['a81fK2x09Qz1', draft]])
  const fields = ordersSource.details(deskState({ ownDrafts }), '9912041')
  const told = Object.fromEntries((fields ?? []).map(({ label, text }) => [label, text]))
  expect(told).toMatchObject({
    'client order id': 'a81fK2x09Qz1',
    'limit price': '64209.50',
    'stop price': '64215.00',
    'time in force': 'GTD',
    expires: '20261231',
    'minimum quantity': '-',
    'post only': 'no',
    time: '2026-11-20 13:59:07.000 UTC',
    state: 'OPEN',
  })
  const refused = ordersSource.details(deskState(), 'a81fK2x05Cc4') ?? []
  expect(refused.find(({ label }) => label === 'stop price')?.text).toBe('not reported (placed elsewhere)')
  expect(refused.find(({ label }) => label === 'reason')?.text).toBe('Insufficient Balance')
  const unknown = ordersSource.details(deskState(), unknownOrder.key) ?? []
  expect(unknown.find(({ label }) => label === 'reason')?.text).toBe(unknownOrder.sentence)
  expect(ordersSource.details(deskState(), 'gone')).toBeNull()
})

test('orders: an export holds the rows as they are looked at, whole and exact, hidden columns too', () => {
  const state = deskState(looking({ filter: 'state:filled', hiddenColumns: ['price'] }))
  const { head, rows, rowCount } = ordersSource.export(state)
  expect(rowCount).toBe(3)
  const table = [...rows].map((row) => Object.fromEntries(row.map((cell, index) => [head[index], cell])))
  expect(table.map((row) => [row.state, row['limit price'], row['open quantity'], row['average price']])).toEqual([
    ['UNKNOWN', '64190', '', ''],
    ['PART_FILLED', '64212.5', '0.02', '64212.5'],
    ['FILLED', '64188', '0', '64188'],
  ])
})

test('short of room the names of other panes give way to what a filter hides', () => {
  expect(rowText(titleRow('orders', ['orders', 'fills', 'log'], '3', 20))).toBe('[2 Orders (3)]  3  7')
  expect(rowText(titleRow('log', ['orders', 'fills', 'log'], '3', 20))).toBe('2 (3)  3  [7 Log]')
})

test('orders: what a filter hides stands first, where nothing cuts it, and a column that there is not is told', () => {
  const noteOf = (filter: string, isTyping = false) => {
    const typing = isTyping ? { filterTyping: { pane: 'orders', before: '' } } : {}
    const state = deskState(looking({ filter }))
    const { note } = ordersContent({ ...state, tables: { ...state.tables, ...typing } } as DeskState, 78, 7)
    return rowText(note)
  }
  expect(noteOf('nothing')).toBe('  hides 3 working, 0 of 5 with "nothing"')
  expect(noteOf('foo:bar')).toBe('  no column "foo", hides 3 working, 0 of 5 with "foo:bar"')
  // A time names no column, nor does a column by its beginning.
  expect(noteOf('14:99')).toBe('  hides 3 working, 0 of 5 with "14:99"')
  expect(noteOf('sid:nothing')).toBe('  hides 3 working, 0 of 5 with "sid:nothing"')
})

test('orders: behind stale data the filter is still named', () => {
  const orders = failed(arrived(deskState().orders.value, deskNowMs - 60_000), 'no answer', deskNowMs)
  const { note } = ordersContent(
    deskState({ orders: { ...deskState().orders, ...orders }, ...looking({ filter: 'nothing' }) }),
    78,
    7,
  )
  expect(rowText(note)).toMatch(/ {2}hides 3 working, 0 of 5 with "nothing" {2}STALE/)
})

test('orders: a stop that waits shows what this desk asked for; one placed elsewhere shows that it is not known', () => {
  const nothing = { status: 'PENDING', limitPrice: null, leavesQuantity: new Decimal(0) } as const
  const buy = orderFrom({ ...nothing, orderId: '71', clientOrderId: 'own71', type: 'STOP' })
  const sell = orderFrom({ ...nothing, orderId: '72', clientOrderId: 'own72', type: 'STOPLIMIT', side: 'SELL' })
  const other = orderFrom({ ...nothing, orderId: '73', clientOrderId: 'elsewhere', type: 'STOP' })
  const ownDrafts = new Map([
    ['own71', aDraft({ type: 'STOP', limitPrice: null, stopPrice: new Decimal('65000'), timeInForce: 'GTD' })],
    ['own72', aDraft({ type: 'STOPLIMIT', side: 'SELL', stopPrice: new Decimal('63000') })],
  ])
  const state = deskState({
    orders: arrived([buy, sell, other], deskNowMs),
    unknownWrites: [],
    endedOrders: [],
    ownDrafts,
  })
  const rows = texts(ordersContent(state, 78, 7).rows)
  expect(rows[1]).toMatch(/71 .*BUY .*\.0500\/\.0500 +>=65000\.00 .*PENDING/)
  expect(rows[2]).toMatch(/72 .*SELL .*\.0500\/\.0500 +<=63000\.00 .*PENDING/)
  expect(rows[3]).toMatch(/73 .*BUY .*\?\/\? +\? .*PENDING/)
  const told = (key: string) =>
    Object.fromEntries((ordersSource.details(state, key) ?? []).map(({ label, text }) => [label, text]))
  expect(told('71')).toMatchObject({ quantity: '0.0500', 'open quantity': '0.0500', 'stop price': '65000.00' })
  expect(told('73').quantity).toBe('not reported (placed elsewhere)')
  const { head, rows: exported } = ordersSource.export(state)
  const cells = [...exported].map((row) => [row[head.indexOf('open quantity')], row[head.indexOf('stop price')]])
  expect(cells).toEqual([
    ['0.05', '65000'],
    ['0.05', '63000'],
    ['', ''],
  ])
})

test('orders: a stop-limit has its limit under PRICE and its trigger under STOP; in one column the trigger', () => {
  const stopLimit = orderFrom({
    ...{ status: 'PENDING', orderId: '72', clientOrderId: 'own72', type: 'STOPLIMIT', side: 'SELL' },
    ...{ limitPrice: new Decimal('59000'), leavesQuantity: new Decimal(0) },
  })
  const limit = orderFrom({ orderId: '73', clientOrderId: 'own73' })
  const ownDrafts = new Map([['own72', aDraft({ type: 'STOPLIMIT', side: 'SELL', stopPrice: new Decimal('60000') })]])
  const orders = arrived([stopLimit, limit], deskNowMs)
  const state = deskState({ orders, unknownWrites: [], endedOrders: [], ownDrafts })
  const [head = '', row = '', other = ''] = texts(ordersContent(state, 160, 7).rows)
  expect(head).toMatch(/PRICE +STOP/)
  expect(row).toMatch(/ 59000\.00 +<=60000\.00 /)
  expect(other).toMatch(/ 64209\.50 /)
  for (let width = 38; width < 160; width += 1) {
    const [names = '', cells = ''] = texts(ordersContent(state, width, 7).rows)
    expect([width, cells.includes('<=60000.00'), cells.includes('59000.00')]).toEqual([
      ...[width, true, names.includes('STOP')],
    ])
  }
})

test('orders: sorted by price a stop stands at its trigger, which is shown at every width', () => {
  const pending = { status: 'PENDING', leavesQuantity: new Decimal(0) } as const
  const stop = (id: string, type: 'STOP' | 'STOPLIMIT', limitPrice: string | null) =>
    orderFrom({
      ...{ ...pending, orderId: id, clientOrderId: `own${id}`, type },
      limitPrice: limitPrice === null ? null : new Decimal(limitPrice),
    })
  const limit = (id: string, price: string) =>
    orderFrom({ orderId: id, clientOrderId: `own${id}`, limitPrice: new Decimal(price) })
  const orders = [
    ...[stop('71', 'STOPLIMIT', '64500'), limit('72', '63000'), stop('73', 'STOP', null), limit('74', '64000')],
    stop('75', 'STOP', null),
  ]
  const ownDrafts = new Map([
    ['own71', aDraft({ type: 'STOPLIMIT', stopPrice: new Decimal('62000') })],
    ['own73', aDraft({ type: 'STOP', limitPrice: null, stopPrice: new Decimal('63500') })],
  ])
  const sorted = looking({ sort: { column: 'price', direction: 'up' } })
  const listed = { orders: arrived(orders, deskNowMs), unknownWrites: [], endedOrders: [], ownDrafts }
  const state = deskState({ ...listed, ...sorted })
  expect(ordersSource.keys(state).keys).toEqual(['71', '72', '73', '74', '75'])
  for (let width = 38; width < 160; width += 1) {
    const rows = texts(ordersContent(state, width, 9).rows)
    expect([width, rows[1]?.includes('>=62000'), rows[3]?.includes('>=63500')]).toEqual([width, true, true])
  }
})

test('orders: a stop without a limit has its trigger under STOP alone, and goes at the market', () => {
  const stop = orderFrom({
    ...{ status: 'PENDING', orderId: '74', clientOrderId: 'own74', type: 'STOP', side: 'SELL' },
    ...{ limitPrice: null, leavesQuantity: new Decimal(0) },
  })
  const ownDrafts = new Map([['own74', aDraft({ type: 'STOP', side: 'SELL', stopPrice: new Decimal('61000') })]])
  const state = deskState({ orders: arrived([stop], deskNowMs), unknownWrites: [], endedOrders: [], ownDrafts })
  for (let width = 38; width < 160; width += 1) {
    const [names = '', cells = ''] = texts(ordersContent(state, width, 7).rows)
    expect([width, cells.match(/<=61000/g)?.length, cells.includes(' market ')]).toEqual([
      ...[width, 1, names.includes('STOP')],
    ])
  }
})

test('orders: a limit whose price is not reported is unknown, and no order at the market', () => {
  const order = orderFrom({ status: 'OPEN', orderId: '71', type: 'LIMIT', limitPrice: null })
  const state = deskState({ orders: arrived([order], deskNowMs), unknownWrites: [], endedOrders: [] })
  const [, cells = ''] = texts(ordersContent(state, 100, 7).rows)
  expect(cells).toMatch(/ \? /)
  expect(cells).not.toContain('market')
})

test('orders: the state stays on the smallest screen, in a short form, after the id has gone', () => {
  const orderDrafts = [anOrderDraft({ createdAtMs: deskNowMs - 90_000 })]
  const at = (width: number) =>
    texts(ordersContent(deskState({ unknownWrites: [unknownOrder], orderDrafts }), width, 12).rows)
  for (let width = 33; width <= 45; width += 1) expect(at(width)[0]).toMatch(/ STATE$/)
  expect(at(38)[0]).not.toMatch(/^ ID /)
  const statesAt = (width: number) => at(width).flatMap((row) => /( DRAFT mcp| [A-Z]+)$/.exec(row)?.[0].trim() ?? [])
  expect(statesAt(38)).toEqual(['STATE', 'UNKNOWN', 'OPEN', 'PART', 'OPEN', 'DRAFT mcp', 'FILLED', 'REJECTED'])
  expect(statesAt(33)).toEqual(['STATE', 'UNKN', 'OPEN', 'PART', 'OPEN', 'DRAFT', 'FILL', 'REJ'])
})

test('orders: a filter that leaves nothing leaves the heads of the list', () => {
  const state = deskState({ unknownWrites: [], ...looking({ filter: 'zzz' }) })
  const [head = ''] = texts(ordersContent(state, 78, 7).rows)
  for (const name of ['ID', 'SYMBOL', 'SIDE', 'TYPE', 'QTY/LEFT', 'PRICE', 'STATE']) expect(head).toContain(name)
})

test('orders: on the smallest screen too each order has its symbol, by its short name', () => {
  const rows = texts(ordersContent(deskState({ unknownWrites: [] }), 38, 6).rows)
  expect(rows[0]).toContain(' SYM ')
  expect(rows[1]).toContain(' BTC ')
  expect(rows[3]).toContain(' XLM ')
})

test('orders: a cancel without an answer goes by its whole id, whatever gives way for it', () => {
  const cancel = (key: string) => ({ ...unknownOrder, kind: 'cancel' as const, key, order: null })
  const unknownWrites = [cancel('cancel 9912041'), cancel('cancel all every symbol')]
  for (const width of [78, 70, 60]) {
    const rows = texts(ordersContent(deskState({ unknownWrites }), width, 8).rows)
    expect(rows[1]).toContain(' cancel 9912041 ')
    expect(rows[2]).toContain(' cancel all every symbol ')
    expect(rows[1]).toContain('UNKNOWN')
  }
  const smallest = texts(ordersContent(deskState({ unknownWrites }), 38, 8).rows)
  expect(smallest[2]).toContain(' cancel all every symbol')
  const clientOrderId = 'made-by-another-program-with-long-ids-0123456789'
  const long = orderFrom({ orderId: null, clientOrderId })
  const [, row = ''] = texts(
    ordersContent(deskState({ unknownWrites: [], orders: arrived([long], deskNowMs) }), 78, 6).rows,
  )
  // Of one that is longer than any row both ends stay.
  expect(row).toMatch(/^ made-by…3456789 /)
})

test('orders: ages are by the clock that their time is of, also after the exchange was put forward', () => {
  const ahead = { wallMs: 0, exchangeMs: 73 * 3_600_000 }
  const own = orderFrom({ timestampMs: deskNowMs - 40_000 })
  const after = orderFrom({ orderId: '78', timestampMs: deskNowMs + 73 * 3_600_000 - 5_000 })
  const state = deskState({ ahead, orders: arrived([after, own], deskNowMs) })
  const rows = texts(ordersContent(state, 78, 6).rows)
  // What this desk wrote down by its own clock, then what the exchange reports by its.
  expect(rows[1]).toMatch(/ 20s UNKNOWN$/)
  expect(rows[2]).toMatch(/ 5s OPEN$/)
  expect(rows[3]).toMatch(/ 3d OPEN$/)
  const usual = texts(ordersContent({ ...state, ahead: { wallMs: 0, exchangeMs: 900 } }, 78, 6).rows)
  expect(usual[3]).toMatch(/ 40s OPEN$/)
})
