import { expect, test } from 'vitest'
import { type PageQuery, type StoredEvent, shortestKeepDays } from '../../../src/domain/gateway/inbox-source.ts'
import { runRetention } from '../../../src/inbox/store/retention.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { eventBody } from '../../fakes/memory-events.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 10, 1)

/** An event that the gateway dated, and a receiver by its own clock. */
const dated = (stampMs: number, receivedAtMs = stampMs): StoredEvent => ({
  ...{ sequence: 1, eventId: 'e', orderId: 'o', receivedAtMs, source: '', copies: 0, conflicts: 0 },
  body: eventBody({ orderStateUpdatedAt: new Date(stampMs).toISOString() }),
})

/** A store that answers as the test says, and then that nothing is left; the gateway's time is that of its events. */
function setting(answers: (number | Error)[], events: StoredEvent[] = [dated(startMs)]) {
  const clock = new FakeClock(startMs)
  const stop = new AbortController()
  const startedAtMs = clock.now()
  const askedAtMs: number[] = []
  const reports: unknown[] = []
  const store = {
    events: async (query: PageQuery) => ('after' in query ? events.slice(0, 1) : events.slice(-query.count)),
    async forgetBefore(receivedAtMs: number) {
      askedAtMs.push(receivedAtMs + 90 * dayMs - startedAtMs)
      const answer = answers.shift() ?? 0
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const report = (result: unknown) => reports.push(result)
  const run = () => runRetention(store, { keepDays: 90, clock, signal: stop.signal, report })
  return { clock, stop, store, events, askedAtMs, reports, run }
}

test('takes away hourly what is older than the limit, step by step, and goes on after a failure', async () => {
  const { clock, stop, askedAtMs, reports, run } = setting([3, 2, 0, 4, new Error('no disk'), 0, 2, 0])
  const done = run()
  await clock.advance(3 * 3_600_000)
  stop.abort()
  await done
  const hour = 3_600_000
  expect(askedAtMs).toEqual([0, 0, 0, hour, hour, 2 * hour, 3 * hour, 3 * hour])
  expect(reports).toEqual([
    { kind: 'forgotten', count: 5 },
    { kind: 'failed', error: new Error('no disk') },
    { kind: 'forgotten', count: 4 },
    { kind: 'forgotten', count: 2 },
  ])
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
  expect(reports).toEqual([{ kind: 'forgotten', count: 30_000 }])
})

test('refuses a limit near the three days in which an event may come again', async () => {
  const store = {
    events: async () => [],
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

const hourMs = 3_600_000

test('a clock that is set ahead deletes nothing early, neither while the inbox runs nor at its start', async () => {
  const { clock, stop, askedAtMs, reports, run } = setting([])
  const done = run()
  await clock.advance(0)
  clock.setWall(500 * dayMs)
  await clock.advance(hourMs)
  stop.abort()
  await done
  expect(askedAtMs).toEqual([0, hourMs])
  expect(reports).toEqual([{ kind: 'held', aheadDays: 500 }])

  const later = setting([], [dated(startMs - 500 * dayMs)])
  const running = later.run()
  // What comes in now is received 500 days late by that clock; the gateway dates it as it is.
  later.events.push(...[1, 2, 3].map((nth) => dated(startMs - 500 * dayMs + nth * dayMs, startMs)))
  await later.clock.advance(2 * hourMs)
  later.stop.abort()
  await running
  expect(later.askedAtMs[0]).toBe(-500 * dayMs)
  expect(later.askedAtMs.at(-1)).toBeLessThan(-490 * dayMs)
  expect(later.reports).toEqual([{ kind: 'held', aheadDays: 500 }])
})

test('what comes no more still ends as time passes, one event with a wrong date ends nothing, and none ends nothing', async () => {
  const idle = setting([])
  const done = idle.run()
  await idle.clock.advance(48 * hourMs)
  idle.stop.abort()
  await done
  expect(idle.askedAtMs.at(-1)).toBe(48 * hourMs)
  expect(idle.reports).toEqual([])

  const odd = setting([], [dated(startMs), dated(startMs + 500 * dayMs), dated(startMs)])
  odd.clock.setWall(600 * dayMs)
  odd.clock.standStill(600 * dayMs)
  const ended = odd.run()
  await odd.clock.advance(0)
  odd.stop.abort()
  await ended
  expect(odd.askedAtMs).toEqual([0])

  const empty = setting([], [])
  const over = empty.run()
  await empty.clock.advance(0)
  empty.stop.abort()
  await over
  expect(empty.askedAtMs).toEqual([-startMs])
})
