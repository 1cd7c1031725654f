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
