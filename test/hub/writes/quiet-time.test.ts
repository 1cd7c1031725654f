import { expect, test } from 'vitest'
import { createQuietTime } from '../../../src/hub/writes/quiet-time.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function start() {
  const clock = new FakeClock()
  const over = new AbortController()
  const startMs = clock.now()
  const doneAtMs: number[] = []
  const work = () => void doneAtMs.push(clock.now() - startMs)
  return { clock, over, doneAtMs, work, quiet: createQuietTime(clock, over.signal) }
}

test('what follows from writes comes once, shortly after the last of them', async () => {
  const { clock, doneAtMs, work, quiet } = start()
  const first = quiet.begin()
  quiet.add(work)
  await clock.advance(10)
  first()
  await clock.advance(10)
  const second = quiet.begin()
  quiet.add(work)
  await clock.advance(10)
  expect(doneAtMs).toEqual([])
  second()
  await clock.advance(100)
  expect(doneAtMs).toEqual([55])
})

test('writes without a pause hold it back for a tenth of a second and no longer', async () => {
  const { clock, doneAtMs, work, quiet } = start()
  for (let at = 0; at < 30; at += 1) {
    const ended = quiet.begin()
    await clock.advance(9)
    quiet.add(work)
    ended()
    await clock.advance(1)
  }
  expect(doneAtMs).toEqual([109, 209])
})

test('a write that takes its time is waited for', async () => {
  const { clock, doneAtMs, work, quiet } = start()
  const ended = quiet.begin()
  quiet.add(work)
  await clock.advance(60)
  ended()
  await clock.advance(100)
  expect(doneAtMs).toEqual([85])
})

test('at the end nothing is begun any more', async () => {
  const { clock, over, doneAtMs, work, quiet } = start()
  quiet.begin()()
  quiet.add(work)
  over.abort()
  await clock.advance(1_000)
  expect(doneAtMs).toEqual([])
})
