import { expect, test } from 'vitest'
import { createPoller, defaultIntervalMaxMs, leftOutTeller } from '../../../src/services/polling/poller.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function started(poll: () => Promise<boolean>, intervalMs: () => number, random = 0.5) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const calledAtMs: number[] = []
  const noted = () => {
    calledAtMs.push(clock.now())
    return poll()
  }
  const poller = createPoller(noted, {
    intervalMs,
    intervalMaxMs: 30_000,
    clock,
    random: () => random,
    signal: stop.signal,
  })
  return { clock, stop, calledAtMs, poller, done: poller.run() }
}

test('backs off while the venue fails and returns to its pace on recovery', async () => {
  const outcomes = [true, false, false, true]
  const { clock, stop, calledAtMs, done } = started(
    async () => outcomes.shift() ?? true,
    () => 1_000,
  )
  await clock.advance(8_500)
  stop.abort()
  await done
  expect(calledAtMs).toEqual([0, 1_000, 3_000, 7_000, 8_000])
})

test('back-off is bounded and spread by chance', async () => {
  const { clock, stop, calledAtMs, done } = started(
    () => Promise.resolve(false),
    () => 1_000,
    0,
  )
  await clock.advance(200_000)
  stop.abort()
  await done
  const pauses = calledAtMs.slice(1).map((atMs, index) => atMs - (calledAtMs[index] ?? 0))
  expect(pauses.slice(0, 6)).toEqual([1_600, 3_200, 6_400, 12_800, 24_000, 24_000])
  // That of the feeds.
  expect(defaultIntervalMaxMs).toBe(5_000)
})

test('a slow call is never overtaken by the next', async () => {
  let underWay = 0
  let most = 0
  const clock = new FakeClock()
  const stop = new AbortController()
  const poll = async () => {
    underWay += 1
    most = Math.max(most, underWay)
    await clock.sleep(5_000)
    underWay -= 1
    return true
  }
  const poller = createPoller(poll, {
    intervalMs: () => 100,
    intervalMaxMs: 1_000,
    clock,
    random: () => 0,
    signal: stop.signal,
  })
  const done = poller.run()
  await clock.advance(12_000)
  poller.wake()
  await clock.advance(12_000)
  stop.abort()
  await clock.advance(5_000)
  await done
  expect(most).toBe(1)
})

test('the pause follows what is on screen, and a wake ends it at once', async () => {
  let intervalMs = 10_000
  const { clock, stop, calledAtMs, poller, done } = started(
    () => Promise.resolve(true),
    () => intervalMs,
  )
  await clock.advance(4_000)
  intervalMs = 500
  poller.wake()
  await clock.advance(1_000)
  stop.abort()
  await done
  expect(calledAtMs).toEqual([0, 4_000, 4_500, 5_000])
})

test('a wake while a call is under way leads to one more call right after it', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const calledAtMs: number[] = []
  const poll = async () => {
    calledAtMs.push(clock.now())
    await clock.sleep(300)
    return true
  }
  const poller = createPoller(poll, {
    intervalMs: () => 60_000,
    intervalMaxMs: 60_000,
    clock,
    random: () => 0,
    signal: stop.signal,
  })
  const done = poller.run()
  await clock.advance(100)
  poller.wake()
  poller.wake()
  await clock.advance(2_000)
  stop.abort()
  await done
  expect(calledAtMs).toEqual([0, 300])
})

test('an error that is no failure of the venue ends the loop loudly', async () => {
  const { done } = started(
    () => Promise.reject(new TypeError('a bug')),
    () => 1_000,
  )
  await expect(done).rejects.toThrow('a bug')
})

test('a pause that has become shorter is over when so much of it has passed, and no poll comes sooner for being hastened often', async () => {
  let intervalMs = 10_000
  const { clock, stop, calledAtMs, poller, done } = started(
    () => Promise.resolve(true),
    () => intervalMs,
  )
  await clock.advance(300)
  intervalMs = 1_000
  for (let count = 0; count < 20; count += 1) {
    poller.rescheduleIfSooner()
    await clock.advance(50)
  }
  intervalMs = 5_000
  poller.rescheduleIfSooner()
  await clock.advance(900)
  intervalMs = 1_500
  poller.rescheduleIfSooner()
  await clock.advance(500)
  stop.abort()
  await done
  // The second pause was 1,000 ms from the start on, however much longer one would be now.
  expect(calledAtMs).toEqual([0, 1_000, 2_000])
})

test('hastened while the venue fails, it still backs off', async () => {
  const { clock, stop, calledAtMs, poller, done } = started(
    () => Promise.resolve(false),
    () => 1_000,
  )
  for (let count = 0; count < 300; count += 1) {
    poller.rescheduleIfSooner()
    await clock.advance(50)
  }
  stop.abort()
  await done
  expect(calledAtMs).toEqual([0, 2_000, 6_000, 14_000])
})

test('a wall clock that is put back does not hold up a hastened poll for longer than a pause', async () => {
  const clock = new FakeClock(1_000_000)
  const stop = new AbortController()
  const calledAtMs: number[] = []
  let intervalMs = 10_000
  const poll = async () => {
    calledAtMs.push(clock.now() - 1_000_000)
    return true
  }
  const options = { intervalMs: () => intervalMs, intervalMaxMs: 10_000, clock, random: () => 0.5, signal: stop.signal }
  const poller = createPoller(poll, options)
  const done = poller.run()
  await clock.advance(500)
  clock.setWall(-500_000)
  intervalMs = 1_000
  poller.rescheduleIfSooner()
  await clock.advance(1_500)
  stop.abort()
  await done
  expect(calledAtMs).toEqual([0, 1_000, 2_000])
})

test('an odd entry is told once while it stays; of entries that are others at every poll, old ones are forgotten', () => {
  const told: string[] = []
  const tell = leftOutTeller({ clock: new FakeClock(), emit: ({ sentence }) => told.push(sentence) })
  for (let poll = 0; poll < 100; poll += 1)
    tell(['it stays', ...Array.from({ length: 300 }, (_, at) => `entry ${poll}:${at}`)])
  expect(told).toHaveLength(1 + 100 * 300)
  tell(['it stays', 'entry 99:0', 'entry 0:0'])
  expect(told.slice(1 + 100 * 300)).toEqual(['entry 0:0'])
})
