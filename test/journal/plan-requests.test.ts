import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import type { PlanRequest } from '../../src/domain/plans/plan.ts'
import { openPlanRecord } from '../../src/journal/plan-file.ts'
import { askPlanOwner, takePlanRequests } from '../../src/journal/plan-requests.ts'
import { atRest } from '../fakes/at-rest.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

const resume: PlanRequest = { ask: 'resume', planId: 'p1' }

async function aPlace() {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14))
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-requests-'))
  const opened = await openPlanRecord({ folder, exchange: 'practice', now: () => clock.wallMs() })
  if (!opened.ok || opened.value === 'busy') throw new Error('not opened')
  const record = opened.value
  onTestFinished(async () => {
    await record.close()
    await rm(folder, { recursive: true })
  })
  let count = 0
  const stop = new AbortController()
  return {
    ...{ clock, folder, record, stop },
    ask(request = resume) {
      const of: { answer: unknown } = { answer: null }
      count += 1
      const newId = () => `request${count}`
      void askPlanOwner(request, { folder, clock, signal: new AbortController().signal, newId }).then((answer) => {
        of.answer = answer
      })
      return of
    },
    take(carryOut: Parameters<typeof takePlanRequests>[0]['carryOut']) {
      return takePlanRequests({
        folder,
        clock,
        carryOut,
        signal: stop.signal,
        onTrouble: (text) => expect(text).toBe(''),
      })
    },
    async passes(ms: number) {
      for (let passed = 0; passed < ms; passed += 50) {
        await atRest()
        await clock.advance(50)
      }
      await atRest()
    },
    left: () => readdir(join(folder, 'plan-requests')),
  }
}

test('a request is carried out once, and its answer leaves nothing behind', async () => {
  const { ask, take, passes, left, stop } = await aPlace()
  const done: PlanRequest[] = []
  const taking = take((asked) => {
    done.push(asked)
    return Promise.resolve(ok('p1'))
  })
  const asked = ask()
  await passes(1_500)
  expect(asked.answer).toEqual({ kind: 'done', planId: 'p1' })
  expect(done).toMatchObject([resume])
  expect(await left()).toEqual([])
  stop.abort()
  await taking
})

test('a request that nobody takes up is taken back, and a later owner finds nothing to do', async () => {
  const { ask, take, passes, left, stop } = await aPlace()
  const asked = ask()
  await passes(16_000)
  expect(asked.answer).toEqual({ kind: 'notTaken' })
  expect(await left()).toEqual([])
  const taking = take(() => Promise.reject(new Error('nothing was asked')))
  await passes(1_000)
  stop.abort()
  await taking
})

test('a request that was taken up by one who died is told to be unknown, and not done by the next', async () => {
  const { ask, take, passes, clock, folder, record, stop } = await aPlace()
  const asked = ask()
  // Taken up, and never answered: as a kill leaves it.
  void take(() => new Promise(() => undefined))
  await passes(1_000)
  await record.close()
  const next = await openPlanRecord({ folder, exchange: 'practice', now: () => clock.wallMs() })
  const stopNext = new AbortController()
  const taking = takePlanRequests({
    ...{ folder, clock, signal: stopNext.signal, onTrouble: () => undefined },
    carryOut: () => Promise.reject(new Error('done a second time')),
  })
  await passes(17_000)
  expect(asked.answer).toEqual({ kind: 'unknown' })
  for (const each of [stop, stopNext]) each.abort()
  await taking
  if (next.ok && next.value !== 'busy') await next.value.close()
})
