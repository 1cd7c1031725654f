import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { exposedCollector, nodeComplaint, tidyNowAndThen } from '../../../src/base/process/node-runtime.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

test.each(['24.0.0', '24.21.0', '24.22.0', '25.9.9', '26.0.0', '26.12.0'])(
  '%s lacks fixes, which are named',
  (version) => {
    expect(nodeComplaint(version)).toBe(
      `Node ${version} lacks the security fixes of 2026-10-21: use Node 24.22.1 or 26.12.1 or newer`,
    )
  },
)

test.each(['24.22.1', '24.23.0', '26.12.1', '26.13.0', '27.0.0', '28.1.0'])('nothing is known of %s', (version) => {
  expect(nodeComplaint(version)).toBeNull()
})

test('a collector that another thread has hidden again is missing, and no error that ends the thread', () => {
  setFlagsFromString('--no-expose-gc')
  expect(exposedCollector()).toBeUndefined()
  setFlagsFromString('--expose-gc')
  expect(exposedCollector()).toBeTypeOf('function')
  setFlagsFromString('--no-expose-gc')
})

test('the heap is tidied half a minute after a start and every two minutes, until the end', async () => {
  const clock = new FakeClock()
  const ended = new AbortController()
  const at: number[] = []
  const tidying = tidyNowAndThen(clock, ended.signal, { tidy: () => at.push(clock.now()) })
  await clock.advance(29_000)
  expect(at).toEqual([])
  await clock.advance(300_000)
  expect(at).toEqual([30_000, 150_000, 270_000])
  ended.abort()
  await tidying
  expect(clock.sleeperCount).toBe(0)
})

test('while somebody types tidying waits, for a minute at most', async () => {
  const clock = new FakeClock()
  const ended = new AbortController()
  const at: number[] = []
  let typesUntilMs = 33_500
  const isInTheWay = () => clock.now() < typesUntilMs
  const tidying = tidyNowAndThen(clock, ended.signal, { tidy: () => at.push(clock.now()), isInTheWay })
  await clock.advance(40_000)
  expect(at).toEqual([34_000])
  typesUntilMs = Number.POSITIVE_INFINITY
  await clock.advance(200_000)
  expect(at).toEqual([34_000, 214_000])
  ended.abort()
  await tidying
  expect(clock.sleeperCount).toBe(0)
})

test('the engine takes what it is told: what nothing holds any more is gone', async () => {
  const clock = new FakeClock()
  const ended = new AbortController()
  const garbage = (() => new WeakRef({ many: Array.from({ length: 1_000 }, (_, at) => ({ at })) }))()
  const tidying = tidyNowAndThen(clock, ended.signal)
  // A weak reference holds what it refers to until the turn in which it was made is over.
  await clock.advance(30_000)
  expect(garbage.deref()).toBeUndefined()
  ended.abort()
  await tidying
})
