import { expect, test } from 'vitest'
import { listPanes } from '../../../src/store/view/lists.ts'
import { paneOfList, paneTable } from '../../../src/store/view/panes.ts'

test('every list stands in one pane', () => {
  expect(paneTable.flatMap(({ lists }) => lists).toSorted()).toEqual([...listPanes].toSorted())
  expect(paneOfList('fills')).toBe('fills')
  expect(paneOfList('deposits')).toBe('transfers')
  expect(paneOfList('regions')).toBe('gateway')
})

test('no two panes have the same number', () => {
  const digits = paneTable.map(({ digit }) => digit)
  expect(new Set(digits).size).toBe(digits.length)
})
