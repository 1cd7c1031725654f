import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { systemClock } from '../src/clock.ts'

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
