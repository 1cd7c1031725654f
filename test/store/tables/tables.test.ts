import { expect, test } from 'vitest'
import { plainView } from '../../../src/store/tables/tables.ts'
import { aDesk } from '../desk.ts'

test('a filter is typed letter by letter and acts at once; Enter keeps it, dropping it shows every row', () => {
  const { commands, store } = aDesk()
  const tables = () => store.getState().tables
  commands.typeIntoFilter('x')
  expect(tables().views.orders).toEqual(plainView)
  commands.startFilter('orders')
  for (const letter of 'eth ') commands.typeIntoFilter(letter)
  commands.eraseInFilter()
  expect(tables()).toMatchObject({ typing: 'orders', views: { orders: { filter: 'eth' }, fills: { filter: '' } } })
  commands.keepFilter()
  expect(tables()).toMatchObject({ typing: null, views: { orders: { filter: 'eth' } } })
  commands.dropFilter('orders')
  expect(tables()).toMatchObject({ typing: null, views: { orders: { filter: '' } } })
})

test('what is pasted into a filter becomes one line of bounded length', () => {
  const { commands, store } = aDesk()
  commands.startFilter('fills')
  commands.typeIntoFilter(`a\r\n\u001b[2Jb${'c'.repeat(200)}`)
  const { filter } = store.getState().tables.views.fills
  expect(filter).toHaveLength(80)
  expect(filter.startsWith('a [2Jbc')).toBe(true)
})

test('a sort or a filter that changes shows its list from the top; the chosen row stays chosen', () => {
  const { commands, store } = aDesk()
  const view = () => store.getState().tables.views.orders
  commands.chooseRow('orders', '7', { key: '5', at: 5 })
  commands.sortTable('orders', { column: 'price', direction: 'up' })
  expect(view()).toMatchObject({ selectedKey: '7', top: null, sort: { column: 'price' } })
  commands.chooseRow('orders', '7', { key: '5', at: 5 })
  commands.startFilter('orders')
  commands.typeIntoFilter('a')
  expect(view()).toMatchObject({ selectedKey: '7', top: null })
})

test('columns are hidden and shown one by one', () => {
  const { commands, store } = aDesk()
  const hidden = () => store.getState().tables.views.log.hiddenColumns
  commands.openColumns('log')
  commands.markColumn(3)
  expect(store.getState().overlay).toEqual({ kind: 'columns', pane: 'log', selected: 3 })
  commands.toggleColumn('log', 'time')
  commands.toggleColumn('log', 'text')
  commands.toggleColumn('log', 'time')
  expect(hidden()).toEqual(['text'])
})

test('a filter that is too long is cut, and that is said', () => {
  const { commands, store } = aDesk()
  commands.startFilter('orders')
  commands.typeIntoFilter('x'.repeat(80))
  expect(store.getState().notice).toBeNull()
  commands.typeIntoFilter('yy')
  expect(store.getState().tables.views.orders.filter).toBe('x'.repeat(80))
  expect(store.getState().notice?.text).toBe('A filter has 80 characters at most: the rest was left out.')
})

test('an export goes out through the port, whole', () => {
  const { commands, sent } = aDesk()
  commands.exportRows({ name: 'orders', head: ['a', 'b'], rows: [['1', '2']] })
  expect(sent).toEqual(['export orders a,b;1,2'])
})
