import { expect, test } from 'vitest'
import { keepEqual, keepSame, memoizeLast, whileSame } from '../../src/base/memoize.ts'

test('something is made again only when a value it is made from is another one', () => {
  const made = whileSame<object>()
  const first = made([1, 'a'], () => ({}))
  expect(made([1, 'a'], () => ({}))).toBe(first)
  const second = made([1, 'b'], () => ({}))
  expect(second).not.toBe(first)
  expect(made([1, 'a'], () => ({}))).not.toBe(first)
})

test('a function gives its last result again while its arguments are the same', () => {
  let calls = 0
  const sum = memoizeLast((left: number, right: number) => ({ sum: left + right, calls: ++calls }))
  const first = sum(1, 2)
  expect(sum(1, 2)).toBe(first)
  expect(sum(2, 2)).toEqual({ sum: 4, calls: 2 })
})

test('a list that holds the same is the list of before', () => {
  const kept = keepSame<number>()
  const first = kept([1, 2])
  expect(kept([1, 2])).toBe(first)
  expect(kept([2, 1])).toEqual([2, 1])
})

test('a map with equal values under the same keys is the map of before', () => {
  const kept = keepEqual<string, { at: number }>((left, right) => left.at === right.at)
  const first = kept(new Map([['a', { at: 1 }]]))
  expect(kept(new Map([['a', { at: 1 }]]))).toBe(first)
  const moved = kept(new Map([['a', { at: 2 }]]))
  expect(moved.get('a')).toEqual({ at: 2 })
  expect(kept(new Map([['b', { at: 2 }]])).has('b')).toBe(true)
  expect(kept(new Map()).size).toBe(0)
})
