import { expect, test } from 'vitest'
import { runRetention, shortestKeepDays } from '../../src/inbox/retention.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

const dayMs = 86_400_000

test('takes away hourly what is older than the limit, and goes on after a failure', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const startedAtMs = clock.now()
  const askedAtMs: number[] = []
  const answers: (number | Error)[] = [3, new Error('no disk'), 0, 2]
  const reports: unknown[] = []
  const store = {
    async forgetBefore(receivedAtMs: number) {
      askedAtMs.push(receivedAtMs + 90 * dayMs - startedAtMs)
      const answer = answers.shift() ?? 0
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const report = (result: unknown) => reports.push(result)
  const done = runRetention(store, { keepDays: 90, clock, signal: stop.signal, report })
  await clock.advance(3 * 3_600_000)
  stop.abort()
  await done
  expect(askedAtMs).toEqual([0, 3_600_000, 7_200_000, 10_800_000])
  expect(reports).toEqual([{ forgotten: 3 }, { error: new Error('no disk') }, { forgotten: 2 }])
})

test('refuses a limit near the three days in which an event may come again', async () => {
  const store = {
    forgetBefore: async () => {
      throw new Error('must not be asked')
    },
  }
  const signal = new AbortController().signal
  for (const keepDays of [0, 3, shortestKeepDays - 1, Number.NaN]) {
    const done = runRetention(store, { keepDays, clock: new FakeClock(), signal, report: () => undefined })
    await expect(done).rejects.toThrow('at least 30 days')
  }
})
