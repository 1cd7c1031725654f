import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSorted } from '../../src/base/merge-sorted.ts'

const numbers = fc.array(fc.integer({ min: 0, max: 20 })).map((list) => list.toSorted((left, right) => left - right))

test('two sorted lists become one, and of equals the first list comes first', () => {
  fc.assert(
    fc.property(numbers, numbers, (first, second) => {
      const merged = [...mergeSorted(first.entries(), second, (other, [, item]) => other < item)]
      const keyOf = (each: number | [number, number]) => (typeof each === 'number' ? each : each[1])
      expect(merged.map(keyOf)).toEqual([...first, ...second].toSorted((left, right) => left - right))
      for (const [at, each] of merged.entries()) {
        const next = merged[at + 1]
        if (typeof each === 'number' && typeof next === 'object') expect(each).toBeLessThan(next[1])
      }
    }),
  )
})
