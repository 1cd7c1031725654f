import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atRest } from '../../fakes/at-rest.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { aFolder } from '../../journal/scene.ts'
import { startMs } from '../reconciliation/scene.ts'
import { aWithdrawalMachine, contentOf, letPass, type Mishap } from './withdrawal-machine.ts'

type Machine = ReturnType<typeof aWithdrawalMachine>
type Desk = Awaited<ReturnType<Machine['startDesk']>>

const dayMs = 86_400_000
const stateOf = (desk: Desk, draftId = 'd1') => desk.drafts().find((draft) => draft.draftId === draftId)?.state.kind

/** A desk that prepares a withdrawal and dies while it sends it, as -9 leaves it; the request has left, or not. */
async function dieSending(folder: string, clock: FakeClock, mishap: Mishap): Promise<Machine> {
  const machine = aWithdrawalMachine(folder, clock)
  const desk = await machine.startDesk()
  await letPass(clock, desk.queue.save('d1', contentOf(0, 0)))
  desk.life.mishap = mishap
  const died = new Promise((resolve) => Object.assign(desk.life, { died: () => resolve('dead') }))
  await letPass(clock, desk.queue.send('d1', []), died)
  await desk.kill()
  return machine
}

/** Lets a desk look for what it does not know the outcome of. */
async function lookFor(desk: Desk, clock: FakeClock, beats: number): Promise<void> {
  for (let beat = 0; beat < beats && desk.journal.open().length > 0; beat += 1) {
    await clock.paused()
    await Promise.all(desk.beside)
    await atRest()
    await clock.advance(500)
  }
  await letPass(clock, desk.queue.takeUp())
}

const answered: Mishap = { place: 'call', kind: 'diesAfter' }
const unsent: Mishap = { place: 'begin', kind: 'diesBefore' }

/** Where the journal keeps what is not in use: the files of a desk that was killed lie beside its lock. */
const journalFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.jsonl'))

function damageBegin(folder: string): void {
  for (const name of journalFiles(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(folder, name), text.replace('"record":"begin"', '"record":"begjn"'))
  }
}

test('a draft made with a clock days ahead is known to have left once the clock is right again', async () => {
  const folder = aFolder()
  const ahead = await dieSending(folder, new FakeClock(startMs + 3 * dayMs), answered)
  expect(ahead.venue.withdrawals.length).toBe(1)
  const clock = new FakeClock(startMs)
  const machine = aWithdrawalMachine(folder, clock)
  // The exchange's own clock was right all the time.
  machine.venue.withdrawals = ahead.venue.withdrawals.map((each) => ({ ...each, timestampMs: startMs - 60_000 }))
  const desk = await machine.startDesk()
  await letPass(clock, desk.queue.send('d1', []))
  await lookFor(desk, clock, 40)
  expect([stateOf(desk), machine.venue.withdrawals.length]).toEqual(['sent', 1])
  await desk.kill()
})

test('a damaged beginning makes a draft that was being sent unknown: it is looked for, found, and not sent again', async () => {
  const folder = aFolder()
  const clock = new FakeClock(startMs)
  const machine = await dieSending(folder, clock, answered)
  damageBegin(folder)
  const desk = await machine.startDesk()
  // It may have been found by now.
  expect(['unknown', 'sent']).toContain(stateOf(desk))
  const [entry] = (await desk.journal.find({ kind: 'draft', id: 'd1' })).entries
  expect(entry?.outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('damaged') })
  await letPass(clock, desk.queue.send('d1', []))
  await lookFor(desk, clock, 40)
  expect([stateOf(desk), machine.venue.withdrawals.length]).toEqual(['sent', 1])
  await desk.kill()
})

test('where nothing of it is found either, a person decides, and another draft may go meanwhile', async () => {
  const folder = aFolder()
  const clock = new FakeClock(startMs)
  const machine = await dieSending(folder, clock, unsent)
  writeFileSync(join(folder, 'other.0001.jsonl'), '{"at":"2026-01-05T14:00:00.000Z","record":"begin","id":"x"}\n')
  const desk = await machine.startDesk()
  expect(stateOf(desk)).toBe('unknown')
  await letPass(clock, desk.queue.save('d2', contentOf(1, 0)))
  await letPass(clock, desk.queue.send('d2', []))
  expect(stateOf(desk, 'd2')).toBe('sent')
  await lookFor(desk, clock, 200)
  // The person of this machine believes the evidence.
  expect(stateOf(desk)).toBe('refused')
  expect(machine.venue.withdrawals.length).toBe(1)
  await desk.kill()
})

test('with the journal whole, a draft that never got so far as to leave is a draft again', async () => {
  const folder = aFolder()
  const clock = new FakeClock(startMs)
  const machine = await dieSending(folder, clock, unsent)
  const desk = await machine.startDesk()
  expect(stateOf(desk)).toBe('draft')
  await letPass(clock, desk.queue.send('d1', []))
  expect([stateOf(desk), machine.venue.withdrawals.length]).toEqual(['sent', 1])
  await desk.kill()
})

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['emptied', (path: string) => writeFileSync(path, '')],
  ['cut after a line', (path: string) => writeFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0]}\n`)],
])('a journal that was %s proves nothing: the draft is looked for', async (_how, lose) => {
  const folder = aFolder()
  const clock = new FakeClock(startMs)
  const machine = await dieSending(folder, clock, answered)
  for (const name of journalFiles(folder)) lose(join(folder, name))
  const desk = await machine.startDesk()
  expect(['unknown', 'sent']).toContain(stateOf(desk))
  await lookFor(desk, clock, 40)
  expect([stateOf(desk), machine.venue.withdrawals.length]).toEqual(['sent', 1])
  await desk.kill()
})

test('drafts from a backup, of before one was sent, are put right by a journal of any age', async () => {
  const folder = aFolder()
  const clock = new FakeClock(startMs)
  const machine = aWithdrawalMachine(folder, clock)
  const first = await machine.startDesk()
  await letPass(clock, first.queue.save('d1', contentOf(0, 0)))
  const backup = `${folder}-backup`
  mkdirSync(backup)
  cpSync(join(folder, 'drafts.json'), join(backup, 'drafts.json'))
  await letPass(clock, first.queue.send('d1', []))
  await first.kill()
  cpSync(join(backup, 'drafts.json'), join(folder, 'drafts.json'))
  const later = new FakeClock(startMs + 400 * dayMs)
  const after = aWithdrawalMachine(folder, later)
  const desk = await after.startDesk()
  expect(stateOf(desk)).toBe('sent')
  await letPass(later, desk.queue.send('d1', []))
  expect(after.venue.withdrawals).toEqual([])
  await desk.kill()
})
