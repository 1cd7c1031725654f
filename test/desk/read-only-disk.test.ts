import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeAtomically } from '../../src/base/files/atomic-write.ts'
import { makeFolder } from '../../src/base/files/make-folder.ts'
import { namesIn } from '../../src/base/files/plain-file.ts'
import { silenceOf } from '../../src/domain/desk/duties.ts'
import { openSqliteStore } from '../../src/inbox/store/sqlite-store.ts'
import { joinInTurn } from '../../src/journal/joining.ts'
import { lookAtLock, takeLock } from '../../src/journal/locks.ts'
import { beatNote, seenNote } from '../../src/journal/pid-note.ts'
import { announceAdmin } from '../../src/sandbox/admin/admin-note.ts'
import { DurableExchange } from '../../src/sandbox/persistence/durable-exchange.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { closeFiles } from '../journal/closed-files.ts'

/** A disk of its own that nothing can be written to, until the test is over; null where this user may not mount one. */
const aReadOnlyDisk = (): string | null => aDisk('ro,size=64k')

function aDisk(options: string): string | null {
  const place = join(temporaryFolder('disk'), 'mounted')
  mkdirSync(place)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]).status !== 0) return null
  onTestFinished(() => {
    spawnSync('umount', ['-l', place])
  })
  return place
}

const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

test.skipIf(!mayMount)(
  'a read-only disk is told as read-only, and not as a missing folder, whatever is to be made on it',
  async () => {
    const disk = aReadOnlyDisk()
    if (disk === null) return
    expect(() => makeFolder(join(disk, 'a/b'))).toThrow('EROFS')
    await expect(writeAtomically(join(disk, 'a/b/note.json'), '{}')).rejects.toThrow('EROFS')
    const path = join(disk, 'share/pitdesk/inbox.sqlite')
    expect(() => openSqliteStore({ path, clock: new FakeClock() })).toThrow(
      `The inbox cannot be opened at ${path}: the disk is read-only (EROFS).`,
    )
    expect(() => DurableExchange.open(join(disk, 'state/practice'))).toThrow('it is on a read-only file system')
    const administered = { adminUrl: 'http://127.0.0.1:4012', adminToken: 'never-shown' }
    const announced = announceAdmin({ XDG_STATE_HOME: join(disk, 'state') }, administered, process.pid)
    expect(announced).toMatchObject({ error: expect.stringContaining('written: the disk is read-only (EROFS), so ') })
  },
)

test.skipIf(!mayMount)(
  'on a full disk no file of a journal is read that could not be written again; with room all are joined',
  async () => {
    const disk = aDisk('size=512k')
    if (disk === null) return
    const folder = join(disk, 'journal')
    closeFiles(folder, 0, 16)
    const fill = join(disk, 'fill')
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(fill, Buffer.alloc((bavail - 1) * bsize))
    // Whoever reads it is told of that.
    const unreadable = join(folder, 'closed', 'run999999.0001.jsonl')
    mkdirSync(unreadable)
    const joined = () => joinInTurn({ folder, closedMin: 1, bytesMax: Number.POSITIVE_INFINITY, nowMs: 0 })
    const sentence = 'Closed files of the journal cannot be joined: the disk is full (ENOSPC)'
    expect(await joined()).toEqual({ ok: false, error: sentence })
    rmSync(fill)
    expect(await joined()).toMatchObject({ ok: false, error: expect.stringContaining('not a plain file') })
    rmSync(unreadable, { recursive: true })
    expect([await joined(), namesIn(join(folder, 'closed'))]).toEqual([{ ok: true, value: null }, []])
  },
)

test.skipIf(!mayMount)(
  'a process whose disk has become read-only is not said to stand still: its note cannot say that it moves',
  async () => {
    const disk = aDisk('size=512k')
    if (disk === null) return
    const remount = (how: string) => expect(spawnSync('mount', ['-o', `remount,${how}`, disk]).status).toBe(0)
    const folder = join(disk, 'account')
    mkdirSync(folder)
    const note = join(folder, 'plans-owner')
    beatNote(note, 1_000)
    const own = { pid: process.pid, beatMs: 1_000 }
    const silentMs = () => silenceOf(seenNote(note) ?? own, 61_000)
    expect([seenNote(note), silentMs()]).toEqual([own, 60_000])
    remount('ro')
    expect([seenNote(note), silentMs()]).toEqual([{ ...own, isUnseen: true }, null])
    remount('rw')
    expect([seenNote(note), silentMs()]).toEqual([own, 60_000])
  },
)

test.skipIf(!mayMount)(
  'on a read-only disk no process has a lock, since two had it at once, and that is told by what the disk says',
  () => {
    const disk = aDisk('size=512k')
    if (disk === null) return
    const path = join(disk, 'begin.lock')
    const lock = takeLock(path)
    if (lock.ok) lock.value?.release()
    expect(lock.ok && spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0)
    expect(takeLock(path)).toEqual({ ok: false, error: 'begin.lock: the disk is read-only (EROFS)' })
    // Whether another has it is seen all the same.
    const seen = lookAtLock(path)
    expect(seen).toMatchObject({ ok: true, value: {} })
    if (seen.ok) seen.value?.release()
  },
)
