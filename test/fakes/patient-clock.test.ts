import { expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { createPatientClock } from './patient-clock.ts'

/** A clock, and the machine's time as a number that the test moves. */
function open() {
  const machine = { ms: 0 }
  const clock = createPatientClock(() => machine.ms)
  const startMs = clock.now()
  return { machine, clock, passedMs: () => clock.now() - startMs }
}

test('while somebody waits, a process that did not run for long was away for a moment', () => {
  const { machine, clock, passedMs } = open()
  machine.ms += 60_000
  expect(passedMs()).toBe(60_000)
  void clock.sleep(5_000)
  machine.ms += 60_000
  expect(passedMs()).toBe(60_025)
  machine.ms += 10
  expect(passedMs()).toBe(60_035)
  expect(clock.wallMs() - clock.now()).toBeLessThan(1_000)
})

test('who waits goes on when the time has passed bit by bit, in the order of their times, or when called off', async () => {
  const { machine, clock, passedMs } = open()
  const woken: string[] = []
  const off = new AbortController()
  for (const [name, ms] of [
    ['late', 60],
    ['soon', 40],
    ['never', 3_600_000],
  ] as const)
    void clock.sleep(ms, off.signal).then(() => woken.push(name))
  void clock.sleep(0).then(() => woken.push('at once'))
  await eventually(() => {
    machine.ms += 1_000
    expect(woken).toHaveLength(3)
  })
  expect(woken).toEqual(['at once', 'soon', 'late'])
  expect(passedMs()).toBeGreaterThanOrEqual(60)
  off.abort()
  await eventually(() => expect(woken.at(-1)).toBe('never'))
  await clock.sleep(10, AbortSignal.abort())
})
