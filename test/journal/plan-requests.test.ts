import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { err, ok } from '../../src/base/result.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { PlanRequest } from '../../src/domain/plans/plan.ts'
import { openPlanRecord } from '../../src/journal/plan-file.ts'
import { askPlanOwner, isOwnerHalted, planOwner, takePlanRequests } from '../../src/journal/plan-requests.ts'
import { readLine, recordLine } from '../../src/journal/record.ts'
import { atRest } from '../fakes/at-rest.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const resume: PlanRequest = { ask: 'resume', planId: 'p1' }

type CarryOut = Parameters<typeof takePlanRequests>[0]['carryOut']

async function aPlace() {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14))
  const folder = join(temporaryFolder('requests'), 'account')
  const place = join(folder, 'plan-requests')
  const opened = await openPlanRecord({ folder, exchange: 'practice', now: () => clock.wallMs() })
  if (!opened.ok || opened.value === 'busy') throw new Error('not opened')
  const record = opened.value
  onTestFinished(() => record.close())
  let count = 0
  const stop = new AbortController()
  const troubles: (string | null)[] = []
  const mode = { isHalted: false }
  return {
    ...{ clock, folder, place, record, stop, troubles, mode },
    at: (name: string) => join(place, name),
    ask(request = resume, signal = new AbortController().signal) {
      const of: { answer: unknown } = { answer: null }
      count += 1
      const newId = () => `request${count}`
      void askPlanOwner(request, { folder, clock, signal, newId }).then((answer) => {
        of.answer = answer
      })
      return of
    },
    take: (carryOut: CarryOut = () => Promise.resolve(ok('p1'))) =>
      takePlanRequests({
        ...{ folder, clock, carryOut, signal: stop.signal, onTrouble: (text) => troubles.push(text) },
        isHalted: () => mode.isHalted,
      }),
    /** What was asked some time ago, as it lies there. */
    lies(name: string, agoMs: number, asked: object = resume) {
      mkdirSync(place, { recursive: true })
      writeFileSync(join(place, `${name}.ask`), recordLine({ at: clock.wallMs() - agoMs, ...asked }))
    },
    answerOf: (name: string) => readLine(readFileSync(join(place, `${name}.answer`), 'utf8').trimEnd()),
    async passes(ms: number) {
      for (let passed = 0; passed < ms; passed += 50) {
        await atRest()
        await clock.advance(50)
      }
      await atRest()
    },
    left: () => readdirSync(place),
  }
}

/** Whoever takes up requests has ended, without waiting for anything more. */
async function isOver(taking: Promise<void>): Promise<void> {
  let over = false
  void taking.then(() => {
    over = true
  })
  await atRest()
  expect(over).toBe(true)
}

test('a request is carried out once, and its answer leaves nothing behind', async () => {
  const { ask, take, passes, left, stop, troubles } = await aPlace()
  const done: PlanRequest[] = []
  const taking = take((asked) => {
    done.push(asked)
    return Promise.resolve(ok('p1'))
  })
  const asked = ask()
  await passes(1_500)
  expect(asked.answer).toEqual({ kind: 'done', planId: 'p1' })
  expect(done).toMatchObject([resume])
  expect([left(), troubles]).toEqual([[], []])
  stop.abort()
  await isOver(taking)
})

test('a request that nobody takes up is taken back, and a later owner finds nothing to do', async () => {
  const { ask, take, passes, left, stop } = await aPlace()
  const asked = ask()
  await passes(16_000)
  expect(asked.answer).toEqual({ kind: 'notTaken', stopped: null })
  expect(left()).toEqual([])
  const taking = take(() => Promise.reject(new Error('nothing was asked')))
  await passes(1_000)
  stop.abort()
  await isOver(taking)
})

test('who takes requests says so as long as it moves, and is named once it stands still', async () => {
  const { ask, take, passes, clock, folder, stop } = await aPlace()
  // That of a killed one.
  writeFileSync(join(folder, 'plans-owner'), '1\n')
  const taking = take(() => new Promise(() => undefined))
  await passes(5_000)
  expect(planOwner(folder)).toEqual({ pid: process.pid, beatMs: clock.wallMs() - 1_000 })
  // What was asked first keeps it for good: it takes nothing more, and does not move.
  ask()
  await passes(1_000)
  const other = ask()
  await passes(16_000)
  const stopped = { pid: process.pid, beatMs: clock.wallMs() - 18_000 }
  expect(other.answer).toEqual({ kind: 'notTaken', stopped })
  // Whoever goes by a signal has not seen that.
  const gone = new AbortController()
  const early = ask(resume, gone.signal)
  await passes(100)
  gone.abort()
  await atRest()
  expect(early.answer).toEqual({ kind: 'notTaken', stopped: null })
  stop.abort()
  void taking
})

test('who no longer takes requests leaves no note of itself', async () => {
  const { take, passes, folder, stop } = await aPlace()
  const taking = take()
  await passes(300)
  expect(planOwner(folder)).not.toBeNull()
  stop.abort()
  await isOver(taking)
  expect(planOwner(folder)).toBeNull()
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
    ...{ folder, clock, signal: stopNext.signal, isHalted: () => false, onTrouble: () => undefined },
    carryOut: () => Promise.reject(new Error('done a second time')),
  })
  await passes(17_000)
  expect(asked.answer).toEqual({ kind: 'unknown' })
  for (const each of [stop, stopNext]) each.abort()
  await isOver(taking)
  if (next.ok && next.value !== 'busy') await next.value.close()
})

const terms = {
  ...({ kind: 'scale', symbol: 'BTC-USD', side: 'BUY', quantity: new Decimal('0.1'), postOnly: true } as const),
  slices: [{ price: new Decimal('64000'), quantity: new Decimal('0.1') }],
}
const everyRequest: PlanRequest[] = [
  { ask: 'add', terms },
  { ask: 'add', terms, after: 12 },
  { ask: 'cancel', planId: 'p1', how: 'takeBack' },
  { ask: 'cancel', planId: 'p1', how: 'leave' },
  { ask: 'edit', planId: 'p1', terms },
  { ask: 'edit', planId: 'p1', terms, seen: { ...terms, postOnly: false } },
  resume,
  { ...resume, seen: terms },
]

test('every request comes as it was asked, and is answered with its plan or with why not, within half a second', async () => {
  const { ask, take, passes, stop } = await aPlace()
  const done: PlanRequest[] = []
  const taking = take((asked) => {
    done.push(asked)
    return Promise.resolve(asked.ask === 'resume' ? err('Nothing is held.') : ok(asked.ask))
  })
  for (const request of everyRequest) {
    const asked = ask(request)
    await passes(500)
    expect(done.at(-1)).toMatchObject(request)
    expect(asked.answer).toEqual(
      request.ask === 'resume'
        ? { kind: 'refused', sentence: 'Nothing is held.' }
        : { kind: 'done', planId: request.ask },
    )
  }
  stop.abort()
  await isOver(taking)
})

test('where no process runs the plans, or that cannot be seen, nothing is asked', async () => {
  const { ask, record, folder, place } = await aPlace()
  await record.close()
  const asked = ask()
  await atRest()
  expect(asked.answer).toEqual({ kind: 'noOwner' })
  rmSync(join(folder, 'plans.lock'))
  mkdirSync(join(folder, 'plans.lock'))
  const again = ask()
  await atRest()
  expect(again.answer).toEqual({
    ...{ kind: 'refused', sentence: 'Whether plans run here cannot be seen: plans.lock: not a plain file (EFTYPE).' },
  })
  expect(existsSync(place)).toBe(false)
})

test('a request that cannot be written is refused, and nothing was changed', async () => {
  const { ask, place } = await aPlace()
  writeFileSync(place, 'a file in the place of the folder')
  const asked = ask()
  await atRest()
  expect(asked.answer).toEqual({
    kind: 'refused',
    sentence: 'The request cannot be written: a file of this name is in the way (EEXIST). Nothing was changed.',
  })
})

test('whoever asked and goes takes the request back at once, unless it was taken up', async () => {
  const { ask, take, passes, left, stop } = await aPlace()
  const gone = new AbortController()
  const asked = ask(resume, gone.signal)
  await passes(100)
  expect(left()).toEqual(['request1.ask'])
  gone.abort()
  await atRest()
  expect([asked.answer, left()]).toEqual([{ kind: 'notTaken', stopped: null }, []])
  const goes = new AbortController()
  const other = ask(resume, goes.signal)
  await passes(100)
  const answers: ((planId: string) => void)[] = []
  const taking = take(() => new Promise((resolve) => answers.push((planId) => resolve(ok(planId)))))
  await passes(300)
  goes.abort()
  await passes(10_000)
  expect(other.answer).toBeNull()
  answers[0]?.('p7')
  await passes(200)
  expect([other.answer, left()]).toEqual([{ kind: 'done', planId: 'p7' }, []])
  stop.abort()
  await isOver(taking)
})

test('what was taken up and is not answered in 45 s may have been done', async () => {
  const { ask, take, passes, left } = await aPlace()
  const asked = ask()
  void take(() => new Promise(() => undefined))
  await passes(44_900)
  expect(asked.answer).toBeNull()
  await passes(200)
  expect([asked.answer, left()]).toEqual([{ kind: 'unknown' }, ['request1.taken']])
})

test('an answer that cannot be read, or says nothing, is never called done', async () => {
  const { ask, at, passes, clock } = await aPlace()
  mkdirSync(at(''), { recursive: true })
  const [damaged, silent, odd] = [ask(), ask(), ask()]
  writeFileSync(at('request1.answer'), 'half an ans')
  writeFileSync(at('request2.answer'), recordLine({ at: clock.wallMs(), planId: null, sentence: null }))
  mkdirSync(at('request3.answer'))
  await passes(200)
  expect([damaged.answer, silent.answer, odd.answer]).toEqual([
    ...[{ kind: 'unknown' }, { kind: 'refused', sentence: 'It was refused.' }, { kind: 'unknown' }],
  ])
})

test('a request counts while whoever asked it may still wait; clocks of two containers may be five seconds apart', async () => {
  const { lies, take, passes, answerOf, stop } = await aPlace()
  lies('old', 20_001)
  lies('last', 20_000)
  lies('ahead', -5_000)
  lies('tomorrow', -5_001)
  const tooOld = { planId: null, sentence: 'The request is too old: nothing was changed. Ask again.' }
  const taking = take()
  await passes(50)
  for (const name of ['old', 'tomorrow']) expect(answerOf(name)).toMatchObject(tooOld)
  for (const name of ['last', 'ahead']) expect(answerOf(name)).toMatchObject({ planId: 'p1', sentence: null })
  stop.abort()
  await isOver(taking)
})

test('a request that cannot be read is answered and not carried out, and what is none is left alone', async () => {
  const { lies, at, take, passes, answerOf, left, stop } = await aPlace()
  lies('newer', 0, { ask: 'dream', planId: 'p1' })
  lies('half', 0)
  writeFileSync(at('half.ask'), readFileSync(at('half.ask')).subarray(0, 30))
  writeFileSync(at('notes'), '')
  const taking = take(() => Promise.reject(new Error('it was carried out')))
  await passes(50)
  for (const name of ['newer', 'half'])
    expect(answerOf(name)).toMatchObject({
      ...{ planId: null, sentence: 'The request cannot be read, or a newer pitdesk wrote it: nothing was changed.' },
    })
  expect(left()).toEqual(['half.answer', 'newer.answer', 'notes'])
  stop.abort()
  await isOver(taking)
})

test('whoever begins clears what one who died left, and answers that nobody fetched for an hour', async () => {
  const { at, take, passes, left, clock, stop } = await aPlace()
  mkdirSync(at(''), { recursive: true })
  const wallS = clock.wallMs() / 1_000
  for (const name of ['a.taken', 'b.gone', 'c.answer', 'd.answer', 'e']) writeFileSync(at(name), '')
  utimesSync(at('c.answer'), wallS - 3_601, wallS - 3_601)
  utimesSync(at('d.answer'), wallS - 3_600, wallS - 3_600)
  utimesSync(at('e'), wallS - 9_999, wallS - 9_999)
  const taking = take()
  await passes(50)
  expect(left()).toEqual(['d.answer', 'e'])
  // Only as it begins: what is there later is somebody's.
  writeFileSync(at('f.gone'), '')
  await passes(600)
  expect(left()).toEqual(['d.answer', 'e', 'f.gone'])
  stop.abort()
  await isOver(taking)
})

test('what keeps requests from being read is told once, again when it comes again, and none is lost', async () => {
  const { ask, place, take, passes, troubles, stop } = await aPlace()
  const said = `Requests about plans in ${place} cannot be read: a file of this name is in the way (EEXIST).`
  writeFileSync(place, '')
  const taking = take()
  await passes(1_000)
  expect(troubles).toEqual([said])
  rmSync(place)
  const asked = ask()
  await passes(500)
  expect(asked.answer).toEqual({ kind: 'done', planId: 'p1' })
  rmSync(place, { recursive: true })
  writeFileSync(place, '')
  await passes(1_000)
  expect(troubles).toEqual([said, null, said])
  stop.abort()
  await isOver(taking)
})

test('a request that the disk does not give out is told, and neither answered nor carried out', async () => {
  const { lies, at, place, take, passes, left, troubles, stop } = await aPlace()
  const taking = take(() => Promise.reject(new Error('it was carried out')))
  await passes(50)
  lies('a', 0)
  mkdirSync(at('a.taken/in the way'), { recursive: true })
  await passes(600)
  expect([left(), troubles]).toEqual([
    ['a.ask', 'a.taken'],
    [`Requests about plans in ${place} cannot be read: a folder is in the place of a file (EISDIR).`],
  ])
  stop.abort()
  await isOver(taking)
})

test('what can be neither taken up nor cleared away holds up no request behind it', async () => {
  const { ask, at, lies, place, take, passes, troubles, stop } = await aPlace()
  lies('a', 0)
  mkdirSync(at('a.taken/in the way'), { recursive: true })
  const taking = take()
  await passes(50)
  const asked = ask()
  await passes(600)
  expect(asked.answer).toEqual({ kind: 'done', planId: 'p1' })
  expect(troubles[0]).toMatch(`Requests about plans in ${place} cannot be read: `)
  stop.abort()
  await isOver(taking)
})

test('a pipe in the place of a request holds nothing up: it is told, and the next request is carried out', async () => {
  const { ask, at, place, take, passes, troubles, stop } = await aPlace()
  mkdirSync(place, { recursive: true })
  execFileSync('mkfifo', [at('a.ask')])
  const taking = take()
  await passes(50)
  const asked = ask()
  await passes(600)
  expect(asked.answer).toEqual({ kind: 'done', planId: 'p1' })
  expect(troubles).toEqual([`Requests about plans in ${place} cannot be read: not a plain file (EFTYPE).`, null])
  stop.abort()
  await isOver(taking)
})

test('names are read again at once when the folder changes, and every three seconds where its date says nothing', async () => {
  const { clock, ask, at, place, take, passes, troubles, stop } = await aPlace()
  const taking = take()
  await passes(5_000)
  const asked = ask()
  await passes(500)
  expect(asked.answer).toEqual({ kind: 'done', planId: 'p1' })
  // As where dates come late from another machine: the folder seems to be as it was.
  const date = new Date(clock.wallMs())
  utimesSync(place, date, date)
  await passes(5_000)
  writeFileSync(at('late.ask'), 'no request')
  utimesSync(place, date, date)
  await passes(3_000)
  expect([existsSync(at('late.answer')), troubles]).toEqual([true, []])
  stop.abort()
  await isOver(taking)
})

test('that the owner is HALTED is seen while it is, and is not believed of another process or after its end', async () => {
  const { folder, take, passes, mode, stop } = await aPlace()
  const seen = () => isOwnerHalted(folder)
  // As a kill leaves it.
  writeFileSync(join(folder, 'plans-halted'), `${process.pid}\n`)
  const taking = take()
  await passes(300)
  expect(seen()).toBe(false)
  mode.isHalted = true
  await passes(300)
  expect(seen()).toBe(true)
  writeFileSync(join(folder, 'plans-owner'), '1\n')
  expect(seen()).toBe(false)
  writeFileSync(join(folder, 'plans-owner'), `${process.pid}\n`)
  mode.isHalted = false
  await passes(300)
  expect(seen()).toBe(false)
  mode.isHalted = true
  await passes(300)
  stop.abort()
  await isOver(taking)
  expect(readdirSync(folder).filter((name) => /^plans-(owner|halted)$/.test(name))).toEqual([])
})

test('one who ends takes nothing more up', async () => {
  const { lies, take, left, stop } = await aPlace()
  lies('first', 0)
  lies('second', 0)
  const taking = take((asked) => {
    stop.abort()
    return Promise.resolve(ok(asked.ask))
  })
  await isOver(taking)
  expect(left()).toEqual(['first.answer', 'second.ask'])
  await isOver(take())
  expect(left()).toEqual(['first.answer', 'second.ask'])
})
