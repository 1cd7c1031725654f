import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createJobControl } from '../../../src/base/process/job-control.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

/** A process whose signals are told and remembered; `onStop` is what becomes of it when it is told to stop. */
function fakeProcess(onStop: (signals: EventEmitter) => void) {
  const told: string[] = []
  const signals = new EventEmitter()
  const process = {
    pid: 4_711,
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    once: signals.once.bind(signals),
    kill(pid: number, signal?: string | number) {
      told.push(`${pid} ${signal} with ${signals.listenerCount('SIGTSTP')} listeners`)
      if (signal === 'SIGTSTP') onStop(signals)
      return true
    },
  }
  return { process, signals, told }
}

test('stopping goes to the whole job, without a listener of ours in the way, and ends when the shell calls it back', async () => {
  const clock = new FakeClock()
  const fake = fakeProcess((signals) => signals.emit('SIGCONT'))
  const jobs = createJobControl(fake.process, clock)
  let asked = 0
  jobs.onAsked(() => {
    asked += 1
  })
  expect(await jobs.stop()).toBe(true)
  // The size of the terminal is looked at again.
  expect(fake.told).toEqual(['0 SIGTSTP with 0 listeners', '4711 SIGWINCH with 1 listeners'])
  fake.signals.emit('SIGTSTP')
  expect(asked).toBe(1)
  expect(fake.signals.listenerCount('SIGCONT')).toBe(0)
  jobs.end()
  expect(fake.signals.listenerCount('SIGTSTP')).toBe(0)
})

test('a size that was set is told of until the end, to the last who asked', () => {
  const fake = fakeProcess(() => undefined)
  const jobs = createJobControl(fake.process, new FakeClock())
  const told: string[] = []
  jobs.onResized(() => told.push('first'))
  jobs.onResized(() => told.push('second'))
  fake.signals.emit('SIGWINCH')
  jobs.end()
  fake.signals.emit('SIGWINCH')
  expect(told).toEqual(['second'])
})

test('where nothing stops it is told so after a moment', async () => {
  const clock = new FakeClock()
  const jobs = createJobControl(fakeProcess(() => undefined).process, clock)
  const stopped = jobs.stop()
  await clock.advance(1_000)
  expect(await stopped).toBe(false)
  expect(clock.sleeperCount).toBe(0)
})

test('going on after a stop from outside is told of, after an own one not', async () => {
  const clock = new FakeClock()
  const fake = fakeProcess((signals) => signals.emit('SIGCONT'))
  const jobs = createJobControl(fake.process, clock)
  let count = 0
  jobs.onContinued(() => {
    count += 1
  })
  fake.signals.emit('SIGCONT')
  expect(count).toBe(1)
  await jobs.stop()
  expect(count).toBe(1)
  fake.signals.emit('SIGCONT')
  expect(count).toBe(2)
  jobs.end()
  expect(fake.signals.listenerCount('SIGCONT')).toBe(0)
})
