import { expect, test } from 'vitest'
import { createListeners } from '../../src/base/listeners.ts'

test('one function may listen twice and is taken off once each', () => {
  const listeners = createListeners<[number]>()
  const told: number[] = []
  const listener = (news: number) => told.push(news)
  const leave = listeners.add(listener)
  const leaveAgain = listeners.add(listener)
  listeners.tell(1)
  leave()
  leave()
  listeners.tell(2)
  expect([told, listeners.size]).toEqual([[1, 1, 2], 1])
  leaveAgain()
  listeners.tell(3)
  expect([told, listeners.size]).toEqual([[1, 1, 2], 0])
})

test('who comes or goes while the others are told changes nothing for that time', () => {
  const listeners = createListeners()
  const told: string[] = []
  const leaves: Array<() => void> = []
  listeners.add(() => {
    told.push('first')
    for (const leave of leaves.splice(0)) leave()
    if (listeners.size === 1) listeners.add(() => told.push('late'))
  })
  leaves.push(listeners.add(() => told.push('second')))
  listeners.tell()
  expect(told).toEqual(['first', 'second'])
  listeners.tell()
  expect(told).toEqual(['first', 'second', 'first', 'late'])
  listeners.clear()
  listeners.tell()
  expect(told).toHaveLength(4)
})
