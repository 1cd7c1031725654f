import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepDuties, lookMs } from '../../../src/desk/duties/duties.ts'
import { claimWatch, dutyPlace, seeWatch } from '../../../src/desk/duties/duty-place.ts'
import type { DutyRole, WatchStatus } from '../../../src/domain/desk/duties.ts'
import { takeLock } from '../../../src/journal/locks.ts'
import { beatNote } from '../../../src/journal/pid-note.ts'
import { createWatchFile } from '../../../src/state-files/watch-file.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

const status: WatchStatus = {
  ...{ pid: 4711, sinceMs: 1_000, beatMs: 2_000, hasDuties: true, does: ['alerts'], troubles: [] },
  isExchangeSilent: false,
  unsaid: 0,
}

/** A desk's duties in a folder that others look at too. */
function aDesk(folder: string, role: DutyRole = 'console', { isMonitor = false } = {}) {
  const clock = new FakeClock(0)
  const stop = new AbortController()
  const store = createDeskStore(deskState({ log: [] }))
  const place = dutyPlace({ folder, profileName: 'main' })
  const asked: (string | null)[] = []
  const duties = keepDuties(
    {
      ...{ role, dutyPlace: place, isMonitor, clock },
      blind: { afterMs: 60_000, symbols: 'all' },
    },
    {
      ...{ store, signal: stop.signal, plans: null, track: () => undefined },
      orders: {
        cancelAll(symbol) {
          asked.push(symbol)
          return Promise.resolve({ kind: 'canceled', symbol, tally: { before: 0, canceled: 0, otherwise: [] } })
        },
      },
    },
  )
  const running = duties.run()
  return {
    ...{ duties, clock, asked, place },
    said: () => store.getState().log.map(({ text }) => text),
    state: () => store.getState().duties,
    async looks() {
      await clock.advance(lookMs)
    },
    async end() {
      stop.abort()
      await running
    },
  }
}

test('the first desk has the duties, a second one takes them once the first has ended', async () => {
  const folder = temporaryFolder('duties')
  const [first, second] = [aDesk(folder), aDesk(folder)]
  await eventually(() => expect(first.state().where).toBe('here'))
  await eventually(() => expect(second.state().where).toBe('elsewhere'))
  expect([first.duties.isHere(), second.duties.isHere()]).toEqual([true, false])
  await first.end()
  await second.looks()
  await eventually(() => expect(second.duties.isHere()).toBe(true))
  expect(second.said()).toEqual(['This desk has the duties now.'])
  await second.end()
  const free = takeLock(first.place.duties.lock)
  expect(free.ok && free.value !== null).toBe(true)
  if (free.ok) free.value?.release()
})

test('a lock of the duties that the disk refuses is named, and no other process is said to have them', async () => {
  const folder = temporaryFolder('duties')
  const place = dutyPlace({ folder, profileName: 'main' })
  mkdirSync(place.duties.lock)
  const desk = aDesk(folder)
  const what = 'This desk cannot run plans, notifications or canceling after an outage'
  const sentence = `${what}: ${place.duties.lock}: not a plain file (EFTYPE).`
  await eventually(() => expect(desk.said()).toEqual([sentence]))
  expect(desk.duties.trouble()).toBe(sentence)
  rmSync(place.duties.lock, { recursive: true })
  await desk.looks()
  await eventually(() => expect([desk.duties.isHere(), desk.duties.trouble()]).toEqual([true, null]))
  await desk.end()
})

test('a desk that is stopped leaves its duties to another one, and takes none while it is', async () => {
  const folder = temporaryFolder('duties')
  const [first, second] = [aDesk(folder), aDesk(folder)]
  await eventually(() => expect(first.state().where).toBe('here'))
  await eventually(() => expect(second.state().where).toBe('elsewhere'))
  await first.duties.rest()
  await first.looks()
  expect(first.duties.isHere()).toBe(false)
  await second.looks()
  await eventually(() => expect(second.duties.isHere()).toBe(true))
  await first.duties.wake()
  expect(first.state().where).toBe('elsewhere')
  await second.end()
  await first.looks()
  await eventually(() => expect(first.duties.isHere()).toBe(true))
  // Nobody has taken them: it has them again before anything else is done, and says nothing.
  const before = first.said()
  await first.duties.rest()
  await first.duties.wake()
  expect([first.duties.isHere(), first.said()]).toEqual([true, before])
  await first.duties.rest()
  await first.end()
  await first.duties.wake()
  expect(first.duties.isHere()).toBe(false)
})

test('a desk with the duties that does not move is told of by the others, and so is that it moves again', async () => {
  const folder = temporaryFolder('duties')
  const [first, second] = [aDesk(folder), aDesk(folder)]
  await eventually(() => expect(first.state().where).toBe('here'))
  await eventually(() => expect(second.state().where).toBe('elsewhere'))
  expect(second.state().silent).toBeNull()
  // As after a SIGSTOP: the clock of the first one stands still.
  second.clock.standStill(30_000)
  for (let look = 0; look < 5; look += 1) await second.looks()
  await eventually(() => expect(second.state().silent).toEqual({ pid: process.pid, beatMs: first.clock.wallMs() }))
  expect(second.said()).toEqual([
    `The desk with the duties (pid ${process.pid}) is stopped or stuck: plans, notifications and canceling after an ` +
      `outage stand still. Let it go on (fg, or kill -CONT ${process.pid}), or end it (kill -9 ${process.pid}): another ` +
      'desk has its duties then.',
  ])
  first.clock.standStill(40_000)
  await first.looks()
  await second.looks()
  await eventually(() => expect(second.state().silent).toBeNull())
  expect(second.said().at(-1)).toBe(`The desk with the duties (pid ${process.pid}) moves again.`)
  await first.end()
  await second.looks()
  await eventually(() => expect(second.state()).toMatchObject({ where: 'here', silent: null }))
  await second.end()
})

test('after a sleep of the whole machine no desk takes another one for stopped', async () => {
  const folder = temporaryFolder('duties')
  const [first, second] = [aDesk(folder), aDesk(folder)]
  await eventually(() => expect(first.state().where).toBe('here'))
  await eventually(() => expect(second.state().where).toBe('elsewhere'))
  for (const desk of [second, first]) {
    desk.clock.standStill(3_600_000)
    await desk.looks()
  }
  await second.looks()
  expect([second.state().silent, second.said()]).toEqual([null, []])
  await first.end()
  await second.end()
})

test('a desk with the duties knows which desk gets them next, unless that one does not move', async () => {
  const folder = temporaryFolder('duties')
  const first = aDesk(folder)
  await eventually(() => expect(first.state().where).toBe('here'))
  expect(first.state().heirPid).toBeNull()
  const second = aDesk(folder)
  await eventually(() => expect(second.state().where).toBe('elsewhere'))
  await first.looks()
  await eventually(() => expect(first.state().heirPid).toBe(process.pid))
  first.clock.standStill(30_000)
  await first.looks()
  await eventually(() => expect(first.state().heirPid).toBeNull())
  await second.end()
  await first.end()
})

test('a MONITOR desk leaves the duties to a desk that may send, and has them while there is none', async () => {
  const folder = temporaryFolder('duties')
  const monitor = aDesk(folder, 'console', { isMonitor: true })
  await eventually(() => expect(monitor.state().where).toBe('here'))
  const desk = aDesk(folder)
  await eventually(() => expect(desk.state().where).toBe('elsewhere'))
  await monitor.looks()
  await eventually(() => expect(monitor.state().where).toBe('elsewhere'))
  await monitor.looks()
  expect(monitor.duties.isHere()).toBe(false)
  await desk.looks()
  await eventually(() => expect(desk.duties.isHere()).toBe(true))
  expect(monitor.said()).toEqual(['Another desk of this profile may send: it has the duties now.'])
  await desk.end()
  await monitor.looks()
  await eventually(() => expect(monitor.duties.isHere()).toBe(true))
  await monitor.end()
})

test('a console hands its duties to a watch that begins, and has them again when that is gone', async () => {
  const folder = temporaryFolder('duties')
  const desk = aDesk(folder)
  await eventually(() => expect(desk.duties.isHere()).toBe(true))
  const claim = claimWatch(desk.place)
  if (!claim.ok || claim.value === null) throw new Error('not claimed')
  await createWatchFile(desk.place.statusFile).write(status)
  await desk.looks()
  await eventually(() => expect(desk.state()).toMatchObject({ where: 'elsewhere', watch: { pid: 4711 } }))
  const watch = aDesk(folder, 'watch')
  await eventually(() => expect(watch.duties.isHere()).toBe(true))
  await watch.end()
  claim.value.release()
  await desk.looks()
  await eventually(() => expect(desk.state()).toMatchObject({ where: 'here', watch: null }))
  expect(desk.said()).toEqual([
    'A watch (pid 4711) has begun: it has the duties of this desk now.',
    'The watch has ended: this desk has its duties now.',
  ])
  await desk.end()
})

test('a desk that may send keeps its duties beside a MONITOR watch, and gets them from one that was there first', async () => {
  const folder = temporaryFolder('duties')
  const place = dutyPlace({ folder, profileName: 'main' })
  const claim = claimWatch(place)
  if (!claim.ok || claim.value === null) throw new Error('not claimed')
  await createWatchFile(place.statusFile).write({ ...status, isMonitor: true })
  const watch = aDesk(folder, 'watch', { isMonitor: true })
  await eventually(() => expect(watch.duties.isHere()).toBe(true))
  const desk = aDesk(folder)
  await eventually(() => expect(desk.state().where).toBe('elsewhere'))
  await watch.looks()
  await eventually(() => expect(watch.state().where).toBe('elsewhere'))
  await desk.looks()
  await eventually(() => expect(desk.state()).toMatchObject({ where: 'here', watch: null }))
  await watch.looks()
  await desk.looks()
  expect([watch.duties.isHere(), desk.duties.isHere()]).toEqual([false, true])
  expect(watch.said().at(-1)).toBe('Another desk of this profile may send: it has the duties now.')
  expect(desk.said()).toEqual(['This desk has the duties now.'])
  const monitor = aDesk(folder, 'console', { isMonitor: true })
  await eventually(() => expect(monitor.state().watch?.pid).toBe(4711))
  await monitor.end()
  await desk.end()
  await watch.looks()
  await eventually(() => expect(watch.duties.isHere()).toBe(true))
  await watch.end()
  claim.value.release()
})

test('a watch whose lock cannot be seen for a while is still there, and is not said to stand still', async () => {
  const folder = temporaryFolder('duties')
  const desk = aDesk(folder)
  const { watchLock, statusFile } = desk.place
  const watch = claimWatch(desk.place)
  expect(watch.ok && watch.value !== null).toBe(true)
  await createWatchFile(statusFile).write(status)
  await desk.looks()
  await eventually(() => expect(desk.state()).toMatchObject({ where: 'elsewhere', watch: { pid: 4711 } }))
  const before = desk.said()
  renameSync(watchLock, `${watchLock}.aside`)
  mkdirSync(watchLock)
  desk.clock.standStill(60_000)
  for (let look = 0; look < 5; look += 1) await desk.looks()
  await eventually(() => expect(desk.state().watch).toEqual({ ...status, isUnseen: true }))
  expect([desk.duties.isHere(), desk.state().silent, desk.said()]).toEqual([false, null, before])
  rmSync(watchLock, { recursive: true })
  renameSync(`${watchLock}.aside`, watchLock)
  if (watch.ok) watch.value?.release()
  await desk.looks()
  await eventually(() => expect(desk.duties.isHere()).toBe(true))
  expect(desk.said().at(-1)).toBe('The watch has ended: this desk has its duties now.')
  await desk.end()
})

test('a watch that begins is not taken for the one before it, whatever that one left behind', async () => {
  const folder = temporaryFolder('duties')
  const desk = aDesk(folder)
  await eventually(() => expect(desk.duties.isHere()).toBe(true))
  await createWatchFile(desk.place.statusFile).write(status)
  const claim = claimWatch(desk.place)
  if (!claim.ok || claim.value === null) throw new Error('not claimed')
  // It may still ask for a passphrase, or only watch: until it has said which it is, plans would stand still.
  await desk.looks()
  await desk.looks()
  expect(desk.state()).toMatchObject({ where: 'here', watch: null })
  await createWatchFile(desk.place.statusFile).write({ ...status, pid: 4712 })
  await desk.looks()
  await eventually(() => expect(desk.state()).toMatchObject({ where: 'elsewhere', watch: { pid: 4712 } }))
  expect(desk.said()).toEqual(['A watch (pid 4712) has begun: it has the duties of this desk now.'])
  claim.value.release()
  await desk.end()
})

const nobody = { ok: true, value: null }
const seen = (said: WatchStatus, writtenMs: number) => ({ ok: true, value: { status: said, writtenMs } })

test('a place that cannot be looked into is named, and is not one without a watch', async () => {
  const folder = join(temporaryFolder('duties'), 'circle')
  symlinkSync('circle', folder)
  const place = dutyPlace({ folder, profileName: 'main' })
  const circle = 'links that lead in a circle (ELOOP)'
  expect(await seeWatch(place)).toEqual({ ok: false, error: `${folder}/watch-main.lock: ${circle}` })
  expect(claimWatch(place)).toEqual({ ok: false, error: expect.stringContaining(`${folder} cannot be made: `) })
  const other = dutyPlace({ folder: temporaryFolder('duties'), profileName: 'main' })
  mkdirSync(other.watchLock)
  const wrong = { ok: false, error: `${other.watchLock}: not a plain file (EFTYPE)` }
  expect([await seeWatch(other), claimWatch(other)]).toEqual([wrong, wrong])
})

test('one watch runs in a place: a second one is refused, and sees what the first said of itself', async () => {
  const place = dutyPlace({ folder: join(temporaryFolder('duties'), 'made'), profileName: 'main' })
  expect(await seeWatch(place)).toEqual(nobody)
  const first = claimWatch(place)
  expect(first.ok && first.value !== null).toBe(true)
  await createWatchFile(place.statusFile).write(status)
  expect(claimWatch(place)).toEqual({ ok: true, value: null })
  expect(await seeWatch(place)).toEqual(seen(status, status.beatMs))
  // On a full disk no status is written, and yet the watch moves, as the note of the duties says.
  const movedMs = status.beatMs + 60_000
  beatNote(place.duties.note, movedMs)
  const own = { ...status, pid: process.pid }
  await createWatchFile(place.statusFile).write(own)
  expect(await seeWatch(place)).toEqual(seen({ ...own, beatMs: movedMs }, status.beatMs))
  await createWatchFile(place.statusFile).write(status)
  expect(await seeWatch(place)).toEqual(seen(status, status.beatMs))
  if (first.ok) first.value?.release()
  expect(await seeWatch(place)).toEqual(nobody)
  // Another profile, or another account, is another place.
  expect(dutyPlace({ folder: '/a', profileName: 'main' }).watchLock).not.toBe(
    dutyPlace({ folder: '/a', profileName: 'other' }).watchLock,
  )
})

test('only the desk on duty takes orders back after an outage', async () => {
  const folder = temporaryFolder('duties')
  const [first, second] = [aDesk(folder), aDesk(folder)]
  await eventually(() => expect(first.duties.isHere()).toBe(true))
  await eventually(() => expect(second.state().where).toBe('elsewhere'))
  for (const desk of [first, second]) {
    desk.duties.observe({ type: 'orders' })
    desk.clock.standStill(61_000)
    // A failure is no answer.
    desk.duties.observe({ type: 'feedFailed' })
    expect(desk.asked).toEqual([])
    desk.duties.observe({ type: 'tickers' })
  }
  expect([first.asked, second.asked]).toEqual([[null], []])
  await first.end()
  await second.end()
})
