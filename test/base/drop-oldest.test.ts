import { expect, test } from 'vitest'
import { dropOldest } from '../../src/base/drop-oldest.ts'

test('what was put in first goes first, and no more than has to', () => {
  const kept = new Set(['a', 'b', 'c', 'd'])
  dropOldest(kept, 4)
  expect([...kept]).toEqual(['a', 'b', 'c', 'd'])
  dropOldest(kept, 2)
  expect([...kept]).toEqual(['c', 'd'])
})

test('an entry that is put in anew is the newest, one that is only changed is as old as before', () => {
  const kept = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  kept.set('b', 2)
  kept.delete('a')
  kept.set('a', 2)
  dropOldest(kept, 2)
  expect([...kept]).toEqual([
    ['c', 1],
    ['a', 2],
  ])
  dropOldest(kept, 0)
  expect(kept.size).toBe(0)
})
