import { argon2, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DeskLock, openDeskLock } from '../../src/lock/desk-lock.ts'
import { approverPath, type LockSecret, lockPath, writeLock } from '../../src/lock/lock-file.ts'
import { FakeClock } from './fake-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * A passphrase as the program keeps it, with the least cost there is: a lock says itself what each try costs, and where
 * a test is about what comes after, a sixth of a second for each is for nothing.
 */
export async function quicklyKept(passphrase: string): Promise<LockSecret> {
  const cost = { passes: 1, parallelism: 1 }
  const salt = randomBytes(16)
  const options = { message: passphrase, nonce: salt, memory: 8, tagLength: 32, ...cost }
  const hash = await promisify(argon2)('argon2id', options)
  return { kind: 'passphrase', salt: salt.toString('base64'), hash: hash.toString('base64'), memoryKib: 8, ...cost }
}

/** Sets up the desk's lock in a home folder, or with a `holder` what that person approves withdrawals with. */
export async function setUpLock(home: string, passphrase: string, holder?: string): Promise<void> {
  const folder = join(home, '.local/state/pitdesk')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const record = { version: 1, secret: await quicklyKept(passphrase), wrongTries: 0, lastWrongAtMs: 0 } as const
  const written =
    holder === undefined
      ? await writeLock(lockPath(folder), record)
      : await writeLock(approverPath(folder), { ...record, holder })
  if (!written.ok) throw new Error(written.error)
}

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
