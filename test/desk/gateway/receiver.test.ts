import { expect, test } from 'vitest'
import { endReceiver } from '../../../src/desk/gateway/receiver.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

test('the end of a desk waits no longer than it may for its inbox, says so, and closes the store all the same', async () => {
  const clock = new FakeClock()
  const said: string[] = []
  let closedCount = 0
  const close = async () => {
    closedCount += 1
  }
  const end = endReceiver({ stop: () => new Promise<never>(() => undefined) }, close, {
    clock,
    say: (line) => said.push(line),
  })
  await clock.advance(14_999)
  expect([said, closedCount]).toEqual([[], 0])
  await clock.advance(1)
  await end
  expect(said).toEqual([
    'The inbox did not end within 15 s, as where its disk does not answer. What it has acknowledged is on disk.',
  ])
  expect(closedCount).toBe(1)
})

test('an inbox that ends in time is said by nothing', async () => {
  const said: string[] = []
  let isClosed = false
  const close = async () => {
    isClosed = true
  }
  const own = { stop: async () => ({ kind: 'stopped' as const }) }
  await endReceiver(own, close, { clock: new FakeClock(), say: (line) => said.push(line) })
  expect([said, isClosed]).toEqual([[], true])
})
