import { expect, test } from 'vitest'
import { endedInOrder } from '../../../src/commands/cli/serving.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

/** A server that ends by SIGTERM, and the signal that hurries it. */
function aServer() {
  const [ended, hurried] = [new AbortController(), new AbortController()]
  ended.abort('SIGTERM')
  const said: string[] = []
  const clock = new FakeClock()
  const io = { signal: ended.signal, hurry: hurried.signal }
  return { clock, said, hurried, serving: { io, log: (line: string) => said.push(line), tools: { clock } } }
}

const held = () => new Promise<never>(() => undefined)

test('what ends in order is said by nothing', async () => {
  const { said, serving } = aServer()
  expect(await endedInOrder(serving, () => Promise.resolve())).toBeNull()
  expect(said).toEqual([])
})

test('an end that takes too long is left, and its code is that of the signal', async () => {
  const { clock, said, serving } = aServer()
  const ending = endedInOrder(serving, held)
  await clock.advance(19_999)
  expect(said).toEqual([])
  await clock.advance(1)
  expect(await ending).toEqual({ code: 143 })
  expect(said).toEqual(['not ended within 20 s, as where a disk or a database does not answer: it is left as it is'])
})

test('a second signal ends it at once', async () => {
  const { said, serving, hurried } = aServer()
  const ending = endedInOrder(serving, held)
  hurried.abort('SIGINT')
  expect(await ending).toEqual({ code: 143 })
  expect(said).toEqual(['ended by a second signal, SIGINT, without waiting for what is under way'])
})
