import { expect, test } from 'vitest'
import { createSerialByKey } from '../../src/base/serial.ts'
import { settle } from '../fakes/fake-clock.ts'

test('of one key one task runs at a time, in the order given, and a failed one does not stop the next', async () => {
  const inTurn = createSerialByKey()
  const done: string[] = []
  const tasks = new Map<string, PromiseWithResolvers<string>>()
  const add = (key: string, name: string) => {
    const task = Promise.withResolvers<string>()
    tasks.set(name, task)
    return inTurn(key, () => {
      done.push(name)
      return task.promise
    })
  }
  const all = [add('a', 'a1'), add('a', 'a2'), add('b', 'b1'), add('a', 'a3')]
  const answers = Promise.allSettled(all)
  await settle()
  expect(done).toEqual(['a1', 'b1'])
  tasks.get('a1')?.reject(new Error('no'))
  await settle()
  expect(done).toEqual(['a1', 'b1', 'a2'])
  tasks.get('a2')?.resolve('two')
  tasks.get('b1')?.resolve('one')
  tasks.get('a3')?.resolve('three')
  expect((await answers).map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([
    ...['failed', 'two', 'one', 'three'],
  ])
  // An empty queue is as good as none.
  tasks.get('a3')?.resolve('')
  const next = add('a', 'a4')
  tasks.get('a4')?.resolve('four')
  expect(await next).toBe('four')
})
