import { type DeskLock, openDeskLock } from '../../src/lock/desk-lock.ts'
import { type LockSecret, lockPath, writeLock } from '../../src/lock/lock-file.ts'
import { FakeClock } from './fake-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A state folder with a lock in it, and a way to open the lock as a newly started desk would. */
export async function aDeskLock(secret: LockSecret) {
  const folder = temporaryFolder('lock')
  const clock = new FakeClock(1_700_000_000_000)
  const path = lockPath(folder)
  const written = await writeLock(path, { version: 1, secret, wrongTries: 0, lastWrongAtMs: 0 })
  if (!written.ok) throw new Error(written.error)
  const reopened = async (): Promise<DeskLock> => {
    const lock = await openDeskLock(folder, clock)
    if (!lock.ok) throw new Error(lock.error)
    return lock.value
  }
  return { folder, path, clock, lock: await reopened(), reopened }
}
