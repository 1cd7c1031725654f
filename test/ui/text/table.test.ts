import { expect, test } from 'vitest'
import { rowText } from '../../../src/ui/text/row.ts'
import { type TableColumn, tableRows } from '../../../src/ui/text/table.ts'

const columns: TableColumn[] = [
  { head: 'ID', cells: ['9912041', 'a81fK2x10Dd5'], align: 'left', rank: 0, isFlexible: true },
  {
    head: 'PRICE',
    cells: ['64209.50', '0.1095'],
    align: 'point',
    rank: 2,
    shorter: () => ({ align: 'right', rank: 0 }),
  },
  { head: 'NOTE', cells: ['first', 'second'], align: 'left', rank: 3 },
]

const lines = (width: number) => {
  const { head, rows } = tableRows(columns, width)
  return [head, ...rows].map(rowText)
}

test('with room enough every column is there and the flexible one takes what is over but for a cell of air before the border', () => {
  expect(lines(33)).toEqual([
    'ID                  PRICE NOTE  ',
    '9912041        64209.50   first ',
    'a81fK2x10Dd5       0.1095 second',
  ])
})

test('what fits exactly is not cut for air alone; what is cut anyway leaves it', () => {
  expect(lines(24)).toEqual(lines(23))
  expect(lines(22)).toEqual(['ID              PRICE', '9912041    64209.50  ', 'a81fK2x10…     0.1095'])
})

test('short of room the highest rank goes first, then columns take their shorter form, then ids are cut', () => {
  expect(lines(23)).toEqual(['ID                PRICE', '9912041      64209.50  ', 'a81fK2x10Dd5     0.1095'])
  expect(lines(17)).toEqual(['ID          PRICE', '9912041  64209.50', 'a81fK2x…   0.1095'])
})

/** A list with one amount that no market has, beside usual ones. */
const withLong = (long: string, align: TableColumn['align'] = 'point'): TableColumn[] => [
  { head: 'ID', cells: ['1', '2', '3'], align: 'left', rank: 0 },
  { head: 'QTY', cells: ['0.05', long, '12.5'], align, rank: 2 },
  { head: 'NOTE', cells: ['first', 'second', 'third'], align: 'left', rank: 3 },
]
const drawn = (table: TableColumn[], width: number) => {
  const { head, rows } = tableRows(table, width)
  return [head, ...rows].map(rowText)
}

test('a number that is far too long costs its own cell, and no other row its value', () => {
  const long = '123456789012345678901234567890'
  expect(drawn(withLong(long), 45)[2]).toContain(long)
  const short = ['ID   QTY NOTE  ', '1   0.05 first ', '2  ##### second', '3  12.5  third ']
  expect(drawn(withLong(long), 40)).toEqual(short)
  expect(drawn(withLong(long), 15)).toEqual(short)
  expect(drawn(withLong(long, 'right'), 14)).toEqual([
    ...['ID  QTY NOTE  ', '1  0.05 first ', '2  #### second', '3  12.5 third '],
  ])
})

test('short of room still, columns give way as ever, and a number is never another one', () => {
  expect(drawn(withLong('-0.00000000000000000000000000001'), 8)).toEqual([
    'ID   QTY',
    '1   0.05',
    '2  #####',
    '3  12.5 ',
  ])
  // Where every number is as long there is no usual width, and what is of several numbers has its own words.
  const all = withLong('1').map((each) =>
    each.head === 'QTY' ? { ...each, cells: each.cells.map(() => '1'.repeat(30)) } : each,
  )
  expect(drawn(all, 20)[1]).toBe('1 ')
  // Unless the column stays whatever gives way: a table that is too wide is cut at the border.
  const staying = all.map((each) => ({ ...each, rank: each.head === 'QTY' ? 0 : each.rank }))
  expect(drawn(staying, 20)).toEqual(['ID QTY', '1  ###', '2  ###', '3  ###'])
  expect(drawn(withLong('>=65000.00000/64000.00000'), 30)[2]).toContain('>=65000.00000/64000.00000')
})
