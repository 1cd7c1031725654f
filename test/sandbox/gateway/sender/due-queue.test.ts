import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DueQueue } from '../../../../src/sandbox/gateway/sender/delivery-schedule.ts'

const id = fc.integer({ min: 1, max: 12 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), id, dueMs: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('take' as const), nowMs: fc.integer({ min: 0, max: 20 }) }),
)

test('gives what a sorted list would, whatever is put in, moved and taken away', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new DueQueue()
      const plain = new Map<number, number>()
      const first = () => [...plain].sort((a, b) => a[1] - b[1] || a[0] - b[0])[0]
      for (const each of steps) {
        if (each.kind === 'set') {
          queue.set(each.id, each.dueMs)
          plain.set(each.id, each.dueMs)
        } else if (each.kind === 'delete') {
          queue.delete(each.id)
          plain.delete(each.id)
        } else {
          const expected = first()
          const isDue = expected !== undefined && expected[1] <= each.nowMs
          expect(queue.take(each.nowMs)).toBe(isDue ? expected[0] : undefined)
          if (isDue) plain.delete(expected[0])
        }
        expect(queue.size).toBe(plain.size)
        expect(queue.nextMs()).toBe(first()?.[1])
      }
    }),
    { numRuns: 500 },
  )
})
