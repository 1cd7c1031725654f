import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createSystemClock, elapsedMaxMs, SleepEnd, sleepToBeat, systemClock } from '../../src/base/clock.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('a sleep that is called off ends at once, and leaves neither a timer nor a listener', async () => {
  const before = timers()
  const end = new AbortController()
  const asleep = systemClock.sleep(3_600_000, end.signal)
  expect(timers()).toBe(before + 1)
  end.abort()
  await asleep
  expect(timers()).toBe(before)
  expect(getEventListeners(end.signal, 'abort')).toEqual([])
  await systemClock.sleep(3_600_000, end.signal)
  expect(timers()).toBe(before)
})

test('a sleep takes its time, and takes its listener away at its end', async () => {
  const end = new AbortController()
  const sinceMs = systemClock.now()
  await systemClock.sleep(5, end.signal)
  expect(systemClock.now() - sinceMs).toBeGreaterThanOrEqual(4)
  expect(getEventListeners(end.signal, 'abort')).toEqual([])
})

/** A machine whose three readings a test moves. */
function aMachine() {
  const readings = { wallMs: 1_800_000_000_000, runningMs: 5_000.25, bootedMs: 900_000 }
  const clock = createSystemClock({
    wallMs: () => readings.wallMs,
    runningMs: () => readings.runningMs,
    bootedMs: () => readings.bootedMs,
  })
  const pass = (ms: number) => {
    readings.wallMs += ms
    readings.runningMs += ms
    // As coarse as a second.
    readings.bootedMs = Math.floor((900_000 + readings.runningMs - 5_000.25) / 1_000) * 1_000
  }
  return { readings, clock, pass }
}

test('desk time begins as the wall clock stands, in whole milliseconds, and runs with the machine', () => {
  const { clock, pass } = aMachine()
  expect(clock.now()).toBe(1_800_000_000_000)
  for (let count = 0; count < 100; count += 1) pass(333.3)
  expect(clock.now()).toBe(1_800_000_033_330)
})

test('a wall clock that is set, either way, moves no age', () => {
  const { readings, clock, pass } = aMachine()
  pass(1_000)
  for (const jumpMs of [-7_200_000, 86_400_000, -1]) {
    const before = clock.now()
    readings.wallMs += jumpMs
    expect(clock.now()).toBe(before)
    pass(10)
    expect(clock.now()).toBe(before + 10)
  }
  expect(clock.wallMs() - clock.now()).toBe(86_400_000 - 7_200_001)
})

test('time in which the machine slept counts, though its running time stood still; readings that tremble do not', () => {
  const { readings, clock, pass } = aMachine()
  pass(1_000)
  const before = clock.now()
  readings.wallMs += 3_600_000
  readings.bootedMs += 3_600_000
  expect(clock.now() - before).toBeGreaterThanOrEqual(3_598_500)
  expect(clock.now() - before).toBeLessThanOrEqual(3_601_500)
  const awake = clock.now()
  for (const tremble of [900, -900, 400, 0]) {
    readings.bootedMs += tremble
    expect(clock.now()).toBe(awake)
    readings.bootedMs -= tremble
  }
})

test('a sleep that the wall clock does not tell of counts within a second, and the machine is asked no more often', () => {
  let asked = 0
  const readings = { wallMs: 1_800_000_000_000, runningMs: 5_000, bootedMs: 900_000 }
  const clock = createSystemClock({
    wallMs: () => readings.wallMs,
    runningMs: () => readings.runningMs,
    bootedMs: () => {
      asked += 1
      return readings.bootedMs
    },
  })
  const start = clock.now()
  readings.bootedMs += 60_000
  const askedBefore = asked
  for (let passed = 0; passed < 1_000; passed += 10) {
    expect(clock.now()).toBe(start + passed)
    readings.wallMs += 10
    readings.runningMs += 10
    readings.bootedMs += 10
  }
  expect(asked).toBe(askedBefore)
  expect(clock.now() - start).toBe(61_000)
  expect(asked).toBe(askedBefore + 1)
})

test('how old a thing is at most is said by the time that says more: a paused virtual machine knows by its wall clock alone', () => {
  const since = { nowMs: 1_000, wallMs: 1_000 }
  expect(elapsedMaxMs(since, { nowMs: 4_000, wallMs: 4_000 })).toBe(3_000)
  expect(elapsedMaxMs(since, { nowMs: 1_100, wallMs: 3_601_100 })).toBe(3_600_100)
  expect(elapsedMaxMs(since, { nowMs: 61_000, wallMs: -9_000_000 })).toBe(60_000)
})

test('a sleep is ended by whoever began it, and one that is called off never begins', async () => {
  const [fake, end] = [new FakeClock(), new SleepEnd()]
  const woken: string[] = []
  const sleeps = [systemClock, fake].map(async (clock, index) => {
    await clock.sleep(60_000, end)
    woken.push(`sleep ${index}`)
  })
  await Promise.resolve()
  expect(woken).toEqual([])
  end.abort()
  end.abort()
  await Promise.all(sleeps)
  expect(woken).toHaveLength(2)
  expect(end.aborted).toBe(true)
  expect(fake.sleeperCount).toBe(0)
  await systemClock.sleep(60_000, end)
})

test('whatever sleeps to a beat wakes at the same moments, never twice in one, and at once when called off', async () => {
  const clock = new FakeClock(10_130)
  const wokenMs: Record<string, number[]> = { a: [], b: [] }
  const stop = new AbortController()
  const glance = async (name: string, startsInMs: number) => {
    await clock.sleep(startsInMs)
    while (!stop.signal.aborted) {
      await sleepToBeat(clock, 250, stop.signal)
      wokenMs[name]?.push(clock.now())
    }
  }
  const glances = [glance('a', 0), glance('b', 320)]
  await clock.advance(1_000)
  expect(wokenMs).toEqual({ a: [10_250, 10_500, 10_750, 11_000], b: [10_500, 10_750, 11_000] })
  stop.abort()
  await Promise.all(glances)
  expect(wokenMs.a?.at(-1)).toBe(11_130)
  // A timer that ended early does not make a beat of its own.
  const early = new FakeClock(20_499)
  let isOver = false
  const late = sleepToBeat(early, 250).then(() => {
    isOver = true
  })
  await early.advance(250)
  expect(isOver).toBe(false)
  await early.advance(1)
  expect(isOver).toBe(true)
  await late
  // Each process counts from when it began.
  const began = Object.assign(new FakeClock(30_100), { beganMs: 30_090 })
  const first = sleepToBeat(began, 250)
  await began.advance(240)
  await first
  expect(began.now()).toBe(30_340)
})
