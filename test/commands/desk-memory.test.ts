import { expect, test } from 'vitest'
import { type Heap, keepHeapSmall } from '../../src/commands/desk-memory.ts'

const mebibyte = 1_048_576

/** A heap whose collections are called by hand. */
function fakeHeap() {
  const set: string[] = []
  const listeners: (() => void)[] = []
  let mebibytes = 1
  const heap: Heap = {
    youngBytes: () => mebibytes * mebibyte,
    growYoungBy: (factor) => set.push(`young x${factor}`),
    growOldBy: (percent) => set.push(`old +${percent}%`),
    onCollected: (listener) => listeners.push(listener),
  }
  const collect = (size: number) => {
    mebibytes = size
    for (const listener of listeners) listener()
  }
  return { heap, set, collect }
}

test('the room for new objects grows to its bound, and again after it was given back', () => {
  const { heap, set, collect } = fakeHeap()
  keepHeapSmall(heap)
  expect(set).toEqual(['old +30%'])
  for (const size of [2, 4, 8]) collect(size)
  expect(set).toEqual(['old +30%'])
  collect(16)
  collect(16)
  expect(set).toEqual(['old +30%', 'young x1'])
  collect(1)
  collect(2)
  expect(set).toEqual(['old +30%', 'young x1', 'young x2'])
})

test('the engine takes what it is told', () => {
  expect(() => keepHeapSmall()).not.toThrow()
})
