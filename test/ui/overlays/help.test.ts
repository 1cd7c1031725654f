import { expect, test } from 'vitest'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { keymap, keymapOf, welcomeSentence } from '../../../src/ui/keys/keymap.ts'
import { tourRows } from '../../../src/ui/overlays/help/help.tsx'
import { helpLinesOf, helpRows, helpSize, sectionsBehind, tourPages } from '../../../src/ui/overlays/help/help-text.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskState } from '../../fakes/desk-state.ts'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
]
const help = (query: string, top = 0): DeskState => deskState({ overlay: { kind: 'help', query, top } })
const text = (state: DeskState, screen: { columns: number; rows: number }) =>
  helpRows(state, keymap, screen).map(rowText).join('\n')

test('every key is reached by scrolling, at every size', () => {
  const labels = new Set(keymap.map(({ label }) => label))
  for (const screen of sizes) {
    const { rowCount, columnCount } = helpSize(screen)
    let seen = ''
    for (let top = 0; top < helpLinesOf(keymap, '').length; top += rowCount * columnCount)
      seen += text(help('', top), screen)
    for (const label of labels) expect(seen).toContain(label.slice(0, 20))
  }
})

test('the help fits inside its frame, and says how much more there is', () => {
  for (const screen of sizes) {
    const { width, height } = helpSize(screen)
    expect(width).toBeLessThanOrEqual(screen.columns)
    expect(height).toBeLessThanOrEqual(screen.rows - 2)
    for (const query of ['', 'cancel', 'zzz']) {
      const rows = helpRows(help(query), keymap, screen)
      expect(rows.length).toBeLessThanOrEqual(height - 2)
      for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(width - 2)
    }
  }
  expect(text(help(''), { columns: 80, rows: 24 })).toMatch(/\d+ more below/)
  expect(text(help('', 5_000), { columns: 80, rows: 24 })).toMatch(/\d+ lines above/)
})

test('typing leaves the lines that hold every word, in any order, by key, by deed or by place', () => {
  const found = (query: string) =>
    helpLinesOf(keymap, query).flatMap((line) => (line.kind === 'entry' ? [line.label] : []))
  expect(found('halt')).toContain('halt, cancel (asks)')
  expect(found('row cancel')).toContain('cancel own in the row')
  expect(found('ladder buy')).toEqual(['buy at cursor or bid'])
  expect(text(help('zzz'), { columns: 80, rows: 24 })).toContain('Backspace deletes')
})

test('the help begins with the keys that act where it was opened, and has each section once', () => {
  const titles = (change: Partial<DeskState>) => {
    const state = deskState({ overlay: { kind: 'help', query: '', top: 0 }, ...change })
    return helpLinesOf(keymap, '', sectionsBehind(state)).flatMap((line) => (line.kind === 'title' ? [line.text] : []))
  }
  const usual = titles({ focus: 'ladder' })
  expect(usual.slice(0, 3)).toEqual(['LADDER', 'MARKS OF THE LADDER', 'ORDERS'])
  const ticket = { stage: 'edit', form: emptyTicket({ symbol: 'BTC-USD' }, 'BUY'), field: 'quantity' } as const
  expect(titles({ ticket }).slice(0, 2)).toEqual(['TICKET', 'LADDER'])
  expect(titles({ focus: 'orders' }).slice(0, 4)).toEqual(['ORDERS', 'LISTS', 'LADDER', 'MARKS OF THE LADDER'])
  for (const change of [{ ticket }, { focus: 'orders' }, { focus: 'transfers' }, { focus: 'chart' }] as const)
    expect(titles(change).toSorted()).toEqual(usual.toSorted())
  const over = deskState({ overlay: { kind: 'help', query: '', top: 0 }, ticket })
  expect(text(over, { columns: 80, rows: 24 }).split('\n')[1]).toMatch(/^ TICKET/)
})

test('nothing is cut: keys and labels go on in the next line', () => {
  for (const screen of sizes) {
    const { rowCount, columnCount } = helpSize(screen)
    for (let top = 0; top < helpLinesOf(keymap, '').length; top += rowCount * columnCount)
      expect(text(help('', top), screen)).not.toContain('…')
  }
  const lines = text(help('snooze'), { columns: 80, rows: 24 })
  expect(lines).toMatch(/snooze 10 min/)
})

test('the marks of the ladder are explained, and found by what they mean', () => {
  for (const [query, mark] of [
    ['last trade', '*'],
    ['average own fills', '@'],
    ['auction opens', '='],
    ['pending stop', 'b.05 s.05'],
    ['order and stop', 'B.05! B+b'],
  ] as const)
    expect(helpLinesOf(keymap, query).flatMap((line) => (line.kind === 'entry' ? [line.keys] : []))).toContain(mark)
  expect(tourRows(1, keymap, true).map(rowText).join(' ').replace(/\s+/g, ' ')).toContain(
    '* marks the last price, @ the average',
  )
})

test('what sends or takes back orders is marked without color', () => {
  expect(text(help('cancel own'), { columns: 80, rows: 24 })).toMatch(/cancel own in the row !/)
})

test('keys that are bound anew are shown as they are', () => {
  const table = keymapOf({ reboundKeys: new Map([['buy', ['B']]]) })
  const lines = helpLinesOf(table, 'buy at')
  expect(lines).toContainEqual({ kind: 'entry', keys: 'B', label: 'buy at cursor or bid', isDanger: false })
  expect(welcomeSentence(new Map([['buy', ['B']]]), null)).toContain('B opens an order')
})

test('every page of the tour fits the smallest screen and names only keys that there are', () => {
  for (const page of tourPages.keys()) {
    for (const isInside of [true, false]) {
      const rows = tourRows(page, keymap, isInside)
      expect(rows.length + 2).toBeLessThanOrEqual(22)
      for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(70)
      expect(rows.map(rowText).join('\n')).not.toMatch(/[{}]/)
    }
  }
})

test('the tour says that the exchange is inside this program only where it is', () => {
  const first = (isInside: boolean) => tourRows(0, keymap, isInside).map(rowText).join(' ').replace(/\s+/g, ' ')
  expect(first(true)).toContain('PRACTICE is play money on an exchange inside this program, LIVE is real.')
  expect(first(false)).toContain('PRACTICE is an exchange that the profile calls practice, LIVE is real.')
  expect(first(false)).not.toContain('play money')
})

test('the welcome fits the line of notices on the smallest screen', () => {
  expect(welcomeSentence(new Map(), null).length).toBeLessThanOrEqual(79)
})
