import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { newWorker, openSqliteWorkerStore } from '../../../src/inbox/store/sqlite-worker-store.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { describeForwarding } from './forward-suite.ts'
import { describeStore, incoming } from './store-suite.ts'

const folders: string[] = []
const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-inbox-'))
  folders.push(folder)
  return join(folder, 'data', 'inbox.sqlite')
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const placeOf = (open: (path: string) => Promise<EventStore>) => async () => {
  const path = newPath()
  return {
    open: () => open(path),
    remove: async () => rmSync(join(path, '../..'), { recursive: true, force: true }),
  }
}
const inFile = placeOf(async (path) => openSqliteStore({ path, clock: systemClock }))
const inThread = placeOf((path) => openSqliteWorkerStore({ path, clock: systemClock }))

describeStore('events in SQLite', inFile)
describeStore('events in SQLite, in a thread of its own', inThread)
describeForwarding('handing on in SQLite', inFile)
describeForwarding('handing on in SQLite, in a thread of its own', inThread)

test('what is committed is synced, and the file is for its owner alone', async () => {
  const path = newPath()
  const store = openSqliteStore({ path, clock: new FakeClock() })
  await store.record([incoming('e1')])
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  await store.close()
})

test('a failing disk leaves nothing of a batch, and the store goes on once there is room', async () => {
  const path = newPath()
  const store = openSqliteStore({ path, clock: new FakeClock() })
  await store.record([incoming('before')])
  // Another writer that does not come to an end stands for every reason not to get at the disk.
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await expect(store.record([incoming('e1'), incoming('e2')])).rejects.toThrow('locked')
  other.exec('ROLLBACK')
  // A file that may grow no further is a full disk.
  other.exec(
    "CREATE TRIGGER full BEFORE INSERT ON events WHEN new.event_id = 'e2' BEGIN SELECT raise(ABORT, 'disk is full'); END",
  )
  await expect(store.record([incoming('e1'), incoming('e2')])).rejects.toThrow('disk is full')
  expect(await store.event('e1')).toBeNull()
  expect(await store.counts()).toMatchObject({ events: 1 })
  other.exec('DROP TRIGGER full')
  expect(await store.record([incoming('e1'), incoming('e2')])).toEqual(['new', 'new'])
  other.close()
  await store.close()
})

/** What a file holds, as a later start would find it. */
async function heldIn(path: string): Promise<string[]> {
  const store = openSqliteStore({ path, clock: new FakeClock() })
  const ids = (await store.events({ after: 0, count: 100 })).map(({ eventId }) => eventId)
  await store.close()
  return ids
}
const rescuedIn = (path: string): string[] =>
  readdirSync(join(path, '..')).flatMap((name) => (name.includes('.rescued-') ? [join(path, '..', name)] : []))

const openers: [string, (path: string) => Promise<EventStore>][] = [
  ['of this thread', async (path) => openSqliteStore({ path, clock: systemClock })],
  ['apart', (path) => openSqliteWorkerStore({ path, clock: systemClock })],
]

describe.each(openers)('a store %s whose file is taken away while it is open', (_, open) => {
  test.each<[string, (path: string) => void]>([
    ['removed', (path) => rmSync(path)],
    ['removed with its log', (path) => removeAll(path)],
    ['removed with its folder', (path) => rmSync(join(path, '..'), { recursive: true })],
    ['replaced by another inbox', (path) => putAnother(path)],
    ['replaced by a copy of itself', (path) => putCopy(path)],
  ])('%s: nothing is said to be kept in a file that nobody finds, and what was kept is saved', async (__, takeAway) => {
    const path = newPath()
    const store = await open(path)
    await store.record([incoming('e1'), incoming('e2')])
    takeAway(path)
    const sentence =
      /ALARM the inbox file .* was removed or replaced while it is open\. What it held is in (.*)\. Nothing is taken/
    await expect(store.record([incoming('e3')])).rejects.toThrow(sentence)
    await expect(store.record([incoming('e4')])).rejects.toThrow(sentence)
    await expect(store.forgetBefore(5_000)).rejects.toThrow(sentence)
    const [saved = '', ...more] = rescuedIn(path)
    expect(more).toEqual([])
    expect(statSync(saved).mode & 0o777).toBe(0o600)
    // What is read goes on, so that it is forwarded.
    expect(await store.event('e1')).toMatchObject({ eventId: 'e1' })
    const id = await store.identity()
    await store.close()
    expect((await heldIn(saved)).slice(0, 2)).toEqual(['e1', 'e2'])
    const again = openSqliteStore({ path: saved, clock: new FakeClock() })
    expect(await again.identity()).toBe(id)
    await again.close()
  })

  test('moved away and back again: it goes on', async () => {
    const path = newPath()
    const store = await open(path)
    await store.record([incoming('e1')])
    const names = ['', '-wal', '-shm']
    for (const name of names) renameSync(`${path}${name}`, `${path}.away${name}`)
    await expect(store.record([incoming('e2')])).rejects.toThrow('ALARM')
    for (const name of names) renameSync(`${path}.away${name}`, `${path}${name}`)
    expect(await store.record([incoming('e2')])).toEqual(['new'])
    await store.close()
    expect(await heldIn(path)).toEqual(['e1', 'e2'])
  })

  test.each([['-wal'], ['-shm'], ['-wal', '-shm']])(
    'its log removed (%s %s): what it held is in the file, and after one refusal it goes on',
    async (...names) => {
      const path = newPath()
      const store = await open(path)
      await store.record([incoming('e1'), incoming('e2')])
      for (const name of names) rmSync(`${path}${name}`)
      await expect(store.record([incoming('e3')])).rejects.toThrow('ALARM the log of the inbox file')
      expect(await store.record([incoming('e3'), incoming('e4')])).toEqual(['new', 'new'])
      // As after a loss of power: nothing is closed.
      const copy = `${path}.copy`
      for (const name of ['', '-wal']) copyFileSync(`${path}${name}`, `${copy}${name}`)
      expect(await heldIn(copy)).toEqual(['e1', 'e2', 'e3', 'e4'])
      expect(rescuedIn(path)).toEqual([])
      await store.close()
      expect(await heldIn(path)).toEqual(['e1', 'e2', 'e3', 'e4'])
    },
  )
})

function removeAll(path: string): void {
  for (const name of ['', '-wal', '-shm']) rmSync(`${path}${name}`, { force: true })
}
function putAnother(path: string): void {
  const other = newPath()
  openSqliteStore({ path: other, clock: new FakeClock() }).close()
  renameSync(other, path)
}
function putCopy(path: string): void {
  copyFileSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
}

test('a store apart says which file it cannot open, and what a failing disk said', async () => {
  const path = newPath()
  await expect(openSqliteWorkerStore({ path: join(path, '..', '..'), clock: systemClock })).rejects.toThrow(
    'The inbox cannot be opened at ',
  )
  const store = await openSqliteWorkerStore({ path, clock: systemClock })
  const other = new DatabaseSync(path)
  other.exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'disk is full'); END")
  await expect(store.record([incoming('e1')])).rejects.toThrow('disk is full')
  other.exec('DROP TRIGGER full')
  other.close()
  expect(await store.record([incoming('e1')])).toEqual(['new'])
  await store.close()
  await expect(store.counts()).rejects.toThrow('closed')
})

test('when the thread of a store ends by itself, who waits is told so, and the next call finds another', async () => {
  const workers: ReturnType<typeof newWorker>[] = []
  const startWorker = (path: string) => {
    const worker = newWorker(path)
    workers.push(worker)
    return worker
  }
  const store = await openSqliteWorkerStore({ path: newPath(), clock: systemClock, startWorker })
  let told = 0
  store.listen(() => {
    told += 1
  })
  expect(await store.record([incoming('e1')])).toEqual(['new'])
  const asked = store.record([incoming('e2')])
  const ended = workers[0]?.terminate()
  // It may have been on the disk already: what matters is that it is not left without an answer.
  const outcome = await asked.catch((error: Error) => error.message)
  expect(['the thread that keeps the events has ended', ['new']]).toContainEqual(outcome)
  await ended
  const before = told
  expect(await store.record([incoming('e1'), incoming('e3')])).toEqual(['known', 'new'])
  expect(await store.event('e3')).toMatchObject({ eventId: 'e3' })
  expect(workers).toHaveLength(2)
  await eventually(() => expect(told).toBeGreaterThan(before))
  await store.close()
})

test('a close waits no longer than it may for a thread that its disk holds', async () => {
  const workers: ReturnType<typeof newWorker>[] = []
  const startWorker = (path: string) => {
    const worker = newWorker(path)
    workers.push(worker)
    return worker
  }
  const overdue = { sleep: () => Promise.resolve() }
  const store = await openSqliteWorkerStore({ path: newPath(), clock: overdue, startWorker })
  const [worker] = workers
  const post = worker?.postMessage.bind(worker)
  // What is held hears of nothing.
  if (worker !== undefined) worker.postMessage = () => undefined
  await store.close()
  post?.({ kind: 'close' })
  await worker?.terminate()
})

test('a thread that the system refuses once is asked for again by the next call', async () => {
  let mayStart = true
  const workers: ReturnType<typeof newWorker>[] = []
  const startWorker = (path: string) => {
    if (!mayStart) throw new Error('EAGAIN')
    const worker = newWorker(path)
    workers.push(worker)
    return worker
  }
  const store = await openSqliteWorkerStore({ path: newPath(), clock: systemClock, startWorker })
  await workers[0]?.terminate()
  mayStart = false
  await expect(store.record([incoming('e1')])).rejects.toThrow('EAGAIN')
  mayStart = true
  expect(await store.record([incoming('e1')])).toEqual(['new'])
  await store.close()
})

test('what another process writes is noticed within a quarter of a second, and looking ends with the last listener', async () => {
  const path = newPath()
  const clock = new FakeClock()
  const store = openSqliteStore({ path, clock })
  const other = openSqliteStore({ path, clock })
  let told = 0
  const unlisten = store.listen(() => told++)
  await clock.advance(1_000)
  expect(told).toBe(0)
  await other.record([incoming('e1')])
  await clock.advance(250)
  expect(told).toBe(1)
  await store.record([incoming('e2')])
  expect(told).toBe(2)
  unlisten()
  await other.record([incoming('e3')])
  await clock.advance(1_000)
  expect(told).toBe(2)
  expect(clock.sleeperCount).toBe(0)
  await Promise.all([store.close(), other.close()])
})

test('numbers are not given twice, even when everything was forgotten', async () => {
  const store = openSqliteStore({ path: newPath(), clock: new FakeClock() })
  await store.record(Array.from({ length: 1_201 }, (_, index) => incoming(`e${index}`)))
  expect(await store.forgetBefore(5_000)).toBe(1_201)
  expect(await store.counts()).toEqual({ events: 0, copies: 0, conflicts: 0, quarantined: 0 })
  await store.record([incoming('next', { receivedAtMs: 5_000 })])
  expect((await store.events({ after: 0, count: 5 })).map(({ sequence }) => sequence)).toEqual([1_202])
  await store.close()
})

test('a file of this version is opened without a write, and without its identity it gets one', async () => {
  const path = newPath()
  const open = () => openSqliteStore({ path, clock: new FakeClock() })
  const first = open()
  const other = new DatabaseSync(path)
  // The number changes with each commit of somebody else.
  const commits = () => other.prepare('PRAGMA data_version').get()?.data_version
  const [before, identity] = [commits(), await first.identity()]
  const second = open()
  expect(commits()).toBe(before)
  await second.close()
  other.exec('DELETE FROM store_identity')
  const third = open()
  expect(commits()).not.toBe(before)
  expect(await third.identity()).not.toBe(identity)
  await third.close()
  other.close()
  await first.close()
})

test('a file that is something else, or of a newer version, is told by its name', async () => {
  const path = newPath()
  await openSqliteStore({ path, clock: new FakeClock() }).close()
  const newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  expect(() => openSqliteStore({ path, clock: new FakeClock() })).toThrow(
    `${path}: the inbox was made by a newer version`,
  )
  writeFileSync(path, 'a text that is no database, and long enough to be taken for one by its size'.repeat(20))
  expect(() => openSqliteStore({ path, clock: new FakeClock() })).toThrow(`cannot be opened at ${path}`)
})

test('a file that cannot be opened anew is refused until it can, and who listens is told again then', async () => {
  const path = newPath()
  const clock = new FakeClock()
  const store = openSqliteStore({ path, clock })
  await store.record([incoming('e1')])
  let told = 0
  store.listen(() => {
    told += 1
  })
  let own: number | undefined
  const setVersion = (version: number) => {
    const other = new DatabaseSync(path)
    own ??= Number(other.prepare('PRAGMA user_version').get()?.user_version)
    other.exec(`PRAGMA user_version = ${version}`)
    other.close()
  }
  // A newer program's file stands for every reason not to open it.
  setVersion(99)
  rmSync(`${path}-wal`)
  for (const id of ['e2', 'e3']) await expect(store.record([incoming(id)])).rejects.toThrow('newer version')
  await clock.advance(2_000)
  setVersion(own ?? 0)
  const before = told
  expect(await store.record([incoming('e2')])).toEqual(['new'])
  expect(told).toBeGreaterThan(before)
  expect((await store.events({ after: 0, count: 9 })).map(({ eventId }) => eventId)).toEqual(['e1', 'e2'])
  await store.close()
})
