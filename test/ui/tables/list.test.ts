import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { plainView, type TableView } from '../../../src/store/tables/tables.ts'
import { createList } from '../../../src/ui/tables/list.ts'
import { detailLines, sourceOf, transactionLink } from '../../../src/ui/tables/list-registry.ts'
import type { ListTable } from '../../../src/ui/tables/list-table.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskState } from '../../fakes/desk-state.ts'

type Fruit = { id: string; name: string; price: string | null; isUrgent?: boolean }

let textsMade = 0
const table: ListTable<Fruit, null> = {
  keyOf: ({ id }) => id,
  pinned: [{ is: ({ isUrgent }) => isUrgent === true, name: 'urgent' }],
  columns: [
    {
      key: 'name',
      head: 'NAME',
      text: ({ name }) => {
        textsMade += 1
        return name
      },
      sort: ({ name }) => name,
      align: 'left',
      rank: 0,
    },
    {
      key: 'price',
      head: 'PRICE',
      text: ({ price }) => price ?? '',
      sort: ({ price }) => (price === null ? null : new Decimal(price)),
      align: 'point',
      rank: 1,
    },
  ],
  summary: (items) => ({ name: `${items.length} in all` }),
}
const fruit = (id: string, name: string, price: string | null, isUrgent = false): Fruit => ({
  id,
  name,
  price,
  isUrgent,
})
const items = [
  fruit('1', 'Pear', '9.50'),
  fruit('2', 'apple', '10'),
  fruit('3', 'Fig', null),
  fruit('4', 'Plum', '-1'),
  fruit('5', 'late', '3', true),
]
const list = createList(table)
const view = (more: Partial<TableView> = {}): TableView => ({ ...plainView, ...more })
const names = (more: Partial<TableView>) => list.ordered(items, null, view(more)).rows.map(({ name }) => name)
const draw = (more: Partial<TableView> = {}, isTyping = false) =>
  list.draw({ items, context: null, view: view(more), isTyping, width: 24, rowCount: 6, nowMs: 0 })
const texts = (more: Partial<TableView> = {}) => draw(more).rows.map((row) => rowText(row).trimEnd())

test('amounts are sorted as amounts and words as words, rows without a value come last both ways', () => {
  expect(names({ sort: { column: 'price', direction: 'up' } })).toEqual(['late', 'Plum', 'Pear', 'apple', 'Fig'])
  expect(names({ sort: { column: 'price', direction: 'down' } })).toEqual(['late', 'apple', 'Pear', 'Plum', 'Fig'])
  expect(names({ sort: { column: 'name', direction: 'up' } })).toEqual(['late', 'apple', 'Fig', 'Pear', 'Plum'])
  expect(names({ sort: { column: 'gone', direction: 'up' } })).toEqual(['late', 'Pear', 'apple', 'Fig', 'Plum'])
})

test('every word of a filter must be there, `column:word` looks in one column, and pinned rows pass every filter', () => {
  expect(names({ filter: 'P L' })).toEqual(['late', 'apple', 'Plum'])
  expect(names({ filter: 'price:1' })).toEqual(['late', 'apple', 'Plum'])
  expect(names({ filter: 'pr:9 name:ear' })).toEqual(['late', 'Pear'])
  expect(names({ filter: '14:02' })).toEqual(['late'])
})

test('sorting is stable, loses nothing and keeps pinned rows on top, whatever the rows', () => {
  const anyFruit = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    price: fc.constantFrom('1', '1.0', '2', null),
    isUrgent: fc.boolean(),
  })
  const anySort = fc.record({
    column: fc.constantFrom('name', 'price'),
    direction: fc.constantFrom('up' as const, 'down' as const),
  })
  fc.assert(
    fc.property(fc.array(anyFruit, { maxLength: 30 }), anySort, (bare, sort) => {
      const all = bare.map((each, index) => ({ ...each, id: String(index) }))
      const { rows, pinnedCount } = list.ordered(all, null, view({ sort, filter: '' }))
      expect(rows.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
      expect(rows.slice(0, pinnedCount)).toEqual(all.filter(({ isUrgent }) => isUrgent))
      const sortedBy = ({ name, price }: Fruit) =>
        sort.column === 'name' ? name : price === null ? null : Number(price)
      for (const [index, row] of rows.slice(pinnedCount).entries()) {
        const next = rows[pinnedCount + index + 1]
        if (next !== undefined && sortedBy(row) === sortedBy(next)) expect(Number(row.id)).toBeLessThan(Number(next.id))
      }
    }),
  )
})

test('a number is found as the list shows it, with commas, and a symbol as others write it', () => {
  const worth = [fruit('1', 'btc-usd', '25000'), fruit('2', 'eth-usd', '1250'), fruit('3', 'a,b', '21793.87')]
  const found = (filter: string) => list.ordered(worth, null, view({ filter })).rows.map(({ name }) => name)
  expect(found('25,000')).toEqual(['btc-usd'])
  expect(found('price:21,793.8')).toEqual(['a,b'])
  expect(found('a,b')).toEqual(['a,b'])
  expect(found('BTC/USD')).toEqual(['btc-usd'])
  expect(found('2,5')).toEqual([])
})

test('an amount is found with the zeros that the list shows behind it, and its digits are no id', () => {
  const worth = [
    fruit('1', '25000', '3'),
    fruit('2', 'b', '64209.5'),
    fruit('3', 'c', '64188'),
    fruit('4', 'd', '0.05'),
  ]
  const found = (filter: string) => list.ordered(worth, null, view({ filter })).rows.map(({ id }) => id)
  expect(found('64209.50')).toEqual(['2'])
  expect(found('64,188.00')).toEqual(['3'])
  expect(found('64188.')).toEqual(['3'])
  expect(found('price:64209.50')).toEqual(['2'])
  expect(found('64209.05')).toEqual([])
  expect(found('25000.00')).toEqual([])
  const orders = (filter: string) => {
    const state = deskState()
    const { views } = state.tables
    const tables = { ...state.tables, views: { ...views, orders: { ...views.orders, filter } } }
    return sourceOf('orders').keys({ ...state, unknownWrites: [], tables }).keys
  }
  // The list shows `.0500` of the quantity, and 64209.50 of the price.
  expect(orders('64209.50 buy')).toEqual(['9912041'])
  expect(orders('qty:.0500 sell')).toEqual(['9912017'])
})

test('a filter that leaves nothing says so in the list, how it goes, and that it knows no operators', () => {
  const plain = items.filter(({ isUrgent }) => isUrgent !== true)
  const drawn = (filter: string, of = plain) =>
    list
      .draw({ items: of, context: null, view: view({ filter }), isTyping: false, width: 40, rowCount: 6, nowMs: 0 })
      .rows.map((row) => rowText(row).trim())
  expect(drawn('cherry').slice(2).join(' ')).toBe('The filter hides all 4 rows: Esc drops it.')
  expect(drawn('price>9').slice(2).join(' ')).toBe(
    'The filter hides all 4 rows: Esc drops it. A filter is words, or column:word: no operators, no quotes.',
  )
  expect(drawn('cherry', plain.slice(0, 1)).slice(2).join(' ')).toBe('The filter hides the only row: Esc drops it.')
  // A pinned row is left, an empty list has nothing to hide.
  for (const rows of [drawn('cherry', items), drawn('cherry', [])]) expect(rows.join()).not.toContain('hides')
})

test('a filter never hides a pinned row and leaves only rows that were there', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (filter) => {
      const left = names({ filter })
      expect(left[0]).toBe('late')
      expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(left))
    }),
  )
})

test('drawn: heads with the mark of the order, the chosen row, what the filter leaves, what follows, the summary', () => {
  expect(texts({ sort: { column: 'price', direction: 'down' }, selectedKey: '1' })).toEqual([
    ' NAME     PRICE▼',
    ' late       3',
    ' apple     10',
    '>Pear       9.50',
    ' Plum      -1',
    ' 5 in all',
  ])
  const { note, foot } = draw({ filter: 'p' })
  expect(rowText(note)).toBe('  3 of 4 with "p"')
  expect(rowText(foot)).toBe('')
  expect(rowText(draw({}).foot)).toBe('1 more below')
  expect(rowText(draw({ filter: 'p' }, true).note)).toBe('  /p_  3 of 4')
})

test('a column that a person has hidden is not drawn; the one that is sorted by is the last to give way', () => {
  expect(texts({ hiddenColumns: ['price'] })[0]).toBe(' NAME')
  const narrow = (sort: TableView['sort']) =>
    rowText(
      list.draw({ items, context: null, view: view({ sort }), isTyping: false, width: 12, rowCount: 6, nowMs: 0 })
        .rows[0] ?? [],
    )
  expect(narrow(null)).not.toContain('PRICE')
  expect(narrow({ column: 'price', direction: 'up' })).toContain('PRICE▲')
})

test('the same data and view is the same picture, made once', () => {
  const same = view({ filter: 'a' })
  const first = list.draw({ items, context: null, view: same, isTyping: false, width: 24, rowCount: 6, nowMs: 0 })
  textsMade = 0
  expect(list.draw({ items, context: null, view: same, isTyping: false, width: 24, rowCount: 6, nowMs: 0 })).toBe(first)
  expect(textsMade).toBe(0)
})

test("a transaction's hash is one word of the address that the settings have for its currency", () => {
  const links = { BTC: 'https://a.example/tx/{hash}?x=1' }
  const hash = 'ab12cd34ef56'
  expect(transactionLink(links, { currency: 'btc', hash })).toBe(`https://a.example/tx/${hash}?x=1`)
  expect(transactionLink(links, { currency: 'BTC', hash: 'ab/12=+:cd.34' })).toBe(
    'https://a.example/tx/ab%2F12%3D%2B%3Acd.34?x=1',
  )
  for (const [currency, other] of [
    ['ETH', hash],
    ['constructor', hash],
    ['BTC', 'ab'],
    ['BTC', 'https://evil.example/?'],
    ['BTC', `${hash}\u001b]8;;`],
    ['BTC', `${hash} \ud800`],
    ['BTC', 'a'.repeat(300)],
  ] as const)
    expect([currency, other, transactionLink(links, { currency, hash: other })]).toEqual([currency, other, null])
})

test('the details of a deposit link its transaction, and nothing else', () => {
  const desk = deskState()
  const deposit = desk.deposits.value?.find(({ txHash }) => (txHash?.length ?? 0) >= 4)
  if (deposit === undefined) throw new Error('no such deposit')
  const links = { [deposit.currency]: 'https://a.example/{hash}' }
  const state = { ...desk, terminal: { ...desk.terminal, links } }
  const spans = detailLines(state, { pane: 'deposits', key: deposit.depositId }).flat()
  const linked = spans.filter(({ link }) => link !== undefined)
  expect(new Set(linked.map(({ link }) => link))).toEqual(new Set([`https://a.example/${deposit.txHash}`]))
  expect(linked.map(({ text }) => text.trim()).join('')).toBe(deposit.txHash)
  expect(
    detailLines(desk, { pane: 'deposits', key: deposit.depositId })
      .flat()
      .some(({ link }) => link),
  ).toBe(false)
})
