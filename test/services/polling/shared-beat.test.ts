import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPoller, type PollerOptions } from '../../../src/services/polling/poller.ts'
import { SharedBeat } from '../../../src/services/polling/shared-beat.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

type Member = { pauseMs: number; tookMs?: number; outcomes?: boolean[]; isKept?: boolean }

/** When each of these pollers asked within `forMs`, together or each for itself. */
async function asked(members: readonly Member[], forMs: number, isTogether = true): Promise<number[][]> {
  const clock = new FakeClock()
  const stop = new AbortController()
  const shared: Pick<PollerOptions, 'beat'> = isTogether ? { beat: new SharedBeat() } : {}
  const times = members.map((): number[] => [])
  const loops = members.map(({ pauseMs, tookMs = 0, outcomes = [], isKept = false }, index) => {
    const poll = async () => {
      times[index]?.push(clock.now())
      if (tookMs > 0) await clock.sleep(tookMs, stop.signal)
      return outcomes.shift() ?? true
    }
    const options = { intervalMs: () => pauseMs, intervalMaxMs: 5_000, clock, random: () => 0.5, signal: stop.signal }
    return createPoller(poll, { ...options, ...shared, mayBeEarly: () => !isKept }).run()
  })
  await clock.advance(forMs)
  stop.abort()
  await Promise.all(loops)
  return times
}

/** At how many different times anybody asked. */
const turns = (times: readonly number[][]): number => new Set(times.flat()).size

test('pauses that are multiples of each other fall into step, though each answer takes another time', async () => {
  const members = [
    { pauseMs: 500, tookMs: 5 },
    { pauseMs: 1_000, tookMs: 40 },
    { pauseMs: 1_500, tookMs: 20 },
  ]
  const [together, apart] = [await asked(members, 60_000), await asked(members, 60_000, false)]
  expect(turns(apart)).toBeGreaterThan(190)
  // As many as the shortest pause alone makes.
  expect(turns(together)).toBe((await asked(members.slice(0, 1), 60_000))[0]?.length)
})

test('whatever the pauses: nobody asks more than half a pause early, and hardly more often than alone', async () => {
  const member = fc.record({ pauseMs: fc.integer({ min: 100, max: 6_000 }), tookMs: fc.integer({ min: 0, max: 300 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(member, { minLength: 2, maxLength: 5 }), async (members) => {
      const [together, apart] = [await asked(members, 60_000), await asked(members, 60_000, false)]
      for (const [index, { pauseMs, tookMs }] of members.entries()) {
        const times = together[index] ?? []
        for (const [at, ms] of times.slice(1).entries())
          expect(ms - (times[at] ?? 0)).toBeGreaterThanOrEqual(pauseMs * 0.5 + tookMs - 1)
        expect(times.length).toBeLessThanOrEqual((apart[index]?.length ?? 0) + 1)
      }
    }),
    { numRuns: 30 },
  )
})

test('neither back-off nor a pause that is kept is made shorter, and others begin with it', async () => {
  const [failing, kept, other] = await asked(
    [{ pauseMs: 1_000, outcomes: [true, false, false] }, { pauseMs: 1_100, isKept: true }, { pauseMs: 1_250 }],
    5_000,
  )
  expect(failing).toEqual([0, 1_000, 3_000])
  expect(kept).toEqual([0, 1_100, 2_200, 3_300, 4_400])
  // With the failing one, and with the one that is kept; each early turn is paid back by the pause after it.
  expect(other).toEqual([0, 1_000, 2_200, 3_300, 5_000])
})
