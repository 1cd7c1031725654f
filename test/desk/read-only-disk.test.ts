import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeAtomically } from '../../src/base/atomic-write.ts'
import { makeFolder } from '../../src/base/make-folder.ts'
import { openSqliteStore } from '../../src/inbox/store/sqlite-store.ts'
import { announceAdmin } from '../../src/sandbox/admin/admin-note.ts'
import { DurableExchange } from '../../src/sandbox/persistence/durable-exchange.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

/** A disk of its own that nothing can be written to, until the test is over; null where this user may not mount one. */
function aReadOnlyDisk(): string | null {
  const place = join(temporaryFolder('disk'), 'readonly')
  mkdirSync(place)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=64k', 'tmpfs', place]).status !== 0) return null
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
