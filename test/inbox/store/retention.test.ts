import { expect, test } from 'vitest'
import { shortestKeepDays } from '../../../src/domain/gateway/inbox-source.ts'
import { runRetention } from '../../../src/inbox/store/open-store.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

const dayMs = 86_400_000

/** A store that answers as the test says, and then that nothing is left. */
function setting(answers: (number | Error)[]) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const startedAtMs = clock.now()
  const askedAtMs: number[] = []
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
  const run = () => runRetention(store, { keepDays: 90, clock, signal: stop.signal, report })
  return { clock, stop, store, askedAtMs, reports, run }
}

test('takes away hourly what is older than the limit, step by step, and goes on after a failure', async () => {
  const { clock, stop, askedAtMs, reports, run } = setting([3, 2, 0, 4, new Error('no disk'), 0, 2, 0])
  const done = run()
  await clock.advance(3 * 3_600_000)
  stop.abort()
  await done
  const hour = 3_600_000
  expect(askedAtMs).toEqual([0, 0, 0, hour, hour, 2 * hour, 3 * hour, 3 * hour])
  expect(reports).toEqual([{ forgotten: 5 }, { error: new Error('no disk') }, { forgotten: 4 }, { forgotten: 2 }])
})

test('an end waits for the step under way, not for millions of events', async () => {
  const { stop, store, askedAtMs, reports, run } = setting([])
  const { forgetBefore } = store
  store.forgetBefore = async (receivedAtMs) => {
    await forgetBefore(receivedAtMs)
    if (askedAtMs.length === 3) stop.abort()
    return 10_000
  }
  await run()
  expect(askedAtMs).toHaveLength(3)
  expect(reports).toEqual([{ forgotten: 30_000 }])
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
