import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { FakeClock } from './fake-clock.ts'

test('sleepers wake in the order of their times, each at its own time', async () => {
  const clock = new FakeClock(1_000)
  const woken: string[] = []
  const nap = async (name: string, ms: number) => {
    await clock.sleep(ms)
    woken.push(`${name} ${clock.now()}`)
  }
  const naps = [nap('late', 300), nap('soon', 100), nap('later', 301)]
  await clock.advance(300)
  expect(woken).toEqual(['soon 1100', 'late 1300'])
  expect(clock.now()).toBe(1_300)
  await clock.advance(1)
  await Promise.all(naps)
  expect(woken).toEqual(['soon 1100', 'late 1300', 'later 1301'])
})

test('a loop of sleeps runs as often as its time allows within one advance', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const seenAt: number[] = []
  const loop = async () => {
    while (!stop.signal.aborted) {
      seenAt.push(clock.now())
      await clock.sleep(1_000, stop.signal)
    }
  }
  const done = loop()
  await clock.advance(3_500)
  stop.abort()
  await done
  expect(seenAt).toEqual([0, 1_000, 2_000, 3_000])
  expect(clock.sleeperCount).toBe(0)
})

test('an aborted sleep ends at once, on the fake clock and on the machine’s', async () => {
  for (const clock of [new FakeClock(), systemClock]) {
    const stop = new AbortController()
    const sleeping = clock.sleep(3_600_000, stop.signal)
    stop.abort()
    await sleeping
    await clock.sleep(3_600_000, stop.signal)
  }
})

test('the machine’s clock tells milliseconds since 1970 and a sleep of nothing passes', async () => {
  const before = systemClock.now()
  await systemClock.sleep(0)
  await systemClock.sleep(1)
  expect(systemClock.now()).toBeGreaterThanOrEqual(before)
  expect(before).toBeGreaterThan(1_700_000_000_000)
})

test('a test can wait until the code under test has come to a pause of a known length', async () => {
  const clock = new FakeClock()
  const run = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    await clock.sleep(250)
    return clock.now()
  }
  const running = run()
  await clock.reached(250)
  await clock.advance(250)
  expect(await running).toBe(250)
})
